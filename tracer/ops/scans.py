"""All the partial results of a fold along an axis, by pairs: as many steps as the length has bits.

Made of operations that have derivatives, so a scan has one too, to any order: that of a product is
exact where factors are zero.
"""

from __future__ import annotations

from collections.abc import Callable

from tracer.ops.movement import concatenate, reshape, slice
from tracer.values import Data


def scan(x: Data, axis: int, combine: Callable[[Data, Data], Data]) -> Data:
    """Place i holds the elements 0 to i, combined in this order; `combine` is associative."""
    length = x.type.shape[axis]
    if length < 2:
        return x
    paired = length // 2 * 2
    pairs = combine(part(x, axis, 0, paired, 2), part(x, axis, 1, paired, 2))
    odd = scan(pairs, axis, combine)
    even = part(x, axis, 0, 1)
    if length > 2:
        later = part(x, axis, 2, length, 2)
        before = part(odd, axis, 0, later.type.shape[axis])
        even = concatenate(even, combine(before, later), dimension=axis)
    return _interleaved(even, odd, axis)


def part(x: Data, axis: int, start: int, limit: int, stride: int = 1) -> Data:
    """The slice along one axis."""
    shape = x.type.shape
    starts, limits, strides = [0] * len(shape), list(shape), [1] * len(shape)
    starts[axis], limits[axis], strides[axis] = start, limit, stride
    return slice(
        x, start_indices=tuple(starts), limit_indices=tuple(limits), strides=tuple(strides)
    )


def _interleaved(even: Data, odd: Data, axis: int) -> Data:
    """One of each in turn; `even` may be longer by one."""
    length, pairs = even.type.shape[axis], odd.type.shape[axis]
    before, after = odd.type.shape[:axis], odd.type.shape[axis + 1 :]
    columns = [
        reshape(x, shape=(*before, pairs, 1, *after)) for x in (part(even, axis, 0, pairs), odd)
    ]
    mixed = reshape(concatenate(*columns, dimension=axis + 1), shape=(*before, 2 * pairs, *after))
    if length == pairs:
        return mixed
    return concatenate(mixed, part(even, axis, pairs, length), dimension=axis)
