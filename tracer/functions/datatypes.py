"""Which dtypes there are: their limits, their kinds, and what they promote to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tracer import dtypes
from tracer.dtypes import DType, is_inexact, is_integer, kind
from tracer.errors import at_caller
from tracer.functions.operands import SCALARS, Handle, dtype_of, need_dtype

__all__ = [
    "can_cast",
    "finfo",
    "iinfo",
    "isdtype",
    "result_type",
]

KINDS: dict[str, tuple[str, ...]] = {
    "bool": ("bool",),
    "signed integer": ("int",),
    "unsigned integer": ("uint",),
    "integral": ("int", "uint"),
    "real floating": ("float",),
    "complex floating": ("complex",),
    "numeric": ("int", "uint", "float", "complex"),
}
"""The kinds of the array API standard, in ours."""


@dataclass(frozen=True, slots=True)
class FloatInfo:
    """The limits of a floating dtype, as Python floats."""

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    smallest_subnormal: float
    dtype: DType


@dataclass(frozen=True, slots=True)
class IntegerInfo:
    """The limits of an integer dtype, as Python ints."""

    bits: int
    max: int
    min: int
    dtype: DType


def finfo(type: Any, /) -> FloatInfo:
    """The limits of a floating dtype, of a tensor's, or of a complex one's components.

    Raises TypeError for other dtypes.
    """
    found = _dtype_in(type)
    if not is_inexact(found):
        raise at_caller(TypeError(f"finfo needs a floating dtype, got {found}"))
    real = np.zeros((), found).real.dtype if kind(found) == "complex" else found
    limits = dtypes.finfo(real)
    return FloatInfo(
        limits.bits,
        float(limits.eps),
        float(limits.max),
        float(limits.min),
        float(limits.smallest_normal),
        float(limits.smallest_subnormal),
        real,
    )


def iinfo(type: Any, /) -> IntegerInfo:
    """The limits of an integer dtype, or of a tensor's. Raises TypeError for other dtypes."""
    found = _dtype_in(type)
    if not is_integer(found):
        raise at_caller(TypeError(f"iinfo needs an integer dtype, got {found}"))
    limits = dtypes.iinfo(found)
    return IntegerInfo(limits.bits, int(limits.max), int(limits.min), found)


def _dtype_in(x: Any) -> DType:
    if isinstance(x, Handle):
        return x._data.type.dtype
    return need_dtype(x.dtype if isinstance(x, (np.ndarray, np.generic)) else x)


def result_type(*arrays_and_dtypes: Any) -> DType:
    """The dtype that tensors, arrays, dtypes and Python scalars (or their types) promote to.

    Python scalars are weak: they change the kind of the result, not its width.
    """
    if not arrays_and_dtypes:
        raise at_caller(TypeError("result_type needs one operand or more"))
    return dtypes.result_type(*map(_weak_or_dtype, arrays_and_dtypes))


def _weak_or_dtype(x: Any) -> DType | type:
    if isinstance(x, type) and x in SCALARS:
        return x
    return dtype_of(x) if type(x) in SCALARS else _dtype_in(x)


def can_cast(from_: Any, to: Any, /) -> bool:
    """Whether promotion would ever convert `from_`, a dtype or tensor, to dtype `to`."""
    source, target = _weak_or_dtype(from_), need_dtype(to)
    try:
        return dtypes.result_type(source, target) == target
    except TypeError:  # these two promote to nothing
        return False


def isdtype(dtype: Any, kind: str | tuple[Any, ...]) -> bool:
    """Whether a dtype is of a kind of the array API standard, or one of several.

    The kinds are "bool", "signed integer", "unsigned integer", "integral", "real floating" (float16
    and bfloat16 among them), "complex floating" and "numeric"; a dtype is a kind of its own.
    """
    found = need_dtype(dtype)
    if isinstance(kind, tuple):
        return any(isdtype(found, k) for k in kind)
    if kind in KINDS:
        return dtypes.kind(found) in KINDS[kind]
    return found == need_dtype(kind)
