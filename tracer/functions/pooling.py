"""Pooling in 1, 2 and 3 dimensions. Layout NHWC."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from tracer.dispatch import splat
from tracer.dtypes import Scalar
from tracer.errors import at_caller
from tracer.functions.elementwise import limits
from tracer.functions.operands import accumulated, floating, need_real, wrap
from tracer.functions.reductions import max, mean
from tracer.functions.spatial import Each, Padding, pads, positive
from tracer.ops import elementwise as ops
from tracer.ops.bodies import combiner
from tracer.ops.window import dilated, reduce_window
from tracer.values import Data

if TYPE_CHECKING:
    from tracer.functions.operands import ArrayLike
    from tracer.tensor import Tensor

__all__ = [
    "avg_pool",
    "global_avg_pool",
    "global_max_pool",
    "max_pool",
    "min_pool",
    "sum_pool",
]


def _windows(
    name: str, x: Data, window: Each, strides: Each | None, padding: Padding, dilations: Each
) -> dict[str, Any]:
    """The attributes of a window over the spatial axes of (batch, *spatial, features)."""
    n = _need_spatial(name, x)
    need_real(name, x)
    sizes = positive(name, window, n)
    steps = positive(name, sizes if strides is None else strides, n)
    rates = positive(name, dilations, n)
    edges = pads(name, padding, x.type.shape[1:-1], list(map(dilated, sizes, rates)), steps)
    return {
        "window_dimensions": (1, *sizes, 1),
        "window_strides": (1, *steps, 1),
        "base_dilations": (1,) * (n + 2),
        "window_dilations": (1, *rates, 1),
        "padding": ((0, 0), *edges, (0, 0)),
    }


def _need_spatial(name: str, x: Data) -> int:
    """The number of spatial axes."""
    if x.type.ndim < 3:
        raise at_caller(ValueError(f"{name} needs x (N, spatial, C), got {x.type.shape}"))
    return x.type.ndim - 2


def _pooled(x: Data, body: str, start: Scalar, attributes: dict[str, Any]) -> Data:
    initial = splat(start, x.type.with_shape(()), x.device)
    return reduce_window(x, initial, regions=(combiner(body, x.type.dtype),), **attributes)


def max_pool(
    x: ArrayLike,
    window: Each,
    *,
    strides: Each | None = None,
    padding: Padding = "valid",
    dilations: Each = 1,
) -> Tensor:
    """The maximum of each window; strides are the window by default, padding never wins.

    x: (batch, *spatial, features). The first maximum of a window gets the derivative. dilations
    set the elements of a window apart.
    """
    data = floating("max_pool", x)
    attributes = _windows("max_pool", data, window, strides, padding, dilations)
    return wrap(_pooled(data, "maximum", limits(data.type.dtype)[0], attributes))


def min_pool(
    x: ArrayLike,
    window: Each,
    *,
    strides: Each | None = None,
    padding: Padding = "valid",
    dilations: Each = 1,
) -> Tensor:
    """The minimum of each window; the rest is as in `max_pool`."""
    data = floating("min_pool", x)
    attributes = _windows("min_pool", data, window, strides, padding, dilations)
    return wrap(_pooled(data, "minimum", limits(data.type.dtype)[1], attributes))


def sum_pool(
    x: ArrayLike,
    window: Each,
    *,
    strides: Each | None = None,
    padding: Padding = "valid",
    dilations: Each = 1,
) -> Tensor:
    """The sum of each window; strides are the window by default. x: (batch, *spatial, features)."""
    data = floating("sum_pool", x)
    attributes = _windows("sum_pool", data, window, strides, padding, dilations)
    return wrap(accumulated(data, lambda d: _pooled(d, "add", 0.0, attributes)))


def avg_pool(
    x: ArrayLike,
    window: Each,
    *,
    strides: Each | None = None,
    padding: Padding = "valid",
    dilations: Each = 1,
    count_include_pad: bool = False,
) -> Tensor:
    """The mean of each window; strides are the window by default.

    x: (batch, *spatial, features). Padding counts, as zeros, with count_include_pad alone.
    """
    data = floating("avg_pool", x)
    attributes = _windows("avg_pool", data, window, strides, padding, dilations)

    def averaged(d: Data) -> Data:
        total = _pooled(d, "add", 0.0, attributes)
        if count_include_pad or {*attributes["padding"]} == {(0, 0)}:
            return ops.divide(total, float(math.prod(attributes["window_dimensions"])))
        counts = _pooled(splat(1.0, d.type, d.device), "add", 0.0, attributes)
        return ops.divide(total, ops.maximum(counts, 1.0))

    return wrap(accumulated(data, averaged))


def global_avg_pool(x: ArrayLike) -> Tensor:
    """The mean over all spatial axes. x: (batch, *spatial, features); (batch, features)."""
    data = floating("global_avg_pool", x)
    return mean(wrap(data), tuple(range(1, 1 + _need_spatial("global_avg_pool", data))))


def global_max_pool(x: ArrayLike) -> Tensor:
    """The maximum over all spatial axes. x: (batch, *spatial, features); (batch, features).

    Derivatives split equally among ties. Raises ValueError over nothing.
    """
    data = floating("global_max_pool", x)
    return max(wrap(data), tuple(range(1, 1 + _need_spatial("global_max_pool", data))))
