"""Borders around a tensor, as numpy.pad makes them."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING, Any

import numpy as np

from tracer.dispatch import splat
from tracer.dtypes import float64, int64, is_inexact, is_integer
from tracer.errors import at_caller
from tracer.functions.creation import asarray
from tracer.functions.elementwise import floor_divide, round
from tracer.functions.manipulation import broadcast_to, concatenate, flip
from tracer.functions.operands import SCALARS, data_of, scalar_for, wrap
from tracer.functions.ranges import arange
from tracer.functions.reductions import max, mean, min
from tracer.ops import movement as ops

if TYPE_CHECKING:
    from tracer.functions.operands import ArrayLike
    from tracer.tensor import Tensor

__all__ = ["pad"]

Pair = tuple[Any, Any]
"""One thing before an axis, one after it."""


def pad(x: ArrayLike, pad_width: Any, mode: str = "constant", **options: Any) -> Tensor:
    """x with a border; pad_width as in numpy.pad: an int, a pair, a pair an axis, a dict by axis.

    Modes and their options: "constant" (constant_values=0), "edge", "reflect" and "symmetric"
    (reflect_type="even" or "odd"), "wrap", "linear_ramp" (end_values=0), "maximum", "minimum" and
    "mean" (stat_length=None), "empty" (zeros). Values and lengths: one, a pair, or a pair an axis.

    Raises ValueError for widths, modes and options that are not these.
    """
    tensor = wrap(data_of("pad", x))
    widths = _widths(pad_width, tensor.ndim)
    if mode not in _MODES:
        known = ", ".join(map(repr, _MODES))
        raise at_caller(ValueError(f"pad needs a mode of {known}, got {mode!r}"))
    extend, name, value = _MODES[mode]
    if not {*options} <= {name}:
        taken = f"no option but {name}" if name else "no option"
        message = f"pad needs {taken} for mode {mode!r}, got {', '.join(options)}"
        raise at_caller(ValueError(message))
    given = _each_axis(name, options.get(name, value), tensor.ndim)
    if extend is _constant:
        return _constant(tensor, widths, given)
    for axis, width in enumerate(widths):
        if width == (0, 0):
            continue
        if not tensor.shape[axis]:
            message = f"pad needs elements along axis {axis} for mode {mode!r}, got {tensor.shape}"
            raise at_caller(ValueError(message))
        tensor = extend(tensor, axis, width, given[axis])
    return tensor


def _widths(pad_width: Any, ndim: int) -> list[Pair]:
    """Before and after, per axis."""
    given = pad_width
    try:
        if isinstance(pad_width, dict):
            given = [[0, 0] for _ in range(ndim)]
            for axis, width in pad_width.items():
                given[axis] = np.broadcast_to(width, 2).tolist()
        widths = np.asarray(given)
        if widths.dtype.kind in "iu" and not (widths < 0).any():
            return list(map(tuple, np.broadcast_to(widths, (ndim, 2)).tolist()))
    except (ValueError, TypeError, IndexError):
        pass
    message = f"pad needs an int from 0, a pair or {ndim} pairs of them, got {pad_width}"
    raise at_caller(ValueError(message))


def _each_axis(name: str, value: Any, ndim: int) -> list[Any]:
    """An option's value for each axis: one word, or a pair of numbers or lengths."""
    if name == "reflect_type":
        if value not in ("even", "odd"):
            message = f"pad needs a reflect_type of 'even' or 'odd', got {value!r}"
            raise at_caller(ValueError(message))
        return [value] * ndim
    try:
        pairs: list[Any] = np.broadcast_to(np.asarray(value, object), (ndim, 2)).tolist()
        fit = all(_fits(name, v) for pair in pairs for v in pair)
    except ValueError:
        fit = False
    if not fit:
        what = "lengths from 1" if name == "stat_length" else "Python numbers"
        message = f"pad needs {what} for {name}: one, a pair or {ndim} pairs, got {value!r}"
        raise at_caller((ValueError if name == "stat_length" else TypeError)(message))
    return pairs


def _fits(name: str, value: Any) -> bool:
    if name == "stat_length":
        return value is None or (type(value) is int and value > 0)
    return type(value) in SCALARS


def _constant(x: Tensor, widths: list[Pair], values: list[Pair]) -> Tensor:
    """One operation where all values are one; else side by side, the last axis has the corners."""
    if len({value for pair in values for value in pair}) == 1:
        return _filled(x, widths, values[0][0])
    for axis, ((low, high), (before, after)) in enumerate(zip(widths, values, strict=True)):
        rest = [(0, 0)] * (x.ndim - axis - 1)
        x = _filled(x, [(0, 0)] * axis + [(low, 0), *rest], before)
        x = _filled(x, [(0, 0)] * axis + [(0, high), *rest], after)
    return x


def _filled(x: Tensor, widths: list[Pair], value: Any) -> Tensor:
    data = x._data
    return wrap(
        ops.pad(
            data,
            splat(scalar_for("pad", value, x.dtype), data.type.with_shape(()), data.device),
            edge_padding_low=tuple(low for low, _ in widths),
            edge_padding_high=tuple(high for _, high in widths),
            interior_padding=(0,) * x.ndim,
        )
    )


