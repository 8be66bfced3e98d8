"""Eigenvalues and eigenvectors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from tracer.linalg import routines
from tracer.linalg.factorizations import symmetric
from tracer.linalg.matrices import (
    adjoint,
    as_dtype_of,
    conjugate,
    is_complex,
    need_square,
    on_diagonal,
    real,
    real_diagonal,
    reciprocal,
    without_diagonal,
)
from tracer.linalg.rules import Results, added, with_pull
from tracer.linalg.systems import solve
from tracer.tensor import Tensor

if TYPE_CHECKING:
    from tracer.functions.operands import ArrayLike


class EighResult(NamedTuple):
    """Real eigenvalues, ascending, and eigenvectors, in columns."""

    eigenvalues: Tensor
    eigenvectors: Tensor


class EigResult(NamedTuple):
    """Complex eigenvalues, in no order, and eigenvectors of length 1, in columns."""

    eigenvalues: Tensor
    eigenvectors: Tensor


def eigh(x: ArrayLike, /) -> EighResult:
    """Eigenvalues (..., M) and eigenvectors (..., M, M) of Hermitian x (..., M, M).

    What stands above the diagonal is not read. Pairs of equal eigenvalues add nothing to
    derivatives, which their vectors don't have.
    """
    return EighResult(*_eigh(*symmetric(need_square("eigh", x))))


def _eigh_pull(g: Any, y: Results, x: Results) -> Results:
    """Source: Giles, "An extended collection of matrix derivative results", 2008, section 3.1."""
    (values, vectors), (of_values, of_vectors) = y, g
    inner = turned = None
    if of_values is not None:
        inner = on_diagonal(as_dtype_of(of_values, vectors))
    if of_vectors is not None:
        apart = reciprocal(values[..., None, :] - values[..., :, None])
        turned = apart * without_diagonal(adjoint(vectors) @ of_vectors)
    return (vectors @ added(inner, turned) @ adjoint(vectors),)


@with_pull(_eigh_pull)
def _eigh(x: Tensor) -> Results:
    return routines.eigh("eigh", x)


def eigvalsh(x: ArrayLike, /) -> Tensor:
    """The eigenvalues of Hermitian x (..., M, M), ascending."""
    return _eigvalsh(*symmetric(need_square("eigvalsh", x)))[0]


@with_pull(lambda g, y, x: _eigh_pull((g[0], None), _eigh(*x), x))
def _eigvalsh(x: Tensor) -> Results:
    return (routines.eigh("eigvalsh", x, vectors=False)[0],)


def eig(x: ArrayLike, /) -> EigResult:
    """Eigenvalues (..., M) and eigenvectors (..., M, M) of x (..., M, M), both complex.

    Derivatives are of what no phase of an eigenvector changes; NaN or infinities where x can't be
    diagonalized.
    """
    return EigResult(*_eig(need_square("eig", x)))


def _eig_pull(g: Any, y: Results, x: Results) -> Results:
    """Source: Boeddeker et al., "On the computation of complex-valued gradients with application to
    statistically optimum beamforming", 2017, arXiv:1701.00392, section 4.18.
    """
    (values, vectors), (of_values, of_vectors) = y, g
    back = adjoint(vectors)
    inner = moved = None
    if of_values is not None:
        inner = on_diagonal(of_values)
    if of_vectors is not None:
        turned = back @ of_vectors
        turned = turned - (back @ vectors) @ real_diagonal(turned)
        apart = conjugate(reciprocal(values[..., None, :] - values[..., :, None]))
        moved = turned * apart
    found = solve(back, added(inner, moved) @ back)
    return (found if is_complex(x[0]) else real(found),)


@with_pull(_eig_pull)
def _eig(x: Tensor) -> Results:
    return routines.eig("eig", x)


def eigvals(x: ArrayLike, /) -> Tensor:
    """The complex eigenvalues of x (..., M, M), in no order."""
    return _eigvals(need_square("eigvals", x))[0]


@with_pull(lambda g, y, x: _eig_pull((g[0], None), _eig(*x), x))
def _eigvals(x: Tensor) -> Results:
    return (routines.eig("eigvals", x, vectors=False)[0],)
