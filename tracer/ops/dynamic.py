"""Slices whose place is computed: read, and written."""

from __future__ import annotations

from builtins import slice as _builtin_slice
from typing import Any

import numpy as np

from tracer.ir import Attribute, TensorType
from tracer.ops.elementwise import zeros_like
from tracer.ops.numbers import Array, Ints, wide
from tracer.ops.rules import INTEGRAL, need_dtype, need_equal, need_kind, need_length
from tracer.ops.table import Op, define
from tracer.values import Data


def _need_starts(x: TensorType, starts: tuple[TensorType, ...]) -> None:
    need_length(starts, x.ndim, "start_indices")
    for start in starts:
        need_kind(start, INTEGRAL)
        if start.shape:
            raise TypeError(f"0-d start indices are needed, got {start}")
    need_equal(starts)


def _need_inside(sizes: Ints, x: TensorType) -> None:
    need_length(sizes, x.ndim, "a slice")
    if any(not 0 <= size <= length for size, length in zip(sizes, x.shape, strict=True)):
        raise ValueError(f"a slice of at most {x} is needed, got {tuple(sizes)}")


def _dynamic_slice_type(x: TensorType, *starts: TensorType, slice_sizes: Ints) -> TensorType:
    """An operand and a 0-d integer start for each axis; a slice of the sizes asked for."""
    _need_inside(slice_sizes, x)
    _need_starts(x, starts)
    return x.with_shape(tuple(slice_sizes))


def _inside(x: Array, starts: tuple[Array, ...], sizes: Ints) -> tuple[Any, ...]:
    """The slices of these sizes, moved inside."""
    limits = (length - size for length, size in zip(x.shape, sizes, strict=True))
    firsts = [int(np.clip(wide(s), 0, limit)) for s, limit in zip(starts, limits, strict=True)]
    return tuple(_builtin_slice(a, a + size) for a, size in zip(firsts, sizes, strict=True))


dynamic_slice: Op = define(
    "dynamic_slice",
    _dynamic_slice_type,
    lambda x, *starts, slice_sizes: x[_inside(x, starts, slice_sizes)],
    (lambda g, y, x, *starts, slice_sizes: dynamic_update_slice(zeros_like(x), g, *starts),),
    attributes=(Attribute("slice_sizes", "i64s"),),
)


def _update_type(x: TensorType, update: TensorType, *starts: TensorType) -> TensorType:
    """An operand, an update no longer, a 0-d integer start for each axis; like the first."""
    need_dtype((x, update))
    _need_inside(update.shape, x)
    _need_starts(x, starts)
    return x


def _update(x: Array, update: Array, *starts: Array) -> Array:
    result = np.array(x)
    result[_inside(x, starts, update.shape)] = update
    return result


def _update_rule(g: Data, y: Data, x: Data, update: Data, *starts: Data) -> Data:
    return dynamic_update_slice(g, zeros_like(update), *starts)


dynamic_update_slice: Op = define(
    "dynamic_update_slice",
    _update_type,
    _update,
    (
        _update_rule,
        lambda g, y, x, update, *starts: dynamic_slice(g, *starts, slice_sizes=update.type.shape),
    ),
)
