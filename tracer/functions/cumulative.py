"""Running sums, products and extrema along an axis; differences, and the area under a line."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tracer.dispatch import splat
from tracer.dtypes import accumulator, bool_, is_inexact
from tracer.errors import at_caller
from tracer.functions.logic import not_equal
from tracer.functions.manipulation import concatenate, flip, stack
from tracer.functions.neural import logsumexp
from tracer.functions.operands import (
    accumulated,
    as_dtype,
    as_shape,
    axis_of,
    data_of,
    floating,
    need_dtype,
    need_real,
    promoted,
    shape_of,
    wrap,
)
from tracer.functions.reductions import sum
from tracer.ops import elementwise as ops
from tracer.ops.bodies import combiner
from tracer.ops.movement import pad, reshape
from tracer.ops.scans import part, scan
from tracer.ops.window import reduce_window
from tracer.values import Data

if TYPE_CHECKING:
    from tracer.functions.operands import ArrayLike
    from tracer.tensor import Tensor

__all__ = [
    "cumlogsumexp",
    "cummax",
    "cummin",
    "cumprod",
    "cumsum",
    "cumulative_prod",
    "cumulative_sum",
    "diff",
    "trapezoid",
]


def _sums(x: Data, axis: int) -> Data:
    """One operation, whose derivative is another; XLA does long windows in blocks."""
    shape = x.type.shape
    if not shape[axis]:
        return x
    ones = (1,) * len(shape)
    window = tuple(n if i == axis else 1 for i, n in enumerate(shape))
    return reduce_window(
        x,
        splat(0.0 if is_inexact(x.type.dtype) else 0, x.type.with_shape(()), x.device),
        window_dimensions=window,
        window_strides=ones,
        base_dilations=ones,
        window_dilations=ones,
        padding=tuple((n - 1, 0) for n in window),
        regions=(combiner("add", x.type.dtype),),
    )


def _products(x: Data, axis: int) -> Data:
    return scan(x, axis, ops.and_ if x.type.dtype is bool_ else ops.multiply)


Running = Callable[[Data, int], Data]


def _running(name: str, running: Running, x: Any, axis: int | None, dtype: Any) -> Tensor:
    """NumPy's: along an axis, or along all elements in their order."""
    data = data_of(name, x)
    if axis is None:
        data = reshape(data, shape=(data.type.size,))
    place = axis_of(name, 0 if axis is None else axis, data.type.ndim)
    data = as_dtype(data, accumulator(data.type.dtype) if dtype is None else need_dtype(dtype))
    return wrap(accumulated(data, lambda d: running(d, place)))


def cumsum(x: ArrayLike, axis: int | None = None, dtype: Any = None) -> Tensor:
    """The sums of the elements up to each along an axis; of the flattened tensor without one.

    Integers and bools add up in at least 32 bits. A 0-d tensor gives shape (1,).
    """
    return _running("cumsum", _sums, x, axis, dtype)


def cumprod(x: ArrayLike, axis: int | None = None, dtype: Any = None) -> Tensor:
    """The products of the elements up to each along an axis; of the flattened tensor without one.

    Integers and bools multiply in at least 32 bits. Derivatives are exact where factors are zero.
    """
    return _running("cumprod", _products, x, axis, dtype)


def _standard(
    name: str, running: Running, x: Any, axis: int | None, dtype: Any, first: int | None
) -> Tensor:
    """The array API standard's: an axis is needed where there are several."""
    data = data_of(name, x)
    if axis is None and data.type.ndim != 1:
        message = f"{name} needs an axis for a tensor of {data.type.ndim} dimensions"
        raise at_caller(ValueError(message))
    found = _running(name, running, wrap(data), 0 if axis is None else axis, dtype)
    if first is None:
        return found
    return wrap(_led(found._data, axis_of(name, axis or 0, data.type.ndim), first))


def _led(x: Data, axis: int, first: int) -> Data:
    """One more element in front."""
    nothing = (0,) * x.type.ndim
    low = tuple(int(i == axis) for i in range(x.type.ndim))
    value = float(first) if is_inexact(x.type.dtype) else first
    return pad(
        x,
        splat(value, x.type.with_shape(()), x.device),
        edge_padding_low=low,
        edge_padding_high=nothing,
        interior_padding=nothing,
    )


