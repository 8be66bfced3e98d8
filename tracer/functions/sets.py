"""Distinct elements, and whether elements are among others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from tracer.dispatch import splat
from tracer.dtypes import bool_
from tracer.functions.cumulative import cumsum, diff, neighbours
from tracer.functions.operands import Axis, as_dtype, axes_of, data_of, promoted, wrap
from tracer.functions.reductions import sum
from tracer.functions.sorting import counts_below, keys_of, places
from tracer.ops import elementwise as ops
from tracer.ops.movement import concatenate, reshape
from tracer.ops.scans import part
from tracer.ops.sorting import sort_by
from tracer.values import Data

if TYPE_CHECKING:
    from tracer.functions.operands import ArrayLike
    from tracer.tensor import Tensor

__all__ = [
    "count_nonzero",
    "isin",
    "unique_all",
    "unique_counts",
    "unique_inverse",
    "unique_values",
]


def count_nonzero(x: ArrayLike, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
    """How many elements are not zero (false), over axes (int32). NaN is not zero."""
    data = as_dtype(data_of("count_nonzero", x), bool_)
    axes = axes_of("count_nonzero", axis, data.type.ndim)
    return sum(wrap(data), axes, keepdims=keepdims)


def isin(x1: ArrayLike, x2: ArrayLike, *, invert: bool = False) -> Tensor:
    """Whether each element of x1 is among those of x2 (is not, with invert=True). NaN never is."""
    values, others = promoted("isin", x1, x2)
    flat = reshape(others, shape=(others.type.size,))
    less, at_most = (counts_below(flat, values, inclusive=each) for each in (False, True))
    found = ops.and_(
        ops.compare(less, at_most, comparison_direction="NE"),
        ops.compare(values, values, comparison_direction="EQ"),
    )
    return wrap(ops.not_(found) if invert else found)


class UniqueAll(NamedTuple):
    """What `unique_all` finds."""

    values: Tensor
    indices: Tensor
    inverse_indices: Tensor
    counts: Tensor


class UniqueCounts(NamedTuple):
    """What `unique_counts` finds."""

    values: Tensor
    counts: Tensor


class UniqueInverse(NamedTuple):
    """What `unique_inverse` finds."""

    values: Tensor
    inverse_indices: Tensor


class _Groups:
    """The elements in order, in groups of equals; a NaN is a group of its own."""

    def __init__(self, name: str, x: Any) -> None:
        data = data_of(name, x)
        flat = reshape(data, shape=(data.type.size,))
        self.shape = data.type.shape
        self.sorted, self.came_from = sort_by(keys_of(flat), (flat, places(flat, 0)), 0)
        later, before = neighbours(self.sorted, 0)
        changes = ops.compare(later, before, comparison_direction="NE")
        start = splat(True, changes.type.with_shape((1,)), data.device)
        self.first = part(concatenate(start, changes, dimension=0), 0, 0, flat.type.size)
        self.count = int(sum(wrap(self.first)).item())

    def first_of(self, x: Data) -> Data:
        """Of each group the first; x is in the order of the sorted elements."""
        order = places(x, 0)
        never = splat(x.type.size, order.type, x.device)
        (moved,) = sort_by((ops.select(self.first, order, never),), (x,), 0)
        return part(moved, 0, 0, self.count)

    def values(self) -> Tensor:
        """One of each, in order."""
        return wrap(self.first_of(self.sorted))

    def indices(self) -> Tensor:
        """Where the first of each group stands."""
        return wrap(self.first_of(self.came_from))

    def inverse(self) -> Tensor:
        """For each element, the number of its group."""
        numbers = cumsum(wrap(self.first)) - 1
        (found,) = sort_by((self.came_from,), (numbers._data,), 0)
        return wrap(reshape(found, shape=self.shape))

    def counts(self) -> Tensor:
        """How large each group is."""
        starts = wrap(self.first_of(places(self.sorted, 0)))
        return diff(starts, append=self.sorted.type.size)


def unique_values(x: ArrayLike) -> Tensor:
    """The distinct elements of the flattened tensor, in order; each NaN counts as one.

    How many there are depends on the data: the recording is cut to learn it.
    """
    return _Groups("unique_values", x).values()


def unique_counts(x: ArrayLike) -> UniqueCounts:
    """`unique_values`, and how often each occurs (int32)."""
    groups = _Groups("unique_counts", x)
    return UniqueCounts(groups.values(), groups.counts())


def unique_inverse(x: ArrayLike) -> UniqueInverse:
    """`unique_values`, and the indices into them (int32) that make x of them."""
    groups = _Groups("unique_inverse", x)
    return UniqueInverse(groups.values(), groups.inverse())


def unique_all(x: ArrayLike) -> UniqueAll:
    """`unique_values`; the first place of each in the flattened tensor; the indices that make x of
    them; how often each occurs. Indices and counts are int32.
    """
    groups = _Groups("unique_all", x)
    return UniqueAll(groups.values(), groups.indices(), groups.inverse(), groups.counts())
