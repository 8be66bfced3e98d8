"""Convolution."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tracer.dtypes import DType
from tracer.ir import Attribute, TensorType
from tracer.ir.registry import OPS
from tracer.ops.contraction import wide
from tracer.ops.elementwise import of_dtype, zeros_like
from tracer.ops.movement import inverse, reshape, reverse, transpose
from tracer.ops.rules import need_axes, need_dtype, need_length
from tracer.ops.table import define
from tracer.ops.window import dilated
from tracer.values import Data

Array = NDArray[Any]
Ints = tuple[int, ...]
Padding = tuple[tuple[int, int], ...]


class ConvDimensionNumbers(NamedTuple):
    """Which axis of the input, of the kernel and of the output is which."""

    input_batch_dimension: int
    input_feature_dimension: int
    input_spatial_dimensions: Ints
    kernel_input_feature_dimension: int
    kernel_output_feature_dimension: int
    kernel_spatial_dimensions: Ints
    output_batch_dimension: int
    output_feature_dimension: int
    output_spatial_dimensions: Ints

    @property
    def input(self) -> Ints:
        """Batch, feature and spatial axes of the input."""
        return (
            self.input_batch_dimension,
            self.input_feature_dimension,
            *self.input_spatial_dimensions,
        )

    @property
    def kernel(self) -> Ints:
        """Output feature, input feature and spatial axes of the kernel."""
        return (
            self.kernel_output_feature_dimension,
            self.kernel_input_feature_dimension,
            *self.kernel_spatial_dimensions,
        )

    @property
    def output(self) -> Ints:
        """Batch, feature and spatial axes of the output."""
        return (
            self.output_batch_dimension,
            self.output_feature_dimension,
            *self.output_spatial_dimensions,
        )


def conv_numbers(input: Ints, kernel: Ints, output: Ints) -> ConvDimensionNumbers:
    """From (batch, feature, *spatial) of both ends, (output, input feature, *spatial) between."""
    return ConvDimensionNumbers(
        input[0],
        input[1],
        input[2:],
        kernel[1],
        kernel[0],
        kernel[2:],
        output[0],
        output[1],
        output[2:],
    )


class Convolution(NamedTuple):
    """A field for each attribute."""

    window_strides: Ints
    padding: Padding
    lhs_dilation: Ints
    rhs_dilation: Ints
    dimension_numbers: ConvDimensionNumbers
    feature_group_count: int
    batch_group_count: int
    dtype: DType

    @property
    def window(self) -> tuple[Ints, Padding, Ints, Ints]:
        """What there is one of for each spatial axis."""
        return self[:4]

    @property
    def groups(self) -> int:
        """How many convolutions stand side by side."""
        return max(self.feature_group_count, self.batch_group_count)


def _conv_type(lhs: TensorType, rhs: TensorType, **attributes: Any) -> TensorType:
    """An input and a kernel of one dtype; axes by dimension_numbers, in the dtype asked for."""
    c = Convolution(**attributes)
    n = c.dimension_numbers
    need_dtype((lhs, rhs))
    need_axes(n.input, lhs.ndim, "the input")
    need_axes(n.kernel, rhs.ndim, "the kernel")
    need_axes(n.output, lhs.ndim, "the output")
    for values in c.window:
        need_length(values, lhs.ndim - 2, "a window")
    _check_features(lhs, rhs, c)
    shape = [0] * lhs.ndim
    shape[n.output_batch_dimension] = lhs.shape[n.input_batch_dimension] // c.batch_group_count
    shape[n.output_feature_dimension] = rhs.shape[n.kernel_output_feature_dimension]
    kernel = [rhs.shape[a] for a in n.kernel_spatial_dimensions]
    steps = (*c.window_strides, *c.lhs_dilation, *c.rhs_dilation)
    if any(length < 1 for length in (*kernel, *steps)):
        raise ValueError(
            f"a kernel, strides and dilations of 1 or more are needed, got {rhs}, "
            f"{c.window_strides}, {c.lhs_dilation} and {c.rhs_dilation}"
        )
    lengths = _conv_lengths([lhs.shape[a] for a in n.input_spatial_dimensions], kernel, c)
    for axis, length in zip(n.output_spatial_dimensions, lengths, strict=True):
        shape[axis] = length
    return TensorType(tuple(shape), c.dtype)


def _check_features(lhs: TensorType, rhs: TensorType, c: Convolution) -> None:
    n = c.dimension_numbers
    if min(c.feature_group_count, c.batch_group_count) != 1:
        raise ValueError(
            "groups of features or of batches, not both, are needed, "
            f"got {c.feature_group_count} and {c.batch_group_count}"
        )
    features = lhs.shape[n.input_feature_dimension]
    expected = rhs.shape[n.kernel_input_feature_dimension] * c.feature_group_count
    if features != expected:
        raise ValueError(f"a kernel for {features} input features is needed, got {lhs} and {rhs}")
    if rhs.shape[n.kernel_output_feature_dimension] % c.groups:
        raise ValueError(f"output features in {c.groups} equal groups are needed, got {rhs}")
    if lhs.shape[n.input_batch_dimension] % c.batch_group_count:
        raise ValueError(f"batches in {c.batch_group_count} equal groups are needed, got {lhs}")


def _conv_lengths(lengths: Sequence[int], kernel: Sequence[int], c: Convolution) -> Ints:
    found = []
    for n, k, s, (low, high), a, b in zip(lengths, kernel, *c.window, strict=True):
        room = low + dilated(n, a) + high - dilated(k, b)
        found.append(room // s + 1 if room >= 0 else 0)
    return tuple(found)


def _conv(lhs: Array, rhs: Array, **attributes: Any) -> Array:
    c = Convolution(**attributes)
    n = c.dimension_numbers
    x, w = lhs.transpose(n.input), rhs.transpose(n.kernel)
    split = 1 if c.feature_group_count > 1 else 0
    xs = np.split(x, c.groups, split) if c.groups > 1 else [x]
    parts = [
        _plain_conv(wide(part, c.dtype), wide(kernel, c.dtype), c)
        for part, kernel in zip(xs, np.split(w, c.groups, 0), strict=True)
    ]
    return np.concatenate(parts, 1).astype(c.dtype).transpose(inverse(n.output))


def _plain_conv(x: Array, w: Array, c: Convolution) -> Array:
    """Batch, feature, spatial; one group."""
    shape = _conv_lengths(x.shape[2:], w.shape[2:], c)
    padded = _dilate_and_pad(x, c)
    result = np.zeros((x.shape[0], w.shape[0], *shape), x.dtype)
    for place in product(*map(range, w.shape[2:])):
        places = zip(place, c.rhs_dilation, shape, c.window_strides, strict=True)
        at: Any = [np.s_[p * d : p * d + dilated(n, s) : s] for p, d, n, s in places]
        kernel: Any = (..., *place)
        with np.errstate(all="ignore"):
            result += np.einsum("bi...,oi->bo...", padded[(..., *at)], w[kernel])
    return result


def _dilate_and_pad(x: Array, c: Convolution) -> Array:
    low, high = zip(*c.padding, strict=True) if c.padding else ((), ())
    padded: Array = OPS["pad"].numpy(
        x,
        np.zeros((), x.dtype),
        edge_padding_low=(0, 0, *low),
        edge_padding_high=(0, 0, *high),
        interior_padding=(0, 0, *(d - 1 for d in c.lhs_dilation)),
    )
    return padded


def _split_axis(x: Data, axis: int, groups: int, into: int) -> Data:
    """Takes groups out of the front of one axis and puts them before another."""
    shape = x.type.shape
    moved = [*shape[:axis], groups, shape[axis] // groups, *shape[axis + 1 :]]
    split = reshape(x, shape=tuple(moved))
    order = [a for a in range(len(moved)) if a != axis]
    target = into if into < axis else into + 1
    order.insert(order.index(target), axis)
    joined = list(shape)
    joined[axis] //= groups
    joined[into] *= groups
    return reshape(transpose(split, permutation=tuple(order)), shape=tuple(joined))


def _spans(c: Convolution, x: Data, w: Data, g: Data) -> list[Ints]:
    """Dilated lengths of input, kernel and output, and the padding before, axis by axis."""
    n = c.dimension_numbers
    inputs = [x.type.shape[a] for a in n.input_spatial_dimensions]
    kernel = [w.type.shape[a] for a in n.kernel_spatial_dimensions]
    output = [g.type.shape[a] for a in n.output_spatial_dimensions]
    return [
        (dilated(i, a), dilated(k, b), dilated(o, s), low)
        for i, k, o, s, (low, _), a, b in zip(inputs, kernel, output, *c.window, strict=True)
    ]


def _conv_lhs_rule(g: Data, y: Data, lhs: Data, rhs: Data, **attributes: Any) -> Data:
    """The cotangent convolved with the reversed kernel, its features exchanged."""
    c = Convolution(**attributes)
    n = c.dimension_numbers
    back = [(k - low - 1, i + low - o) for i, k, o, low in _spans(c, lhs, rhs, g)]
    exchanged = _split_axis(of_dtype(rhs, g.type.dtype), n.kernel[0], c.groups, n.kernel[1])
    made = convolution(
        g,
        reverse(exchanged, dimensions=n.kernel_spatial_dimensions),
        window_strides=c.lhs_dilation,
        padding=tuple(back),
        lhs_dilation=c.window_strides,
        rhs_dilation=c.rhs_dilation,
        dimension_numbers=conv_numbers(n.output, _exchange(n.kernel), n.input),
        feature_group_count=c.groups,
        batch_group_count=1,
        dtype=g.type.dtype,
    )
    made = of_dtype(made, lhs.type.dtype)
    if c.batch_group_count == 1:
        return made
    return _split_axis(made, n.input[1], c.batch_group_count, n.input[0])


def _conv_rhs_rule(g: Data, y: Data, lhs: Data, rhs: Data, **attributes: Any) -> Data:
    """The input convolved with the cotangent, batches and features exchanged."""
    if not g.type.size:  # a kernel of no length is no kernel
        return zeros_like(rhs)
    c = Convolution(**attributes)
    n = c.dimension_numbers
    back = [(low, o - i + k - low - 1) for i, k, o, low in _spans(c, lhs, rhs, g)]
    made = convolution(
        of_dtype(lhs, g.type.dtype),
        g,
        window_strides=c.rhs_dilation,
        padding=tuple(back),
        lhs_dilation=c.lhs_dilation,
        rhs_dilation=c.window_strides,
        dimension_numbers=conv_numbers(*map(_exchange, (n.input, n.output, n.kernel))),
        feature_group_count=c.batch_group_count,
        batch_group_count=c.feature_group_count,
        dtype=g.type.dtype,
    )
    return of_dtype(made, rhs.type.dtype)


def _exchange(axes: Ints) -> Ints:
    """The first two the other way round."""
    return axes[1], axes[0], *axes[2:]


convolution = define(
    "convolution",
    _conv_type,
    _conv,
    (_conv_lhs_rule, _conv_rhs_rule),
    attributes=(
        Attribute("window_strides", "i64s"),
        Attribute("padding", "i64_pairs"),
        Attribute("lhs_dilation", "i64s"),
        Attribute("rhs_dilation", "i64s"),
        Attribute("dimension_numbers", "conv_dimension_numbers"),
        Attribute("feature_group_count", "i64"),
        Attribute("batch_group_count", "i64"),
        Attribute("dtype", "dtype"),
    ),
)
