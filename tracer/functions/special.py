"""Special functions, composed of StableHLO's ops."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from tracer.functions.composed import (
    compared,
    filled,
    in_float32,
    kept,
    real_floats,
    with_rules,
)
from tracer.functions.hyperbolic import atanh_of
from tracer.functions.neural import sigmoid
from tracer.functions.operands import floating, need_real, wrap
from tracer.functions.polynomials import polynomial
from tracer.functions.signs import copysign, nan
from tracer.ops import elementwise as ops
from tracer.values import Data

if TYPE_CHECKING:
    from tracer.functions.operands import ArrayLike
    from tracer.tensor import Tensor

__all__ = [
    "entr",
    "erf",
    "erf_inv",
    "erfc",
    "expit",
    "logit",
    "xlog1py",
    "xlogy",
]

# W. J. Cody, "Rational Chebyshev approximations for the error function", Math. Comp. 23 (1969).
_NEAR = (
    (3.20937758913846947e3, 3.77485237685302021e2, 1.13864154151050156e2, 3.16112374387056560,
     1.85777706184603153e-1),
    (2.84423683343917062e3, 1.28261652607737228e3, 2.44024637934444173e2, 2.36012909523441209e1,
     1.0),
)  # fmt: skip
"""erf(x) / x in x^2, |x| <= 0.46875."""
_MIDDLE = (
    (1.23033935479799725e3, 2.05107837782607147e3, 1.71204761263407058e3, 8.81952221241769090e2,
     2.98635138197400131e2, 6.61191906371416295e1, 8.88314979438837594, 5.64188496988670089e-1,
     2.15311535474403846e-8),
    (1.23033935480374942e3, 3.43936767414372164e3, 4.36261909014324716e3, 3.29079923573345963e3,
     1.62138957456669019e3, 5.37181101862009858e2, 1.17693950891312499e2, 1.57449261107098347e1,
     1.0),
)  # fmt: skip
"""exp(x^2) erfc(x) in x, 0.46875 <= x <= 4."""
_FAR = (
    (6.58749161529837803e-4, 1.60837851487422766e-2, 1.25781726111229246e-1,
     3.60344899949804439e-1, 3.05326634961232344e-1, 1.63153871373020978e-2),
    (2.33520497626869185e-3, 6.05183413124413191e-2, 5.27905102951428412e-1,
     1.87295284992346725, 2.56852019228982242, 1.0),
)  # fmt: skip
"""x^2 (1 / sqrt(pi) - x exp(x^2) erfc(x)) in 1 / x^2, x >= 4."""
_SCALE = 2 / math.sqrt(math.pi)


def _ratio(x: Data, coefficients: tuple[tuple[float, ...], tuple[float, ...]]) -> Data:
    above, below = (polynomial(x, each) for each in coefficients)
    return ops.divide(above, below)


def _near_erf(x: Data) -> Data:
    return ops.multiply(x, _ratio(ops.multiply(x, x), _NEAR))


def _tail(x: Data) -> Data:
    """erfc of x >= 0.46875. The square in two parts, as its rounding would be raised to a power."""
    far = compared(x, "GT", 4.0)
    inverse = ops.divide(filled(x, 1.0), kept(far, x, 4.0))
    square = ops.multiply(inverse, inverse)
    rest = ops.multiply(square, _ratio(square, _FAR))
    distant = ops.multiply(ops.subtract_from(1 / math.sqrt(math.pi), rest), inverse)
    scaled = ops.select(far, distant, _ratio(ops.minimum(x, 4.0), _MIDDLE))
    size = ops.minimum(x, 30.0)
    coarse = ops.multiply(ops.floor(ops.multiply(size, 16.0)), 1 / 16)
    fine = ops.multiply(ops.subtract(coarse, size), ops.add(coarse, size))
    power = ops.exponential(ops.negate(ops.multiply(coarse, coarse)))
    return ops.multiply(ops.multiply(scaled, ops.exponential(fine)), power)


def _parts(x: Data) -> tuple[Data, Data, Data]:
    """Whether x is near 0, erf(x) where it is, and erfc(|x|) where it is not."""
    size = ops.abs(x)
    near = compared(size, "LE", 0.46875)
    return near, _near_erf(kept(near, x, 0.0)), _tail(ops.select(near, filled(x, 1.0), size))


def _slope(x: Data) -> Data:
    return ops.multiply(ops.exponential(ops.negate(ops.multiply(x, x))), _SCALE)


@in_float32
@with_rules(lambda g, y, x: ops.multiply(g, _slope(x)))
def _erf(x: Data) -> Data:
    near, inside, tail = _parts(x)
    found = ops.select(near, inside, copysign(ops.subtract_from(1.0, tail), x))
    return ops.select(nan(x), x, found)


@in_float32
@with_rules(lambda g, y, x: ops.negate(ops.multiply(g, _slope(x))))
def _erfc(x: Data) -> Data:
    near, inside, tail = _parts(x)
    below = compared(x, "LT", 0.0)
    outside = ops.select(below, ops.subtract_from(2.0, tail), tail)
    found = ops.select(near, ops.subtract_from(1.0, inside), outside)
    return ops.select(nan(x), x, found)


def erf(x: ArrayLike) -> Tensor:
    """The error function: 2 / sqrt(pi) times the integral of exp(-t^2) from 0 to x."""
    return wrap(_erf(need_real("erf", floating("erf", x))))


def erfc(x: ArrayLike) -> Tensor:
    """1 - erf(x), exact far out too."""
    return wrap(_erfc(need_real("erfc", floating("erfc", x))))


# M. Giles, "Approximating the erfinv function", GPU Computing Gems (2012), single precision.
_CENTRAL = (
    1.50140941, 0.246640727, -0.00417768164, -0.00125372503, 0.00021858087, -4.39150654e-06,
    -3.5233877e-06, 3.43273939e-07, 2.81022636e-08,
)  # fmt: skip
_OUTER = (
    2.83297682, 1.00167406, 0.00943887047, -0.0076224613, 0.00573950773, -0.00367342844,
    0.00134934322, 0.000100950558, -0.000200214257,
)  # fmt: skip


def _erf_inv_rule(g: Data, y: Data, x: Data) -> Data:
    return ops.divide(ops.multiply(g, ops.exponential(ops.multiply(y, y))), filled(g, _SCALE))


@in_float32
@with_rules(_erf_inv_rule)
def _erf_inv(x: Data) -> Data:
    """Giles's approximation, then two of Halley's steps: each trebles the digits."""
    size = ops.abs(x)
    inside = compared(size, "LT", 1.0)
    near = kept(inside, size, 0.0)
    away = ops.negate(ops.add(ops.log_plus_one(near), ops.log_plus_one(ops.negate(near))))
    central = polynomial(ops.add(away, -2.5), _CENTRAL)
    outer = polynomial(ops.add(ops.sqrt(away), -3.0), _OUTER)
    middle = ops.multiply(near, ops.select(compared(away, "LT", 5.0), central, outer))
    found = ops.select(compared(away, "LT", 16.0), middle, _distant(ops.maximum(away, 16.0)))
    for _ in range(2):
        found = _halley(found, near)
    edge = ops.select(compared(size, "EQ", 1.0), filled(x, math.inf), filled(x, math.nan))
    return copysign(ops.select(inside, found, edge), x)


def _distant(away: Data) -> Data:
    """y of exp(-y^2) = y sqrt(pi) erfc(y), nearly, where erfc(y) is exp(-away) / 2."""
    square = ops.add(away, math.log(2))
    less = ops.multiply(ops.log(ops.multiply(square, math.pi)), 0.5)
    return ops.sqrt(ops.subtract(square, less))


def _halley(y: Data, x: Data) -> Data:
    """One step towards erf(y) = x, the difference taken of the smaller of erf and erfc."""
    wide = compared(x, "GT", 0.5)
    tail = ops.subtract(ops.subtract_from(1.0, x), _erfc(y))
    miss = ops.select(wide, tail, ops.subtract(_erf(y), x))
    step = ops.divide(miss, _slope(y))
    return ops.subtract(y, ops.divide(step, ops.add(ops.multiply(y, step), 1.0)))


def erf_inv(x: ArrayLike) -> Tensor:
    """The y with erf(y) = x; infinite at 1 and -1, NaN beyond."""
    return wrap(_erf_inv(need_real("erf_inv", floating("erf_inv", x))))


expit = sigmoid


@in_float32
@with_rules(lambda g, y, x: ops.divide(g, ops.multiply(x, ops.subtract_from(1.0, x))))
def _logit(x: Data) -> Data:
    """Around 1/2, where it is 0, by atanh."""
    centred = ops.add(x, -0.5)
    near = compared(ops.abs(centred), "LT", 0.25)
    middle = ops.multiply(atanh_of(ops.multiply(kept(near, centred, 0.0), 2.0)), 2.0)
    outside = ops.subtract(ops.log(x), ops.log_plus_one(ops.negate(x)))
    return ops.select(near, middle, outside)


def logit(x: ArrayLike) -> Tensor:
    """log(x / (1 - x)), the inverse of expit; infinite at 0 and 1, NaN beyond."""
    return wrap(_logit(need_real("logit", floating("logit", x))))


def _at_zero(x: Data, y: Data, value: Data) -> Data:
    """0 where x is 0, unless y is NaN."""
    zero = ops.and_(compared(x, "EQ", 0.0), ops.not_(nan(y)))
    return ops.select(zero, ops.zeros_like(x), value)


def _xlogy_rule(g: Data, z: Data, x: Data, y: Data) -> Data:
    return ops.multiply(g, _at_zero(x, y, ops.divide(x, y)))


@in_float32
@with_rules(lambda g, z, x, y: ops.multiply(g, ops.log(y)), _xlogy_rule)
def _xlogy(x: Data, y: Data) -> Data:
    return _at_zero(x, y, ops.multiply(x, ops.log(y)))


def _xlog1py_rule(g: Data, z: Data, x: Data, y: Data) -> Data:
    return ops.multiply(g, _at_zero(x, y, ops.divide(x, ops.add(y, 1.0))))


@in_float32
@with_rules(lambda g, z, x, y: ops.multiply(g, ops.log_plus_one(y)), _xlog1py_rule)
def _xlog1py(x: Data, y: Data) -> Data:
    return _at_zero(x, y, ops.multiply(x, ops.log_plus_one(y)))


def xlogy(x: ArrayLike, y: ArrayLike) -> Tensor:
    """x * log(y), and 0 where x is 0; so is its slope in y there."""
    return wrap(_xlogy(*real_floats("xlogy", x, y)))


def xlog1py(x: ArrayLike, y: ArrayLike) -> Tensor:
    """x * log(1 + y), and 0 where x is 0; so is its slope in y there."""
    return wrap(_xlog1py(*real_floats("xlog1py", x, y)))


@in_float32
@with_rules(lambda g, y, x: ops.negate(ops.multiply(g, ops.add(ops.log(x), 1.0))))
def _entr(x: Data) -> Data:
    safe = kept(compared(x, "GT", 0.0), x, 1.0)
    found = _at_zero(x, x, ops.negate(ops.multiply(x, ops.log(safe))))
    return ops.select(compared(x, "LT", 0.0), filled(x, -math.inf), found)


def entr(x: ArrayLike) -> Tensor:
    """-x * log(x): 0 at 0, minus infinity below."""
    return wrap(_entr(need_real("entr", floating("entr", x))))
