"""Linear systems: solutions, inverses, least squares."""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING, Any, NamedTuple

from tracer.dtypes import int32
from tracer.errors import at_caller
from tracer.functions.creation import asarray
from tracer.functions.elementwise import abs, where
from tracer.functions.manipulation import concatenate
from tracer.functions.operands import as_shape, broadcast_shape, promoted, wrap
from tracer.functions.reductions import max, sum
from tracer.linalg import routines
from tracer.linalg.factorizations import svd
from tracer.linalg.matrices import (
    adjoint,
    epsilon,
    identity,
    need_matrices,
    need_numbers,
    need_square,
    reciprocal,
)
from tracer.linalg.rules import Results, with_pull
from tracer.tensor import Tensor

if TYPE_CHECKING:
    from tracer.functions.operands import ArrayLike


def solve(x1: ArrayLike, x2: ArrayLike, /) -> Tensor:
    """The x of x1 @ x = x2, for square x1 (..., M, M) and x2 (M,) or (..., M, K).

    Stacks broadcast. Infinities or NaN where x1 is singular. Raises ValueError for other shapes.
    """
    a, b = _same_dtype("solve", need_square("solve", x1), x2)
    vector = b.ndim == 1
    columns = b[:, None] if vector else b
    if not b.ndim or columns.shape[-2] != a.shape[-1]:
        message = f"solve needs x2 ({a.shape[-1]},) or (..., {a.shape[-1]}, K), got {b.shape}"
        raise at_caller(ValueError(message))
    batch = broadcast_shape("solve", [a.shape[:-2], columns.shape[:-2]])
    whole, right = (wrap(as_shape(x._data, (*batch, *x.shape[-2:]))) for x in (a, columns))
    (found,) = _solve(whole, right)
    return found[..., 0] if vector else found


def _same_dtype(name: str, a: Tensor, b: ArrayLike) -> tuple[Tensor, Tensor]:
    """Two operands as floats of one dtype."""
    first, second = promoted(name, a, need_numbers(name, b))
    return wrap(first), wrap(second)


def _solve_pull(g: Any, y: Results, x: Results) -> Results:
    """Source: Giles, "An extended collection of matrix derivative results", 2008, section 2.3.1."""
    (of_b,) = _solve(adjoint(x[0]), g[0])
    return -(of_b @ adjoint(y[0])), of_b


@with_pull(_solve_pull)
def _solve(a: Tensor, b: Tensor) -> Results:
    """P A = L U of the two side by side gives L^-1 P b beside U: no row needs to be moved."""
    n = a.shape[-1]
    both, _ = routines.lu("solve", concatenate([a, b], -1))
    return (routines.back_substituted(both[..., :n], both[..., n:]),)


def inv(x: ArrayLike, /) -> Tensor:
    """The inverses of square x (..., M, M); infinities or NaN where x is singular."""
    matrices = need_square("inv", x)
    return _solve(matrices, identity(matrices.shape, matrices.dtype, matrices))[0]


def pinv(x: ArrayLike, /, *, rtol: ArrayLike | None = None) -> Tensor:
    """The Moore-Penrose inverses (..., N, M) of x (..., M, N).

    Singular values up to rtol times the largest count as 0; rtol (...) is by default max(M, N)
    times the precision of the dtype.
    """
    matrices = need_matrices("pinv", x)
    return _pinv(matrices, rtol=rtol)[0]


def _pinv_pull(g: Any, y: Results, x: Results) -> Results:
    """Source: Golub and Pereyra, "The differentiation of pseudo-inverses and nonlinear least
    squares problems whose variables separate", 1973.
    """
    (a,), (p,), (given,) = x, y, g
    back, forth = adjoint(p), adjoint(given)
    left = forth @ (p @ back)
    right = (back @ p) @ forth
    return (left - a @ (p @ left) + right - (right @ p) @ a - back @ given @ back,)


@with_pull(_pinv_pull)
def _pinv(x: Tensor, *, rtol: ArrayLike | None) -> Results:
    u, s, vh = svd(x, full_matrices=False)
    kept = where(significant(x, s, rtol), s, 0)
    return (adjoint(vh) @ (reciprocal(kept)[..., :, None] * adjoint(u)),)


def significant(x: Tensor, s: Tensor, rtol: ArrayLike | None) -> Tensor:
    """Which singular values of x are above rtol times the largest."""
    if not s.shape[-1]:
        return s > 0
    default = epsilon(x) * builtins.max(x.shape[-2:])
    limit = need_numbers("rtol", asarray(default if rtol is None else rtol, device=x.device))
    return s > limit[..., None] * max(s, -1, keepdims=True)


class LstsqResult(NamedTuple):
    """The solution, its squared distances, the rank of a, and a's singular values."""

    x: Tensor
    residuals: Tensor
    rank: Tensor
    s: Tensor


def lstsq(a: ArrayLike, b: ArrayLike, rcond: ArrayLike | None = None) -> LstsqResult:
    """The shortest x that makes a @ x nearest to b, for a (M, N) and b (M,) or (M, K).

    Singular values up to rcond times the largest count as 0, as for `pinv`. The residuals are the
    squared distances, one a column, whatever the rank (NumPy has none below full rank).

    Raises ValueError for other shapes.
    """
    matrix, right = _same_dtype("lstsq", need_matrices("lstsq", a), b)
    if matrix.ndim != 2 or right.ndim not in (1, 2) or right.shape[0] != matrix.shape[0]:
        message = f"lstsq needs a (M, N) and b (M,) or (M, K), got {matrix.shape} and {right.shape}"
        raise at_caller(ValueError(message))
    s = svd(matrix, full_matrices=False).S
    found = pinv(matrix, rtol=rcond) @ right
    distances = abs(right - matrix @ found)
    rank = sum(significant(matrix, s, rcond), -1, dtype=int32)
    return LstsqResult(found, sum(distances * distances, 0), rank, s)