def cumulative_sum(
    x: ArrayLike, *, axis: int | None = None, dtype: Any = None, include_initial: bool = False
) -> Tensor:
    """`cumsum` along an axis, which only a 1-d tensor need not name.

    With include_initial=True a 0 stands in front, and the axis is longer by one.
    """
    return _standard("cumulative_sum", _sums, x, axis, dtype, 0 if include_initial else None)


def cumulative_prod(
    x: ArrayLike, *, axis: int | None = None, dtype: Any = None, include_initial: bool = False
) -> Tensor:
    """`cumprod` along an axis, which only a 1-d tensor need not name.

    With include_initial=True a 1 stands in front, and the axis is longer by one.
    """
    return _standard("cumulative_prod", _products, x, axis, dtype, 1 if include_initial else None)


def _scanned(
    name: str, x: Data, axis: int, reverse: bool, combine: Callable[[Data, Data], Data]
) -> Tensor:
    place = axis_of(name, axis, x.type.ndim)
    if not reverse:
        return wrap(scan(x, place, combine))
    return flip(wrap(scan(flip(wrap(x), place)._data, place, combine)), place)


def cummax(x: ArrayLike, axis: int = 0, *, reverse: bool = False) -> Tensor:
    """The largest of the elements up to each along an axis (from each on with reverse=True).

    NaN from the first NaN on.
    """
    data = need_real("cummax", data_of("cummax", x))
    return _scanned("cummax", data, axis, reverse, ops.maximum)


def cummin(x: ArrayLike, axis: int = 0, *, reverse: bool = False) -> Tensor:
    """The smallest of the elements up to each along an axis (from each on with reverse=True).

    NaN from the first NaN on.
    """
    data = need_real("cummin", data_of("cummin", x))
    return _scanned("cummin", data, axis, reverse, ops.minimum)


def cumlogsumexp(x: ArrayLike, axis: int = 0, *, reverse: bool = False) -> Tensor:
    """log(cumsum(exp(x))) along an axis, without overflow (from each on with reverse=True)."""
    data = need_real("cumlogsumexp", floating("cumlogsumexp", x))

    def combine(a: Data, b: Data) -> Data:
        return logsumexp(stack([wrap(a), wrap(b)]), 0)._data

    return _scanned("cumlogsumexp", data, axis, reverse, combine)


def diff(
    x: ArrayLike,
    n: int = 1,
    axis: int = -1,
    prepend: ArrayLike | None = None,
    append: ArrayLike | None = None,
) -> Tensor:
    """Each element but the first less the one before it, along an axis, n times over.

    prepend and append are joined to x first; a number counts as one place. Of bools: whether the
    two differ. Raises ValueError for a negative n, TypeError for one that is no int.
    """
    data = data_of("diff", x)
    place = axis_of("diff", axis, data.type.ndim)
    (times,) = shape_of("diff", (n,))
    if not times:
        return wrap(data)
    given = [e for e in (prepend, wrap(data), append) if e is not None]
    one = tuple(1 if i == place else m for i, m in enumerate(data.type.shape))
    parts = [as_shape(e, e.type.shape or one) for e in promoted("diff", *given)]
    found = concatenate([wrap(e) for e in parts], place)._data
    for _ in range(times):
        found = _differences(found, place)
    return wrap(found)


def neighbours(x: Data, axis: int) -> tuple[Data, Data]:
    """All elements but the first, and but the last."""
    length = x.type.shape[axis]
    return part(x, axis, min(1, length), length), part(x, axis, 0, max(length - 1, 0))


def _differences(x: Data, axis: int) -> Data:
    later, before = neighbours(x, axis)
    if x.type.dtype == bool_:
        return not_equal(wrap(later), wrap(before))._data
    return ops.subtract(later, before)


def trapezoid(
    y: ArrayLike, x: ArrayLike | None = None, dx: ArrayLike = 1.0, axis: int = -1
) -> Tensor:
    """The area under the line through y along an axis, at places x, or dx apart."""
    data = floating("trapezoid", y)
    place = axis_of("trapezoid", axis, data.type.ndim)
    means = wrap(ops.multiply(ops.add(*neighbours(data, place)), 0.5))
    return sum(means * (dx if x is None else _widths(x, place, data.type.ndim)), place)


def _widths(x: Any, axis: int, ndim: int) -> Tensor:
    """The distances of places, 1-d ones along an axis."""
    data = data_of("trapezoid", x)
    if data.type.ndim == 1:
        shape = tuple(data.type.size if i == axis else 1 for i in range(ndim))
        data = reshape(data, shape=shape)
    return wrap(_differences(data, axis))
