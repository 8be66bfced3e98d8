"""Convolutions of one input feature, or of a few images, as a dot with patches of the input."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod
from typing import NamedTuple

import numpy as np

from lowering.rewriting import Rewriter, RuleSet
from lowering.rules.convolution import convolution_of, dot, flat, order
from lowering.rules.forms import Ints, reshaped
from lowering.rules.pooling import padded
from lowering.rules.slice import cut
from tracer.dtypes import kind
from tracer.ir import Operation, Value
from tracer.ops.convolution import Convolution

RULES = RuleSet()
_PATCH = 32
"""The most places of a patch,"""
_FEATURES, _DERIVED = 16, 32
"""the most features made of it, in a convolution and in its derivative by the kernel,"""
_FEWEST, _LARGEST = 1 << 12, 1 << 25
"""and how many patches, of how many elements in all, for which a dot was the faster, by far.

Measured on jaxlib 0.10.2 and 0.12.0, two cores.
"""
_IMAGES = 4


class _Walk(NamedTuple):
    """Places along the spatial axes: how many, and how far apart."""

    counts: Ints
    steps: Ints


@RULES.rule("convolution")
def input_of_one_feature(operation: Operation, rewriter: Rewriter) -> Value | None:
    """convolution(x, w) -> dot(w, patches(x)), where x has one feature"""
    (x, w), c = operation.operands, convolution_of(operation)
    n = c.dimension_numbers
    axes = (n.input_batch_dimension, *n.input_spatial_dimensions)
    if x.type.shape[n.input_feature_dimension] != 1:
        return None
    if not _is_simple(operation, c, axes, _FEATURES):
        return None
    places = _Walk(_lengths(operation.result, n.output_spatial_dimensions), c.window_strides)
    patch = _Walk(_lengths(w, n.kernel_spatial_dimensions), c.rhs_dilation)
    images = x.type.shape[axes[0]]
    kernel = flat(w, n.kernel_output_feature_dimension, rewriter)
    if not _pays(patch, places, images) or not _ascend(n.kernel_spatial_dimensions) or not kernel:
        return None
    patches = _patches(x, axes, c, patch, places, rewriter)
    made = dot(*kernel, patches, 0, operation, rewriter)
    made = reshaped(made, (made.type.shape[0], images, *places.counts), rewriter)
    return _moved(made, (n.output[1], n.output[0], *n.output[2:]), rewriter)


@RULES.rule("convolution")
def input_of_few_images(operation: Operation, rewriter: Rewriter) -> Value | None:
    """convolution(x, w) -> dot(patches(x), w), where x is few images: a derivative by the kernel"""
    (x, w), c = operation.operands, convolution_of(operation)
    n = c.dimension_numbers
    axes = (n.input_feature_dimension, *n.input_spatial_dimensions)
    count = x.type.shape[n.input_batch_dimension]
    if count > 1:
        axes = (*axes, n.input_batch_dimension)
    if count > _IMAGES or not _is_simple(operation, c, axes, _DERIVED):
        return None
    patch = _Walk(_lengths(operation.result, n.output_spatial_dimensions), c.window_strides)
    places = _Walk(_lengths(w, n.kernel_spatial_dimensions), c.rhs_dilation)
    in_order = _ascend((n.kernel_input_feature_dimension, *n.kernel_spatial_dimensions))
    kernel = flat(w, n.kernel_output_feature_dimension, rewriter)
    if not _pays(patch, places, x.type.shape[axes[0]], count) or not in_order or not kernel:
        return None
    patches = _patches(x, axes, c, patch, places, rewriter)
    made = dot(patches, 1 if count == 1 else 0, *kernel, operation, rewriter)
    made = reshaped(made, (*patch.counts, count, made.type.shape[1]), rewriter)
    return _moved(made, (*n.output[2:], n.output[0], n.output[1]), rewriter)


def _lengths(x: Value, axes: Ints) -> Ints:
    return tuple(x.type.shape[axis] for axis in axes)


def _ascend(axes: Sequence[int]) -> bool:
    return order(axes) == list(range(len(axes)))


def _is_simple(operation: Operation, c: Convolution, axes: Ints, most: int) -> bool:
    """Whether it is of wide floats, few features, and an input whose axes are in order."""
    type, features = operation.result.type, c.dimension_numbers.output_feature_dimension
    wide = kind(type.dtype) == "float" and type.dtype.itemsize >= 4
    plain = c.groups == 1 and not {*c.lhs_dilation} - {1}
    return wide and plain and _ascend(axes) and type.shape[features] <= most


def _pays(patch: _Walk, places: _Walk, images: int, features: int = 1) -> bool:
    size, count = prod(patch.counts), images * prod(places.counts)
    large = size * count * features <= _LARGEST
    return 1 < size <= _PATCH and count >= _FEWEST and large


def _patches(
    x: Value, axes: Ints, c: Convolution, patch: _Walk, places: _Walk, rewriter: Rewriter
) -> Value:
    """A matrix with a row for each place of a patch, a column for each patch of each image.

    The other way round where each place has several elements, on the last axis.
    """
    images, *_ = plain = _lengths(x, axes)
    rest = plain[1 + len(c.padding) :]
    low, high = zip((0, 0), *c.padding, *((0, 0) for _ in rest), strict=True)
    zero = rewriter.constant(np.zeros((), x.type.dtype))
    whole = padded(reshaped(x, plain, rewriter), zero, low, high, rewriter)
    ranges = (range(0, n * step, step) for n, step in zip(*patch, strict=True))
    form = (images * prod(places.counts), *rest) if rest else (1, images * prod(places.counts))
    parts = []
    for start in product(*ranges):
        taken = [(0, images, 1), *zip(start, *places, strict=True), *((0, n, 1) for n in rest)]
        parts.append(reshaped(cut(whole, taken, rewriter), form, rewriter))
    return rewriter.create("concatenate", *parts, dimension=1 if rest else 0)


def _moved(x: Value, axes: Ints, rewriter: Rewriter) -> Value:
    """A value whose axes go to these places."""
    permutation = tuple(map(axes.index, range(len(axes))))
    if _ascend(permutation):
        return x
    return rewriter.create("transpose", x, permutation=permutation)
