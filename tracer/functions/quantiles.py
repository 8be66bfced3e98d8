"""The median and other quantiles, with NumPy's methods."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tracer.errors import at_caller
from tracer.functions.elementwise import isnan, where
from tracer.functions.manipulation import reshape, stack
from tracer.functions.operands import Axis, axes_of, floating, need_real, wrap
from tracer.functions.sorting import sort
from tracer.ops.movement import reshape as reshaped
from tracer.ops.movement import transpose
from tracer.values import Data

if TYPE_CHECKING:
    from tracer.functions.operands import ArrayLike
    from tracer.tensor import Tensor

__all__ = [
    "median",
    "percentile",
    "quantile",
]

Weight = Callable[[float, int], float]
"""How much the upper of two neighbours counts, given the fraction of the way to it, and the place
of the lower."""


def _on_the_way(fraction: float, place: int) -> float:
    return fraction


def _upper(fraction: float, place: int) -> float:
    return float(fraction > 0)


def _even(fraction: float, place: int) -> float:
    """Halfway between two places: the even one."""
    return float(fraction > 0.5 or (fraction == 0.5 and place % 2 == 1))


_METHODS: dict[str, tuple[float, float, Weight]] = {
    "linear": (1, 1, _on_the_way),
    "lower": (1, 1, lambda fraction, place: 0.0),
    "higher": (1, 1, _upper),
    "midpoint": (1, 1, lambda fraction, place: 0.5 * (fraction > 0)),
    "nearest": (1, 1, _even),
    "inverted_cdf": (0, 1, _upper),
    "averaged_inverted_cdf": (0, 1, lambda fraction, place: 1.0 if fraction > 0 else 0.5),
    "interpolated_inverted_cdf": (0, 1, _on_the_way),
    "hazen": (0.5, 0.5, _on_the_way),
    "weibull": (0, 0, _on_the_way),
    "median_unbiased": (1 / 3, 1 / 3, _on_the_way),
    "normal_unbiased": (3 / 8, 3 / 8, _on_the_way),
}
"""The plotting position's alpha and beta, and the weight. Source: Hyndman and Fan, 1996."""


def quantile(
    x: ArrayLike,
    q: float | Sequence[float] | NDArray[Any],
    axis: Axis = None,
    *,
    method: str = "linear",
    keepdims: bool = False,
) -> Tensor:
    """What a fraction q of the elements is below, over axes: shape (*q.shape, *axes that stay).

    q is known on the host: a number or an array of them (a tensor is looked at). NaN where any
    element is NaN. Methods are NumPy's but for "closest_observation". Raises ValueError for q
    outside [0, 1], an unknown method, and over nothing.
    """
    return _quantiles("quantile", x, _fractions("quantile", q, 1), axis, method, keepdims)


def percentile(
    x: ArrayLike,
    q: float | Sequence[float] | NDArray[Any],
    axis: Axis = None,
    *,
    method: str = "linear",
    keepdims: bool = False,
) -> Tensor:
    """`quantile` with q in [0, 100]."""
    return _quantiles("percentile", x, _fractions("percentile", q, 100), axis, method, keepdims)


def median(x: ArrayLike, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
    """The middle element over axes, or the mean of the middle two; NaN where any is NaN.

    Raises ValueError over nothing.
    """
    return _quantiles("median", x, np.asarray(0.5), axis, "linear", keepdims)


def _fractions(name: str, q: Any, whole: float) -> NDArray[Any]:
    found = np.asarray(q)
    if found.dtype.kind not in "iuf" or not ((found >= 0) & (found <= whole)).all():
        raise at_caller(ValueError(f"{name} needs q from 0 to {whole}, got {q}"))
    return found / whole


def _quantiles(
    name: str, x: Any, fractions: NDArray[Any], axis: Axis, method: str, keepdims: bool
) -> Tensor:
    data = need_real(name, floating(name, x))
    axes = axes_of(name, axis, data.type.ndim)
    if method not in _METHODS:
        known = ", ".join(_METHODS)
        raise at_caller(ValueError(f"{name} needs a method of {known}, got {method!r}"))
    lines = sort(wrap(_lines(data, axes)))
    length = lines.shape[-1]
    if not length:
        message = f"{name} of nothing is not defined, got shape {data.type.shape}"
        raise at_caller(ValueError(message))
    found = [_between(lines, *_position(length, q, method)) for q in fractions.ravel().tolist()]
    sizes = enumerate(data.type.shape)
    kept = [1 if i in axes else n for i, n in sizes if keepdims or i not in axes]
    values = stack(found) if found else lines[..., 0][None][:0]
    return reshape(where(isnan(lines[..., -1]), math.nan, values), (*fractions.shape, *kept))


def _lines(x: Data, axes: tuple[int, ...]) -> Data:
    """The axes joined to one, the last."""
    kept = tuple(axis for axis in range(x.type.ndim) if axis not in axes)
    moved = transpose(x, permutation=(*kept, *axes))
    count = math.prod(x.type.shape[axis] for axis in axes)
    return reshaped(moved, shape=(*moved.type.shape[: len(kept)], count))


def _position(length: int, fraction: float, method: str) -> tuple[int, float]:
    """The place of the lower neighbour, and the weight of the upper."""
    alpha, beta, weight = _METHODS[method]
    exact = (length + 1 - alpha - beta) * fraction + (alpha - 1)
    if exact < 0 or exact >= length - 1:
        return (0 if exact < 0 else length - 1), 0.0
    place = math.floor(exact)
    return place, weight(exact - place, place)


def _between(lines: Tensor, place: int, weight: float) -> Tensor:
    """Both neighbours by their weights; one that has none may be infinite."""
    if weight in (0, 1):
        return lines[..., place + int(weight)]
    return lines[..., place] * (1 - weight) + lines[..., place + 1] * weight
