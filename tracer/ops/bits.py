"""Operations on the bits of numbers: of integers, and of the precision of floats."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tracer.dtypes import NARROW_INTEGERS, DType, bool_, finfo, iinfo
from tracer.ir import Attribute, TensorType
from tracer.ops import meanings
from tracer.ops.rules import FLOAT, INTEGRAL, need_kind, same
from tracer.ops.table import ZERO, define
from tracer.values import Data

Array = NDArray[Any]


def _pattern(x: Array) -> Array:
    """The bits as an unsigned number; NumPy keeps those of narrow integers in a byte."""
    pattern: Array = np.ascontiguousarray(x).reshape(x.shape).view(f"u{x.dtype.itemsize}")
    return pattern & np.asarray(2 ** iinfo(x.dtype).bits - 1, pattern.dtype)


def _popcnt(x: Array) -> Array:
    return np.bitwise_count(_pattern(x)).astype(x.dtype)


def _count_leading_zeros(x: Array) -> Array:
    """One for each shift, from none on, that leaves nothing."""
    pattern = _pattern(x)
    shifted = (pattern >> np.asarray(n, pattern.dtype) for n in range(iinfo(x.dtype).bits))
    count = sum(((rest == 0).astype(np.int8) for rest in shifted), np.zeros(x.shape, np.int8))
    return count.astype(x.dtype)


def _precision_type(x: TensorType, exponent_bits: int, mantissa_bits: int) -> TensorType:
    """An operand of float dtype; the result has its type."""
    if not (1 <= exponent_bits < 2**31 and 0 <= mantissa_bits < 2**31):
        found = f"got {exponent_bits} and {mantissa_bits}"
        raise ValueError(f"exponent_bits from 1 and mantissa_bits from 0 are needed, {found}")
    return need_kind(x, FLOAT)


def _reduce_precision(x: Array, exponent_bits: int, mantissa_bits: int) -> Array:
    """Halves go to even; beyond the exponents are infinity and zero, of the number's sign."""
    limits = finfo(x.dtype)
    wide = x.astype(np.float64)
    exponents = np.maximum(np.frexp(wide)[1], int(limits.minexp) + 1)
    steps = exponents - min(mantissa_bits, 1074) - 1
    with np.errstate(over="ignore"):
        found = np.ldexp(np.round(np.ldexp(wide, -steps)), steps)
    found = np.where(np.isfinite(wide), found, wide)
    if exponent_bits < limits.nexp:
        bias = 2 ** (exponent_bits - 1) - 1
        found = np.where(np.abs(found) >= 2.0 ** (bias + 1), np.copysign(np.inf, found), found)
        found = np.where(np.abs(found) < 2.0 ** (1 - bias), np.copysign(0.0, found), found)
    with np.errstate(over="ignore"):
        return found.astype(x.dtype)


def _reduce_rule(g: Data, y: Data, x: Data, **bits: Any) -> Data:
    """As in JAX: the cotangent loses as much."""
    return reduce_precision(g, **bits)


popcnt = define("popcnt", same(*INTEGRAL, count=1), _popcnt, ZERO, traits=("elementwise",))
count_leading_zeros = define(
    "count_leading_zeros",
    same(*INTEGRAL, count=1),
    _count_leading_zeros,
    ZERO,
    traits=("elementwise",),
)
reduce_precision = define(
    "reduce_precision",
    _precision_type,
    _reduce_precision,
    (_reduce_rule,),
    attributes=(Attribute("exponent_bits", "i32"), Attribute("mantissa_bits", "i32")),
    traits=("elementwise",),
)


def _bitcast_type(x: TensorType, dtype: DType, shape: tuple[int, ...]) -> TensorType:
    """An operand; its bits in the dtype and shape asked for."""
    if dtype is x.dtype and tuple(shape) == x.shape:
        return x
    before, after = x.dtype.itemsize, dtype.itemsize
    odd = next((d for d in (x.dtype, dtype) if d in (bool_, *NARROW_INTEGERS)), None)
    if odd is not None:
        raise TypeError(f"bits of {odd} can't be reinterpreted, got {x} and {dtype}")
    expected = x.shape
    if before > after:
        expected = (*x.shape, before // after)
    elif before < after:
        expected = x.shape[:-1]
    if tuple(shape) != expected or (before < after and x.shape[-1:] != (after // before,)):
        raise TypeError(f"{x} has not the bits of shape {tuple(shape)} and dtype {dtype}")
    return TensorType(tuple(shape), dtype)


bitcast_convert = define(
    "bitcast_convert",
    _bitcast_type,
    meanings.bitcast,
    ZERO,
    attributes=(Attribute("dtype", "dtype"), Attribute("shape", "shape")),
)
