"""Convolutions of few features as one dot with patches, or with windows that overlap.

Fewer features than a vector of the CPU has lanes leave XLA's convolution slow. Milliseconds, for
64 images of 28 x 28, float32, two cores, jaxlib 0.12.0.1:

    kernel, features   forward       by the kernel  by the input
    5 x 5, 1 to 6      3.04 -> 0.77  1.53 -> 0.68   4.26 -> 0.75
    3 x 3, 3 to 16     1.98 -> 0.95  1.75 -> 1.23   3.02 -> 1.04
    3 x 3, 3 to 64     2.53 -> 2.24  9.14 -> 2.81   5.41 -> 3.66
    3 x 3, 6 to 16     2.55 -> 1.68  3.29 -> 2.47   3.37 -> 1.89
    3 x 3, 8 to 8      1.41 -> 1.67  2.26 -> 2.16   1.50 -> 1.55
    3 x 3, 16 to 16    2.26 -> 4.43  5.87 -> 5.53   2.27 -> 5.56
"""

from __future__ import annotations

from functools import partial

import numpy as np

from lowering.rewriting import Rewriter, RuleSet
from lowering.rules.convolution import convolution_of, dot, order
from lowering.rules.finite import if_finite, is_held_back
from lowering.rules.forms import Ints, again, reshaped
from lowering.rules.overlaps import added, overlapping
from lowering.rules.patches import Patches, Walk, at, edged, taken
from lowering.rules.slice import cut
from tracer.ir import Operation, Value
from tracer.ops.convolution import Convolution, conv_numbers

RULES = RuleSet()
_GATHERED, _SCATTERED = 4, 8
"""Fewer features than this are few: of patches, which are copied, and of windows, which are added.

At 6 features patches are the faster alone, but not in LeNet's step, and compile for longer.
"""
_BLOCKS = (4, 5, 3, 2)
"""How many places are taken at once, the best first;"""
_WIDEST = 160
"""how many features of all of them there may be,"""
_LONGEST, _ROW = 128, 64
"""and how many elements in a patch, and how many places in its last axis: 7 x 7, 3 to 64, in steps
of 2 would take 2.2 times as long, and 100 places in a row 1.8 times;"""
_FEWEST, _LARGEST = 1 << 12, 1 << 25
"""from how many places on, and up to how many elements of all patches."""


