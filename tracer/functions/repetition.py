"""Repeating elements, in place and around."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tracer.errors import at_caller
from tracer.functions.gathering import take
from tracer.functions.manipulation import broadcast_to, ravel, reshape, sequence
from tracer.functions.operands import Axis, axis_of, data_of, shape_of, wrap
from tracer.ops import movement as ops
from tracer.values import Data

if TYPE_CHECKING:
    from tracer.functions.operands import ArrayLike
    from tracer.tensor import Tensor

__all__ = [
    "repeat",
    "roll",
    "tile",
]


def tile(x: ArrayLike, repetitions: int | Sequence[int]) -> Tensor:
    """x side by side with itself, so many times along each axis; axes count from the last."""
    data = data_of("tile", x)
    counts = shape_of("tile", repetitions)
    ndim = max(data.type.ndim, len(counts))
    counts = (1,) * (ndim - len(counts)) + counts
    shape = (1,) * (ndim - data.type.ndim) + data.type.shape
    apart = tuple(n for length in shape for n in (1, length))
    whole = tuple(n for pair in zip(counts, shape, strict=True) for n in pair)
    spread = broadcast_to(reshape(wrap(data), apart), whole)
    return reshape(spread, tuple(map(operator.mul, counts, shape)))


def roll(x: ArrayLike, shift: int | Sequence[int], *, axis: Axis = None) -> Tensor:
    """x moved by `shift` places along axes, what leaves at the end entering at the front.

    Flattened meanwhile for axis None. One shift holds for all axes; raises ValueError where there
    are several and not as many axes.
    """
    data = data_of("roll", x)
    if axis is None:
        return reshape(roll(ravel(wrap(data)), shift, axis=0), data.type.shape)
    places = [axis_of("roll", a, data.type.ndim) for a in sequence(axis)]
    shifts = _ints("roll", "shift", shift)
    if len(shifts) == 1:
        shifts *= len(places)
    if len(shifts) != len(places):
        message = f"roll needs a shift for each axis, got {shift} and {axis}"
        raise at_caller(ValueError(message))
    for place, by in zip(places, shifts, strict=True):
        data = _rolled(data, place, by)
    return wrap(data)


def _rolled(x: Data, axis: int, by: int) -> Data:
    length = x.type.shape[axis]
    if not length or not by % length:
        return x
    cut = [0] * x.type.ndim
    cut[axis] = length - by % length
    ends = list(x.type.shape)
    ends[axis] = cut[axis]
    ones = (1,) * x.type.ndim
    back = ops.slice(x, start_indices=tuple(cut), limit_indices=x.type.shape, strides=ones)
    front = ops.slice(x, start_indices=(0,) * x.type.ndim, limit_indices=tuple(ends), strides=ones)
    return ops.concatenate(back, front, dimension=axis)


def _ints(name: str, what: str, given: Any) -> list[int]:
    try:
        return [operator.index(n) for n in sequence(given)]
    except TypeError:
        raise at_caller(TypeError(f"{name} needs an int {what}, got {given!r}")) from None


def repeat(x: ArrayLike, repeats: Any, *, axis: int | None = None) -> Tensor:
    """Each element so many times, one after the other, along an axis; flattened first for None.

    `repeats` is one int, or one for each place of the axis. A tensor of them is looked at, which
    cuts its recording. Raises ValueError for a negative number, or another number of them.
    """
    data = data_of("repeat", x)
    if axis is None:
        return repeat(ravel(wrap(data)), repeats, axis=0)
    place = axis_of("repeat", axis, data.type.ndim)
    counts = _counts(repeats, data.type.shape[place])
    if counts.size != 1:
        return take(wrap(data), np.repeat(np.arange(counts.size), counts), axis=place)
    before, after = data.type.shape[: place + 1], data.type.shape[place + 1 :]
    times = int(counts[0])
    apart = broadcast_to(reshape(wrap(data), (*before, 1, *after)), (*before, times, *after))
    return reshape(apart, (*before[:-1], before[-1] * times, *after))


def _counts(repeats: Any, length: int) -> np.ndarray[Any, Any]:
    counts = np.atleast_1d(np.asarray(repeats))
    counts = counts if counts.size else counts.astype(np.int64)  # NumPy's of [] are floats
    if counts.dtype.kind not in "iu":
        raise at_caller(TypeError(f"repeat needs ints, got {counts.dtype}"))
    if counts.ndim != 1 or counts.size not in (1, length) or counts.min(initial=0) < 0:
        message = f"repeat needs 1 or {length} numbers that are not negative, got {repeats}"
        raise at_caller(ValueError(message))
    return counts
