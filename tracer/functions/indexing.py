"""NumPy's basic indexing, for reading and for assignment."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tracer.dispatch import splat
from tracer.dtypes import bool_
from tracer.errors import at_caller
from tracer.functions.operands import (
    Handle,
    as_operand,
    as_shape,
    broadcast_shape,
    check_operand,
    wrap,
)
from tracer.ops import movement as ops
from tracer.ops.elementwise import select
from tracer.recording import Data

if TYPE_CHECKING:
    from tracer.functions.operands import ArrayLike
    from tracer.tensor import Tensor


@dataclass(frozen=True, slots=True)
class Region:
    """A rectangle of a tensor: per axis the first place, the step (> 0), the number of places, and
    whether it is read backwards; then the shape that ints drop and None adds to."""

    starts: tuple[int, ...]
    steps: tuple[int, ...]
    counts: tuple[int, ...]
    reversed: tuple[int, ...]
    shape: tuple[int, ...]


def getitem(x: Tensor, key: Any) -> Tensor:
    """x[key] for ints, slices, `...` and None. A copy: later changes to x are not seen."""
    data = x._data
    region = _region(data.type.shape, key)
    limits = tuple(
        start + (n - 1) * step + 1 if n else start
        for start, step, n in zip(region.starts, region.steps, region.counts, strict=True)
    )
    if region.counts != data.type.shape:
        data = ops.slice(
            data, start_indices=region.starts, limit_indices=limits, strides=region.steps
        )
    if region.reversed:
        data = ops.reverse(data, dimensions=region.reversed)
    return wrap(data if region.shape == data.type.shape else ops.reshape(data, shape=region.shape))


def setitem(x: Tensor, key: Any, value: ArrayLike) -> Data:
    """x with x[key] = value, as a new value; readers of the old one keep it."""
    data = x._data
    region = _region(data.type.shape, key)
    check_operand("assignment", value)
    update = as_operand("assignment", value, data.type.dtype, data.device)
    update = _without_leading(update, len(region.shape))
    if broadcast_shape("assignment", [update.type.shape, region.shape]) != region.shape:
        message = f"assignment needs a value of shape {region.shape}, got {update.type.shape}"
        raise at_caller(ValueError(message))
    update = ops.reshape(as_shape(update, region.shape), shape=region.counts)
    if region.reversed:
        update = ops.reverse(update, dimensions=region.reversed)
    if 0 in region.counts:
        return data
    inside = splat(True, update.type.with_dtype(bool_), data.device)
    return select(_placed(inside, data, region), _placed(update, data, region), data)


def _without_leading(update: Data, ndim: int) -> Data:
    """Without axes of length 1 that are too many in front, which NumPy lets pass."""
    extra = update.type.ndim - ndim
    if extra <= 0 or set(update.type.shape[:extra]) != {1}:
        return update
    return ops.reshape(update, shape=update.type.shape[extra:])


def _placed(update: Data, whole: Data, region: Region) -> Data:
    """The update where it belongs, zeros around and between."""
    spans = [(n - 1) * step + 1 for n, step in zip(region.counts, region.steps, strict=True)]
    zero = splat(
        False if update.type.dtype == bool_ else 0, update.type.with_shape(()), update.device
    )
    lengths = zip(whole.type.shape, region.starts, spans, strict=True)
    return ops.pad(
        update,
        zero,
        edge_padding_low=region.starts,
        edge_padding_high=tuple(n - start - span for n, start, span in lengths),
        interior_padding=tuple(step - 1 for step in region.steps),
    )


def _region(shape: tuple[int, ...], key: Any) -> Region:
    starts, steps, counts, backwards, result = [], [], [], [], []
    axis = 0
    for part in _expanded(shape, key):
        if part is None:
            result.append(1)
            continue
        start, step, count = _span(part, shape[axis], axis)
        if step < 0:
            backwards.append(axis)
            start, step = (start + (count - 1) * step if count else 0), -step
        if isinstance(part, slice):
            result.append(count)
        starts.append(start if count else 0)
        steps.append(step)
        counts.append(count)
        axis += 1
    return Region(tuple(starts), tuple(steps), tuple(counts), tuple(backwards), tuple(result))


def _expanded(shape: tuple[int, ...], key: Any) -> list[Any]:
    """The key with one int or slice an axis, and None where an axis is added."""
    parts = list(key) if isinstance(key, tuple) else [key]
    for part in parts:
        _check_part(part)
    used = len([p for p in parts if p is not None and p is not Ellipsis])
    if used > len(shape):
        message = f"indexing needs at most {len(shape)} indices for shape {shape}, got {used}"
        raise at_caller(IndexError(message))
    places = [i for i, p in enumerate(parts) if p is Ellipsis]
    if len(places) > 1:
        raise at_caller(IndexError("indexing allows one ellipsis, got several"))
    at = places[0] if places else len(parts)
    missing = [slice(None)] * (len(shape) - used)
    return parts[:at] + missing + parts[at + 1 :]


def _check_part(part: Any) -> None:
    if part is None or part is Ellipsis or isinstance(part, slice):
        return
    if not isinstance(part, (bool, Handle)) and not np.ndim(part) and hasattr(part, "__index__"):
        return
    message = f"indexing needs ints, slices, ... and None, got {type(part).__name__}"
    raise at_caller(IndexError(message))


def _span(part: Any, length: int, axis: int) -> tuple[int, int, int]:
    """First place, step and number of places."""
    if isinstance(part, slice):
        try:
            start, stop, step = part.indices(length)
        except (TypeError, ValueError) as error:
            raise at_caller(type(error)(f"indexing: {error}")) from None
        return start, step, len(range(start, stop, step))
    index = operator.index(part)
    if not -length <= index < length:
        message = f"index {index} is out of range for axis {axis} of length {length}"
        raise at_caller(IndexError(message))
    return index % length, 1, 1
