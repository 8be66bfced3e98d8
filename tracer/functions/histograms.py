"""Counting elements: by their value, or by the interval they fall in."""

from __future__ import annotations

import builtins
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tracer.dtypes import int32, is_integer
from tracer.errors import at_caller
from tracer.functions.creation import asarray, ones_like
from tracer.functions.cumulative import diff
from tracer.functions.elementwise import add, where
from tracer.functions.gathering import segment_sum
from tracer.functions.operands import (
    Handle,
    data_of,
    floating,
    need_real,
    promoted,
    shape_of,
    wrap,
)
from tracer.functions.ranges import linspace
from tracer.functions.reductions import max, min, sum
from tracer.functions.sorting import counts_below

if TYPE_CHECKING:
    from tracer.functions.operands import ArrayLike
    from tracer.tensor import Tensor

__all__ = [
    "bincount",
    "digitize",
    "histogram",
    "histogram_bin_edges",
]

Range = tuple[float, float] | None


def bincount(
    x: ArrayLike,
    weights: ArrayLike | None = None,
    minlength: int = 0,
    *,
    length: int | None = None,
) -> Tensor:
    """How often each integer from 0 on occurs in x (1-d), in int32; or the sum of its weights.

    The result reaches to the largest element, or to `minlength`, and the recording is cut to learn
    that; with `length` it is not, and what is out of range is not counted. Raises TypeError unless
    x has integers, ValueError for more dimensions and for negative elements that are seen.
    """
    data = data_of("bincount", x)
    if not is_integer(data.type.dtype):
        raise at_caller(TypeError(f"bincount needs integers, got {data.type}"))
    if data.type.ndim != 1:
        raise at_caller(ValueError(f"bincount needs 1 dimension, got {data.type}"))
    tensor = wrap(data)
    (least,) = shape_of("bincount", (minlength,))
    found = _reach(tensor, least) if length is None else length
    return segment_sum(_weights("bincount", weights, tensor), tensor, found)


def _reach(x: Tensor, minlength: int) -> int:
    if not x.size:
        return minlength
    lowest, highest = int(min(x)), int(max(x))
    if lowest < 0:
        raise at_caller(ValueError(f"bincount needs integers from 0, got {lowest}"))
    return builtins.max(highest + 1, minlength)


def _weights(name: str, weights: Any, like: Tensor) -> Tensor:
    """One an element, flattened; ones (int32) where there are none."""
    if weights is None:
        return ones_like(like, int32).reshape(-1)
    data = data_of(name, weights, like.device)
    if data.type.shape != like.shape:
        message = f"{name} needs weights of shape {like.shape}, got {data.type.shape}"
        raise at_caller(ValueError(message))
    return wrap(data).reshape(-1)


def digitize(x: ArrayLike, bins: ArrayLike, right: bool = False) -> Tensor:
    """The number i of the interval of each element (int32): bins[i - 1] <= x < bins[i].

    With right=True, bins[i - 1] < x <= bins[i]. Where bins (1-d) fall: bins[i - 1] > x >= bins[i],
    or bins[i - 1] >= x > bins[i]. NaN counts as larger than all else.
    """
    values, edges = promoted("digitize", x, bins)
    need_real("digitize", values)
    if edges.type.ndim != 1:
        raise at_caller(ValueError(f"digitize needs 1-d bins, got {edges.type}"))
    below = wrap(counts_below(edges, values, inclusive=not right))
    count = edges.type.size
    if count < 2:
        return below
    ends = wrap(edges)
    return where(ends[0] > ends[-1], count - below, below)


def histogram_bin_edges(
    x: ArrayLike, bins: int | ArrayLike | Sequence[float] = 10, range: Range = None
) -> Tensor:
    """The edges of `bins` intervals of equal width, (bins + 1,), from the least to the largest.

    `range` gives other ends. Where the ends are equal, they move 0.5 apart from there. Edges that
    are given, 1-d and rising, are returned. Raises ValueError for what can be neither.
    """
    data = need_real("histogram", floating("histogram", x))
    if not isinstance(bins, (int, np.integer)):
        edges = asarray(bins, device=data.device)
        if edges.ndim != 1 or not edges.size:
            raise at_caller(ValueError(f"histogram needs 1-d edges, got {edges.shape}"))
        if not isinstance(bins, Handle) and (np.diff(bins) < 0).any():
            raise at_caller(ValueError(f"histogram needs rising edges, got {bins}"))
        return edges
    if bins < 1:
        raise at_caller(ValueError(f"histogram needs 1 interval or more, got {bins}"))
    low, high = _ends(wrap(data), range)
    shares = linspace(0, 1, int(bins) + 1, data.type.dtype, device=data.device)
    return add(low * (1 - shares), high * shares)


def _ends(x: Tensor, range: Range) -> tuple[Tensor, Tensor]:
    """The first edge and the last."""
    if range is not None and not (range[0] <= range[1] and math.isfinite(range[1] - range[0])):
        raise at_caller(ValueError(f"histogram needs a finite, rising range, got {range}"))
    ends = range or ((min(x), max(x)) if x.size else (0.0, 1.0))
    low, high = (asarray(end, x.dtype, device=x.device) for end in ends)
    apart = where(low == high, 0.5, 0.0).astype(x.dtype)
    return low - apart, high + apart


def histogram(
    x: ArrayLike,
    bins: int | ArrayLike | Sequence[float] = 10,
    range: Range = None,
    weights: ArrayLike | None = None,
    density: bool = False,
) -> tuple[Tensor, Tensor]:
    """How many elements fall in each interval (int32), or the sum of their weights; and the edges.

    An interval has its lower edge, the last one both; what is outside, and NaN, is not counted.
    With density=True: divided by the total and by the widths. See `histogram_bin_edges`.
    """
    tensor = wrap(need_real("histogram", floating("histogram", x)))
    edges = histogram_bin_edges(tensor, bins, range)
    values, ends = promoted("histogram", tensor, edges)
    found = wrap(counts_below(ends, values, inclusive=True)) - 1
    places = where(wrap(values) == wrap(ends)[-1], edges.size - 2, found)
    counts = segment_sum(_weights("histogram", weights, tensor), places.reshape(-1), edges.size - 1)
    if density:
        counts = counts / sum(counts) / diff(edges)
    return counts, edges
