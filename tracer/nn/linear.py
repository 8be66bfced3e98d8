"""Layers that multiply by a learned matrix."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tracer.dtypes import float32
from tracer.errors import at_caller
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
