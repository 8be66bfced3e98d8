"""Complex numbers of their parts, and the parts of complex numbers.

Derivatives follow JAX: the cotangent of z = a + bi is dL/da - i dL/db, so that a step against its
conjugate descends; where a function is holomorphic it is g * f'(z), with nothing conjugated.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tracer.dtypes import PART, WHOLE, kind
from tracer.ir import TensorType
from tracer.ops.elementwise import negate, zeros_like
from tracer.ops.rules import INEXACT, need_equal, need_kind
from tracer.ops.table import Op, define
from tracer.values import Data

Array = NDArray[Any]


def _complex_type(a: TensorType, b: TensorType) -> TensorType:
    """Two operands of one type, of float32 or float64; complex numbers."""
    need_equal((a, b))
    if a.dtype not in WHOLE:
        raise TypeError(f"operands of float32 or float64 are needed, got {a}")
    return a.with_dtype(WHOLE[a.dtype])


def _part_type(x: TensorType) -> TensorType:
    """An operand of float or complex dtype; the result is real."""
    need_kind(x, INEXACT)
    return x.with_dtype(PART.get(x.dtype, x.dtype))


def _joined(a: Array, b: Array) -> Array:
    """a + ib would make NaN of an infinite part."""
    made = np.empty(a.shape, WHOLE[a.dtype])
    made.real, made.imag = a, b
    return made


def _real(x: Array) -> Array:
    return x.real.copy() if kind(x.dtype) == "complex" else x


def _imag(x: Array) -> Array:
    return x.imag.copy() if kind(x.dtype) == "complex" else np.zeros_like(x)


def _real_rule(g: Data, y: Data, x: Data) -> Data:
    return complex(g, zeros_like(g)) if kind(x.type.dtype) == "complex" else g


def _imag_rule(g: Data, y: Data, x: Data) -> Data | None:
    return complex(zeros_like(g), negate(g)) if kind(x.type.dtype) == "complex" else None


complex: Op = define(
    "complex",
    _complex_type,
    _joined,
    (lambda g, y, a, b: real(g), lambda g, y, a, b: negate(imag(g))),
    traits=("elementwise",),
)
real: Op = define("real", _part_type, _real, (_real_rule,), traits=("elementwise",))
imag: Op = define("imag", _part_type, _imag, (_imag_rule,), traits=("elementwise",))
