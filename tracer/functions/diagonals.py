"""Diagonals of matrices, and matrices of diagonals: every (n + 1)-th element in memory."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

from tracer.dispatch import splat
from tracer.errors import at_caller
from tracer.functions.manipulation import moveaxis
from tracer.functions.operands import axes_of, data_of, scalar_for, wrap
from tracer.functions.reductions import sum
from tracer.ops.movement import pad, reshape, slice

if TYPE_CHECKING:
    from tracer.functions.operands import ArrayLike
    from tracer.tensor import Tensor

__all__ = ["diag", "diagonal"]


def diagonal(a: ArrayLike, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    """The diagonals of the matrices that two axes make, as the last axis of the result.

    Raises ValueError for fewer than two axes.
    """
    data = data_of("diagonal", a)
    if data.type.ndim < 2:
        message = f"diagonal needs at least 2 dimensions, got {data.type.ndim}"
        raise at_caller(ValueError(message))
    axes_of("diagonal", (axis1, axis2), data.type.ndim)
    k = _whole("diagonal", offset)
    x = moveaxis(wrap(data), (axis1, axis2), (-2, -1))._data
    *batch, rows, columns = x.type.shape
    first = k if k >= 0 else -k * columns
    length = max(min(rows + min(k, 0), columns - max(k, 0)), 0)
    flat = reshape(x, shape=(*batch, rows * columns))
    start = first if length else 0
    stop = start + (length - 1) * (columns + 1) + 1 if length else 0
    zeros, ones = (0,) * len(batch), (1,) * len(batch)
    found = slice(
        flat,
        start_indices=(*zeros, start),
        limit_indices=(*batch, stop),
        strides=(*ones, columns + 1),
    )
    return wrap(found)


def _whole(name: str, offset: Any) -> int:
    try:
        return operator.index(offset)
    except TypeError:
        raise at_caller(TypeError(f"{name} needs an int offset, got {offset!r}")) from None


def diag(v: ArrayLike, k: int = 0) -> Tensor:
    """The matrix with the vector v on diagonal k, or the diagonal k of the matrix v.

    Raises ValueError unless v has one axis or two.
    """
    data = data_of("diag", v)
    if data.type.ndim == 2:
        return diagonal(v, k)
    if data.type.ndim != 1:
        raise at_caller(ValueError(f"diag needs 1 or 2 dimensions, got {data.type.ndim}"))
    return on_diagonal(wrap(data), _whole("diag", k))


def on_diagonal(v: Tensor, k: int = 0) -> Tensor:
    """Square matrices with the vectors along the last axis on diagonal k, zeros elsewhere."""
    data = v._data
    *batch, length = data.type.shape
    n = length + abs(k)
    first = k if k >= 0 else -k * n
    filled = (length - 1) * (n + 1) + 1 if length else 0
    none = (0,) * len(batch)
    flat = pad(
        data,
        splat(scalar_for("diag", 0, data.type.dtype), data.type.with_shape(()), data.device),
        edge_padding_low=(*none, first if length else 0),
        edge_padding_high=(*none, n * n - filled - (first if length else 0)),
        interior_padding=(*none, n),
    )
    return wrap(reshape(flat, shape=(*batch, n, n)))


def trace(x: ArrayLike, *, offset: int = 0, dtype: Any = None) -> Tensor:
    """The sums of the diagonals of matrices (the last two axes); integers as `sum` adds them."""
    return sum(diagonal(x, offset, -2, -1), -1, dtype=dtype)
