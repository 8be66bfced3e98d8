"""Products and diagonals, with the array API standard's signatures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tracer.errors import at_caller
from tracer.functions import diagonals
from tracer.functions.diagonals import trace
from tracer.functions.linalg import outer as _outer
from tracer.functions.operands import data_of
from tracer.tensor import Tensor

if TYPE_CHECKING:
    from tracer.functions.operands import ArrayLike

__all__ = ["diagonal", "outer", "trace"]


def diagonal(x: ArrayLike, /, *, offset: int = 0) -> Tensor:
    """The diagonals of x (..., M, N) as the last axis."""
    return diagonals.diagonal(x, offset, -2, -1)


def outer(x1: ArrayLike, x2: ArrayLike, /) -> Tensor:
    """(M, N): the products of the elements of x1 (M,) with those of x2 (N,).

    Raises ValueError unless both have one axis.
    """
    shapes = [data_of("outer", x).type.shape for x in (x1, x2)]
    if any(len(shape) != 1 for shape in shapes):
        raise at_caller(
            ValueError(f"outer needs vectors (M,) and (N,), got {shapes[0]} and {shapes[1]}")
        )
    return _outer(x1, x2)
