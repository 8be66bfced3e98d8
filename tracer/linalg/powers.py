"""Powers, long products and the exponential of matrices."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from functools import reduce
from typing import TYPE_CHECKING

from tracer.errors import at_caller
from tracer.functions.contraction import einsum
from tracer.functions.elementwise import add, ceil, log2, maximum, power, where
from tracer.functions.neural import stop_gradient
from tracer.linalg.matrices import identity, need_numbers, need_square
from tracer.linalg.norms import matrix_norm
from tracer.linalg.systems import inv, solve
from tracer.tensor import Tensor

if TYPE_CHECKING:
    from tracer.functions.operands import ArrayLike


def matrix_power(x: ArrayLike, n: int, /) -> Tensor:
    """x (..., M, M) to the n-th power, or its inverse to the -n-th.

    Raises TypeError unless n is an int.
    """
    matrices = need_square("matrix_power", x)
    try:
        count = operator.index(n)
    except TypeError:
        raise at_caller(TypeError(f"matrix_power needs an int n, got {n!r}")) from None
    if count < 0:
        matrices, count = inv(matrices), -count
    if not count:
        return identity(matrices.shape, matrices.dtype, matrices)
    return _power(matrices, count)


def _power(x: Tensor, n: int) -> Tensor:
    if n == 1:
        return x
    half = _power(x, n // 2)
    return half @ half @ x if n % 2 else half @ half


def multi_dot(arrays: Sequence[ArrayLike]) -> Tensor:
    """The product of two matrices or more, in the order that costs least.

    The first may be a row (M,), the last a column (N,). Raises ValueError for fewer than two.
    """
    tensors = [need_numbers("multi_dot", x) for x in arrays]
    ndims = [x.ndim for x in tensors]
    ends = {ndims[0], ndims[-1]} if ndims else set()
    if len(tensors) < 2 or any(n != 2 for n in ndims[1:-1]) or not ends <= {1, 2}:
        shown = [x.shape for x in tensors]
        message = f"multi_dot needs two matrices or more (vectors at the ends), got {shown}"
        raise at_caller(ValueError(message))
    labels = [[i, i + 1] for i in range(len(tensors))]
    wanted = [0, len(tensors)]
    if ndims[0] == 1:
        labels[0], wanted = [1], wanted[1:]
    if ndims[-1] == 1:
        labels[-1], wanted = labels[-1][:1], wanted[:-1]
    operands = (part for pair in zip(tensors, labels, strict=True) for part in pair)
    return einsum(*operands, wanted)


_PADE: tuple[float, ...] = (
    *(64764752532480000, 32382376266240000, 7771770303897600, 1187353796428800),
    *(129060195264000, 10559470521600, 670442572800, 33522128640, 1323241920, 40840800),
    *(960960, 16380, 182, 1),
)
"""The coefficients of the numerator of degree 13."""
_NEAR = 5.371920351148152
"""Matrices up to this 1-norm are exponentiated to double precision by that."""
_SQUARINGS = 16


def expm(x: ArrayLike, /) -> Tensor:
    """The exponentials of square x (..., M, M); NaN where a 1-norm is above 3e5.

    Source: Higham, "The scaling and squaring method for the matrix exponential revisited", 2005.
    """
    matrices = need_square("expm", x)
    if not matrices.size:
        return matrices
    size = stop_gradient(matrix_norm(matrices, ord=1))
    times = ceil(maximum(log2(size / _NEAR), 0.0))[..., None, None]
    found = _near_zero(matrices * power(2.0, -times))
    for i in range(_SQUARINGS):
        found = where(times > i, found @ found, found)
    return where(times > _SQUARINGS, math.nan, found)


def _near_zero(x: Tensor) -> Tensor:
    """The quotient of two polynomials, p(x) / p(-x)."""
    one = identity(x.shape, x.dtype, x)
    square = x @ x
    fourth = square @ square
    sixth = fourth @ square

    def part(first: int) -> Tensor:
        given = _PADE[first::2]
        low = _combined(given[:4], (one, square, fourth, sixth))
        return low + sixth @ _combined(given[4:], (square, fourth, sixth))

    even, odd = part(0), x @ part(1)
    return solve(even - odd, even + odd)


def _combined(numbers: Sequence[float], terms: Sequence[Tensor]) -> Tensor:
    return reduce(add, (x * n for n, x in zip(numbers, terms, strict=True)))
