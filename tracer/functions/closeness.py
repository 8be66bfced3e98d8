"""Whether tensors are equal, or nearly."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tracer.dtypes import float64, is_inexact
from tracer.functions.creation import asarray
from tracer.functions.elementwise import abs, isfinite, isnan, where
from tracer.functions.logic import equal, less_equal, logical_and, logical_or
from tracer.functions.operands import promoted, unify, wrap
from tracer.functions.reductions import all

if TYPE_CHECKING:
    from tracer.functions.operands import ArrayLike
    from tracer.tensor import Tensor

__all__ = ["allclose", "array_equal", "isclose"]


def isclose(
    x: ArrayLike,
    y: ArrayLike,
    rtol: ArrayLike = 1e-05,
    atol: ArrayLike = 1e-08,
    equal_nan: bool = False,
) -> Tensor:
    """Whether |x - y| <= atol + rtol * |y|, elementwise; infinities are close to themselves.

    NaN is close to nothing, but to NaN with equal_nan. Bools and integers are compared in float64.
    """
    a, b = (wrap(data) for data in unify("isclose", x, y))
    if not is_inexact(a.dtype):
        a, b = a.astype(float64), b.astype(float64)
    near = less_equal(abs(a - b), atol + rtol * abs(b))
    close = where(logical_and(isfinite(a), isfinite(b)), near, equal(a, b))
    return logical_or(close, logical_and(isnan(a), isnan(b))) if equal_nan else close


def allclose(
    x: ArrayLike,
    y: ArrayLike,
    rtol: ArrayLike = 1e-05,
    atol: ArrayLike = 1e-08,
    equal_nan: bool = False,
) -> Tensor:
    """Whether all of x and y are close, as `isclose` says: a 0-d bool."""
    return all(isclose(x, y, rtol, atol, equal_nan))


def array_equal(x: ArrayLike, y: ArrayLike, equal_nan: bool = False) -> Tensor:
    """Whether x and y have one shape and equal elements: a 0-d bool."""
    a, b = (wrap(data) for data in promoted("array_equal", x, y))
    if a.shape != b.shape:
        return asarray(False, device=a.device)
    same = equal(a, b)
    return all(logical_or(same, logical_and(isnan(a), isnan(b))) if equal_nan else same)
