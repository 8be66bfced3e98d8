"""The logarithm of the gamma function, and what is derived from it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from tracer.functions.composed import (
    Composition,
    compared,
    filled,
    in_float32,
    kept,
    real_floats,
    with_rules,
)
from tracer.functions.operands import floating, need_real, wrap
from tracer.functions.polynomials import polynomial
from tracer.functions.signs import infinite
from tracer.ops import elementwise as ops
from tracer.values import Data

if TYPE_CHECKING:
    from tracer.functions.operands import ArrayLike
    from tracer.tensor import Tensor

__all__ = [
    "betaln",
    "digamma",
    "lgamma",
]

_ZETA = (
    0.6449340668482264,
    0.2020569031595943,
    0.08232323371113819,
    0.03692775514336993,
    0.01734306198444914,
    0.008349277381922827,
    0.00407735619794434,
    0.0020083928260822143,
    0.0009945751278180853,
    0.0004941886041194645,
    0.0002460865533080483,
    0.00012271334757848915,
    6.124813505870483e-05,
    3.058823630702049e-05,
    1.528225940865187e-05,
    7.637197637899763e-06,
    3.81729326499984e-06,
    1.908212716553939e-06,
    9.539620338727962e-07,
    4.769329867878064e-07,
    2.38450502727733e-07,
    1.1921992596531106e-07,
    5.960818905125948e-08,
    2.980350351465228e-08,
    1.4901554828365043e-08,
    7.45071178983543e-09,
    3.725334024788457e-09,
    1.862659723513049e-09,
    9.313274324196682e-10,
)
"""zeta(n) - 1 from n = 2 on (Abramowitz and Stegun, table 23.3)."""

_EULER = 0.5772156649015329
_LOG = (1 - _EULER, *((-1) ** n * z / n for n, z in enumerate(_ZETA, 2)))
"""lgamma(2 + t) / t in powers of t, |t| <= 1/2 (A&S 6.1.33)."""
_SLOPE = tuple(n * c for n, c in enumerate(_LOG, 1))
"""digamma(2 + t) in powers of t."""

BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510)
"""B(2), B(4), … (A&S, table 23.2)."""
_STIRLING = tuple(b / (2 * k * (2 * k - 1)) for k, b in enumerate(BERNOULLI, 1))
"""x times what Stirling's formula leaves of lgamma, in powers of 1 / x^2 (A&S 6.1.40)."""
_STIRLING_SLOPE = tuple(-b / (2 * k) for k, b in enumerate(BERNOULLI, 1))
"""x^2 times what log(x) - 1 / 2x leaves of digamma, in powers of 1 / x^2 (A&S 6.3.18)."""

_LARGE = 8.5
"""From here on the asymptotic series are exact to float64."""
_HALF_LOG = 0.5 * math.log(2 * math.pi)


def _inverse_square(x: Data) -> Data:
    return ops.divide(filled(x, 1.0), ops.multiply(x, x))


def _correction(x: Data) -> Data:
    """lgamma(x) less Stirling's formula, of a large x."""
    return ops.divide(polynomial(_inverse_square(x), _STIRLING), x)


def _lowered(x: Data) -> tuple[Data, Data, Data]:
    """Of x in [1.5, 8.5): r in [1.5, 2.5), the product and the sum of 1 / of what was taken off."""
    product, total = filled(x, 1.0), ops.zeros_like(x)
    for _ in range(6):
        high = compared(x, "GE", 2.5)
        x = ops.select(high, ops.add(x, -1.0), x)
        factor = ops.select(high, x, filled(x, 1.0))
        product = ops.multiply(product, factor)
        inverse = ops.divide(filled(x, 1.0), factor)
        total = ops.add(total, ops.select(high, inverse, ops.zeros_like(x)))
    return x, product, total


def _regions(x: Data) -> tuple[Data, Data, Data]:
    """Where x is large, where at most 3/2, where at most 1/2."""
    return compared(x, "GE", _LARGE), compared(x, "LE", 1.5), compared(x, "LE", 0.5)


def _about_two(x: Data, tiny: Data, small: Data) -> Data:
    """t of 2 + t, which is x, x + 1 or x + 2: exact."""
    one = ops.select(small, ops.add(x, -1.0), ops.add(x, -2.0))
    return ops.select(tiny, x, one)


def _positive_lgamma(x: Data) -> Data:
    """Of x from -1/2 on."""
    large, small, tiny = _regions(x)
    far = kept(large, x, 10.0)
    stirling = ops.subtract(ops.multiply(ops.add(far, -0.5), ops.log(far)), far)
    stirling = ops.add(ops.add(stirling, _HALF_LOG), _correction(far))
    stirling = ops.select(infinite(far), far, stirling)
    middle = ops.select(ops.or_(large, small), filled(x, 2.0), x)
    rest, product, _ = _lowered(middle)
    t = ops.select(small, _about_two(x, tiny, small), ops.add(rest, -2.0))
    t = ops.select(large, ops.zeros_like(t), t)
    series = ops.multiply(polynomial(t, _LOG), t)
    lower = ops.subtract(series, ops.log_plus_one(t))
    lowest = ops.subtract(lower, ops.log(ops.abs(kept(tiny, x, 1.0))))
    near = ops.select(small, ops.select(tiny, lowest, lower), ops.add(series, ops.log(product)))
    return ops.select(large, stirling, near)


