"""Convolutions in 1, 2 and 3 dimensions. Layout NHWC, HWIO."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from tracer.errors import at_caller
from tracer.functions.operands import promoted, wrap
from tracer.functions.spatial import Each, Padding, Pads, explicit, named, pads, positive
from tracer.ops.convolution import conv_numbers, convolution
from tracer.ops.movement import reshape, reverse, transpose
from tracer.ops.window import dilated
from tracer.values import Data

if TYPE_CHECKING:
    from tracer.functions.operands import ArrayLike
    from tracer.tensor import Tensor

__all__ = ["conv", "conv_transpose", "depthwise_conv", "separable_conv"]


class Steps(NamedTuple):
    """How far apart windows are, elements of the input, and elements of the kernel."""

    strides: tuple[int, ...]
    input: tuple[int, ...]
    kernel: tuple[int, ...]


def conv(  # noqa: PLR0913  a convolution's options, by keyword
    x: ArrayLike,
    kernel: ArrayLike,
    *,
    strides: Each = 1,
    padding: Padding = "valid",
    dilations: Each = 1,
    input_dilations: Each = 1,
    groups: int = 1,
) -> Tensor:
    """A convolution in 1, 2 or 3 dimensions.

    x: (batch, *spatial, features); kernel: (*window, features // groups, new features); the result:
    (batch, *spatial, new features). dilations set the kernel's elements apart, input_dilations
    those of x, with zeros between. padding: "valid", "same" (ceil(length / stride) places), an int,
    or ints or pairs an axis. Raises ValueError where shapes, strides or padding don't fit.
    """
    a, b = promoted("conv", x, kernel)
    shape, window = a.type.shape, b.type.shape
    (groups,) = positive("conv groups", groups, 1)
    _need_kernel("conv", shape, window, groups)
    n = len(shape) - 2
    steps, apart = positive("conv", strides, n), positive("conv", input_dilations, n)
    rates = positive("conv", dilations, n)
    lengths = list(map(dilated, shape[1:-1], apart))
    reach = list(map(dilated, window[:n], rates))
    edges = pads("conv", padding, lengths, reach, steps)
    return wrap(_convolved(a, b, Steps(steps, apart, rates), edges, groups))


def _need_kernel(name: str, shape: tuple[int, ...], window: tuple[int, ...], groups: int) -> None:
    if len(shape) < 3 or len(window) != len(shape):
        found = f"got {shape} and {window}"
        message = f"{name} needs x (N, spatial, C) and a kernel of as many axes, {found}"
        raise at_caller(ValueError(message))
    if shape[-1] != window[-2] * groups:
        apart = f" and {groups} groups" if name == "conv" else ""
        message = f"{name} needs a kernel for {shape[-1]} features, got {window}{apart}"
        raise at_caller(ValueError(message))


def _convolved(x: Data, kernel: Data, steps: Steps, edges: Pads, groups: int) -> Data:
    n = x.type.ndim - 2
    spatial = tuple(range(1, n + 1))
    outside = (0, n + 1, *spatial)
    return convolution(
        x,
        kernel,
        window_strides=steps.strides,
        padding=edges,
        lhs_dilation=steps.input,
        rhs_dilation=steps.kernel,
        dimension_numbers=conv_numbers(outside, (n + 1, n, *range(n)), outside),
        feature_group_count=groups,
        batch_group_count=1,
        dtype=x.type.dtype,
    )


def conv_transpose(
    x: ArrayLike,
    kernel: ArrayLike,
    *,
    strides: Each = 1,
    padding: Padding = "valid",
    dilations: Each = 1,
    transpose_kernel: bool = False,
) -> Tensor:
    """A convolution of x with strides - 1 zeros between its elements, which makes it larger.

    x: (batch, *spatial, features); kernel: (*window, features, new features). "same" makes
    length * stride places, "valid" max(window - stride, 0) more; numbers pad the spread x. With
    transpose_kernel the kernel is that of the convolution which this is the derivative of: its
    spatial axes are reversed, its last two exchanged. Source: jax.lax.conv_transpose.
    """
    a, b = promoted("conv_transpose", x, kernel)
    n = a.type.ndim - 2
    if transpose_kernel and b.type.ndim > 2:
        b = _exchanged(b)
    _need_kernel("conv_transpose", a.type.shape, b.type.shape, 1)
    steps = positive("conv_transpose", strides, n)
    rates = positive("conv_transpose", dilations, n)
    word = named("conv_transpose", padding, n)
    reach = map(dilated, b.type.shape[:n], rates)
    edges = explicit(padding, n) if word is None else tuple(map(_spread[word], reach, steps))
    return wrap(_convolved(a, b, Steps((1,) * n, steps, rates), edges, 1))


def _exchanged(kernel: Data) -> Data:
    """Spatial axes reversed, and the features of both ends exchanged."""
    n = kernel.type.ndim - 2
    turned = reverse(kernel, dimensions=tuple(range(n)))
    return transpose(turned, permutation=(*range(n), n + 1, n))


def _spread_same(window: int, stride: int) -> tuple[int, int]:
    low = window - 1 if stride > window - 1 else -(-(window + stride - 2) // 2)
    return low, window + stride - 2 - low


def _spread_valid(window: int, stride: int) -> tuple[int, int]:
    return window - 1, stride - 1 + max(window - stride, 0)


_spread: dict[str, Callable[[int, int], tuple[int, int]]] = {
    "same": _spread_same,
    "valid": _spread_valid,
}
"""The padding of x with zeros between its elements, by its name."""


def depthwise_conv(
    x: ArrayLike,
    kernel: ArrayLike,
    *,
    strides: Each = 1,
    padding: Padding = "valid",
    dilations: Each = 1,
) -> Tensor:
    """A convolution of each feature by itself, which makes `multiplier` new ones of it.

    x: (batch, *spatial, features); kernel: (*window, features, multiplier); the result: (batch,
    *spatial, features * multiplier). The rest is as in `conv`.
    """
    a, b = promoted("depthwise_conv", x, kernel)
    window = b.type.shape
    _need_kernel("depthwise_conv", a.type.shape, window, 1)
    features = window[-2]
    grouped = reshape(b, shape=(*window[:-2], 1, features * window[-1]))
    return conv(
        wrap(a),
        wrap(grouped),
        strides=strides,
        padding=padding,
        dilations=dilations,
        groups=features,
    )


def separable_conv(
    x: ArrayLike,
    depthwise_kernel: ArrayLike,
    pointwise_kernel: ArrayLike,
    *,
    strides: Each = 1,
    padding: Padding = "valid",
    dilations: Each = 1,
) -> Tensor:
    """A depthwise convolution, then one of window 1 that mixes features.

    depthwise_kernel: (*window, features, multiplier); pointwise_kernel: (*ones, features *
    multiplier, new features). The rest is as in `conv`.
    """
    spread = depthwise_conv(
        x, depthwise_kernel, strides=strides, padding=padding, dilations=dilations
    )
    return conv(spread, pointwise_kernel)
