"""Elements by their indices, and the indices of elements."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tracer.dtypes import bool_, int32, is_integer
from tracer.errors import at_caller
from tracer.functions.indexing import fitted, read
from tracer.functions.keys import WHOLE, Part, inside, is_mask, looked_at, parts_of
from tracer.functions.operands import (
    Handle,
    accumulated,
    as_dtype,
    as_operand,
    as_shape,
    axis_of,
    broadcast_shape,
    check_operand,
    data_of,
    put,
    wrap,
)
from tracer.functions.picks import counted, widened
from tracer.functions.regions import index_dtype, reshaped, zeros
from tracer.ops.gather import gather, scatter, updater
from tracer.ops.numbers import GatherDimensionNumbers, ScatterDimensionNumbers
from tracer.values import Data

if TYPE_CHECKING:
    from tracer.functions.operands import ArrayLike
    from tracer.tensor import Tensor

    Indices: TypeAlias = Tensor | NDArray[Any] | Sequence[Any] | int

__all__ = [
    "argwhere",
    "flatnonzero",
    "nonzero",
    "put_along_axis",
    "segment_sum",
    "take",
    "take_along_axis",
]


def take(x: ArrayLike, indices: Indices, axis: int | None = None) -> Tensor:
    """The elements at integer indices along an axis, which gets the indices' axes; None: of all.

    Negative ones count from the end. Out of range, arrays raise IndexError, tensors are clamped.
    """
    data = data_of("take", x)
    if axis is None:
        data, axis = reshaped(data, (data.type.size,)), 0
    before = [WHOLE] * axis_of("take", axis, data.type.ndim)
    return wrap(read(data, [*before, _indices("take", indices)]))


def _indices(name: str, indices: Any) -> Part:
    """Integers as one part of a key. Raises TypeError for anything else."""
    if isinstance(indices, (Handle, np.ndarray, np.integer, int, list, tuple, range)):
        (part,) = parts_of((indices,))
        if not is_mask(part):
            return part  # type: ignore[return-value]
    message = (
        f"{name} needs integer indices, got {getattr(indices, 'dtype', type(indices).__name__)}"
    )
    raise at_caller(TypeError(message))


def take_along_axis(x: ArrayLike, indices: Indices, axis: int | None = -1) -> Tensor:
    """Of each line along an axis, the elements at indices of its own: what argsort's result is for.

    Shapes of the other axes broadcast; None takes of the flattened x. Raises ValueError for another
    number of axes. Out of range, arrays raise IndexError, tensors are clamped.
    """
    name = "take_along_axis"
    data, along = _aligned(name, data_of(name, x), axis)
    index = _along(name, indices, data, along)
    lengths = [list(data.type.shape), list(index.type.shape)]
    length, count = lengths[0][along], lengths[1][along]
    lengths[0][along] = lengths[1][along] = 1
    rest = broadcast_shape(name, [tuple(lengths[0]), tuple(lengths[1])])
    shape = _with(rest, along, count)
    if 0 in shape:
        return wrap(zeros(data.type.with_shape(shape), data.device))
    if not length:
        raise at_caller(IndexError(f"{name} of nothing, shape {data.type.shape}, by a tensor"))
    return wrap(
        gather(
            as_shape(data, _with(rest, along, length)),
            as_shape(index, shape),
            dimension_numbers=_numbers(along, len(shape)),
            slice_sizes=(1,) * len(shape),
            indices_are_sorted=False,
        )
    )


def put_along_axis(
    x: ArrayLike, indices: Indices, values: ArrayLike, axis: int | None = -1
) -> Tensor:
    """x with values at the places that `take_along_axis` takes, as a new tensor.

    Values broadcast to the indices and are converted to x's dtype. Raises ValueError where shapes
    don't fit. Out of range, arrays raise IndexError, tensors are dropped.
    """
    name = "put_along_axis"
    check_operand(name, values)
    whole = data_of(name, x)
    data, along = _aligned(name, whole, axis)
    index = _along(name, indices, data, along)
    shape = _with(data.type.shape, along, index.type.shape[along])
    index = fitted(name, index, shape)
    update = fitted(name, as_operand(name, values, data.type.dtype, data.device), shape)
    if 0 in shape or not data.type.size:
        return wrap(whole)
    written = scatter(
        data,
        index,
        update,
        scatter_dimension_numbers=ScatterDimensionNumbers(*_numbers(along, len(shape))),
        indices_are_sorted=False,
        unique_indices=False,
        regions=(updater("set", data.type.dtype),),
    )
    return wrap(reshaped(written, whole.type.shape))


def _aligned(name: str, x: Data, axis: int | None) -> tuple[Data, int]:
    """The value, flattened for None, and the axis."""
    if axis is None:
        return reshaped(x, (x.type.size,)), 0
    return x, axis_of(name, axis, x.type.ndim)


def _along(name: str, indices: Any, x: Data, axis: int) -> Data:
    """Indices along an axis of x, counted from the start."""
    part, length = _indices(name, indices), x.type.shape[axis]
    index = part if isinstance(part, Data) else np.asarray(part)
    ndim = index.type.ndim if isinstance(index, Data) else index.ndim
    if ndim != x.type.ndim:
        message = f"{name} needs indices of {x.type.ndim} dimensions, got {ndim}"
        raise at_caller(ValueError(message))
    if isinstance(index, Data):
        return counted(widened(index, length), length)
    return put(inside(index, length, axis).astype(index_dtype((length,))), x.device)


def _with(shape: tuple[int, ...], axis: int, length: int) -> tuple[int, ...]:
    return (*shape[:axis], length, *shape[axis + 1 :])


def _numbers(axis: int, ndim: int) -> GatherDimensionNumbers:
    """Along one axis, line by line."""
    others = tuple(a for a in range(ndim) if a != axis)
    return GatherDimensionNumbers((), (axis,), others, others, (axis,), ndim)


def _places(x: Data, found: NDArray[Any]) -> Tensor:
    return wrap(put(found.astype(index_dtype(x.type.shape)), x.device))


def nonzero(x: ArrayLike) -> tuple[Tensor, ...]:
    """The indices (int32) of the elements that are not 0, an axis each.

    Their number is data: what is pending is run. Raises ValueError for a 0-d tensor.
    """
    data = data_of("nonzero", x)
    if not data.type.ndim:
        raise at_caller(ValueError("nonzero needs at least 1 dimension, got 0"))
    return tuple(_places(data, found) for found in np.nonzero(looked_at(data, "nonzero")))


def argwhere(x: ArrayLike) -> Tensor:
    """The indices (int32) of the elements that are not 0, a row each; runs what is pending."""
    data = data_of("argwhere", x)
    return _places(data, np.argwhere(looked_at(data, "nonzero")))


def flatnonzero(x: ArrayLike) -> Tensor:
    """The indices (int32) into the flattened x of what is not 0; runs what is pending."""
    data = data_of("flatnonzero", x)
    flat = reshaped(data, (data.type.size,))
    return _places(flat, np.flatnonzero(looked_at(flat, "nonzero")))


def segment_sum(data: ArrayLike, segment_ids: ArrayLike, num_segments: int) -> Tensor:
    """Rows of data added up by their ids: (n, ...) and (n,) to (num_segments, ...).

    Ids out of range, negative ones among them, are dropped. Bools add up as int32. Raises
    ValueError for shapes that don't fit, TypeError for ids that are no integers.
    """
    name = "segment_sum"
    rows = data_of(name, data)
    rows = as_dtype(rows, int32) if rows.type.dtype == bool_ else rows
    ids = data_of(name, segment_ids, rows.device)
    if not is_integer(ids.type.dtype):
        raise at_caller(TypeError(f"{name} needs integer segment_ids, got {ids.type}"))
    if ids.type.ndim != 1 or ids.type.shape != rows.type.shape[:1]:
        message = f"{name} needs data (n, ...) and segment_ids (n,), got {rows.type} and {ids.type}"
        raise at_caller(ValueError(message))
    count = _count(name, num_segments)
    return wrap(accumulated(rows, lambda d: _summed(d, widened(ids, count), count)))


def _count(name: str, value: Any) -> int:
    """Raises TypeError for no int, ValueError for a negative one."""
    try:
        count = operator.index(value)
    except TypeError:
        message = f"{name} needs an int num_segments, got {value!r}"
        raise at_caller(TypeError(message)) from None
    if count < 0:
        raise at_caller(ValueError(f"{name} needs num_segments from 0, got {count}"))
    return count


def _summed(rows: Data, ids: Data, count: int) -> Data:
    shape = (count, *rows.type.shape[1:])
    start = zeros(rows.type.with_shape(shape), rows.device)
    if not rows.type.size or 0 in shape:
        return start
    window = tuple(range(1, rows.type.ndim))
    return scatter(
        start,
        ids,
        rows,
        scatter_dimension_numbers=ScatterDimensionNumbers(window, (0,), (), (), (0,), 1),
        indices_are_sorted=False,
        unique_indices=False,
        regions=(updater("add", rows.type.dtype),),
    )
