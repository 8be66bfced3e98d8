"""What elementwise operations mean to NumPy, where NumPy has no function with that meaning."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tracer.dtypes import (
    FLOAT8,
    NARROW_INTEGERS,
    DType,
    bool_,
    iinfo,
    is_inexact,
    is_integer,
    kind,
)

Array = NDArray[Any]


def quiet(numpy: Callable[..., Any]) -> Callable[..., Any]:
    """A NumPy meaning that keeps its operands' dtype and is silent where IEEE says inf or NaN."""

    def meaning(*arrays: Array, **attributes: Any) -> Array:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return np.asarray(numpy(*arrays, **attributes)).astype(arrays[-1].dtype)

    return meaning


def absolute(x: Array) -> Any:
    """Of the lowest integer, itself."""
    with np.errstate(all="ignore"):
        found = np.abs(x)
    return found if kind(x.dtype) == "complex" else found.astype(x.dtype)


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


def clamp(low: Array, x: Array, high: Array) -> Any:
    """The upper edge where the edges cross."""
    return minimum(maximum(x, low), high)


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
        return _float_power(a, b)
    powers = np.power(a, np.where(b < 0, b % 2, b).astype(a.dtype))
    return np.where((b < 0) & (np.abs(a) != 1), 0, powers)


def _float_power(a: Array, b: Array) -> Any:
    """Of exponents each in its own place: of one for all, NumPy has (-inf)^0.5 NaN."""
    shape = np.broadcast_shapes(np.shape(a), np.shape(b))
    bases, exponents = (np.array(np.broadcast_to(x, shape), order="C").reshape(-1) for x in (a, b))
    return np.power(bases, exponents).reshape(shape)


def shift(plain: Callable[..., Any], overflow: Callable[[Array], Any]) -> Callable[..., Any]:
    """Shifts by the width or more give what is left when all bits have gone."""

    def meaning(a: Array, b: Array) -> Any:
        bits = iinfo(a.dtype).bits
        gone = (b.astype(np.int64) < 0) | (b.astype(np.uint64) >= bits)
        return np.where(gone, overflow(a), plain(a, np.where(gone, np.zeros_like(b), b)))

    return meaning


def signed_right(a: Array, b: Array) -> Any:
    """Fills with the highest bit, that of an unsigned number too."""
    signed, unused = np.dtype(f"i{a.dtype.itemsize}"), np.int8(_unused(a))
    whole = np.left_shift(a.view(signed), unused)
    return np.right_shift(whole, b.astype(signed) + unused).astype(a.dtype)


def sign_fill(a: Array) -> Any:
    """The highest bit in every place."""
    return signed_right(a, np.full_like(a, iinfo(a.dtype).bits - 1))


def unsigned_right(a: Array, b: Array) -> Any:
    """Fills with zeros."""
    unsigned, unused = np.dtype(f"u{a.dtype.itemsize}"), np.uint8(_unused(a))
    whole = np.right_shift(np.left_shift(a.view(unsigned), unused), unused)
    return np.right_shift(whole, b.astype(unsigned)).astype(a.dtype)


def _unused(a: Array) -> int:
    """How many bits of NumPy's byte a narrow integer leaves out."""
    return int(a.dtype.itemsize * 8 - iinfo(a.dtype).bits)


def convert(x: Array, dtype: DType) -> Array:
    """Float to integer saturates, NaN to 0; to bool is `!= 0`; of complex the real part counts."""
    if np.iscomplexobj(x) and kind(dtype) != "complex":
        x = x.real
    if dtype == bool_:
        return np.asarray(x != 0)
    with np.errstate(all="ignore"):
        if is_inexact(x.dtype) and is_integer(dtype):
            return _saturate(x, dtype)
        wide = _by_way_of(x.dtype, dtype)
        return x.astype(wide).astype(dtype)


def _by_way_of(source: DType, target: DType) -> DType:
    """What XLA, too, goes through, to or from dtypes of a byte or less that are no plain integers.

    NumPy lacks some of the ways between them.
    """
    if source in NARROW_INTEGERS or (is_integer(source) and target in NARROW_INTEGERS):
        return np.dtype(np.int8)
    return np.dtype(np.float32) if source in FLOAT8 or target in FLOAT8 else target


def _saturate(x: Array, dtype: DType) -> Array:
    wide = np.trunc(x.astype(np.float64))
    lowest, highest = int(iinfo(dtype).min), int(iinfo(dtype).max)
    inside = (wide > float(lowest) - 1) & (wide < float(highest) + 1)
    plain = np.dtype(np.int8) if dtype in NARROW_INTEGERS else dtype
    whole = np.where(inside, wide, 0).astype(plain)
    ends = np.where(wide < 0, *np.asarray([lowest, highest], plain))
    found = np.where(inside, whole, np.where(np.isnan(wide), np.zeros_like(ends), ends))
    return found.astype(dtype)


def silent(numpy: Callable[..., Any]) -> Callable[..., Any]:
    """A NumPy meaning with a dtype of its own that says nothing of NaN."""

    def meaning(*arrays: Array, **attributes: Any) -> Any:
        with np.errstate(all="ignore"):
            return numpy(*arrays, **attributes)

    return meaning


def total_order(x: Array) -> Any:
    """Integers in IEEE 754's total order of floats: -NaN, -inf, …, -0, 0, …, inf, NaN."""
    signed = np.dtype(f"i{x.dtype.itemsize}")
    bits = np.ascontiguousarray(x).reshape(np.shape(x)).view(signed)
    return np.where(bits < 0, bits ^ np.iinfo(signed).max, bits)


def bitcast(x: Array, dtype: DType, shape: tuple[int, ...]) -> Array:
    """The same bits, little end first."""
    return np.ascontiguousarray(x).reshape(-1).view(dtype).reshape(shape)
