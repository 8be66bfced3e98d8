"""Trigonometric and hyperbolic functions, and their inverses: those that `tracer` has.

Branch cuts follow Kahan, "Branch cuts for complex elementary functions" (1987): a zero's sign says
on which side of a cut a number lies.
"""

from __future__ import annotations

import math

from lowering.chlo.tracing import Expansion, in_float32, traced
from lowering.rewriting import RuleSet
from tracer import functions as tr
from tracer.dtypes import kind
from tracer.functions.operands import wrap
from tracer.ops import complex as parts
from tracer.tensor import Tensor

RULES = RuleSet()

_FAR = 1e18
"""Beyond, z^2 + 1 is z^2 in double precision too, and arc functions of z are logarithms of 2z."""


def is_complex(x: Tensor) -> bool:
    """Whether the dtype is complex."""
    return kind(x.dtype) == "complex"


def whole(real: Tensor, imag: Tensor) -> Tensor:
    """The complex number of two parts."""
    return wrap(parts.complex(real._data, imag._data))


def _is_far(z: Tensor) -> Tensor:
    return tr.maximum(abs(z.real), abs(z.imag)) > _FAR


def _nearer(f: Expansion, z: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The parts of f(z / 4) for a large z, whose roots' products are infinite, and log(4)."""
    far, none = _is_far(z), tr.zeros_like(z.real)
    scale = tr.where(far, 0.25, none + 1)
    found = f(whole(z.real * scale, z.imag * scale))
    return found.real, found.imag, tr.where(far, math.log(4), none)


@traced(RULES, "chlo.acos")
def acos(x: Tensor) -> Tensor:
    """acos(x) = atan2(sqrt((1 - x)(1 + x)), x); of a large complex z, acos(z / 4) ± i log(4)"""
    if not is_complex(x):
        return tr.acos(x)
    u, v, step = _nearer(tr.acos, x)
    return whole(u, v - tr.copysign(step, x.imag))


@traced(RULES, "chlo.asin")
def asin(x: Tensor) -> Tensor:
    """asin(x) = atan2(x, sqrt((1 - x)(1 + x))); of a large complex z, asin(z / 4) ± i log(4)"""
    if not is_complex(x):
        return tr.asin(x)
    u, v, step = _nearer(tr.asin, x)
    return whole(u, v + tr.copysign(step, x.imag))


@traced(RULES, "chlo.acosh")
def acosh(x: Tensor) -> Tensor:
    """acosh(1 + t) = log1p(t + sqrt(t (t + 2))); of a large complex z, acosh(z / 4) + log(4)"""
    if not is_complex(x):
        return tr.acosh(x)
    u, v, step = _nearer(tr.acosh, x)
    return whole(u + step, v)


@traced(RULES, "chlo.asinh")
def asinh(x: Tensor) -> Tensor:
    """asinh(x) = ±log1p(|x| + x² / (1 + sqrt(1 + x²))); of a large z, asinh(z / 4) ± log(4)"""
    if not is_complex(x):
        return tr.asinh(x)
    u, v, step = _nearer(tr.asinh, x)
    return whole(u + tr.copysign(step, x.real), v)


@traced(RULES, "chlo._asin_acos_kernel")
def asin_acos_kernel(z: Tensor) -> Tensor:
    """sqrt(a² - x²) + i log(a + sqrt(a² - 1)) of z = x + iy, where 2 a = |z + 1| + |z - 1|

    Those are the real part of sqrt(1 - z) sqrt(1 + z), and the size of asin(z)'s imaginary part.
    """
    below, above = tr.sqrt(whole(1 - z.real, -z.imag)), tr.sqrt(whole(1 + z.real, z.imag))
    found = below.real * above.real - below.imag * above.imag
    return whole(tr.where(_is_far(z), abs(z.imag), found), abs(asin(z).imag))


@traced(RULES, "chlo.atan")
def atan(x: Tensor) -> Tensor:
    """atan(x) = atan2(x, 1); of a complex z, -i atanh(iz)"""
    return tr.atan(x)


@traced(RULES, "chlo.atanh")
def atanh(x: Tensor) -> Tensor:
    """atanh(x) = (log1p(x) - log1p(-x)) / 2; of z = x + iy, log1p(4 x / ((1 - x)² + y²)) / 4 + …"""
    return tr.atanh(x)


@traced(RULES, "chlo.cosh")
def cosh(x: Tensor) -> Tensor:
    """cosh(x) = (e^x + e^-x) / 2; of x + iy, cosh(x) cos(y) + i sinh(x) sin(y)"""
    return tr.cosh(x)


@traced(RULES, "chlo.sinh")
def sinh(x: Tensor) -> Tensor:
    """sinh(x) = (e^x - e^-x) / 2; of x + iy, sinh(x) cos(y) + i cosh(x) sin(y)"""
    return tr.sinh(x)


@traced(RULES, "chlo.tan")
@in_float32
def tan(x: Tensor) -> Tensor:
    """tan(x) is StableHLO's; of a complex z, -i tanh(iz)"""
    return tr.tan(x)