def _whole_part(x: Data) -> tuple[Data, Data]:
    """pi times what x is beyond the nearest integer, and whether it is one."""
    beyond = ops.subtract(x, ops.round_nearest_even(x))
    return ops.multiply(beyond, math.pi), compared(beyond, "EQ", 0.0)


@in_float32
@with_rules(lambda g, y, x: ops.multiply(g, _digamma(x)))
def _lgamma(x: Data) -> Data:
    """Below -1/2 by reflection: Gamma(x) Gamma(1 - x) = pi / sin(pi x) (A&S 6.1.17)."""
    low = compared(x, "LT", -0.5)
    found = _positive_lgamma(ops.select(low, ops.subtract_from(1.0, x), x))
    angle, _ = _whole_part(kept(low, x, -0.75))
    reflected = ops.subtract(
        ops.log(ops.divide(filled(x, math.pi), ops.abs(ops.sine(angle)))), found
    )
    return ops.select(ops.and_(low, ops.is_finite(x)), reflected, found)


@in_float32
def _digamma(x: Data) -> Data:
    """Below -1/2 by reflection: digamma(1 - x) - digamma(x) = pi / tan(pi x) (A&S 6.3.7)."""
    low = compared(x, "LT", -0.5)
    found = _positive_digamma(ops.select(low, ops.subtract_from(1.0, x), x))
    angle, pole = _whole_part(kept(low, x, -0.75))
    slope = ops.divide(filled(x, math.pi), ops.tan(ops.select(pole, filled(x, 1.0), angle)))
    reflected = ops.select(pole, filled(x, math.nan), ops.subtract(found, slope))
    return ops.select(low, reflected, found)


def _positive_digamma(x: Data) -> Data:
    large, small, tiny = _regions(x)
    far = kept(large, x, 10.0)
    square = _inverse_square(far)
    halved = ops.divide(filled(x, 0.5), far)
    asymptotic = ops.add(
        ops.subtract(ops.log(far), halved),
        ops.multiply(polynomial(square, _STIRLING_SLOPE), square),
    )
    middle = ops.select(ops.or_(large, small), filled(x, 2.0), x)
    rest, _, total = _lowered(middle)
    t = ops.select(small, _about_two(x, tiny, small), ops.add(rest, -2.0))
    t = ops.select(large, ops.zeros_like(t), t)
    series = polynomial(t, _SLOPE)
    lower = ops.subtract(series, ops.divide(filled(t, 1.0), ops.add(t, 1.0)))
    lowest = ops.subtract(lower, ops.divide(filled(x, 1.0), kept(tiny, x, 1.0)))
    near = ops.select(small, ops.select(tiny, lowest, lower), ops.add(series, total))
    return ops.select(large, asymptotic, near)


def lgamma(x: ArrayLike) -> Tensor:
    """log(|Gamma(x)|); infinite at 0 and the negative integers."""
    return wrap(_lgamma(need_real("lgamma", floating("lgamma", x))))


def digamma(x: ArrayLike) -> Tensor:
    """The derivative of lgamma; NaN at the negative integers, infinite at 0."""
    return wrap(_digamma(need_real("digamma", floating("digamma", x))))


def _betaln_rule(position: int) -> Composition:
    def rule(g: Data, y: Data, *operands: Data) -> Data:
        slope = ops.subtract(_digamma(operands[position]), _digamma(ops.add(*operands)))
        return ops.multiply(g, slope)

    return rule


@in_float32
@with_rules(_betaln_rule(0), _betaln_rule(1))
def _betaln(a: Data, b: Data) -> Data:
    """Of a large b by Stirling's formula, whose large terms cancel on paper and not in floats."""
    small, large = ops.minimum(a, b), ops.maximum(a, b)
    total = ops.add(small, large)
    plain = ops.subtract(ops.add(_lgamma(small), _lgamma(large)), _lgamma(total))
    far = ops.and_(compared(large, "GE", _LARGE), compared(small, "GT", 0.0))
    p, q = kept(far, small, 1.0), kept(far, large, 10.0)
    between = ops.multiply(ops.add(q, -0.5), ops.log_plus_one(ops.divide(p, q)))
    rest = ops.subtract(p, ops.multiply(p, ops.log(ops.add(p, q))))
    found = ops.subtract(ops.add(_lgamma(p), rest), between)
    corrections = ops.subtract(_correction(q), _correction(ops.add(p, q)))
    return ops.select(far, ops.add(found, corrections), plain)


def betaln(a: ArrayLike, b: ArrayLike) -> Tensor:
    """The logarithm of the beta function: lgamma(a) + lgamma(b) - lgamma(a + b)."""
    return wrap(_betaln(*real_floats("betaln", a, b)))
