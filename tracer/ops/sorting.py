"""Sorting along an axis, by a comparator."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, cmp_to_key
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tracer.dtypes import DType, bool_, int32
from tracer.ir import Block, Builder, TensorType, Value
from tracer.ir.registry import OPS
from tracer.ir.walk import rebuild
from tracer.ops.movement import iota
from tracer.ops.rules import need_axes
from tracer.ops.table import Op, Variadic, define, optional
from tracer.values import Data

Array = NDArray[Any]


def _sort_type(
    *types: TensorType, dimension: int, is_stable: bool, comparator: Block
) -> tuple[TensorType, ...]:
    """Operands of one shape; results of their types.

    Source: StableHLO spec, sort (C1-C5), but for a negative dimension: XLA on the CPU reads
    memory that is not its own then.
    """
    shown = ", ".join(map(str, types))
    if not types or any(t.shape != types[0].shape for t in types):
        raise TypeError(f"operands of one shape are needed, got {shown or 'none'}")
    need_axes((dimension,), types[0].ndim, "dimension")
    wanted = [t.with_shape(()) for t in types for _ in range(2)]
    given = [v.type for v in comparator.arguments]
    results = [v.type for v in comparator.returns]
    if given != wanted or results != [TensorType((), bool_)]:
        found = f"({', '.join(map(str, given))}) -> ({', '.join(map(str, results))})"
        raise TypeError(f"a comparator of two elements of each of {shown} is needed, got {found}")
    return types


def _sort(
    *arrays: Array, dimension: int, is_stable: bool, comparator: Callable[..., Any]
) -> Array | tuple[Array, ...]:
    """Line after line by Python's sort, which is stable."""
    lines = [np.moveaxis(x, dimension, -1) for x in arrays]
    pairs = [x for line in lines for x in (line[..., :, None], line[..., None, :])]
    before = comparator(*pairs)
    order = np.empty(lines[0].shape, np.int64)
    for at in np.ndindex(order.shape[:-1]):
        order[at] = _order(before[at])
    found = [np.moveaxis(np.take_along_axis(x, order, -1), -1, dimension) for x in lines]
    return tuple(found) if len(found) > 1 else found[0]


def _order(before: Array) -> list[int]:
    """The order of a line's places, given which comes before which."""
    table: list[list[bool]] = before.tolist()

    def compare(i: int, j: int) -> int:
        return -table[i][j]

    return sorted(range(len(table)), key=cmp_to_key(compare))


@cache
def ascending(*dtypes: DType, keys: int = 1) -> Block:
    """The comparator of operands of these dtypes: the first ones decide, one after the other."""
    builder = Builder()
    scalars = [TensorType((), dtype) for dtype in dtypes]
    pairs = [(builder.argument(t), builder.argument(t)) for t in scalars]

    def create(name: str, *operands: Value, **attributes: str) -> Value:
        (result,) = builder.create(OPS[name], operands, attributes)
        return result

    *before, last = pairs[:keys]
    found = create("compare", *last, comparison_direction="LT")
    for pair in reversed(before):
        tie = create("compare", *pair, comparison_direction="EQ")
        less = create("compare", *pair, comparison_direction="LT")
        found = create("select", tie, found, less)
    return builder.block((found,))


@cache
def _with_passenger(comparator: Block, dtype: DType) -> Block:
    """The comparator of one more operand, which does not count."""
    builder = Builder()
    arguments = {v: builder.argument(v.type) for v in comparator.arguments}
    for _ in range(2):
        builder.argument(TensorType((), dtype))
    for operation in rebuild(comparator.operations, arguments):
        builder.append(operation)
    return builder.block([arguments.get(v, v) for v in comparator.returns])


def _sort_rule(
    i: int, g: Any, y: Any, *operands: Data, dimension: int, is_stable: bool, comparator: Block
) -> Data | None:
    """The cotangent, sorted by the places that the elements came from: put back where they were.

    Where a sort that is not stable has ties, their order is taken for that of a stable one.
    """
    cotangent = g[i] if len(operands) > 1 else g
    if cotangent is None:
        return None
    shape = operands[0].type.shape
    places = iota(iota_dimension=dimension, shape=shape, dtype=int32, device=operands[0].device)
    *_, came_from = sort.all(
        *operands,
        places,
        dimension=dimension,
        is_stable=True,
        regions=(_with_passenger(comparator, int32),),
    )
    return sort_by((came_from,), (cotangent,), dimension)[0]


sort: Op = define(
    "sort",
    _sort_type,
    _sort,
    Variadic(_sort_rule),
    attributes=(optional("dimension", "i64", -1), optional("is_stable", "bool", False)),
    regions=("comparator",),
)


def sort_by(
    keys: tuple[Data, ...], values: tuple[Data, ...], dimension: int, *, is_stable: bool = True
) -> tuple[Data, ...]:
    """The values, sorted along an axis by the keys, which have an order without NaN."""
    dtypes = [x.type.dtype for x in (*keys, *values)]
    found = sort.all(
        *keys,
        *values,
        dimension=dimension,
        is_stable=is_stable,
        regions=(ascending(*dtypes, keys=len(keys)),),
    )
    return found[len(keys) :]
