"""Reductions over axes, with NumPy's names and meanings."""

from __future__ import annotations

import builtins
import math
from typing import TYPE_CHECKING, Any

from tracer.dispatch import splat
from tracer.dtypes import accumulator, bool_, iinfo, int32, is_inexact
from tracer.errors import at_caller
from tracer.functions.elementwise import limits, sqrt
from tracer.functions.operands import (
    Axis,
    accumulated,
    as_dtype,
    as_shape,
    axes_of,
    axis_of,
    data_of,
    floating,
    need_dtype,
    need_real,
    promoted,
    wrap,
)
from tracer.ops import elementwise as ops
from tracer.ops.bodies import combiner
from tracer.ops.movement import iota, reshape
from tracer.ops.reduction import reduce
from tracer.values import Data

if TYPE_CHECKING:
    from tracer.functions.operands import ArrayLike
    from tracer.tensor import Tensor

__all__ = [
    "all",
    "any",
    "argmax",
    "argmin",
    "average",
    "max",
    "mean",
    "min",
    "prod",
    "ptp",
    "std",
    "sum",
    "var",
]


def _reduce(x: Data, body: str, start: Any, axes: tuple[int, ...], keepdims: bool) -> Data:
    if axes:
        initial = splat(start, x.type.with_shape(()), x.device)
        region = combiner(body, x.type.dtype)
        reduced = reduce(x, initial, dimensions=axes, regions=(region,))
    else:
        reduced = x
    return _kept(reduced, x, axes) if keepdims else reduced


def _kept(reduced: Data, x: Data, axes: tuple[int, ...]) -> Data:
    shape = tuple(1 if axis in axes else n for axis, n in enumerate(x.type.shape))
    return reshape(reduced, shape=shape)


def sum(x: ArrayLike, axis: Axis = None, *, dtype: Any = None, keepdims: bool = False) -> Tensor:
    """The sum over axes; 0 over nothing. Integers and bools add up in at least 32 bits."""
    data = data_of("sum", x)
    data = as_dtype(data, need_dtype(dtype) if dtype is not None else accumulator(data.type.dtype))
    axes = axes_of("sum", axis, data.type.ndim)
    start = 0.0 if is_inexact(data.type.dtype) else 0
    return wrap(accumulated(data, lambda d: _reduce(d, "add", start, axes, keepdims)))


def prod(x: ArrayLike, axis: Axis = None, *, dtype: Any = None, keepdims: bool = False) -> Tensor:
    """The product over axes; 1 over nothing. Integers and bools multiply in at least 32 bits.

    Derivatives are exact where factors are zero.
    """
    data = data_of("prod", x)
    data = as_dtype(data, need_dtype(dtype) if dtype is not None else accumulator(data.type.dtype))
    axes = axes_of("prod", axis, data.type.ndim)
    start = 1.0 if is_inexact(data.type.dtype) else 1
    return wrap(accumulated(data, lambda d: _reduce(d, "multiply", start, axes, keepdims)))


