"""The Cholesky factorization, and the solution of triangular systems."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tracer.dtypes import int32, kind
from tracer.ir import Attribute, TensorType
from tracer.ops.complex import complex, imag, real
from tracer.ops.contraction import DotDimensionNumbers, dot_general, wide
from tracer.ops.elementwise import add, compare, masked, multiply, negate, select
from tracer.ops.movement import iota, transpose
from tracer.ops.rules import INEXACT, need_dtype, need_kind
from tracer.ops.table import define, optional
from tracer.values import Data

Array = NDArray[Any]

TRANSPOSES = ("NO_TRANSPOSE", "TRANSPOSE", "ADJOINT")


def need_square(x: TensorType, least: int = 4) -> TensorType:
    """The type. Raises TypeError unless it is of square matrices of floats or complex numbers,
    of so many bytes at least.
    """
    need_kind(x, INEXACT)
    if x.ndim < 2 or x.shape[-1] != x.shape[-2]:
        raise TypeError(f"square matrices are needed, got {x}")
    if x.dtype.itemsize < least:
        raise TypeError(f"numbers of {8 * least} bits or more are needed, got {x}")
    return x


def conjugate(x: Data) -> Data:
    """Complex numbers with their imaginary parts negated; real ones as they are."""
    return complex(real(x), negate(imag(x))) if kind(x.type.dtype) == "complex" else x


def matrix_transpose(x: Data) -> Data:
    """The last two axes exchanged."""
    *batch, row, column = range(x.type.ndim)
    return transpose(x, permutation=(*batch, column, row))


def adjoint(x: Data) -> Data:
    """The conjugate transpose of each matrix."""
    return conjugate(matrix_transpose(x))


def product(a: Data, b: Data) -> Data:
    """The matrix product of two stacks of one batch shape."""
    n = a.type.ndim - 2
    axes = tuple(range(n))
    numbers = DotDimensionNumbers(axes, axes, (n + 1,), (n,))
    return dot_general(a, b, dot_dimension_numbers=numbers, dtype=a.type.dtype)


def triangle(x: Data, *, lower: bool, diagonal: bool = True) -> Data:
    """The lower or upper triangles of matrices, with or without the diagonal; zeros elsewhere."""
    direction = ("GE" if lower else "LE") if diagonal else ("GT" if lower else "LT")
    return masked(_places(x, direction), x)


def on_diagonal(x: Data) -> Data:
    """The diagonals of matrices; zeros elsewhere."""
    return masked(_places(x, "EQ"), x)


def _places(x: Data, direction: str) -> Data:
    """Where the row compares so with the column."""
    ndim, shape = x.type.ndim, x.type.shape
    row, column = (
        iota(iota_dimension=axis, shape=shape, dtype=int32, device=x.device)
        for axis in (ndim - 2, ndim - 1)
    )
    return compare(row, column, comparison_direction=direction)


def halved_diagonal(x: Data) -> Data:
    """Matrices with half of what stands on their diagonals."""
    half = 0.5 + 0j if kind(x.type.dtype) == "complex" else 0.5
    return select(_places(x, "EQ"), multiply(x, half), x)


def factored(a: Array, lower: bool) -> Array:
    """Reads one triangle, gives zeros in the other; NaN for a matrix that is not positive."""
    read = np.tril(a) if lower else np.tril(np.conj(np.swapaxes(a, -1, -2)))
    found = np.empty_like(read)
    for place in np.ndindex(a.shape[:-2]):
        try:
            found[place] = np.linalg.cholesky(read[place])
        except np.linalg.LinAlgError:
            found[place] = np.nan
    return found if lower else np.conj(np.swapaxes(found, -1, -2))


def cholesky_rule(g: Data, y: Data, a: Data, lower: bool) -> Data:
    """Source: Murray, "Differentiation of the Cholesky decomposition", 2016, arXiv:1602.07527.

    The cotangent stands in the triangle that was read.
    """
    of_l, factor = conjugate(g), y
    if not lower:
        of_l, factor = matrix_transpose(g), adjoint(y)
    inner = product(adjoint(factor), triangle(of_l, lower=True))
    inner = halved_diagonal(triangle(inner, lower=True))
    right = _solve(factor, inner, left_side=False)
    both = _solve(factor, right, transpose_a="ADJOINT")
    read = halved_diagonal(triangle(add(both, adjoint(both)), lower=True))
    return conjugate(read) if lower else matrix_transpose(read)


def _solve(a: Data, b: Data, left_side: bool = True, transpose_a: str = "NO_TRANSPOSE") -> Data:
    return triangular_solve(
        a, b, left_side=left_side, lower=True, unit_diagonal=False, transpose_a=transpose_a
    )


cholesky = define(
    "cholesky",
    lambda a, lower: need_square(a),
    factored,
    (cholesky_rule,),
    attributes=(optional("lower", "bool", False),),
    doc="Square matrices of float or complex dtype; the result has their type.",
)


def _solve_type(
    a: TensorType,
    b: TensorType,
    left_side: bool,
    lower: bool,
    unit_diagonal: bool,
    transpose_a: str,
) -> TensorType:
    """Square matrices and right-hand sides of one dtype; the result is like the latter."""
    need_dtype((a, b))
    need_square(a, least=2)
    if transpose_a not in TRANSPOSES:
        raise ValueError(f"{', '.join(TRANSPOSES)} is needed, got {transpose_a}")
    axis = -2 if left_side else -1
    if a.ndim != b.ndim or a.shape[:-2] != b.shape[:-2] or a.shape[-1] != b.shape[axis]:
        raise TypeError(f"matrices that multiply each other are needed, got {a} and {b}")
    return b


def solved(
    a: Array, b: Array, left_side: bool, lower: bool, unit_diagonal: bool, transpose_a: str
) -> Array:
    """By substitution, one row after the other; in at least float32."""
    dtype = b.dtype
    a, b = wide(a, dtype), wide(b, dtype)
    matrix = np.tril(a) if lower else np.triu(a)
    if unit_diagonal:
        np.einsum("...ii->...i", matrix)[...] = 1
    if transpose_a != "NO_TRANSPOSE":
        matrix, lower = np.swapaxes(matrix, -1, -2), not lower
    if transpose_a == "ADJOINT":
        matrix = np.conj(matrix)
    if not left_side:
        flipped = _substituted(np.swapaxes(matrix, -1, -2), np.swapaxes(b, -1, -2), not lower)
        return np.swapaxes(flipped, -1, -2).astype(dtype)
    return _substituted(matrix, b, lower).astype(dtype)


def _substituted(matrix: Array, b: Array, lower: bool) -> Array:
    found = np.zeros_like(b)
    rows = range(b.shape[-2])
    with np.errstate(all="ignore"):
        for i in rows if lower else reversed(rows):
            known = matrix[..., i : i + 1, :] @ found
            found[..., i, :] = (b[..., i, :] - known[..., 0, :]) / matrix[..., i, i, None]
    return found


def _pulled(g: Data, a: Data, left_side: bool, transpose_a: str, **form: Any) -> Data:
    """The cotangent of b: the solution of the transposed system."""
    if transpose_a == "ADJOINT":  # whose transpose is the conjugate
        solved = triangular_solve(
            a, conjugate(g), left_side=left_side, transpose_a="NO_TRANSPOSE", **form
        )
        return conjugate(solved)
    other = "TRANSPOSE" if transpose_a == "NO_TRANSPOSE" else "NO_TRANSPOSE"
    return triangular_solve(a, g, left_side=left_side, transpose_a=other, **form)


def _of_b(g: Data, y: Data, a: Data, b: Data, **form: Any) -> Data:
    return _pulled(g, a, **form)


def _of_a(g: Data, y: Data, a: Data, b: Data, **form: Any) -> Data:
    """-b_bar y^T (Giles 2008), in the form and the triangle in which a was read."""
    pulled = _pulled(g, a, **form)
    solution = matrix_transpose(y)
    left_side = form["left_side"]
    whole = negate(product(pulled, solution) if left_side else product(solution, pulled))
    if form["transpose_a"] != "NO_TRANSPOSE":
        whole = matrix_transpose(whole)
    if form["transpose_a"] == "ADJOINT":
        whole = conjugate(whole)
    return triangle(whole, lower=form["lower"], diagonal=not form["unit_diagonal"])


triangular_solve = define(
    "triangular_solve",
    _solve_type,
    solved,
    (_of_a, _of_b),
    attributes=(
        Attribute("left_side", "bool"),
        Attribute("lower", "bool"),
        Attribute("unit_diagonal", "bool"),
        Attribute("transpose_a", "transpose"),
    ),
)
