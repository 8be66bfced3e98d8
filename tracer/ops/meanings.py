"""What elementwise operations mean to NumPy, where NumPy has no function with that meaning."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tracer.dtypes import DType, bool_, is_inexact, is_integer, kind

Array = NDArray[Any]


def quiet(numpy: Callable[..., Any]) -> Callable[..., Any]:
    """A NumPy meaning that keeps its operands' dtype and is silent where IEEE says inf or NaN."""

    def meaning(*arrays: Array, **attributes: Any) -> Array:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return np.asarray(numpy(*arrays, **attributes)).astype(arrays[-1].dtype)

    return meaning


def sign(x: Array) -> Any:
    """Keeps the sign of a zero."""
    return np.sign(x) if kind(x.dtype) in ("int", "complex") else np.where(x == 0, x, np.sign(x))


def round_afz(x: Array) -> Any:
    """Halves go away from zero; the sign of a zero stays."""
    whole = np.trunc(x)
    return np.copysign(np.where(np.abs(x - whole) >= 0.5, whole + np.sign(x), whole), x)


def maximum(a: Array, b: Array) -> Any:
    """0 is larger than -0."""
    found = np.maximum(a, b)
    return np.where(a == b, np.where(np.signbit(a), b, a), found) if _signed(a) else found


def minimum(a: Array, b: Array) -> Any:
    """-0 is smaller than 0."""
    found = np.minimum(a, b)
    return np.where(a == b, np.where(np.signbit(a), a, b), found) if _signed(a) else found


def _signed(x: Array) -> bool:
    """Whether zeros have signs."""
    return kind(x.dtype) == "float"


def divide(a: Array, b: Array) -> Any:
    """Truncates integers; division by zero gives -1 (all ones), as XLA has it."""
    if not is_integer(a.dtype):
        return a / b
    safe = np.where(b == 0, 1, b)
    quotient = a // safe
    behind = (a % safe != 0) & ((a < 0) != (b < 0))
    return np.where(
        b == 0, np.asarray(-1).astype(a.dtype), np.where(behind, quotient + 1, quotient)
    )


def remainder(a: Array, b: Array) -> Any:
    """Has the sign of a; by zero it is a, as XLA has it."""
    if not is_integer(a.dtype):
        return np.fmod(a, b)
    return np.where(b == 0, a, np.fmod(a, np.where(b == 0, 1, b)))


def power(a: Array, b: Array) -> Any:
    """A negative integer exponent gives 0, but for bases 1 and -1."""
    if not is_integer(a.dtype):
        return np.power(a, b)
    powers = np.power(a, np.where(b < 0, b % 2, b).astype(a.dtype))
    return np.where((b < 0) & (np.abs(a) != 1), 0, powers)


def shift(plain: Callable[..., Any], overflow: Callable[[Array], Any]) -> Callable[..., Any]:
    """Shifts by the width or more give what is left when all bits have gone."""

    def meaning(a: Array, b: Array) -> Any:
        bits = a.dtype.itemsize * 8
        gone = (b < 0) | (b >= bits)
        return np.where(gone, overflow(a), plain(a, np.where(gone, 0, b)))

    return meaning


def signed_right(a: Array, b: Array) -> Any:
    """Fills with the highest bit, that of an unsigned number too."""
    signed = np.dtype(f"i{a.dtype.itemsize}")
    return np.right_shift(a.view(signed), b.astype(signed)).view(a.dtype)


def sign_fill(a: Array) -> Any:
    """The highest bit in every place."""
    return signed_right(a, np.full_like(a, a.dtype.itemsize * 8 - 1))


def unsigned_right(a: Array, b: Array) -> Any:
    """Fills with zeros."""
    unsigned = np.dtype(f"u{a.dtype.itemsize}")
    return np.right_shift(a.view(unsigned), b.astype(unsigned)).view(a.dtype)


def convert(x: Array, dtype: DType) -> Array:
    """Float to integer saturates, NaN to 0; to bool is `!= 0`; complex to real drops a part."""
    if dtype == bool_:
        return np.asarray(x != 0)
    if np.iscomplexobj(x) and kind(dtype) != "complex":
        x = x.real
    with np.errstate(all="ignore"):
        if is_inexact(x.dtype) and is_integer(dtype):
            return _saturate(x, dtype)
        return x.astype(dtype)


def _saturate(x: Array, dtype: DType) -> Array:
    wide = np.trunc(x.astype(np.float64))
    limits = np.iinfo(dtype)
    inside = (wide > float(limits.min) - 1) & (wide < float(limits.max) + 1)
    whole = np.where(inside, wide, 0).astype(dtype)
    lowest, highest = np.asarray(limits.min, dtype), np.asarray(limits.max, dtype)
    ends = np.where(wide < 0, lowest, highest)
    return np.where(inside, whole, np.where(np.isnan(wide), np.zeros_like(ends), ends))


def silent(numpy: Callable[..., Any]) -> Callable[..., Any]:
    """A NumPy meaning with a dtype of its own that says nothing of NaN."""

    def meaning(*arrays: Array, **attributes: Any) -> Any:
        with np.errstate(all="ignore"):
            return numpy(*arrays, **attributes)

    return meaning


def bitcast(x: Array, dtype: DType, shape: tuple[int, ...]) -> Array:
    """The same bits, little end first."""
    return np.ascontiguousarray(x).reshape(-1).view(dtype).reshape(shape)
