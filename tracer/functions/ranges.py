"""Numbers in a row: by steps, by counts, by powers."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from tracer.device import Device
from tracer.dtypes import DType, float32, int64, is_inexact, is_integer, result_type
from tracer.errors import at_caller
from tracer.functions.creation import converted, number_of
from tracer.functions.elementwise import add, multiply
from tracer.functions.manipulation import astype
from tracer.functions.operands import dtype_of, need_dtype, placed, put, scalar_for, shape_of, wrap
from tracer.ops.movement import iota

if TYPE_CHECKING:
    from tracer.tensor import Tensor

__all__ = [
    "arange",
    "geomspace",
    "linspace",
    "logspace",
]


def arange(
    start: float,
    stop: float | None = None,
    step: float = 1,
    dtype: Any = None,
    *,
    device: Device | None = None,
) -> Tensor:
    """start, start + step, … below stop; the length is computed on the host.

    int32 for ints, float32 where a float is among the arguments. Raises ValueError for step 0,
    OverflowError for ints that the dtype can't hold.
    """
    given = (0, start, step) if stop is None else (start, stop, step)
    numbers = [number_of("arange", value)[0] for value in given]
    if any(isinstance(number, complex) for number in numbers):
        raise at_caller(TypeError("arange needs real numbers"))
    default = result_type(*(dtype_of(value) for value in given))
    first, last, by = numbers
    if not by:
        raise at_caller(ValueError("arange needs a step other than 0"))
    length = _steps(last - first, by)  # type: ignore[arg-type]
    place = placed(device)
    found = default if dtype is None else need_dtype(dtype)
    if is_integer(found) and isinstance(first, int) and isinstance(by, int) and length:
        for end in (first, first + by * (length - 1)):
            scalar_for("arange", end, found)
    wide = _wide(found, first, by)
    counted = wrap(iota(iota_dimension=0, shape=(length,), dtype=wide, device=place))
    scaled = counted if by == 1 else multiply(counted, by)
    return astype(add(scaled, first) if first else scaled, found)


def _steps(span: float, by: float) -> int:
    try:
        whole = isinstance(span, int) and isinstance(by, int)
        return max(-(-span // by) if whole else math.ceil(span / by), 0)  # type: ignore[return-value]
    except (OverflowError, ValueError):
        raise at_caller(ValueError(f"arange needs finite numbers, got {span} / {by}")) from None


def _wide(dtype: DType, first: Any, by: Any) -> DType:
    """In what dtype to count, so that neither narrow types nor unsigned ones spoil a value."""
    if is_integer(dtype) and isinstance(first, int) and isinstance(by, int):
        return dtype if dtype.itemsize == 8 else int64
    narrow = not is_inexact(dtype) or dtype.itemsize == 1
    return result_type(float if narrow else dtype, float32)


def linspace(
    start: complex,
    stop: complex,
    num: int,
    dtype: Any = None,
    *,
    endpoint: bool = True,
    device: Device | None = None,
) -> Tensor:
    """num values from start to stop, both met exactly; float32 by default, of complex numbers
    complex64.

    With endpoint=False stop is left out. Raises ValueError for a negative num.
    """
    made = _between("linspace", start, stop, num, endpoint=endpoint)
    return _spaced(made, (start, stop), dtype, device)


def logspace(  # noqa: PLR0913  as NumPy has it
    start: complex,
    stop: complex,
    num: int = 50,
    dtype: Any = None,
    *,
    base: float = 10.0,
    endpoint: bool = True,
    device: Device | None = None,
) -> Tensor:
    """base ** linspace(start, stop, num); dtypes and errors as there."""
    made = base ** _between("logspace", start, stop, num, endpoint=endpoint)
    return _spaced(made, (start, stop), dtype, device)


def geomspace(
    start: complex,
    stop: complex,
    num: int = 50,
    dtype: Any = None,
    *,
    endpoint: bool = True,
    device: Device | None = None,
) -> Tensor:
    """num values from start to stop, each the same multiple of the one before it.

    Dtypes and errors as of linspace; raises ValueError also where start or stop is 0.
    """
    (length,) = shape_of("geomspace", num)
    first, last = (number_of("geomspace", end)[0] for end in (start, stop))
    if not first or not last:
        raise at_caller(ValueError(f"geomspace needs numbers other than 0, got {first} and {last}"))
    made = np.geomspace(first, last, length, endpoint=endpoint)
    return _spaced(made, (start, stop), dtype, device)


def _between(name: str, start: Any, stop: Any, num: Any, *, endpoint: bool) -> np.ndarray[Any, Any]:
    (length,) = shape_of(name, num)
    first, last = (number_of(name, end)[0] for end in (start, stop))
    return np.linspace(first, last, length, endpoint=endpoint)


def _spaced(
    made: np.ndarray[Any, Any], ends: tuple[Any, Any], dtype: Any, device: Device | None
) -> Tensor:
    """What was computed on the host, in the dtype wanted."""
    found = result_type(float, *map(dtype_of, ends)) if dtype is None else need_dtype(dtype)
    return wrap(put(converted(made, found), placed(device)))
