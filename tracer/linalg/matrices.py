"""What every function of matrices needs: its operand checked, and the parts of a formula."""

from __future__ import annotations

from typing import Any

from tracer.dispatch import splat
from tracer.dtypes import PART, DType, finfo, kind
from tracer.errors import at_caller
from tracer.functions import diagonals
from tracer.functions.elementwise import where
from tracer.functions.operands import as_dtype, floating, scalar_for, wrap
from tracer.ops import complex as parts
from tracer.ops import factorizations as ops
from tracer.tensor import Tensor
from tracer.values import Data


def need_numbers(name: str, x: Any) -> Tensor:
    """x as floats; integers and bools become float32. Raises TypeError for 16-bit floats."""
    data = floating(name, x)
    if data.type.dtype.itemsize < 4:
        message = f"{name} needs float32, float64, complex64 or complex128, got {data.type}"
        raise at_caller(TypeError(message))
    return wrap(data)


def need_matrices(name: str, x: Any) -> Tensor:
    """x as floats. Raises ValueError unless it has two axes or more."""
    found = need_numbers(name, x)
    if found.ndim < 2:
        raise at_caller(ValueError(f"{name} needs matrices (..., M, N), got shape {found.shape}"))
    return found


def need_square(name: str, x: Any) -> Tensor:
    """x as floats. Raises ValueError unless it is of square matrices."""
    found = need_matrices(name, x)
    if found.shape[-1] != found.shape[-2]:
        message = f"{name} needs square matrices (..., M, M), got shape {found.shape}"
        raise at_caller(ValueError(message))
    return found


def is_complex(x: Tensor) -> bool:
    """Whether the elements are complex."""
    return kind(x.dtype) == "complex"


def conjugate(x: Tensor) -> Tensor:
    """The complex conjugate; x itself where it is real."""
    return wrap(ops.conjugate(x._data))


def adjoint(x: Tensor) -> Tensor:
    """The conjugate transpose of each matrix."""
    return wrap(ops.adjoint(x._data))


def transpose(x: Tensor) -> Tensor:
    """The transpose of each matrix."""
    return wrap(ops.matrix_transpose(x._data))


def triangle(x: Tensor, *, lower: bool = False, diagonal: bool = True) -> Tensor:
    """The lower or upper triangles, with or without the diagonal; zeros elsewhere."""
    return wrap(ops.triangle(x._data, lower=lower, diagonal=diagonal))


def on_diagonal(x: Tensor) -> Tensor:
    """Square matrices with vectors (along the last axis) on their diagonals."""
    return diagonals.on_diagonal(x)


def real_diagonal(x: Tensor) -> Tensor:
    """Matrices of the real parts of the diagonals; zeros elsewhere."""
    kept = wrap(ops.on_diagonal(x._data))
    return (kept + conjugate(kept)) / 2 if is_complex(x) else kept


def real(x: Tensor) -> Tensor:
    """The real parts."""
    return wrap(parts.real(x._data))


def imag(x: Tensor) -> Tensor:
    """The imaginary parts."""
    return wrap(parts.imag(x._data))


def as_dtype_of(x: Tensor, other: Tensor) -> Tensor:
    """x with the dtype of another tensor."""
    return wrap(as_dtype(x._data, other.dtype))


def as_complex(a: Tensor, b: Tensor) -> Tensor:
    """a + bi."""
    return wrap(parts.complex(a._data, b._data))


def without_diagonal(x: Tensor) -> Tensor:
    """Matrices with zeros on their diagonals."""
    return x - wrap(ops.on_diagonal(x._data))


def main_diagonal(x: Tensor) -> Tensor:
    """The diagonals of matrices, along the last axis."""
    return diagonals.diagonal(x, 0, -2, -1)


def identity(shape: tuple[int, ...], dtype: DType, like: Tensor) -> Tensor:
    """Ones on the diagonals of matrices of a shape, on the device of another tensor."""
    return wrap(ops.on_diagonal(_filled(1, shape, dtype, like)))


def zeros(shape: tuple[int, ...], dtype: DType, like: Tensor) -> Tensor:
    """Zeros, on the device of another tensor."""
    return wrap(_filled(0, shape, dtype, like))


def _filled(value: int, shape: tuple[int, ...], dtype: DType, like: Tensor) -> Data:
    number = scalar_for("linalg", value, dtype)
    return splat(number, like._data.type.with_shape(shape).with_dtype(dtype), like.device)


def reciprocal(x: Tensor) -> Tensor:
    """1 / x, and 0 where x is 0."""
    gone = x == 0
    return where(gone, 0, 1 / where(gone, 1, x))


def epsilon(x: Tensor) -> float:
    """The distance from 1 to the next number of the elements' precision."""
    return float(finfo(PART.get(x.dtype, x.dtype)).eps)