@RULES.rule("convolution")
def gathered(operation: Operation, rewriter: Rewriter) -> Value | None:
    """convolution(x, w) -> dot(patches(x), w beside w moved), where x has few features, finite"""
    (x, w), c = operation.operands, convolution_of(operation)
    n = c.dimension_numbers
    if not _is_plain(operation, c) or not _stand_last(c) or is_held_back(x):
        return None
    w = taken(w, (*n.kernel_spatial_dimensions, *n.kernel[1::-1]), rewriter)
    features, made = w.type.shape[-2:]
    places = Walk(_lengths(operation.result, n.output_spatial_dimensions), c.window_strides)
    kernel = Walk(w.type.shape[:-2], c.rhs_dilation)
    block = _block(places.counts[-1], made)
    patches = Patches(places, kernel, tuple(low for low, _ in c.padding), block)
    if not features < _GATHERED <= made:
        return None
    if not _pays(patches, operation.result.type.size // made, features):
        return None
    rows = patches.of(x, rewriter)
    matrix = reshaped(_beside(w, patches, rewriter), (rows.type.shape[1], block * made), rewriter)

    def make(branch: Rewriter) -> Value:
        product = dot(rows, 1, matrix, 0, operation, branch)
        return reshaped(product, operation.result.type.shape, branch)

    return if_finite(operation, [x], make, partial(_itself, operation, c), rewriter)


@RULES.rule("convolution")
def gathered_by_kernel(operation: Operation, rewriter: Rewriter) -> Value | None:
    """convolution(x, g) -> sum of parts of dot(patches(x), g), where x, g are as in a derivative"""
    (x, g), c = operation.operands, convolution_of(operation)
    n = c.dimension_numbers
    ascending = tuple(range(x.type.ndim))
    inputs = (n.input_feature_dimension, *n.input_spatial_dimensions, n.input_batch_dimension)
    kernel = (*n.kernel[1:2], *n.kernel_spatial_dimensions, n.kernel_output_feature_dimension)
    if not _is_plain(operation, c) or inputs != ascending or kernel != ascending:
        return None
    features, made = x.type.shape[-1], g.type.shape[-1]
    places = Walk(g.type.shape[1:-1], c.rhs_dilation)
    taps = Walk(_lengths(operation.result, n.output_spatial_dimensions), c.window_strides)
    block = _block(places.counts[-1], made)
    patches = Patches(places, taps, tuple(low for low, _ in c.padding), block)
    if not features < _GATHERED <= made or not _pays(patches, g.type.size // made, features):
        return None
    rows = patches.of(x, rewriter)
    columns = reshaped(g, (rows.type.shape[0], block * made), rewriter)
    every = dot(rows, 0, columns, 0, operation, rewriter)
    found = _added_up(every, patches, features, made, rewriter)
    axes = (*n.output_spatial_dimensions, n.output_batch_dimension, n.output_feature_dimension)
    return taken(found, tuple(order(axes)), rewriter)


@RULES.rule("convolution")
def scattered(operation: Operation, rewriter: Rewriter) -> Value | None:
    """convolution(x, w) -> sum of dot(x, w beside w moved), moved, where few features are made"""
    (x, w), c = operation.operands, convolution_of(operation)
    n = c.dimension_numbers
    if not _is_plain(operation, c) or not _stand_last(c) or is_held_back(x):
        return None
    if {*c.window_strides, *c.rhs_dilation} != {1}:
        return None
    spatial = tuple(range(x.type.ndim - 2))
    w = taken(w, (*n.kernel_spatial_dimensions, *n.kernel[:2]), rewriter)
    made, features = w.type.shape[-2:]
    block = _block(x.type.shape[-2], features)
    ones = (1,) * len(spatial)
    windows = Patches(Walk(x.type.shape[1:-1], ones), Walk(w.type.shape[:-2], ones), (), block)
    if not made < min(features, _SCATTERED):
        return None
    if not _pays(windows, x.type.size // features, made):
        return None
    values = [x, w]  # an infinity in w is multiplied by the padding, which the dot knows nothing of
    w = rewriter.create("reverse", w, dimensions=spatial)
    matrix = _beside(w, windows, rewriter)
    matrix = reshaped(matrix, (windows.size * made, block * features), rewriter)
    rows = reshaped(x, (x.type.size // (block * features), block * features), rewriter)

    def make(branch: Rewriter) -> Value:
        product = dot(rows, 1, matrix, 1, operation, branch)
        whole = overlapping(product, windows, x.type.shape[0], made, branch)
        edges = zip(c.padding, w.type.shape[: len(spatial)], strict=True)
        low, high = zip(*((a - k + 1, b - k + 1) for (a, b), k in edges), strict=True)
        spare = whole.type.shape[-2] - x.type.shape[-2] - w.type.shape[len(spatial) - 1] + 1
        high = (*high[:-1], high[-1] - spare)
        return edged(whole, (0, *low, 0), (0, *high, 0), branch)

    return if_finite(operation, values, make, partial(_itself, operation, c), rewriter)


def _itself(operation: Operation, c: Convolution, x: Value, rewriter: Rewriter) -> Value:
    """The convolution of x, its kernel in the one order that XLA in a branch has fast code for."""
    n = c.dimension_numbers
    w = taken(operation.operands[1], (*n.kernel_spatial_dimensions, *n.kernel[1::-1]), rewriter)
    places = tuple(range(w.type.ndim))
    numbers = conv_numbers(n.input, (*places[:-3:-1], *places[:-2]), n.output)
    return again(operation, rewriter, x, w, dimension_numbers=numbers)


def _lengths(x: Value, axes: Ints) -> Ints:
    return tuple(x.type.shape[axis] for axis in axes)


def _is_plain(operation: Operation, c: Convolution) -> bool:
    """Whether it is of float32, one group, an input without holes, and any element."""
    x, w = operation.operands
    types = (x.type, w.type, operation.result.type)
    if any(type.dtype != np.float32 or not type.size for type in types):
        return False
    return c.groups == 1 and not {*c.lhs_dilation} - {1} and bool(c.padding)


def _stand_last(c: Convolution) -> bool:
    """Whether the axes of input and result are batch, spatial axes, features."""
    n = c.dimension_numbers
    found = (n.input_batch_dimension, *n.input_spatial_dimensions, n.input_feature_dimension)
    given = (n.output_batch_dimension, *n.output_spatial_dimensions, n.output_feature_dimension)
    return found == given == tuple(range(len(found)))


def _block(count: int, features: int) -> int:
    """How many of so many places are taken at once, of so many features each."""
    fitting = (b for b in _BLOCKS if not count % b and b * features <= _WIDEST)
    return next(fitting, 1)


def _pays(patches: Patches, places: int, features: int) -> bool:
    """Whether a dot is the faster."""
    if patches.block == 1 or patches.kernel.counts[-1] == 1 or patches.width > _ROW:
        return False
    length = patches.size * features
    return length <= _LONGEST and places >= _FEWEST and length * places <= _LARGEST * patches.block


def _beside(w: Value, patches: Patches, rewriter: Rewriter) -> Value:
    """A kernel of as many places as a patch, once for each place: features beside each other.

    Rows that are longer than what is read of them begin later and later.
    """
    *others, _, features, made = w.type.shape
    axis, block, step = len(others), patches.block, patches.places.steps[-1]
    long = patches.width + step
    holes = at(axis, patches.kernel.steps[-1] - 1, w.type.ndim)
    spare = at(axis, long - patches.reach, w.type.ndim)
    w = edged(w, at(axis, 0, w.type.ndim), spare, rewriter, holes)
    places = tuple(i for i in range(axis + 4) if i != axis)
    shape = (*others, block, long, features, made)
    w = rewriter.create("broadcast_in_dim", w, broadcast_dimensions=places, shape=shape)
    w = reshaped(w, (*others, block * long, features, made), rewriter)
    whole = [(0, n, 1) for n in w.type.shape]
    whole[axis] = (0, block * patches.width, 1)
    w = reshaped(cut(w, whole, rewriter), (*others, block, patches.width, features, made), rewriter)
    return taken(w, (*range(axis), axis + 1, axis + 2, axis, axis + 3), rewriter)


def _added_up(x: Value, patches: Patches, features: int, made: int, rewriter: Rewriter) -> Value:
    """The kernel's derivative, of which each place of a block has a part."""
    counts, step = patches.kernel.counts, patches.kernel.steps[-1]
    block = patches.block * made
    whole = reshaped(x, (*counts[:-1], patches.width, features, block), rewriter)
    others = [(0, n, 1) for n in counts[:-1]]
    parts = []
    for i, start in enumerate(patches.starts):
        last = [(start, counts[-1], step), (0, features, 1), (i * made, made, 1)]
        parts.append(cut(whole, [*others, *last], rewriter))
    return added(parts, rewriter)