def _part(x: Tensor, axis: int, part: slice) -> Tensor:
    """A slice along one axis."""
    return x[(slice(None),) * axis + (part,)]


def _repeating(mode: str) -> Callable[..., Tensor]:
    """A border of elements of x: which, NumPy says of their indices."""

    def extend(x: Tensor, axis: int, width: Pair, option: Any) -> Tensor:
        n, low = x.shape[axis], width[0]
        if option == "odd" and n > 1:
            return _odd(x, axis, width, 0 if mode == "symmetric" else 1)
        indices = np.pad(np.arange(n), width, mode).tolist()  # type: ignore[call-overload]
        before = [_run(x, axis, *run) for run in _runs(indices[:low])]
        after = [_run(x, axis, *run) for run in _runs(indices[low + n :])]
        return concatenate([*before, x, *after], axis)

    return extend


def _runs(indices: list[int]) -> Iterator[tuple[int, int, int]]:
    """Start, step (-1, 0 or 1) and length of each even stretch."""
    while indices:
        steps = [b - a for a, b in pairwise(indices)]
        step = steps[0] if steps and steps[0] in (-1, 1) else 0
        length = 1 + len(list(takewhile(step.__eq__, steps)))
        yield indices[0], step, length
        indices = indices[length:]


def _run(x: Tensor, axis: int, start: int, step: int, length: int) -> Tensor:
    if not step:
        one = _part(x, axis, slice(start, start + 1))
        return broadcast_to(one, (*x.shape[:axis], length, *x.shape[axis + 1 :]))
    stop = start + step * length
    return _part(x, axis, slice(start, None if stop < 0 else stop, step))


def _odd(x: Tensor, axis: int, width: Pair, skip: int) -> Tensor:
    """Reflected about its edges, in value too; a wide border is reflected again."""
    low, high = width
    while low or high:
        n = x.shape[axis]
        before, after = (builtins.min(w, n - skip) for w in (low, high))
        left = flip(_part(x, axis, slice(skip, skip + before)), axis)
        right = flip(_part(x, axis, slice(n - skip - after, n - skip)), axis)
        first, last = _ends(x, axis, 1, 1)
        x = concatenate([first * 2 - left, x, last * 2 - right], axis)
        low, high = low - before, high - after
    return x


def _ends(x: Tensor, axis: int, low: int, high: int) -> tuple[Tensor, Tensor]:
    """So many of the first elements along an axis, and of the last."""
    n = x.shape[axis]
    return _part(x, axis, slice(0, low)), _part(x, axis, slice(builtins.max(n - high, 0), n))


def _ramp(x: Tensor, axis: int, width: Pair, values: Pair) -> Tensor:
    """From the edges to other values, in even steps; of integers, with what is behind them cut."""
    sides = [
        _slope(edge, axis, n, value)
        for edge, n, value in zip(_ends(x, axis, 1, 1), width, values, strict=True)
    ]
    return concatenate([sides[0], x, flip(sides[1], axis)], axis)


def _slope(edge: Tensor, axis: int, n: int, value: Any) -> Tensor:
    """n places from a value up to, and without, an edge."""
    along = (n,) + (1,) * (edge.ndim - 1 - axis)
    end = scalar_for("pad", value, edge.dtype)
    if is_integer(edge.dtype):
        steps = arange(n, dtype=int64, device=edge.device).reshape(along)
        distance = edge.astype(int64) - end
        return (floor_divide(distance * steps, n) + end).astype(edge.dtype)
    share = asarray(np.arange(n) / builtins.max(n, 1), edge.dtype, device=edge.device)
    return (edge - end) * share.reshape(along) + end


def _statistic(reduce: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """A border of what a reduction gives, of all elements or of the nearest ones."""

    def extend(x: Tensor, axis: int, width: Pair, lengths: Pair) -> Tensor:
        low, high = (x.shape[axis] if n is None else n for n in lengths)
        sides = [
            broadcast_to(reduce(part, axis), (*x.shape[:axis], n, *x.shape[axis + 1 :]))
            for part, n in zip(_ends(x, axis, low, high), width, strict=True)
        ]
        return concatenate([sides[0], x, sides[1]], axis)

    return extend


def _mean(x: Tensor, axis: int) -> Tensor:
    """Rounded, of integers."""
    if is_inexact(x.dtype):
        return mean(x, axis, keepdims=True)
    return round(mean(x.astype(float64), axis, keepdims=True)).astype(x.dtype)


_MODES: dict[str, tuple[Callable[..., Tensor], str, Any]] = {
    "constant": (_constant, "constant_values", 0),
    "edge": (_repeating("edge"), "", 0),
    "reflect": (_repeating("reflect"), "reflect_type", "even"),
    "symmetric": (_repeating("symmetric"), "reflect_type", "even"),
    "wrap": (_repeating("wrap"), "", 0),
    "linear_ramp": (_ramp, "end_values", 0),
    "maximum": (_statistic(partial(max, keepdims=True)), "stat_length", None),
    "minimum": (_statistic(partial(min, keepdims=True)), "stat_length", None),
    "mean": (_statistic(_mean), "stat_length", None),
    "empty": (_constant, "", 0),
}
"""How a mode extends one axis, the one option it takes, and that option's default."""
