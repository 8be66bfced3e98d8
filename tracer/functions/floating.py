"""Functions of a float's sign, its neighbours, its NaN: what stands beside arithmetic."""

from __future__ import annotations

import math
from numbers import Real
from typing import TYPE_CHECKING, Any

from tracer.dtypes import finfo, float32, int32, is_integer, kind
from tracer.errors import at_caller
from tracer.functions.analytic import by_parts
from tracer.functions.composed import compared, filled, real_floats
from tracer.functions.elementwise import abs, divide, power
from tracer.functions.operands import (
    as_dtype,
    as_shape,
    broadcast_shape,
    data_of,
    device_of,
    floating,
    need_real,
    unify,
    wrap,
)
from tracer.functions.signs import bits, from_bits, nan, signed
from tracer.functions.signs import copysign as with_sign
from tracer.ops import elementwise as ops
from tracer.ops.bits import reduce_precision as reduced
from tracer.values import Data

if TYPE_CHECKING:
    from tracer.functions.operands import ArrayLike
    from tracer.tensor import Tensor

__all__ = [
    "absolute",
    "copysign",
    "fabs",
    "fmax",
    "fmin",
    "fmod",
    "heaviside",
    "isneginf",
    "isposinf",
    "ldexp",
    "nan_to_num",
    "nextafter",
    "pow",
    "reduce_precision",
    "signbit",
    "true_divide",
    "trunc",
]

absolute, pow, true_divide = abs, power, divide


def _real(name: str, x: Any) -> Data:
    return need_real(name, floating(name, x))


def signbit(x: ArrayLike) -> Tensor:
    """Whether x is negative, by its sign bit: True of -0.0, and of a NaN that has it set."""
    return wrap(signed(_real("signbit", x)))


def copysign(x1: ArrayLike, x2: ArrayLike) -> Tensor:
    """|x1| with the sign bit of x2."""
    return wrap(with_sign(*real_floats("copysign", x1, x2)))


def nextafter(x1: ArrayLike, x2: ArrayLike) -> Tensor:
    """The float next to x1 on the way to x2; x2 where they are equal."""
    a, b = real_floats("nextafter", x1, x2)
    here, there = _ordered(a), _ordered(b)
    up = ops.compare(there, here, comparison_direction="GT")
    stepped = ops.select(up, ops.add(here, 1), ops.add(here, -1))
    magnitude = ops.abs(stepped)
    below = ops.or_(compared(stepped, "LT", 0), ops.and_(signed(a), compared(stepped, "EQ", 0)))
    lowest = _lowest(magnitude)
    found = from_bits(ops.select(below, ops.or_(magnitude, lowest), magnitude), a.type.dtype)
    same = ops.compare(there, here, comparison_direction="EQ")
    unordered = ops.or_(nan(a), nan(b))
    moved = ops.select(same, from_bits(bits(b), b.type.dtype), found)
    return wrap(ops.select(unordered, filled(a, math.nan), moved))


def _lowest(x: Data) -> Data:
    """The sign bit alone."""
    return ops.not_(ops.shift_right_logical(filled(x, -1), filled(x, 1)))


def _ordered(x: Data) -> Data:
    """Integers in the order of floats, one for both zeros: XLA flushes the smallest floats."""
    pattern = bits(x)
    magnitude = ops.and_(pattern, ops.not_(_lowest(pattern)))
    return ops.select(compared(pattern, "LT", 0), ops.negate(magnitude), magnitude)


def trunc(x: ArrayLike) -> Tensor:
    """The nearest integer towards 0, in x's dtype."""
    data = need_real("trunc", data_of("trunc", x))
    if kind(data.type.dtype) != "float":
        return wrap(data)
    return wrap(ops.select(signed(data), ops.ceil(data), ops.floor(data)))


def fabs(x: ArrayLike) -> Tensor:
    """|x| of a real x; integers become float32."""
    return wrap(ops.abs(_real("fabs", x)))


def fmod(x1: ArrayLike, x2: ArrayLike) -> Tensor:
    """What is left of x1 when x2 is taken away, with the sign of x1; an integer's by 0 is 0."""
    a, b = unify("fmod", x1, x2)
    rest = ops.remainder(need_real("fmod", a), b)
    return wrap(ops.masked(compared(b, "NE", 0), rest) if is_integer(a.type.dtype) else rest)


