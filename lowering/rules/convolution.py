"""Convolutions that are dots, and the padding of their inputs."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from lowering.rewriting import Rewriter, RuleSet, is_splat
from lowering.rules.finite import is_held_back
from lowering.rules.forms import Ints, again, reshaped
from lowering.rules.pooling import padded
from tracer.ir import Operation, Value
from tracer.ops.contraction import DotDimensionNumbers
from tracer.ops.convolution import Convolution

RULES = RuleSet()


def convolution_of(operation: Operation) -> Convolution:
    """The attributes of a convolution by name."""
    return Convolution(**operation.op.of_schema(operation.attributes))


def dot(a: Value, i: int, b: Value, j: int, like: Operation, rewriter: Rewriter) -> Value:
    """The dot of two matrices over an axis of each, as exact as another operation."""
    numbers = DotDimensionNumbers((), (), (i,), (j,))
    given: dict[str, Any] = {"dot_dimension_numbers": numbers, "dtype": like.result.type.dtype}
    if "precision_config" in like.attributes:
        given["precision_config"] = like.attributes["precision_config"]
    return rewriter.create("dot_general", a, b, **given)


def flat(x: Value, axis: int, rewriter: Rewriter) -> tuple[Value, int] | None:
    """A value as a matrix of one axis and all others, and where the others are.

    None where that axis stands between the others.
    """
    length, others = x.type.shape[axis], prod(x.type.shape[:axis]) * prod(x.type.shape[axis + 1 :])
    if axis == 0:
        return reshaped(x, (length, others), rewriter), 1
    if axis == x.type.ndim - 1:
        return reshaped(x, (others, length), rewriter), 0
    return None


@RULES.rule("convolution")
def padded_input(operation: Operation, rewriter: Rewriter) -> Value | None:
    """convolution(pad(x, 0), w) -> convolution(x, w), padded, or dilated"""
    match operation.operands:
        case (Value(Operation("pad", (x, filling)) as pad), w) if is_splat(filling, 0):
            c = convolution_of(operation)
        case _:
            return None
    names = ("edge_padding_low", "edge_padding_high", "interior_padding")
    edges = list(zip(*(pad.attributes[name] for name in names), strict=True))
    n = c.dimension_numbers
    if any(edges[n.input_batch_dimension]) or any(edges[n.input_feature_dimension]):
        return None
    if {*c.lhs_dilation} - {1}:
        return None
    spatial = [edges[axis] for axis in n.input_spatial_dimensions]
    if any(min(low, high) < 0 for low, high, _ in spatial):  # nor may what is cut off come back
        return None
    pairs = zip(c.padding, spatial, strict=True)
    return again(
        operation,
        rewriter,
        x,
        w,
        padding=tuple((a + low, b + high) for (a, b), (low, high, _) in pairs),
        lhs_dilation=tuple(hole + 1 for _, _, hole in spatial),
    )


@RULES.rule("convolution")
def kernel_of_one_place(operation: Operation, rewriter: Rewriter) -> Value | None:
    """convolution(x, w) -> dot(x, w), where a kernel is of one place and features stand last"""
    x, w = operation.operands
    c = convolution_of(operation)
    n = c.dimension_numbers
    last = tuple(range(x.type.ndim))
    places = (n.input_batch_dimension, *n.input_spatial_dimensions, n.input_feature_dimension)
    given = (n.output_batch_dimension, *n.output_spatial_dimensions, n.output_feature_dimension)
    if places != last or given != last or not _is_plain(c) or {*c.window_strides} - {1}:
        return None
    if any(w.type.shape[axis] != 1 for axis in n.kernel_spatial_dimensions):
        return None
    kernel = _matrix(w, n.kernel_input_feature_dimension, n.kernel_output_feature_dimension)
    rows = reshaped(x, (prod(x.type.shape[:-1]), x.type.shape[-1]), rewriter)
    made = dot(rows, 1, reshaped(w, kernel[0], rewriter), kernel[1], operation, rewriter)
    return reshaped(made, operation.result.type.shape, rewriter)


def _is_plain(c: Convolution) -> bool:
    """Whether there is no padding, no dilation of the input, and one group."""
    return c.groups == 1 and not any(map(any, c.padding)) and not {*c.lhs_dilation} - {1}


def _matrix(w: Value, contracted: int, free: int) -> tuple[Ints, int]:
    """The shape of two axes, all others being of length 1, and where the first is."""
    i, o = w.type.shape[contracted], w.type.shape[free]
    return ((i, o), 0) if contracted < free else ((o, i), 1)


@RULES.rule("convolution")
def kernel_of_every_place(operation: Operation, rewriter: Rewriter) -> Value | None:
    """convolution(x, w) -> dot(x, w), where a kernel is as long as its input, in the same order"""
    x, w = operation.operands
    c = convolution_of(operation)
    n = c.dimension_numbers
    if not _is_plain(c) or {*c.rhs_dilation} - {1}:
        return None
    spatial = zip(n.input_spatial_dimensions, n.kernel_spatial_dimensions, strict=True)
    if any(x.type.shape[a] != w.type.shape[b] for a, b in spatial):
        return None
    contracted = [n.input_feature_dimension, *n.input_spatial_dimensions]
    kernel = [n.kernel_input_feature_dimension, *n.kernel_spatial_dimensions]
    if order(contracted) != order(kernel):
        return None
    left = flat(x, n.input_batch_dimension, rewriter)
    right = flat(w, n.kernel_output_feature_dimension, rewriter)
    if left is None or right is None:
        return None
    if n.output_batch_dimension > n.output_feature_dimension:
        left, right = right, left
    made = dot(*left, *right, operation, rewriter)
    return reshaped(made, operation.result.type.shape, rewriter)


def order(axes: Sequence[int]) -> list[int]:
    """Which of the axes comes first, second, and so on."""
    return sorted(range(len(axes)), key=axes.__getitem__)


@RULES.rule("convolution")
def nearly_eight_features(operation: Operation, rewriter: Rewriter) -> Value | None:
    """convolution(x, w) -> convolution(pad(x, 0), pad(w, 0)), of 5 to 7 input features, to 8"""
    x, w = operation.operands
    c = convolution_of(operation)
    n = c.dimension_numbers
    features, last = x.type.shape[n.input_feature_dimension], x.type.ndim - 1
    if not 5 <= features < 8 or n.input_feature_dimension != last or c.groups != 1:
        return None
    if x.type.dtype != np.float32 or not operation.result.type.size or is_held_back(x):
        return None
    zero = rewriter.constant(np.zeros((), x.type.dtype))
    wide = padded(x, zero, (0,) * x.type.ndim, _at(last, 8 - features, x.type.ndim), rewriter)
    edges = _at(n.kernel_input_feature_dimension, 8 - features, w.type.ndim)
    return again(operation, rewriter, wide, padded(w, zero, (0,) * w.type.ndim, edges, rewriter))


def _at(axis: int, length: int, count: int) -> Ints:
    return tuple(length if a == axis else 0 for a in range(count))
