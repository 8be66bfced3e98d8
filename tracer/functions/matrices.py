"""Triangles of matrices, and matrices and grids made of vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tracer.device import Device
from tracer.dtypes import result_type
from tracer.errors import at_caller
from tracer.functions.creation import diagonals, eye, full, ones
from tracer.functions.elementwise import power, where
from tracer.functions.logic import greater_equal, less_equal
from tracer.functions.manipulation import broadcast_arrays, expand_dims, flip, reshape
from tracer.functions.operands import data_of, need_dtype, shape_of, wrap
from tracer.functions.ranges import arange

if TYPE_CHECKING:
    from tracer.functions.operands import ArrayLike
    from tracer.tensor import Tensor

__all__ = [
    "identity",
    "meshgrid",
    "tri",
    "tril",
    "triu",
    "vander",
]


def identity(n: int, dtype: Any = None, *, device: Device | None = None) -> Tensor:
    """The n × n matrix with ones on its diagonal; float32 by default."""
    return eye(n, dtype=dtype, device=device)


def tri(
    N: int,
    M: int | None = None,
    k: int = 0,
    dtype: Any = None,
    *,
    device: Device | None = None,
) -> Tensor:
    """(N, M): ones on diagonal k and below, zeros above; float32 by default."""
    found = result_type(float) if dtype is None else need_dtype(dtype)
    return tril(ones((N, N if M is None else M), found, device=device), k=k)


def tril(x: ArrayLike, *, k: int = 0) -> Tensor:
    """Matrices (…, M, N) with zeros above diagonal k. Raises ValueError for less than 2 axes."""
    return _triangle("tril", x, k)


def triu(x: ArrayLike, *, k: int = 0) -> Tensor:
    """Matrices (…, M, N) with zeros below diagonal k. Raises ValueError for less than 2 axes."""
    return _triangle("triu", x, k)


def _triangle(name: str, x: Any, k: int) -> Tensor:
    data = data_of(name, x)
    if data.type.ndim < 2:
        raise at_caller(ValueError(f"{name} needs at least 2 dimensions, got {data.type.ndim}"))
    rows, columns = diagonals(name, data.type.shape[-2:], k, data.device)
    keep = greater_equal(rows, columns) if name == "tril" else less_equal(rows, columns)
    return where(keep, wrap(data), full((), 0, data.type.dtype, device=data.device))


def vander(x: ArrayLike, N: int | None = None, increasing: bool = False) -> Tensor:
    """(len(x), N): the powers of x from N - 1 down to 0, or up; N is len(x) by default."""
    data = data_of("vander", x)
    if data.type.ndim != 1:
        raise at_caller(ValueError(f"vander needs a vector, got shape {data.type.shape}"))
    (length,) = shape_of("vander", data.type.size if N is None else N)
    powers = arange(length, dtype=data.type.dtype, device=data.device)
    made = power(expand_dims(wrap(data), 1), powers)
    return made if increasing else flip(made, 1)


def meshgrid(*arrays: ArrayLike, indexing: str = "xy") -> tuple[Tensor, ...]:
    """The coordinates of a grid, each of the grid's shape: (n0, n1, n2, …) for indexing "ij", and
    (n1, n0, n2, …) for "xy".

    Vectors keep their dtypes. Raises ValueError for what is no vector, or another indexing.
    """
    if indexing not in ("xy", "ij"):
        raise at_caller(ValueError(f'meshgrid needs indexing "xy" or "ij", got {indexing!r}'))
    vectors = [data_of("meshgrid", x) for x in arrays]
    deep = next((v.type.shape for v in vectors if v.type.ndim > 1), None)
    if deep is not None:
        raise at_caller(ValueError(f"meshgrid needs vectors, got shape {deep}"))
    places = list(range(len(vectors)))
    if indexing == "xy":
        places[:2] = places[:2][::-1]
    shapes = [[-1 if axis == place else 1 for axis in places] for place in range(len(vectors))]
    return broadcast_arrays(*map(reshape, map(wrap, vectors), shapes))
