"""Cholesky, QR and singular value decompositions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from tracer.errors import at_caller
from tracer.functions.manipulation import concatenate
from tracer.functions.operands import wrap
from tracer.linalg import routines
from tracer.linalg.matrices import (
    adjoint,
    as_complex,
    conjugate,
    imag,
    is_complex,
    main_diagonal,
    need_matrices,
    need_square,
    real_diagonal,
    reciprocal,
    triangle,
    without_diagonal,
)
from tracer.linalg.rules import Results, added, with_pull
from tracer.ops import factorizations as ops
from tracer.tensor import Tensor

if TYPE_CHECKING:
    from tracer.functions.operands import ArrayLike


class QRResult(NamedTuple):
    """x = Q @ R: orthonormal columns, and an upper triangle."""

    Q: Tensor
    R: Tensor


class SVDResult(NamedTuple):
    """x = U @ diag(S) @ Vh; S descends."""

    U: Tensor
    S: Tensor
    Vh: Tensor


@with_pull(lambda g, y, x: ((g[0] + adjoint(g[0])) / 2,))
def symmetric(x: Tensor) -> Results:
    """x, meant to be equal to its adjoint: a function that reads one triangle reads both."""
    return (x,)


def cholesky(x: ArrayLike, /, *, upper: bool = False) -> Tensor:
    """L of x = L @ L^H, or U of x = U^H @ U, for Hermitian positive definite x (..., M, M).

    One triangle is read: that of the result. NaN where x is not positive definite.
    """
    (read,) = symmetric(need_square("cholesky", x))
    (factor,) = _cholesky(adjoint(read) if upper else read)
    return adjoint(factor) if upper else factor


def _cholesky_pull(g: Any, y: Results, x: Results) -> Results:
    """The operation's own, in the convention of the tape."""
    found = ops.cholesky_rule(conjugate(g[0])._data, y[0]._data, x[0]._data, lower=True)
    return (conjugate(wrap(found)),)


@with_pull(_cholesky_pull)
def _cholesky(x: Tensor) -> Results:
    if x.device.kind == "CPU":
        return (routines.cholesky(x),)
    return (wrap(ops.cholesky(x._data, lower=True)),)


def qr(x: ArrayLike, /, *, mode: str = "reduced") -> QRResult:
    """Q (..., M, K) and R (..., K, N), K = min(M, N); with mode "complete", K = M.

    Raises ValueError for another mode, NotImplementedError for the derivative of columns of Q that
    x does not determine.
    """
    if mode not in ("reduced", "complete"):
        raise at_caller(ValueError(f'qr needs mode "reduced" or "complete", got {mode!r}'))
    matrices = need_matrices("qr", x)
    rows, columns = matrices.shape[-2:]
    if rows >= columns:
        return QRResult(*_qr(matrices, complete=mode == "complete" and rows > columns))
    q, r = _qr(matrices[..., :rows], complete=False)
    return QRResult(q, concatenate([r, adjoint(q) @ matrices[..., rows:]], -1))


def _qr_pull(g: Any, y: Results, x: Results) -> Results:
    """Source: Walter and Lehmann, "Algorithmic differentiation of linear algebra functions", 2010,
    arXiv:1001.1654.
    """
    q, r = y
    if q.shape[-1] != r.shape[-1]:
        raise at_caller(NotImplementedError('qr has no derivative in mode "complete" for M > N'))
    inner = added(
        None if g[0] is None else -(adjoint(q) @ g[0]),
        None if g[1] is None else g[1] @ adjoint(r),
    )
    upper = triangle(inner, diagonal=False)
    total = added(q @ (upper + adjoint(upper) + real_diagonal(inner)), g[0])
    solved = ops.triangular_solve(
        r._data,
        total._data,
        left_side=False,
        lower=False,
        unit_diagonal=False,
        transpose_a="ADJOINT",
    )
    return (wrap(solved),)


@with_pull(_qr_pull)
def _qr(x: Tensor, *, complete: bool) -> Results:
    return routines.qr(x, complete)


def svd(x: ArrayLike, /, *, full_matrices: bool = True) -> SVDResult:
    """U (..., M, M), S (..., K) and Vh (..., N, N), K = min(M, N).

    With full_matrices=False, U has K columns and Vh K rows. Pairs of equal singular values add
    nothing to derivatives, which their vectors don't have. Raises NotImplementedError for the
    derivative of vectors that x does not determine.
    """
    matrices = need_matrices("svd", x)
    square = matrices.shape[-1] == matrices.shape[-2]
    return SVDResult(*_svd(matrices, mode="all" if full_matrices and not square else "some"))


def _svd_pull(g: Any, y: Results, x: Results) -> Results:
    """Sources: Townsend, "Differentiating the singular value decomposition", 2016; Wan and Zhang,
    arXiv:1909.02659, for complex matrices, their phases as JAX has them.
    """
    (u, s, vh), (gu, gs, gvh) = y, g
    if u.shape[-1] != vh.shape[-2] and (gu is not None or gvh is not None):
        message = "svd has no derivative of all of U and Vh: use full_matrices=False"
        raise at_caller(NotImplementedError(message))
    terms = [] if gs is None else [_diagonal_term(y, gs)]
    square = s * s
    apart = reciprocal(square[..., None, :] - square[..., :, None])
    if gu is not None:
        terms += _left_terms(u, s, vh, gu, apart)
    if gvh is not None:
        flipped = _left_terms(adjoint(vh), s, adjoint(u), adjoint(gvh), apart, phase=False)
        terms += [adjoint(term) for term in flipped]
    return (added(*terms),)


def _diagonal_term(y: Results, gs: Tensor) -> Tensor:
    u, s, vh = y
    return (u[..., : s.shape[-1]] * gs[..., None, :]) @ vh[..., : s.shape[-1], :]


def _left_terms(
    u: Tensor, s: Tensor, vh: Tensor, gu: Tensor, apart: Tensor, phase: bool = True
) -> list[Tensor]:
    """What the cotangent of the left vectors adds: within their space, and across it."""
    turned = adjoint(u) @ gu
    skew = apart * without_diagonal(turned)
    inner = (skew + adjoint(skew)) * s[..., None, :]
    terms = [u @ inner @ vh]
    scaled = gu * reciprocal(s)[..., None, :]
    if u.shape[-2] > u.shape[-1]:
        terms.append((scaled - u @ (adjoint(u) @ scaled)) @ vh)
    if phase and is_complex(u):
        turn = as_complex(0 * s, imag(main_diagonal(turned)) * reciprocal(s))
        terms.append((u * turn[..., None, :]) @ vh)
    return terms


@with_pull(_svd_pull)
def _svd(x: Tensor, *, mode: str) -> Results:
    return routines.svd("svd", x, mode)


def svdvals(x: ArrayLike, /) -> Tensor:
    """The singular values of x (..., M, N), descending."""
    return _svdvals(need_matrices("svdvals", x))[0]


def _svdvals_pull(g: Any, y: Results, x: Results) -> Results:
    found = _svd(x[0], mode="some")
    return (_diagonal_term(found, g[0]),)


@with_pull(_svdvals_pull)
def _svdvals(x: Tensor) -> Results:
    return (routines.svd("svdvals", x, "none")[1],)
