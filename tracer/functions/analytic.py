"""Functions of a complex value, with the special values of the array API standard (and C99).

XLA's own lose the sign of a zero imaginary part, and give NaN at infinities; see
docs/device-differences.md. Branch cuts follow Kahan, "Branch cuts for complex elementary functions"
(1987): a zero's sign says on which side of a cut a number lies.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from tracer.functions.composed import compared, filled, ruled_like
from tracer.functions.signs import copysign, finite, infinite, nan
from tracer.ops import elementwise as ops
from tracer.ops.complex import complex, imag, real
from tracer.values import Data


def parts(z: Data) -> tuple[Data, Data]:
    """a and b of a + bi."""
    return real(z), imag(z)


def conjugate(z: Data) -> Data:
    """a - bi."""
    return complex(real(z), ops.negate(imag(z)))


def turned(z: Data) -> Data:
    """i * z, without a product's NaN."""
    return complex(ops.negate(imag(z)), real(z))


def turned_back(z: Data) -> Data:
    """-i * z."""
    return complex(imag(z), ops.negate(real(z)))


def plus_one(z: Data) -> Data:
    """1 + z, the sign of a zero imaginary part kept."""
    return complex(ops.add(real(z), 1.0), imag(z))


def _times(x: Data, y: Data) -> Data:
    """x * y, and 0 where either is 0, infinity and NaN notwithstanding."""
    either = ops.or_(compared(x, "EQ", 0.0), compared(y, "EQ", 0.0))
    one = filled(x, 1.0)
    zero = ops.multiply(ops.multiply(copysign(one, x), copysign(one, y)), 0.0)
    return ops.select(either, zero, ops.multiply(x, y))


def _same_zero(x: Data, y: Data) -> Data:
    """y, and x itself where x is 0: an odd function's part of a part."""
    return ops.select(compared(x, "EQ", 0.0), x, y)


def _lost(a: Data, b: Data) -> Data:
    """Where a is infinite and b neither a number nor finite."""
    return ops.and_(infinite(a), ops.not_(finite(b)))


@ruled_like(ops.exponential)
def exp(z: Data) -> Data:
    """e^z."""
    (a, b), (u, v) = parts(z), parts(ops.exponential(z))
    vanished = ops.and_(_lost(a, b), compared(a, "LT", 0.0))
    v = ops.select(vanished, copysign(ops.zeros_like(b), b), v)
    return complex(_at_infinity(a, b, u, 0.0), _same_zero(b, v))


@ruled_like(ops.exponential_minus_one)
def expm1(z: Data) -> Data:
    """e^z - 1."""
    u = real(ops.exponential_minus_one(z))
    return complex(_at_infinity(*parts(z), u, -1.0), imag(exp(z)))


def _at_infinity(a: Data, b: Data, found: Data, lowest: float) -> Data:
    """A power's real part: infinite, or its lowest, where b would make it NaN."""
    limit = ops.select(compared(a, "GT", 0.0), a, filled(a, lowest))
    return ops.select(_lost(a, b), limit, found)


def _logarithm(z: Data, found: Data) -> Data:
    u, v = parts(found)
    return complex(ops.select(endless(z), filled(u, math.inf), u), v)


@ruled_like(ops.log)
def log(z: Data) -> Data:
    """The logarithm, cut along the negative axis."""
    return _logarithm(z, ops.log(z))


@ruled_like(ops.log_plus_one)
def log1p(z: Data) -> Data:
    """log(1 + z)."""
    return _logarithm(z, ops.log_plus_one(z))


@ruled_like(ops.sqrt)
def sqrt(z: Data) -> Data:
    """The root whose real part is not negative, cut along the negative axis."""
    (a, b), (u, v) = parts(z), parts(ops.sqrt(z))
    limit, far, tall = filled(a, math.inf), infinite(a), infinite(b)
    u = ops.select(ops.and_(far, compared(a, "GT", 0.0)), limit, u)
    v = ops.select(ops.and_(far, compared(a, "LT", 0.0)), limit, v)
    return complex(ops.select(tall, limit, u), copysign(ops.select(tall, limit, v), b))


def sinh(z: Data) -> Data:
    """The hyperbolic sine."""
    a, b = parts(z)
    u = _times(real_sinh(a), ops.cosine(b))
    return complex(ops.select(_lost(a, b), a, u), _times(real_cosh(a), ops.sine(b)))


def cosh(z: Data) -> Data:
    """The hyperbolic cosine."""
    a, b = parts(z)
    u = _times(real_cosh(a), ops.cosine(b))
    return complex(ops.select(_lost(a, b), ops.abs(a), u), _times(real_sinh(a), ops.sine(b)))


@ruled_like(ops.tanh)
def tanh(z: Data) -> Data:
    """The hyperbolic tangent."""
    (a, b), (u, v) = parts(z), parts(ops.tanh(z))
    return complex(_same_zero(a, u), _same_zero(b, v))


def real_sinh(x: Data) -> Data:
    """Of a real value: near 0 from expm1, far out from half the exponent, twice."""
    size = ops.abs(x)
    small = ops.exponential_minus_one(ops.minimum(size, 1.0))
    near = ops.multiply(ops.add(small, ops.divide(small, ops.add(small, 1.0))), 0.5)
    found = ops.select(compared(size, "LT", 1.0), near, _half_exponential(size, -1.0))
    return copysign(found, x)


def real_cosh(x: Data) -> Data:
    """Of a real value."""
    return _half_exponential(ops.abs(x), 1.0)


