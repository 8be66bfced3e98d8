"""Curves given by points or coefficients: interpolation, slopes, polynomials."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tracer.dtypes import result_type
from tracer.errors import at_caller
from tracer.functions.cumulative import diff
from tracer.functions.elementwise import clip, where
from tracer.functions.gathering import take
from tracer.functions.manipulation import broadcast_to, concatenate, moveaxis
from tracer.functions.operands import (
    SCALARS,
    Axis,
    axis_of,
    data_of,
    device_of,
    floating,
    need_real,
    promoted,
    wrap,
)
from tracer.functions.sorting import argsort, searchsorted

if TYPE_CHECKING:
    from tracer.functions.operands import ArrayLike
    from tracer.tensor import Tensor

__all__ = ["gradient", "interp", "polyval"]


def polyval(p: ArrayLike, x: ArrayLike) -> Tensor:
    """p[0] * x ** (n - 1) + … + p[n - 1], in x's shape, by Horner's rule.

    Raises ValueError unless p has one axis.
    """
    coefficients, place = (wrap(data) for data in promoted("polyval", p, x))
    if coefficients.ndim != 1:
        message = f"polyval needs coefficients of 1 axis, got shape {coefficients.shape}"
        raise at_caller(ValueError(message))
    found = broadcast_to(coefficients[0] if len(coefficients) else place * 0, place.shape)
    for i in range(1, len(coefficients)):
        found = found * place + coefficients[i]
    return found


def interp(
    x: ArrayLike,
    xp: ArrayLike,
    fp: ArrayLike,
    left: ArrayLike | None = None,
    right: ArrayLike | None = None,
    period: float | None = None,
) -> Tensor:
    """At x, the line through points (xp, fp), xp increasing; in x's shape.

    Before the first point and after the last it is left and right, by default their fp. With a
    period xp need not be in order, and the line goes around. Raises ValueError unless xp and fp are
    sequences of one length, at least 1.
    """
    device = device_of(x, xp, fp)
    found = promoted("interp", x, xp, device=device)
    at, places = (wrap(floating("interp", wrap(need_real("interp", data)))) for data in found)
    values = wrap(floating("interp", wrap(data_of("interp", fp, device))))
    if places.ndim != 1 or places.shape != values.shape or not len(places):
        message = f"interp needs xp and fp of one length, got {places.shape} and {values.shape}"
        raise at_caller(ValueError(message))
    values = values.astype(result_type(values.dtype, places.dtype))
    if period is not None:
        at, places, values = _around(at, places, values, period)
        left = right = None
    line = _between(at, places, values)
    line = where(at < places[0], values[0] if left is None else left, line)
    return where(at > places[-1], values[-1] if right is None else right, line)


def _around(x: Tensor, xp: Tensor, fp: Tensor, period: float) -> tuple[Tensor, Tensor, Tensor]:
    """All within one period, the points in order, and one more at each end."""
    if not period:
        raise at_caller(ValueError("interp needs a period other than 0, got 0"))
    period = period if period > 0 else -period
    x, xp = x % period, xp % period
    order = argsort(xp)
    xp, fp = take(xp, order), take(fp, order)
    places = concatenate([xp[-1:] - period, xp, xp[:1] + period])
    return x, places, concatenate([fp[-1:], fp, fp[:1]])


def _between(x: Tensor, xp: Tensor, fp: Tensor) -> Tensor:
    """On the line between the points before and after x; a step where these stand in one place."""
    if len(xp) == 1:
        return x * 0 + fp[0]
    after = clip(searchsorted(xp, x, side="right"), 1, len(xp) - 1)
    start, height = take(xp, after - 1), take(fp, after - 1)
    run, rise = take(xp, after) - start, take(fp, after) - height
    flat = run == 0
    return height + where(flat, 0.0, (x - start) / where(flat, 1.0, run)) * rise


def gradient(f: ArrayLike, *spacing: ArrayLike, axis: Axis = None, edge_order: int = 1) -> Any:
    """The slopes of f along axes, by central differences, at the ends one-sided ones.

    spacing: one number, or for each axis a number or the places (1-d); 1 by default. edge_order, 1
    or 2, is the order of the ends. One tensor for one axis, else a tuple of them. Raises ValueError
    where an axis is too short or the spacing does not fit.
    """
    data = wrap(floating("gradient", f))
    given = range(data.ndim) if axis is None else axis if isinstance(axis, Sequence) else (axis,)
    axes = [axis_of("gradient", a, data.ndim) for a in given]
    if edge_order not in (1, 2):
        raise at_caller(ValueError(f"gradient needs an edge_order of 1 or 2, got {edge_order}"))
    apart = _spacings(spacing or (1.0,), data, axes)
    found = tuple(_slopes(data, a, h, edge_order) for a, h in zip(axes, apart, strict=True))
    return found[0] if len(found) == 1 else found


def _spacings(given: Sequence[Any], f: Tensor, axes: Sequence[int]) -> list[Any]:
    """For each axis a number, or the distances of its places."""
    found = [
        h if type(h) in SCALARS else wrap(data_of("gradient", h, f.device)).astype(f.dtype)
        for h in given
    ]
    shapes = [() if type(h) in SCALARS else h.shape for h in found]
    if shapes == [()]:
        return found * len(axes)
    if len(found) != len(axes) or any(
        shape not in ((), (f.shape[axis],)) for shape, axis in zip(shapes, axes, strict=True)
    ):
        shown = ", ".join(map(str, shapes))
        message = f"gradient needs a number or places for each axis of {f.shape}, got {shown}"
        raise at_caller(ValueError(message))
    return [diff(h) if shape else h for h, shape in zip(found, shapes, strict=True)]


def _slopes(f: Tensor, axis: int, h: Any, order: int) -> Tensor:
    if f.shape[axis] <= order:
        message = f"gradient needs {order + 1} elements along axis {axis}, got shape {f.shape}"
        raise at_caller(ValueError(message))
    y = moveaxis(f, axis, -1)
    if getattr(h, "ndim", 0):
        before, after = h[:-1], h[1:]
        inside = _weighted(y[..., :-2], y[..., 1:-1], y[..., 2:], before, after)
        ends = (h[:1], h[1:2]), (h[-1:], h[-2:-1])
    else:
        inside = (y[..., 2:] - y[..., :-2]) / (2 * h)
        ends = (h, h), (h, h)
    first = _end(y[..., :1], y[..., 1:2], y[..., 2:3], ends[0], order)
    last = -_end(y[..., -1:], y[..., -2:-1], y[..., -3:-2], ends[1], order)
    return moveaxis(concatenate([first, inside, last], -1), -1, axis)


def _weighted(before: Tensor, here: Tensor, after: Tensor, h: Any, k: Any) -> Tensor:
    """The slope of the parabola through three points, h and k apart, at the second."""
    outside: Tensor = (after * h / k - before * k / h) / (h + k)
    inside: Tensor = here * (k - h) / (h * k)
    return outside + inside


def _end(a: Tensor, b: Tensor, c: Tensor, apart: tuple[Any, Any], order: int) -> Tensor:
    """The slope at the first of three points, of a line or a parabola."""
    h, k = apart
    both = h + k
    line: Tensor = (b - a) / h
    if order == 2:
        line = line * both / k - (c - a) * h / (k * both)
    return line
