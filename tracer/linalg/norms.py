"""Norms of vectors and matrices, and what they tell of a matrix."""

from __future__ import annotations

import builtins
import math
from typing import TYPE_CHECKING, Any

from tracer.dtypes import int32
from tracer.errors import at_caller
from tracer.functions.elementwise import abs, power, sqrt, where
from tracer.functions.manipulation import moveaxis
from tracer.functions.operands import Axis, axes_of
from tracer.functions.reductions import max, min, sum
from tracer.linalg.factorizations import svdvals
from tracer.linalg.matrices import imag, is_complex, need_matrices, need_numbers, real
from tracer.linalg.systems import inv, significant
from tracer.tensor import Tensor

if TYPE_CHECKING:
    from tracer.functions.operands import ArrayLike

_EXTREMA = {math.inf: max, -math.inf: min}


def vector_norm(
    x: ArrayLike, /, *, axis: Axis = None, keepdims: bool = False, ord: float = 2
) -> Tensor:
    """The ord-norm over axes, all for None: sum(|x|**ord)**(1/ord); of ord 0, how many are not 0.

    ord inf and -inf are the largest and smallest |x|. Slopes that are not defined count as 0.
    """
    numbers = need_numbers("vector_norm", x)
    if isinstance(ord, bool) or not isinstance(ord, (int, float)):
        raise at_caller(TypeError(f"vector_norm needs a number as ord, got {ord!r}"))
    axes = axes_of("vector_norm", axis, numbers.ndim)
    if ord == 2:
        return _euclidean(numbers, axes, keepdims)
    sizes = abs(numbers)
    if ord in _EXTREMA:
        return _EXTREMA[ord](sizes, axes, keepdims=keepdims)
    if ord == 0:
        return sum(sizes != 0, axes, keepdims=keepdims, dtype=sizes.dtype)
    if ord == 1:
        return sum(sizes, axes, keepdims=keepdims)
    return _root(sum(_powers(sizes, ord), axes, keepdims=keepdims), ord)


def _euclidean(x: Tensor, axes: tuple[int, ...], keepdims: bool) -> Tensor:
    squares = real(x) * real(x) + imag(x) * imag(x) if is_complex(x) else x * x
    return sqrt(sum(squares, axes, keepdims=keepdims))


def _powers(sizes: Tensor, ord: float) -> Tensor:
    """sizes ** ord, its slope at 0 counted as 0."""
    if ord < 0:
        return power(sizes, float(ord))
    zero = sizes == 0
    return where(zero, 0, power(where(zero, 1, sizes), float(ord)))


def _root(total: Tensor, ord: float) -> Tensor:
    """total ** (1 / ord), its slope at 0 counted as 0."""
    zero = total == 0
    return where(zero, 0 if ord > 0 else math.inf, power(where(zero, 1, total), 1 / ord))


def matrix_norm(
    x: ArrayLike, /, *, keepdims: bool = False, ord: float | str | None = "fro"
) -> Tensor:
    """Norms (...) of x (..., M, N): "fro" (None too) and "nuc" (the sum of the singular values);
    1 and -1 (the largest and smallest sum of a column's |x|), inf and -inf (of a row's), 2 and -2
    (the largest and smallest singular value).

    Raises ValueError for another ord.
    """
    matrices = need_matrices("matrix_norm", x)
    if ord not in (None, "fro", "nuc", 1, -1, 2, -2, math.inf, -math.inf):
        message = f'matrix_norm needs ord "fro", "nuc", 1, -1, 2, -2, inf or -inf, got {ord!r}'
        raise at_caller(ValueError(message))
    found = _matrix_norm(matrices, ord)
    return found[..., None, None] if keepdims else found


def _matrix_norm(x: Tensor, ord: Any) -> Tensor:
    if ord in (None, "fro"):
        return _euclidean(x, axes_of("matrix_norm", (-2, -1), x.ndim), False)
    if ord == "nuc":
        return sum(svdvals(x), -1)
    extremum = max if ord > 0 else min
    if builtins.abs(ord) == 2:
        return extremum(svdvals(x), -1)
    along = -2 if builtins.abs(ord) == 1 else -1
    return extremum(sum(abs(x), along), -1)


def norm(x: ArrayLike, ord: Any = None, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """numpy.linalg.norm: of vectors over one axis, of matrices over two; ord as in `vector_norm`
    and `matrix_norm`. With axis None, x has one axis or two, or any number where ord is None.

    Raises ValueError for more axes.
    """
    numbers = need_numbers("norm", x)
    if axis is None and ord is None:
        return vector_norm(numbers, keepdims=keepdims)
    given = axis if isinstance(axis, (tuple, list)) else None if axis is None else (axis,)
    axes = tuple(range(numbers.ndim)) if given is None else tuple(given)
    if len(axes) not in (1, 2):
        raise at_caller(ValueError(f"norm needs 1 or 2 axes, got {len(axes)}"))
    if len(axes) == 1:
        return vector_norm(numbers, axis=axes, keepdims=keepdims, ord=2 if ord is None else ord)
    found = matrix_norm(moveaxis(numbers, axes, (-2, -1)), ord=ord)
    if not keepdims:
        return found
    places = axes_of("norm", axes, numbers.ndim)
    return found.reshape([1 if i in places else n for i, n in enumerate(numbers.shape)])


def cond(x: ArrayLike, p: float | str | None = None) -> Tensor:
    """How much x (..., M, M) can magnify relative errors: |x| * |x^-1| in norm p.

    For None, 2 and -2 by the singular values, of x (..., M, N), too.
    """
    matrices = need_matrices("cond", x)
    if p in (None, 2, -2):
        s = svdvals(matrices)
        return s[..., -1] / s[..., 0] if p == -2 else s[..., 0] / s[..., -1]
    return matrix_norm(matrices, ord=p) * matrix_norm(inv(matrices), ord=p)


def matrix_rank(x: ArrayLike, /, *, rtol: ArrayLike | None = None) -> Tensor:
    """How many singular values of x (..., M, N) are above rtol times the largest; int32.

    rtol (...) is by default max(M, N) times the precision of the dtype.
    """
    matrices = need_matrices("matrix_rank", x)
    return sum(significant(matrices, svdvals(matrices), rtol), -1, dtype=int32)
