"""Reduction over axes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tracer.ir import Attribute, Block, TensorType
from tracer.ops.bodies import combines, total
from tracer.ops.elementwise import compare, convert, divide, masked, maximum, or_
from tracer.ops.folds import fold, pull
from tracer.ops.movement import broadcast_in_dim
from tracer.ops.rules import need_axes, need_combiner, need_dtype
from tracer.ops.table import Variadic, define
from tracer.values import Data

Array = NDArray[Any]
Ints = tuple[int, ...]
Body = Callable[..., Any]


def halves(operands: tuple[Any, ...]) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """The inputs and the initial values, as many of each."""
    return operands[: len(operands) // 2], operands[len(operands) // 2 :]


def need_pairs(types: tuple[TensorType, ...]) -> tuple[TensorType, ...]:
    """The types of the inputs. Raises TypeError unless each has a 0-d initial value."""
    inputs, initial = halves(types)
    if not inputs or len(inputs) != len(initial):
        raise TypeError(f"inputs and as many initial values are needed, got {len(types)} operands")
    if any(t.shape != inputs[0].shape for t in inputs):
        raise TypeError(f"inputs of one shape are needed, got {', '.join(map(str, inputs))}")
    for x, start in zip(inputs, initial, strict=True):
        need_dtype((x, start))
        if start.shape:
            raise TypeError(f"a 0-d initial value is needed, got {start}")
    return inputs


def _reduce_type(*types: TensorType, dimensions: Ints, body: Block) -> tuple[TensorType, ...]:
    """Inputs of one shape, a 0-d initial value of each one's dtype; results without the axes."""
    inputs = need_pairs(types)
    need_axes(dimensions, inputs[0].ndim, "dimensions")
    shape = tuple(n for axis, n in enumerate(inputs[0].shape) if axis not in dimensions)
    return tuple(t.with_shape(shape) for t in need_combiner(body, inputs))


def as_tuple(value: Any) -> tuple[Any, ...]:
    """A tuple of the one value, or the tuple that it is."""
    return value if isinstance(value, tuple) else (value,)


def promoted(arrays: tuple[Array, ...], body: Body) -> tuple[tuple[Array, ...], tuple[Array, ...]]:
    """The inputs and the initial values, of the dtypes that the body combines."""
    inputs, initial = halves(arrays)
    dtypes = [x.dtype for x in as_tuple(body(*initial, *initial))]
    pairs = list(zip(inputs, initial, dtypes, strict=True))
    return tuple(x.astype(t) for x, _, t in pairs), tuple(v.astype(t) for _, v, t in pairs)


def _reduce(*arrays: Array, dimensions: Ints, body: Body) -> Any:
    """Folds one axis after the other, first element first."""
    inputs, initial = promoted(arrays, body)
    kept = [axis for axis in range(inputs[0].ndim) if axis not in dimensions]
    order = (*sorted(dimensions), *kept)
    shape = tuple(inputs[0].shape[axis] for axis in kept)
    count = prod(inputs[0].shape[axis] for axis in dimensions)
    flat = [x.transpose(order).reshape(count, *shape) for x in inputs]
    folded = tuple(np.broadcast_to(start, shape) for start in initial)
    for i in range(count):
        folded = as_tuple(body(*folded, *(x[i] for x in flat)))
    return folded if len(folded) > 1 else folded[0]


def _spread(value: Data, like: Data, dimensions: Ints) -> Data:
    """A reduced value, back on the shape it was reduced from."""
    kept = tuple(axis for axis in range(like.type.ndim) if axis not in dimensions)
    return broadcast_in_dim(value, broadcast_dimensions=kept, shape=like.type.shape)


def _reduce_rule(
    i: int, g: Any, y: Any, *operands: Data, dimensions: Ints, body: Block
) -> Data | None:
    """Of inputs and initial values; of any body whose operations are elementwise."""
    name = combines(body)
    x, *others = operands
    rules = _INITIAL_RULES if i else _REDUCE_RULES
    if len(others) > 1 or name not in rules or y.type.dtype != x.type.dtype:
        return pull(partial(fold, dimensions=dimensions, body=body), i, g, *operands)
    return rules[name](g, y, x, dimensions)


def _sum_rule(g: Data, y: Data, x: Data, dimensions: Ints) -> Data:
    return _spread(g, x, dimensions)


def _winners(y: Data, x: Data, dimensions: Ints) -> tuple[Data, Data]:
    """Where x is the extremum or, if that is NaN, NaN; and how many they are."""
    equal = compare(x, _spread(y, x, dimensions), comparison_direction="EQ")
    winners = or_(equal, compare(x, x, comparison_direction="NE"))
    return winners, total(convert(winners, dtype=x.type.dtype), dimensions)


def _extremum_rule(g: Data, y: Data, x: Data, dimensions: Ints) -> Data:
    """Split equally among ties; among the NaN where there are any, for NaN is the extremum then."""
    winners, count = _winners(y, x, dimensions)
    share = divide(g, maximum(count, 1.0))
    return masked(winners, _spread(share, x, dimensions))


def _initial_extremum_rule(g: Data, y: Data, x: Data, dimensions: Ints) -> Data:
    """Of the initial value, where no input is the extremum."""
    _, count = _winners(y, x, dimensions)
    return total(masked(compare(count, 0.0, comparison_direction="EQ"), g), range(g.type.ndim))


_REDUCE_RULES: dict[str | None, Callable[..., Data]] = {
    "add": _sum_rule,
    "maximum": _extremum_rule,
    "minimum": _extremum_rule,
}
_INITIAL_RULES: dict[str | None, Callable[..., Data]] = {
    "add": lambda g, y, x, dimensions: total(g, range(g.type.ndim)),
    "maximum": _initial_extremum_rule,
    "minimum": _initial_extremum_rule,
}

reduce = define(
    "reduce",
    _reduce_type,
    _reduce,
    Variadic(_reduce_rule),
    attributes=(Attribute("dimensions", "i64s"),),
    regions=("body",),
)
