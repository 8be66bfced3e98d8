"""The general dot product."""

from __future__ import annotations

from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tracer.dtypes import NARROW_INTEGERS, DType, is_integer
from tracer.ir import Attribute, TensorType
from tracer.ops.elementwise import of_dtype
from tracer.ops.movement import inverse, transpose
from tracer.ops.rules import need_axes, need_dtype
from tracer.ops.table import define
from tracer.values import Data

Array = NDArray[Any]
Ints = tuple[int, ...]


class DotDimensionNumbers(NamedTuple):
    """Which axes of a dot product's operands are batched and which are contracted, pair by pair."""

    lhs_batching_dimensions: Ints
    rhs_batching_dimensions: Ints
    lhs_contracting_dimensions: Ints
    rhs_contracting_dimensions: Ints

    def free(self, lhs: int, rhs: int) -> tuple[Ints, Ints]:
        """The other axes of operands of these ranks."""
        used_l = self.lhs_batching_dimensions + self.lhs_contracting_dimensions
        used_r = self.rhs_batching_dimensions + self.rhs_contracting_dimensions
        return (
            tuple(axis for axis in range(lhs) if axis not in used_l),
            tuple(axis for axis in range(rhs) if axis not in used_r),
        )


def _dot_type(
    lhs: TensorType, rhs: TensorType, dot_dimension_numbers: DotDimensionNumbers, dtype: DType
) -> TensorType:
    """Two operands of one dtype; batched axes, free axes of each, in the dtype asked for."""
    need_dtype((lhs, rhs))
    d = dot_dimension_numbers
    need_axes(d.lhs_batching_dimensions + d.lhs_contracting_dimensions, lhs.ndim, "the left side")
    need_axes(d.rhs_batching_dimensions + d.rhs_contracting_dimensions, rhs.ndim, "the right side")
    left = [lhs.shape[a] for a in d.lhs_batching_dimensions + d.lhs_contracting_dimensions]
    right = [rhs.shape[a] for a in d.rhs_batching_dimensions + d.rhs_contracting_dimensions]
    if left != right:
        raise ValueError(
            "batched and contracted axes of equal lengths are needed, "
            f"got {left} of {lhs} and {right} of {rhs}"
        )
    free_l, free_r = d.free(lhs.ndim, rhs.ndim)
    batch = tuple(lhs.shape[a] for a in d.lhs_batching_dimensions)
    shape = batch + tuple(lhs.shape[a] for a in free_l) + tuple(rhs.shape[a] for a in free_r)
    return TensorType(shape, dtype)


def wide(x: Array, dtype: DType) -> Array:
    """Sums are taken in at least the dtype of the result, and at least in float32."""
    if x.dtype.itemsize < dtype.itemsize:
        x = x.astype(dtype)
    if x.dtype in NARROW_INTEGERS:  # which NumPy's einsum lacks; they wrap around at the end
        return x.astype(np.int32)
    return x.astype(np.float32) if x.dtype.itemsize <= 2 and not is_integer(x.dtype) else x


def _dot(lhs: Array, rhs: Array, dot_dimension_numbers: DotDimensionNumbers, dtype: DType) -> Array:
    d = dot_dimension_numbers
    free_l, free_r = d.free(lhs.ndim, rhs.ndim)
    left = lhs.transpose(d.lhs_batching_dimensions + free_l + d.lhs_contracting_dimensions)
    right = rhs.transpose(d.rhs_batching_dimensions + d.rhs_contracting_dimensions + free_r)
    batch = tuple(lhs.shape[a] for a in d.lhs_batching_dimensions)
    rows = tuple(lhs.shape[a] for a in free_l)
    columns = tuple(rhs.shape[a] for a in free_r)
    inner = prod(lhs.shape[a] for a in d.lhs_contracting_dimensions)
    with np.errstate(all="ignore"):
        result = np.matmul(
            wide(left, dtype).reshape(prod(batch), prod(rows), inner),
            wide(right, dtype).reshape(prod(batch), inner, prod(columns)),
        )
    found: Array = result.reshape(batch + rows + columns).astype(dtype)
    return found


def _dot_rule(position: int) -> Any:
    """The cotangent of one operand: the product of g with the other, axes put back in order."""

    def rule(
        g: Data, y: Data, *operands: Data, dot_dimension_numbers: DotDimensionNumbers, dtype: DType
    ) -> Data:
        d = dot_dimension_numbers
        lhs, rhs = operands
        free_l, free_r = d.free(lhs.type.ndim, rhs.type.ndim)
        batches = len(d.lhs_batching_dimensions)
        axes = tuple(range(g.type.ndim))
        of_l, of_r = axes[batches : batches + len(free_l)], axes[batches + len(free_l) :]
        mine = (d.lhs_batching_dimensions, free_l, d.lhs_contracting_dimensions)
        other = (d.rhs_batching_dimensions, free_r, d.rhs_contracting_dimensions)
        used, x, partner = of_r, lhs, rhs
        if position == 1:
            mine, other, used, x, partner = other, mine, of_l, rhs, lhs
        numbers = DotDimensionNumbers(axes[:batches], other[0], used, other[1])
        partner = of_dtype(partner, g.type.dtype)
        made = dot_general(g, partner, dot_dimension_numbers=numbers, dtype=g.type.dtype)
        by_partner = sorted(zip(other[2], mine[2], strict=True))
        order = mine[0] + mine[1] + tuple(axis for _, axis in by_partner)
        found = of_dtype(made, x.type.dtype)
        in_order = order == tuple(range(len(order)))
        return found if in_order else transpose(found, permutation=inverse(order))

    return rule


dot_general = define(
    "dot_general",
    _dot_type,
    _dot,
    (_dot_rule(0), _dot_rule(1)),
    attributes=(
        Attribute("dot_dimension_numbers", "dot_dimension_numbers"),
        Attribute("dtype", "dtype"),
    ),
)
