"""Complex numbers: their parts, their conjugates, their angles."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from tracer.dtypes import kind
from tracer.functions.analytic import conjugate as conjugated
from tracer.functions.composed import compared
from tracer.functions.operands import data_of, floating, wrap
from tracer.ops import complex as ops
from tracer.ops.elementwise import atan2, multiply, zeros_like
from tracer.values import Data

if TYPE_CHECKING:
    from tracer.functions.operands import ArrayLike
    from tracer.tensor import Tensor

__all__ = [
    "angle",
    "conj",
    "conjugate",
    "imag",
    "iscomplex",
    "isreal",
    "real",
]


def _is_complex(x: Data) -> bool:
    return kind(x.type.dtype) == "complex"


def conj(x: ArrayLike) -> Tensor:
    """The complex conjugate; of a real x, x."""
    data = data_of("conj", x)
    return wrap(conjugated(data) if _is_complex(data) else data)


conjugate = conj


def real(x: ArrayLike) -> Tensor:
    """The real part; of a real x, x."""
    data = data_of("real", x)
    return wrap(ops.real(data) if _is_complex(data) else data)


def imag(x: ArrayLike) -> Tensor:
    """The imaginary part; of a real x, zeros."""
    data = data_of("imag", x)
    return wrap(ops.imag(data) if _is_complex(data) else zeros_like(data))


def isreal(x: ArrayLike) -> Tensor:
    """Whether the imaginary part is 0."""
    part = imag(x)._data
    return wrap(compared(part, "EQ", zeros_like(part)))


def iscomplex(x: ArrayLike) -> Tensor:
    """Whether the imaginary part is not 0."""
    part = imag(x)._data
    return wrap(compared(part, "NE", zeros_like(part)))


def angle(x: ArrayLike, deg: bool = False) -> Tensor:
    """The angle of a complex number, in radians or degrees; of a real x, 0 or pi."""
    data = floating("angle", x)
    a, b = (ops.real(data), ops.imag(data)) if _is_complex(data) else (data, zeros_like(data))
    found = atan2(b, a)
    return wrap(multiply(found, 180 / math.pi) if deg else found)