def _but_nan(name: str, op: Any, x1: Any, x2: Any) -> Tensor:
    a, b = unify(name, x1, x2)
    need_real(name, a)
    return wrap(ops.select(nan(a), b, ops.select(nan(b), a, op(a, b))))


def fmax(x1: ArrayLike, x2: ArrayLike) -> Tensor:
    """The larger of x1 and x2; NaN only where both are NaN."""
    return _but_nan("fmax", ops.maximum, x1, x2)


def fmin(x1: ArrayLike, x2: ArrayLike) -> Tensor:
    """The smaller of x1 and x2; NaN only where both are NaN."""
    return _but_nan("fmin", ops.minimum, x1, x2)


def heaviside(x1: ArrayLike, x2: ArrayLike) -> Tensor:
    """0 below 0, 1 above, x2 at 0; NaN for NaN."""
    a, b = real_floats("heaviside", x1, x2)
    step = ops.select(compared(a, "LT", 0.0), ops.zeros_like(a), filled(a, 1.0))
    return wrap(ops.select(compared(a, "EQ", 0.0), b, ops.select(nan(a), a, step)))


def isposinf(x: ArrayLike) -> Tensor:
    """Whether a real x is infinity."""
    return wrap(compared(_real("isposinf", x), "EQ", math.inf))


def isneginf(x: ArrayLike) -> Tensor:
    """Whether a real x is minus infinity."""
    return wrap(compared(_real("isneginf", x), "EQ", -math.inf))


def nan_to_num(
    x: ArrayLike,
    nan: float = 0.0,
    posinf: float | None = None,
    neginf: float | None = None,
) -> Tensor:
    """x with numbers for NaN and infinities: by default 0, and the dtype's largest and smallest.

    Of a complex x, in each part.
    """
    data = data_of("nan_to_num", x)
    numbers: list[Any] = [nan, *(value for value in (posinf, neginf) if value is not None)]
    odd = next((value for value in numbers if not isinstance(value, Real)), None)
    if odd is not None:
        raise at_caller(TypeError(f"nan_to_num needs a number, got {odd!r}"))
    if kind(data.type.dtype) not in ("float", "complex"):
        return wrap(data)

    def replaced(part: Data) -> Data:
        limits = finfo(part.type.dtype)
        high = float(limits.max) if posinf is None else posinf
        low = float(limits.min) if neginf is None else neginf
        found = ops.select(compared(part, "NE", part), filled(part, nan), part)
        found = ops.select(compared(part, "EQ", math.inf), filled(part, high), found)
        return ops.select(compared(part, "EQ", -math.inf), filled(part, low), found)

    if kind(data.type.dtype) == "complex":
        return wrap(by_parts(replaced, data))
    return wrap(replaced(data))


def ldexp(x1: ArrayLike, x2: ArrayLike) -> Tensor:
    """x1 * 2 ** x2, x2 an integer; exact wherever the result is a normal number."""
    exponents = data_of("ldexp", x2, device_of(x1, x2))
    if not is_integer(exponents.type.dtype):
        raise at_caller(TypeError(f"ldexp needs integers as x2, got {exponents.type}"))
    data = _real("ldexp", wrap(data_of("ldexp", x1, exponents.device)))
    shape = broadcast_shape("ldexp", [data.type.shape, exponents.type.shape])
    return wrap(_scaled(as_shape(data, shape), as_shape(as_dtype(exponents, int32), shape)))


def _scaled(x: Data, n: Data) -> Data:
    """Three times by a third: 2^n alone may be infinite, or 0, where the product is not."""
    dtype = x.type.dtype
    found = as_dtype(x, float32) if dtype.itemsize <= 2 else x
    furthest = -3 * int(finfo(found.type.dtype).minexp)
    held = ops.clamp(-furthest, n, furthest)
    third = ops.divide(held, 3)
    for part in (third, third, ops.subtract(held, ops.multiply(third, 2))):
        step = as_dtype(part, found.type.dtype)
        found = ops.multiply(found, ops.power(filled(step, 2.0), step))
    return as_dtype(found, dtype)


def reduce_precision(x: ArrayLike, exponent_bits: int, mantissa_bits: int) -> Tensor:
    """x rounded to a float of fewer bits, in its own dtype; out of range, infinity or 0.

    Raises ValueError for fewer than 1 and 0 bits.
    """
    data = _real("reduce_precision", x)
    return wrap(reduced(data, exponent_bits=exponent_bits, mantissa_bits=mantissa_bits))