def _half_exponential(size: Data, sign: float) -> Data:
    """(exp(x) ± exp(-x)) / 2 where exp(x) / 2 is finite, though exp(x) may not be."""
    root = ops.exponential(ops.multiply(size, 0.5))
    far = ops.multiply(ops.multiply(root, 0.5), root)
    power = ops.exponential(size)
    near = ops.multiply(ops.add(power, ops.divide(filled(size, sign), power)), 0.5)
    return ops.select(compared(size, "LT", 80.0), near, far)


def asinh(z: Data) -> Data:
    """The inverse hyperbolic sine, cut along the imaginary axis beyond i and -i."""
    a, b = parts(z)
    below, above = sqrt(plus_one(turned_back(z))), sqrt(plus_one(turned(z)))
    (p, q), (r, s) = parts(below), parts(above)
    u = real_asinh(ops.subtract(ops.multiply(r, q), ops.multiply(s, p)))
    v = ops.atan2(b, ops.subtract(ops.multiply(p, r), ops.multiply(q, s)))
    far = endless(z)
    u = copysign(ops.select(far, filled(u, math.inf), u), a)
    v = ops.select(far, ops.atan2(b, ops.abs(a)), v)
    return complex(u, ops.select(nan(a), ops.select(far, v, _same_zero(b, a)), v))


def acos(z: Data) -> Data:
    """The inverse cosine, cut along the real axis beyond 1 and -1."""
    a, b = parts(z)
    below, above = sqrt(plus_one(ops.negate(z))), sqrt(plus_one(z))
    (p, q), (r, s) = parts(below), parts(above)
    u = ops.multiply(ops.atan2(p, r), 2.0)
    v = real_asinh(ops.subtract(ops.multiply(r, q), ops.multiply(s, p)))
    far = endless(z)
    u = ops.select(far, ops.atan2(ops.abs(b), a), u)
    u = ops.select(ops.and_(compared(a, "EQ", 0.0), nan(b)), filled(u, math.pi / 2), u)
    return complex(u, ops.select(far, ops.negate(copysign(filled(v, math.inf), b)), v))


def acosh(z: Data) -> Data:
    """The inverse hyperbolic cosine, cut along the real axis below 1."""
    u, v = parts(acos(z))
    return complex(ops.abs(v), copysign(u, imag(z)))


def atanh(z: Data) -> Data:
    """The inverse hyperbolic tangent, cut along the real axis beyond 1 and -1."""
    a, b = parts(z)
    size, one = ops.abs(a), filled(a, 1.0)
    beside = ops.subtract(one, size)
    ratio = ops.divide(size, ops.add(ops.multiply(beside, beside), ops.multiply(b, b)))
    near = ops.multiply(ops.log_plus_one(ops.multiply(ratio, 4.0)), 0.25)
    cosine = ops.subtract(ops.multiply(beside, ops.add(size, 1.0)), ops.multiply(b, b))
    v = ops.multiply(ops.atan2(ops.multiply(b, 2.0), cosine), 0.5)
    largest = ops.maximum(size, ops.abs(b))
    far = ops.or_(compared(largest, "GT", 1e18), endless(z))
    quarter = ops.select(nan(b), b, copysign(filled(b, math.pi / 2), b))
    u = ops.select(far, _far_reciprocal(size, ops.abs(b), largest), near)
    return complex(_same_zero(a, copysign(u, a)), ops.select(far, quarter, v))


def _far_reciprocal(a: Data, b: Data, largest: Data) -> Data:
    """a / (a² + b²) of a large number; 0 at infinity."""
    p, q = ops.divide(a, largest), ops.divide(b, largest)
    found = ops.divide(p, ops.add(ops.multiply(p, p), ops.multiply(q, q)))
    infinity = ops.or_(infinite(a), infinite(b))
    return ops.select(infinity, ops.zeros_like(a), ops.divide(found, largest))


def real_asinh(x: Data) -> Data:
    """Of a real value: exact near 0, and where its square is too large."""
    size = ops.abs(x)
    large = compared(size, "GT", 1e8)
    a = ops.select(large, filled(size, 1.0), size)
    square = ops.multiply(a, a)
    root = ops.sqrt(ops.add(square, 1.0))
    inner = ops.add(a, ops.divide(square, ops.add(root, 1.0)))
    far = ops.add(ops.log(ops.select(large, size, filled(size, 1.0))), math.log(2))
    found = ops.select(large, far, ops.log_plus_one(inner))
    return copysign(ops.select(nan(x), x, found), x)


def real_acosh(x: Data) -> Data:
    """Of a real value: exact near 1, and where its square is too large."""
    large = compared(x, "GT", 1e8)
    above = ops.add(ops.select(large, filled(x, 1.0), x), -1.0)
    inner = ops.add(above, ops.sqrt(ops.multiply(above, ops.add(above, 2.0))))
    far = ops.add(ops.log(ops.select(large, x, filled(x, 1.0))), math.log(2))
    outside = compared(x, "LT", 1.0)
    found = ops.select(large, far, ops.log_plus_one(inner))
    return ops.select(outside, filled(x, math.nan), found)


@ruled_like(ops.abs)
def magnitude(z: Data) -> Data:
    """|z|, infinite where a part is, whatever the other."""
    return ops.select(endless(z), filled(real(z), math.inf), ops.abs(z))


def endless(z: Data) -> Data:
    """Whether a part is infinite."""
    return ops.or_(*map(infinite, parts(z)))


def by_parts(f: Callable[[Data], Data], z: Data) -> Data:
    """The complex value whose parts are f of z's."""
    return complex(*map(f, parts(z)))
