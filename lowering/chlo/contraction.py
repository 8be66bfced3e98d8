"""Dot products of groups of rows or columns, of sizes that are computed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from lowering.chlo.raw import fields, texts
from lowering.chlo.tracing import inlined, is_static, record
from lowering.rewriting import Rewriter, RuleSet
from tracer import functions as tr
from tracer.dtypes import int64
from tracer.functions.operands import wrap
from tracer.ir import Operation, TensorType, Value
from tracer.ops.contraction import DotDimensionNumbers, dot_general
from tracer.ops.movement import broadcast_in_dim
from tracer.tensor import Tensor

RULES = RuleSet()
Ints = tuple[int, ...]


@RULES.rule("chlo.ragged_dot")
def ragged_dot(operation: Operation, rewriter: Rewriter) -> Value | None:
    """ragged_dot(x, y, sizes): the products x . y[g] for the rows of each group g, 0 for no group's

    Where the groups are of contracted columns, the product of those of each, one after the other;
    where they are of batches, the product.
    """
    if not is_static(operation):
        return None
    given, (result,) = texts(operation), operation.results
    numbers = fields(given["ragged_dot_dimension_numbers"])
    dot = _Dot(
        DotDimensionNumbers(*(numbers.get(name, ()) for name in DotDimensionNumbers._fields)),
        result.type,
        given.get("precision_config", "").replace("#chlo<", "#stablehlo<"),
    )
    (axis,), groups = numbers["lhs_ragged_dimensions"], numbers.get("rhs_group_dimensions", ())
    f = partial(dot.by_rows, axis, groups[0]) if groups else partial(dot.by_columns, axis)
    function = record(f, *(v.type for v in operation.operands))
    return inlined(function, operation, rewriter)[0]


@dataclass(frozen=True, slots=True)
class _Dot:
    """A dot product, the type of the ragged one, and how exact it has to be."""

    numbers: DotDimensionNumbers
    result: TensorType
    precision: str

    def by_rows(self, axis: int, groups: int, x: Tensor, y: Tensor, sizes: Tensor) -> Tensor:
        """Groups along an axis of x that is not contracted; each its own y, along another axis."""
        free, _ = self.numbers.free(x.ndim, y.ndim)
        axes = (*self.numbers.lhs_batching_dimensions, *free)
        last = axes.index(axis)
        found = self._nothing()
        for i, mask in enumerate(_members(sizes, x.shape[axis])):
            part = y[(slice(None),) * groups + (i,)]
            chosen = _spread(mask, tuple(range(last + 1)), found)
            found = tr.where(chosen, self._product(self._without(groups), x, part), found)
        return found

    def by_columns(self, axis: int, x: Tensor, y: Tensor, sizes: Tensor) -> Tensor:
        """Groups along a contracted axis; one product each."""
        d = self.numbers
        if axis in d.lhs_batching_dimensions:
            return self._product(d, x, y)
        end = d.lhs_contracting_dimensions.index(axis) + 1
        left = d.lhs_batching_dimensions + d.lhs_contracting_dimensions[:end]
        right = d.rhs_batching_dimensions + d.rhs_contracting_dimensions[:end]
        products = [
            self._product(d, _kept(mask, left, x), _kept(mask, right, y))
            for mask in _members(sizes, x.shape[axis])
        ]
        return tr.stack(products) if products else self._nothing()

    def _nothing(self) -> Tensor:
        return tr.zeros(self.result.shape, dtype=self.result.dtype)

    def _without(self, axis: int) -> DotDimensionNumbers:
        """The numbers once an axis of the right side is gone."""
        d = self.numbers
        batching, contracting = (
            tuple(a - (a > axis) for a in axes)
            for axes in (d.rhs_batching_dimensions, d.rhs_contracting_dimensions)
        )
        return d._replace(rhs_batching_dimensions=batching, rhs_contracting_dimensions=contracting)

    def _product(self, numbers: DotDimensionNumbers, x: Tensor, y: Tensor) -> Tensor:
        given: dict[str, Any] = {"dot_dimension_numbers": numbers, "dtype": self.result.dtype}
        if self.precision:
            given["precision_config"] = self.precision
        return wrap(dot_general(x._data, y._data, **given))


def _members(sizes: Tensor, length: int) -> list[Tensor]:
    """For each group, which of so many places in a row belong to it."""
    wide, places = sizes.astype(int64), tr.arange(length, dtype=int64)
    ends = tr.cumsum(wide, axis=-1)
    starts = ends - wide
    return [
        (starts[..., i : i + 1] <= places) & (places < ends[..., i : i + 1])
        for i in range(sizes.shape[-1])
    ]


def _spread(mask: Tensor, axes: Ints, like: Tensor) -> Tensor:
    """A mask over some axes of another tensor: over the last of them where it has no others."""
    places = axes[-mask.ndim :]
    return wrap(broadcast_in_dim(mask._data, broadcast_dimensions=places, shape=like.shape))


def _kept(mask: Tensor, axes: Ints, x: Tensor) -> Tensor:
    return tr.where(_spread(mask, axes, x), x, tr.zeros_like(x))
