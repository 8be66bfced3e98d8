"""Layers of convolutions with learned kernels. Layout NHWC, HWIO."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from tracer.dtypes import float32
from tracer.errors import at_caller
from tracer.functions.convolution import conv, conv_transpose, depthwise_conv, separable_conv
from tracer.functions.spatial import Each, Padding
from tracer.nn.initializers import Initializer, glorot_uniform, zeros
from tracer.nn.linear import Activation, identity
from tracer.random import Generator
from tracer.tensor import Tensor
from tracer.tree import Module

AXES = ("width",), ("height", "width"), ("depth", "height", "width")
"""The names of 1, 2 and 3 spatial axes."""


class _Convolution(Module):
    """What these layers have in common: a kernel, a bias, and how they are applied."""

    spatial: ClassVar[int]
    last = "channels, filters"

    def __init__(  # by keyword, each with a default
        self,
        filter_shape: Sequence[int],
        activation: Activation = identity,
        *,
        strides: Each = 1,
        padding: Padding = "valid",
        dilations: Each = 1,
        use_bias: bool = True,
        filter_initializer: Initializer = glorot_uniform,
        bias_initializer: Initializer = zeros,
        generator: Generator | None = None,
        dtype: Any = float32,
    ) -> None:
        if len(filter_shape) != self.spatial + 2:
            names = ", ".join((*AXES[self.spatial - 1], self.last))
            message = f"{type(self).__name__} needs filter_shape ({names}), got {filter_shape}"
            raise at_caller(ValueError(message))
        generator = generator or Generator()
        filters = (self._filters(filter_shape),)
        self.kernel = filter_initializer(filter_shape, generator, dtype)
        self.bias = bias_initializer(filters, generator, dtype) if use_bias else None
        self.activation = activation
        self.strides = strides
        self.padding = padding
        self.dilations = dilations

    def _filters(self, filter_shape: Sequence[int]) -> int:
        return filter_shape[-1]

    def _channels(self) -> int:
        return self.kernel.shape[-2]

    def _convolved(self, x: Tensor, **steps: Any) -> Tensor:
        raise NotImplementedError

    def __call__(self, x: Tensor) -> Tensor:
        if x.ndim != self.spatial + 2 or x.shape[-1] != self._channels():
            axes = ", ".join(name[0].upper() for name in AXES[self.spatial - 1])
            needed = f"(N, {axes}, {self._channels()})"
            message = f"{type(self).__name__} needs x {needed}, got shape {x.shape}"
            raise at_caller(ValueError(message))
        result = self._convolved(
            x, strides=self.strides, padding=self.padding, dilations=self.dilations
        )
        return self.activation(result if self.bias is None else result + self.bias)


class _Conv(_Convolution):
    def __init__(
        self,
        filter_shape: Sequence[int],
        activation: Activation = identity,
        *,
        groups: int = 1,
        **options: Any,
    ) -> None:
        super().__init__(filter_shape, activation, **options)
        self.groups = groups

    def _channels(self) -> int:
        return self.kernel.shape[-2] * self.groups

    def _convolved(self, x: Tensor, **steps: Any) -> Tensor:
        return conv(x, self.kernel, groups=self.groups, **steps)


class Conv1D(_Conv):
    """activation(conv(x, kernel) + bias). x: (batch, width, channels).

    filter_shape is (width, channels // groups, filters); the result is (batch, width, filters).
    Raises ValueError for an x of another rank or number of channels.
    """

    spatial = 1


class Conv2D(_Conv):
    """activation(conv(x, kernel) + bias). x: (batch, height, width, channels).

    filter_shape is (height, width, channels // groups, filters); the result is (batch, height,
    width, filters). Raises ValueError for an x of another rank or number of channels.
    """

    spatial = 2


class Conv3D(_Conv):
    """activation(conv(x, kernel) + bias). x: (batch, depth, height, width, channels).

    filter_shape is (depth, height, width, channels // groups, filters); the result is (batch,
    depth, height, width, filters). Raises ValueError for an x of another rank or number of
    channels.
    """

    spatial = 3


class _TransposedConv(_Convolution):
    last = "filters, channels"

    def _filters(self, filter_shape: Sequence[int]) -> int:
        return filter_shape[-2]

    def _channels(self) -> int:
        return self.kernel.shape[-1]

    def _convolved(self, x: Tensor, **steps: Any) -> Tensor:
        return conv_transpose(x, self.kernel, transpose_kernel=True, **steps)


class TransposedConv1D(_TransposedConv):
    """activation(conv_transpose(x, kernel) + bias). x: (batch, width, channels).

    filter_shape is (width, filters, channels), as of the Conv1D that this goes back through; with
    padding "same" the result is (batch, width * stride, filters). Raises ValueError for an x of
    another rank or number of channels.
    """

    spatial = 1


class TransposedConv2D(_TransposedConv):
    """activation(conv_transpose(x, kernel) + bias). x: (batch, height, width, channels).

    filter_shape is (height, width, filters, channels), as of the Conv2D that this goes back
    through; with padding "same" the result is (batch, height * stride, width * stride, filters).
    Raises ValueError for an x of another rank or number of channels.
    """

    spatial = 2


class TransposedConv3D(_TransposedConv):
    """activation(conv_transpose(x, kernel) + bias). x: (batch, depth, height, width, channels).

    filter_shape is (depth, height, width, filters, channels), as of the Conv3D that this goes back
    through; with padding "same" each spatial length becomes length * stride. Raises ValueError for
    an x of another rank or number of channels.
    """

    spatial = 3


class DepthwiseConv2D(_Convolution):
    """activation(depthwise_conv(x, kernel) + bias). x: (batch, height, width, channels).

    filter_shape is (height, width, channels, multiplier); the result is (batch, height, width,
    channels * multiplier). Raises ValueError for an x of another rank or number of channels.
    """

    spatial = 2
    last = "channels, multiplier"

    def _filters(self, filter_shape: Sequence[int]) -> int:
        return filter_shape[-2] * filter_shape[-1]

    def _convolved(self, x: Tensor, **steps: Any) -> Tensor:
        return depthwise_conv(x, self.kernel, **steps)


class _SeparableConv(_Convolution):
    last = "channels, multiplier"

    def __init__(
        self,
        filter_shape: Sequence[int],
        filters: int,
        activation: Activation = identity,
        *,
        use_bias: bool = True,
        filter_initializer: Initializer = glorot_uniform,
        bias_initializer: Initializer = zeros,
        generator: Generator | None = None,
        dtype: Any = float32,
        **steps: Any,
    ) -> None:
        generator = generator or Generator()
        given: dict[str, Any] = {"generator": generator, "dtype": dtype, **steps}
        super().__init__(
            filter_shape,
            activation,
            use_bias=False,
            filter_initializer=filter_initializer,
            **given,
        )
        point = (1,) * self.spatial + (filter_shape[-2] * filter_shape[-1], filters)
        self.pointwise_kernel = filter_initializer(point, generator, dtype)
        self.bias = bias_initializer((filters,), generator, dtype) if use_bias else None

    def _convolved(self, x: Tensor, **steps: Any) -> Tensor:
        return separable_conv(x, self.kernel, self.pointwise_kernel, **steps)


class SeparableConv1D(_SeparableConv):
    """activation(separable_conv(x, …) + bias). x: (batch, width, channels).

    filter_shape is (width, channels, multiplier); the result is (batch, width, filters). Raises
    ValueError for an x of another rank or number of channels.
    """

    spatial = 1


class SeparableConv2D(_SeparableConv):
    """activation(separable_conv(x, …) + bias). x: (batch, height, width, channels).

    filter_shape is (height, width, channels, multiplier); the result is (batch, height, width,
    filters). Raises ValueError for an x of another rank or number of channels.
    """

    spatial = 2