def mean(x: ArrayLike, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
    """The mean over axes; NaN over nothing. Integers become float32."""
    data = floating("mean", x)
    axes = axes_of("mean", axis, data.type.ndim)
    count = math.prod(data.type.shape[a] for a in axes)

    def averaged(d: Data) -> Data:
        return ops.divide(_reduce(d, "add", 0.0, axes, keepdims), float(count))

    return wrap(accumulated(data, averaged))


def average(
    x: ArrayLike, axis: Axis = None, weights: ArrayLike | None = None, *, keepdims: bool = False
) -> Tensor:
    """The mean over axes, by weights: of x's shape, or one for each place of the one axis.

    Raises ValueError for weights of another shape.
    """
    if weights is None:
        return mean(x, axis, keepdims=keepdims)
    data, factors = promoted("average", wrap(floating("average", x)), weights)
    axes = axes_of("average", axis, data.type.ndim)
    factors = as_shape(_aligned(factors, data, axes), data.type.shape)

    def weighed(d: Data) -> Data:
        w = as_dtype(factors, d.type.dtype)
        total = _reduce(w, "add", 0.0, axes, keepdims)
        return ops.divide(_reduce(ops.multiply(d, w), "add", 0.0, axes, keepdims), total)

    return wrap(accumulated(data, weighed))


def _aligned(weights: Data, x: Data, axes: tuple[int, ...]) -> Data:
    """Weights along the axis they are of."""
    shape = tuple(n if i in axes else 1 for i, n in enumerate(x.type.shape))
    if weights.type.shape == x.type.shape:
        return weights
    if len(axes) == 1 and weights.type.shape == (x.type.shape[axes[0]],):
        return reshape(weights, shape=shape)
    message = f"average needs weights of shape {x.type.shape} or of one axis, got {weights.type}"
    raise at_caller(ValueError(message))


def var(
    x: ArrayLike, axis: Axis = None, *, correction: float = 0, keepdims: bool = False
) -> Tensor:
    """The variance: mean squared distance from the mean, divided by n - correction."""
    data = need_real("var", floating("var", x))
    axes = axes_of("var", axis, data.type.ndim)
    count = math.prod(data.type.shape[a] for a in axes)
    divisor = float(builtins.max(count - correction, 0))

    def spread(d: Data) -> Data:
        center = ops.divide(_reduce(d, "add", 0.0, axes, True), float(count))
        distance = ops.subtract(d, as_shape(center, d.type.shape))
        squares = ops.multiply(distance, distance)
        return ops.divide(_reduce(squares, "add", 0.0, axes, keepdims), divisor)

    return wrap(accumulated(data, spread))


def std(
    x: ArrayLike, axis: Axis = None, *, correction: float = 0, keepdims: bool = False
) -> Tensor:
    """The standard deviation; its slope at a constant counts as 0."""
    return sqrt(var(x, axis, correction=correction, keepdims=keepdims))


def _extremum(name: str, body: str, x: Any, axis: Axis, keepdims: bool) -> Tensor:
    data = need_real(name, data_of(name, x))
    axes = axes_of(name, axis, data.type.ndim)
    if data.type.size == 0 and 0 in [data.type.shape[a] for a in axes]:
        message = f"{name} of nothing is not defined, got shape {data.type.shape}"
        raise at_caller(ValueError(message))
    return wrap(extremum(data, body, axes, keepdims))


def extremum(x: Data, body: str, axes: tuple[int, ...], keepdims: bool) -> Data:
    """The maximum or minimum; over nothing, what every element beats."""
    lowest, highest = limits(x.type.dtype)
    return _reduce(x, body, lowest if body == "maximum" else highest, axes, keepdims)


def max(x: ArrayLike, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
    """The largest element; NaN where any is NaN. Derivatives split equally among ties.

    Raises ValueError over nothing.
    """
    return _extremum("max", "maximum", x, axis, keepdims)


def min(x: ArrayLike, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
    """The smallest element; NaN where any is NaN. Derivatives split equally among ties.

    Raises ValueError over nothing.
    """
    return _extremum("min", "minimum", x, axis, keepdims)


def ptp(x: ArrayLike, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
    """The largest element less the smallest; NaN where any is NaN. Raises ValueError over nothing.

    Of integers: in their dtype, so it may wrap around.
    """
    highest, lowest = (_extremum("ptp", body, x, axis, keepdims) for body in ("maximum", "minimum"))
    return wrap(ops.subtract(highest._data, lowest._data))


def _arg(name: str, body: str, x: Any, axis: int | None, keepdims: bool) -> Tensor:
    """The first place where x equals its extremum, or is NaN."""
    data = data_of(name, x)
    shape = data.type.shape
    flat = reshape(data, shape=(data.type.size,)) if axis is None else data
    along = axis_of(name, 0 if axis is None else axis, flat.type.ndim)
    best = as_shape(_extremum(name, body, wrap(flat), along, True)._data, flat.type.shape)
    hit = ops.or_(
        ops.compare(flat, best, comparison_direction="EQ"),
        ops.compare(flat, flat, comparison_direction="NE"),
    )
    places = iota(iota_dimension=along, shape=flat.type.shape, dtype=int32, device=flat.device)
    never = splat(flat.type.shape[along], places.type, flat.device)
    found = _reduce(ops.select(hit, places, never), "minimum", iinfo(int32).max, (along,), keepdims)
    if keepdims and axis is None:
        found = reshape(found, shape=(1,) * len(shape))
    return wrap(found)


def argmax(x: ArrayLike, axis: int | None = None, *, keepdims: bool = False) -> Tensor:
    """The index (int32) of the first largest element, of the first NaN where there is one.

    Without an axis, the index into the flattened tensor. Raises ValueError over nothing.
    """
    return _arg("argmax", "maximum", x, axis, keepdims)


def argmin(x: ArrayLike, axis: int | None = None, *, keepdims: bool = False) -> Tensor:
    """The index (int32) of the first smallest element, of the first NaN where there is one.

    Without an axis, the index into the flattened tensor. Raises ValueError over nothing.
    """
    return _arg("argmin", "minimum", x, axis, keepdims)


def all(x: ArrayLike, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
    """Whether every element is true; true over nothing."""
    data = as_dtype(data_of("all", x), bool_)
    return wrap(_reduce(data, "and", True, axes_of("all", axis, data.type.ndim), keepdims))


def any(x: ArrayLike, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
    """Whether some element is true; false over nothing."""
    data = as_dtype(data_of("any", x), bool_)
    return wrap(_reduce(data, "or", False, axes_of("any", axis, data.type.ndim), keepdims))
