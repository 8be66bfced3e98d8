"""Trigonometric functions and their inverses, of real and complex values; angles and degrees."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from tracer.functions.analytic import acos as complex_acos
from tracer.functions.analytic import turned, turned_back
from tracer.functions.composed import compared, filled, in_float32, real_floats, with_rules
from tracer.functions.hyperbolic import (
    asinh_of,
    atanh_of,
    cosh_of,
    is_complex,
    sinh_of,
    tanh_of,
)
from tracer.functions.operands import floating, need_real, wrap
from tracer.ops import elementwise as ops
from tracer.values import Data

if TYPE_CHECKING:
    from tracer.functions.operands import ArrayLike
    from tracer.tensor import Tensor

__all__ = [
    "acos",
    "arccos",
    "arcsin",
    "arctan",
    "arctan2",
    "asin",
    "atan",
    "atan2",
    "cos",
    "deg2rad",
    "degrees",
    "rad2deg",
    "radians",
    "sin",
    "sinc",
    "tan",
]


def sin(x: ArrayLike) -> Tensor:
    """The sine, of radians."""
    data = floating("sin", x)
    return wrap(turned_back(sinh_of(turned(data))) if is_complex(data) else ops.sine(data))


def cos(x: ArrayLike) -> Tensor:
    """The cosine, of radians."""
    data = floating("cos", x)
    return wrap(cosh_of(turned(data)) if is_complex(data) else ops.cosine(data))


def tan(x: ArrayLike) -> Tensor:
    """The tangent, of radians."""
    data = floating("tan", x)
    return wrap(turned_back(tanh_of(turned(data))) if is_complex(data) else ops.tan(data))


def _leg(x: Data) -> Data:
    """sqrt(1 - x^2), exact near 1 and -1."""
    return ops.sqrt(ops.multiply(ops.subtract_from(1.0, x), ops.add(x, 1.0)))


def _legs(x: Data) -> Data:
    """The same of a complex x, without another cut."""
    return ops.multiply(ops.sqrt(ops.subtract_from(1.0, x)), ops.sqrt(ops.add(x, 1.0)))


@in_float32
@with_rules(lambda g, y, x: ops.divide(g, _legs(x)))
def _asin(x: Data) -> Data:
    return turned_back(asinh_of(turned(x))) if is_complex(x) else ops.atan2(x, _leg(x))


@in_float32
@with_rules(lambda g, y, x: ops.negate(ops.divide(g, _legs(x))))
def _acos(x: Data) -> Data:
    return complex_acos(x) if is_complex(x) else ops.atan2(_leg(x), x)


@in_float32
@with_rules(lambda g, y, x: ops.divide(g, ops.add(ops.multiply(x, x), 1.0)))
def _atan(x: Data) -> Data:
    return turned_back(atanh_of(turned(x))) if is_complex(x) else ops.atan2(x, filled(x, 1.0))


def asin(x: ArrayLike) -> Tensor:
    """The inverse sine, in radians; NaN for a real x beyond 1 and -1."""
    return wrap(_asin(floating("asin", x)))


def acos(x: ArrayLike) -> Tensor:
    """The inverse cosine, in radians; NaN for a real x beyond 1 and -1."""
    return wrap(_acos(floating("acos", x)))


def atan(x: ArrayLike) -> Tensor:
    """The inverse tangent, in radians."""
    return wrap(_atan(floating("atan", x)))


def atan2(x1: ArrayLike, x2: ArrayLike) -> Tensor:
    """The angle of the point (x2, x1), in radians."""
    return wrap(ops.atan2(*real_floats("atan2", x1, x2)))


def _scaled(name: str, x: Any, factor: float) -> Tensor:
    return wrap(ops.multiply(need_real(name, floating(name, x)), factor))


def rad2deg(x: ArrayLike) -> Tensor:
    """Radians as degrees."""
    return _scaled("rad2deg", x, 180 / math.pi)


def deg2rad(x: ArrayLike) -> Tensor:
    """Degrees as radians."""
    return _scaled("deg2rad", x, math.pi / 180)


arcsin, arccos, arctan, arctan2 = asin, acos, atan, atan2
degrees, radians = rad2deg, deg2rad

_SERIES = tuple(
    (-1) ** k * math.pi ** (2 * k) * 2 * k / math.factorial(2 * k + 1) for k in range(1, 8)
)
"""sinc'(x) / x in powers of x^2; eight terms are exact to float64 below 1/4."""


def _sinc_rule(g: Data, y: Data, x: Data) -> Data:
    """(cos(pi x) - sinc(x)) / x, by its series near 0, where it is a difference of equals."""
    near = compared(ops.abs(x), "LT", 0.25)
    small = ops.select(near, x, ops.zeros_like(x))
    square, found = ops.multiply(small, small), filled(x, _SERIES[-1])
    for term in _SERIES[-2::-1]:
        found = ops.add(ops.multiply(found, square), term)
    safe = ops.select(near, filled(x, 1.0), x)
    far = ops.divide(ops.subtract(ops.cosine(ops.multiply(safe, math.pi)), _sinc(safe)), safe)
    return ops.multiply(g, ops.select(near, ops.multiply(found, small), far))


@in_float32
@with_rules(_sinc_rule)
def _sinc(x: Data) -> Data:
    zero = compared(x, "EQ", 0.0)
    scaled = ops.multiply(ops.select(zero, filled(x, 1.0), x), math.pi)
    return ops.select(zero, filled(x, 1.0), ops.divide(ops.sine(scaled), scaled))


def sinc(x: ArrayLike) -> Tensor:
    """sin(pi x) / (pi x), and 1 at 0."""
    return wrap(_sinc(floating("sinc", x)))
