"""Layers that multiply by learned weights: Dense, Conv2D."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tracer.dtypes import float32
from tracer.errors import at_caller
from tracer.functions.neural import conv
from tracer.nn.initializers import Initializer, glorot_uniform, zeros
from tracer.random import Generator
from tracer.tensor import Tensor
from tracer.tree import Module

Activation = Callable[[Tensor], Tensor]


def identity(x: Tensor) -> Tensor:
    """x."""
    return x


class Dense(Module):
    """activation(x @ weight + bias). x: (..., input_size); the result: (..., output_size).

    Raises ValueError for an x of another last length.
    """

    def __init__(  # by keyword, each with a default
        self,
        input_size: int,
        output_size: int,
        activation: Activation = identity,
        *,
        use_bias: bool = True,
        weight_initializer: Initializer = glorot_uniform,
        bias_initializer: Initializer = zeros,
        generator: Generator | None = None,
        dtype: Any = float32,
    ) -> None:
        generator = generator or Generator()
        self.weight = weight_initializer((input_size, output_size), generator, dtype)
        self.bias = bias_initializer((output_size,), generator, dtype) if use_bias else None
        self.activation = activation

    def __call__(self, x: Tensor) -> Tensor:
        if not x.ndim or x.shape[-1] != self.weight.shape[0]:
            message = f"Dense needs x (..., {self.weight.shape[0]}), got shape {x.shape}"
            raise at_caller(ValueError(message))
        product = x @ self.weight
        return self.activation(product if self.bias is None else product + self.bias)


class Conv2D(Module):
    """activation(conv(x, kernel) + bias). x: (batch, height, width, channels).

    filter_shape is (height, width, channels, filters); the result is (batch, height, width,
    filters). Raises ValueError for an x of another rank or number of channels.
    """

    def __init__(  # by keyword, each with a default
        self,
        filter_shape: Sequence[int],
        activation: Activation = identity,
        *,
        strides: int | Sequence[int] = 1,
        padding: str | Sequence[Sequence[int]] = "valid",
        dilations: int | Sequence[int] = 1,
        use_bias: bool = True,
        filter_initializer: Initializer = glorot_uniform,
        bias_initializer: Initializer = zeros,
        generator: Generator | None = None,
        dtype: Any = float32,
    ) -> None:
        if len(filter_shape) != 4:
            message = (
                f"Conv2D needs filter_shape (height, width, channels, filters), got {filter_shape}"
            )
            raise at_caller(ValueError(message))
        generator = generator or Generator()
        self.kernel = filter_initializer(filter_shape, generator, dtype)
        self.bias = bias_initializer(filter_shape[-1:], generator, dtype) if use_bias else None
        self.activation = activation
        self.strides = strides
        self.padding = padding
        self.dilations = dilations

    def __call__(self, x: Tensor) -> Tensor:
        if x.ndim != 4 or x.shape[-1] != self.kernel.shape[2]:
            message = f"Conv2D needs x (N, H, W, {self.kernel.shape[2]}), got shape {x.shape}"
            raise at_caller(ValueError(message))
        result = conv(
            x, self.kernel, strides=self.strides, padding=self.padding, dilations=self.dilations
        )
        return self.activation(result if self.bias is None else result + self.bias)
