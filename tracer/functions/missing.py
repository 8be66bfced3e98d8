"""Reductions that leave NaN out, with NumPy's names and meanings."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tracer.dtypes import is_inexact
from tracer.functions.elementwise import isnan, sqrt, where
from tracer.functions.logic import logical_not
from tracer.functions.operands import (
    Axis,
    accumulated,
    axes_of,
    data_of,
    floating,
    need_real,
    wrap,
)
from tracer.functions.reductions import all, max, min, sum
from tracer.values import Data

if TYPE_CHECKING:
    from tracer.functions.operands import ArrayLike
    from tracer.tensor import Tensor

__all__ = [
    "nanmax",
    "nanmean",
    "nanmin",
    "nanstd",
    "nansum",
    "nanvar",
]


def nansum(x: ArrayLike, axis: Axis = None, *, dtype: Any = None, keepdims: bool = False) -> Tensor:
    """The sum over axes of what is not NaN; 0 over nothing."""
    return sum(_without(wrap(data_of("nansum", x)), 0), axis, dtype=dtype, keepdims=keepdims)


def _without(x: Tensor, instead: Any) -> Tensor:
    return where(isnan(x), instead, x)


def nanmean(x: ArrayLike, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
    """The mean over axes of what is not NaN; NaN over nothing. Integers become float32."""
    data = floating("nanmean", x)
    axes = axes_of("nanmean", axis, data.type.ndim)
    return wrap(accumulated(data, lambda d: _mean(wrap(d), axes, keepdims)._data))


def _mean(x: Tensor, axes: tuple[int, ...], keepdims: bool) -> Tensor:
    return sum(_without(x, 0.0), axes, keepdims=keepdims) / _count(x, axes, keepdims)


def _count(x: Tensor, axes: tuple[int, ...], keepdims: bool) -> Tensor:
    """How many are not NaN, in the dtype of x."""
    return sum(logical_not(isnan(x)).astype(x.dtype), axes, keepdims=keepdims)


def nanvar(
    x: ArrayLike, axis: Axis = None, *, correction: float = 0, keepdims: bool = False
) -> Tensor:
    """The variance over axes of what is not NaN; NaN where that is not more than `correction`."""
    data = need_real("nanvar", floating("nanvar", x))
    axes = axes_of("nanvar", axis, data.type.ndim)

    def spread(d: Data) -> Data:
        tensor = wrap(d)
        distance = where(isnan(tensor), 0.0, tensor - _mean(tensor, axes, True))
        freedom = _count(tensor, axes, keepdims) - correction
        found = sum(distance * distance, axes, keepdims=keepdims) / freedom
        return where(freedom > 0, found, float("nan"))._data

    return wrap(accumulated(data, spread))


def nanstd(
    x: ArrayLike, axis: Axis = None, *, correction: float = 0, keepdims: bool = False
) -> Tensor:
    """The square root of `nanvar`; its slope at a constant counts as 0."""
    return sqrt(nanvar(x, axis, correction=correction, keepdims=keepdims))


def _nan_extremum(
    name: str, extremum: Callable[..., Tensor], worst: float, x: Any, axis: Axis, keepdims: bool
) -> Tensor:
    data = need_real(name, data_of(name, x))
    tensor = wrap(data)
    if not is_inexact(data.type.dtype):
        return extremum(tensor, axis, keepdims=keepdims)
    found = extremum(_without(tensor, worst), axis, keepdims=keepdims)
    return where(all(isnan(tensor), axis, keepdims=keepdims), float("nan"), found)


def nanmax(x: ArrayLike, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
    """The largest element that is not NaN; NaN where all are. Raises ValueError over nothing."""
    return _nan_extremum("nanmax", max, -float("inf"), x, axis, keepdims)


def nanmin(x: ArrayLike, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
    """The smallest element that is not NaN; NaN where all are. Raises ValueError over nothing."""
    return _nan_extremum("nanmin", min, float("inf"), x, axis, keepdims)
