"""Determinants."""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING, Any, NamedTuple

from tracer.functions.elementwise import abs, log, where
from tracer.functions.ranges import arange
from tracer.functions.reductions import prod, sum
from tracer.linalg import routines
from tracer.linalg.factorizations import svd
from tracer.linalg.matrices import (
    adjoint,
    as_complex,
    as_dtype_of,
    conjugate,
    imag,
    is_complex,
    main_diagonal,
    need_square,
    on_diagonal,
    reciprocal,
    transpose,
    without_diagonal,
)
from tracer.linalg.rules import Results, with_pull
from tracer.linalg.systems import inv
from tracer.tensor import Tensor

if TYPE_CHECKING:
    from tracer.functions.operands import ArrayLike


class SlogdetResult(NamedTuple):
    """det(x) = sign * exp(logabsdet)."""

    sign: Tensor
    logabsdet: Tensor


def _factors(name: str, x: Tensor) -> tuple[Tensor, Tensor]:
    """Numbers whose product is the determinant, and the sign (-1 or 1) that goes with them."""
    both, exchanged = routines.lu(name, x)
    n = x.shape[-1]
    moved = exchanged != arange(1, n + 1, device=x.device)
    odd = sum(moved, -1) % 2 == 1
    return main_diagonal(both), odd


def det(x: ArrayLike, /) -> Tensor:
    """The determinants (...) of x (..., M, M); 1 for M = 0.

    Its derivatives are the cofactors: finite, and right, for singular x too, to second order.
    """
    return _det(need_square("det", x))[0]


@with_pull(lambda g, y, x: (g[0][..., None, None] * conjugate(_cofactors(*x)[0]),))
def _det(x: Tensor) -> Results:
    factors, odd = _factors("det", x)
    product = prod(factors, -1)
    return (where(odd, -product, product),)


def _left_out(s: Tensor) -> tuple[Tensor, Tensor]:
    """The products of all of s but element i, and of all but i and j (meaningless where i = j).

    s descends, so that where any but its last two are 0, these are 0 too: only they must not be
    divided by.
    """
    n = s.shape[-1]
    at = arange(n, device=s.device)
    inverse = where(at < n - 2, reciprocal(s), 1)
    one = prod(s[..., : builtins.max(n - 2, 0)], -1)[..., None] * inverse
    two = one[..., :, None] * inverse[..., None, :]
    for k in range(builtins.max(n - 2, 0), n):
        here, last = at == k, s[..., k : k + 1]
        one = one * where(here, 1, last)
        two = two * where(here[:, None] | here, 1, last[..., None])
    return one, without_diagonal(two)


def _cofactors_pull(g: Any, y: Results, x: Results) -> Results:
    """The adjugate of a diagonal matrix S, moved by P, changes by products that leave out two."""
    u, s, vh = svd(*x, full_matrices=False)
    _, two = _left_out(s)
    turned = transpose(u) @ g[0] @ transpose(vh)
    turned = conjugate(det(u) * det(vh))[..., None, None] * turned
    pairs = as_dtype_of(two, turned)
    on = (pairs @ main_diagonal(turned)[..., None])[..., 0]
    return (u @ (on_diagonal(on) - transpose(pairs * turned)) @ vh,)


@with_pull(_cofactors_pull)
def _cofactors(x: Tensor) -> Results:
    """d det(x) / dx: for x = U S V^H, det(U) det(V^H) conj(U) C conj(V^H), C of S."""
    u, s, vh = svd(x, full_matrices=False)
    one, _ = _left_out(s)
    whole = (conjugate(u) * one[..., None, :]) @ conjugate(vh)
    return ((det(u) * det(vh))[..., None, None] * whole,)


def slogdet(x: ArrayLike, /) -> SlogdetResult:
    """The sign (of length 1 where complex, 0 for singular x) and the log of |det(x)|.

    Derivatives are infinite or NaN where x (..., M, M) is singular.
    """
    return SlogdetResult(*_slogdet(need_square("slogdet", x)))


def _slogdet_pull(g: Any, y: Results, x: Results) -> Results:
    """Source: Giles, "An extended collection of matrix derivative results", 2008, section 2.2.4."""
    of_sign, of_log = g
    scale = None if of_log is None else of_log
    if of_sign is not None and is_complex(x[0]):
        turn = imag(of_sign * conjugate(y[0]))
        scale = as_complex(0 * turn if scale is None else scale, turn)
    if scale is None:
        scale = 0 * y[1]
    return (scale[..., None, None] * adjoint(inv(x[0])),)


@with_pull(_slogdet_pull)
def _slogdet(x: Tensor) -> Results:
    factors, odd = _factors("slogdet", x)
    sizes = abs(factors)
    signs = prod(factors * reciprocal(sizes), -1)
    return where(odd, -signs, signs), sum(log(sizes), -1)
