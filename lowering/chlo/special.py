"""Special functions: those that `tracer` has, and three more."""

from __future__ import annotations

import math
from collections.abc import Sequence

from lowering.chlo.tracing import in_float32, traced
from lowering.rewriting import RuleSet
from tracer import functions as tr
from tracer.dtypes import finfo
from tracer.functions.gamma import BERNOULLI
from tracer.functions.operands import wrap
from tracer.functions.polynomials import polynomial
from tracer.tensor import Tensor

RULES = RuleSet()


@traced(RULES, "chlo.erf")
def erf(x: Tensor) -> Tensor:
    """erf(x): a ratio of polynomials near 0 (Cody 1969), 1 - erfc(x) far out"""
    return tr.erf(x)


@traced(RULES, "chlo.erfc")
def erfc(x: Tensor) -> Tensor:
    """erfc(x) = exp(-x²) times a ratio of polynomials (Cody 1969), 1 - erf(x) near 0"""
    return tr.erfc(x)


@traced(RULES, "chlo.erf_inv")
def erf_inv(x: Tensor) -> Tensor:
    """erf_inv(x): Giles's polynomials (2012), and two of Halley's steps towards erf(y) = x"""
    return tr.erf_inv(x)


@traced(RULES, "chlo.lgamma")
def lgamma(x: Tensor) -> Tensor:
    """lgamma(x): Stirling's formula, its series about 2, log(pi / |sin(pi x)|) - lgamma(1 - x)"""
    return tr.lgamma(x)


@traced(RULES, "chlo.digamma")
def digamma(x: Tensor) -> Tensor:
    """digamma(x) = lgamma'(x): the slopes of what lgamma is, digamma(1 - x) - pi / tan(pi x)"""
    return tr.digamma(x)


_TERMS = 9
"""So many terms of the sum are added one by one; the tail is exact to float64 then."""
_TAIL = tuple(b / math.factorial(2 * k) for k, b in enumerate(BERNOULLI, 1))


@traced(RULES, "chlo.zeta")
@in_float32
def zeta(s: Tensor, q: Tensor) -> Tensor:
    """zeta(s, q) = sum of 1 / (k + q)^s; of q < 0 the terms below 0 are a sum of their own

    Infinite at s = 1, NaN below, and where a term is: 1 / 0^s, infinite of even s alone.
    """
    beyond = q - tr.round(q)
    low, pole = q <= 0, (q <= 0) & (beyond == 0)
    above = tr.where(beyond < 0, 1 + beyond, beyond)
    below = tr.where(beyond < 0, -beyond, 1 - beyond)
    odd = tr.remainder(s, 2) == 1
    positive = _hurwitz(s, tr.where(low, tr.where(pole, 1.0, above), q))
    negative = _hurwitz(s, tr.where(low, below, 1.0)) - _hurwitz(s, tr.where(low, 1 - q, 2.0))
    both = positive + tr.where(odd, -negative, negative)
    found = tr.where(low, both, positive)
    found = tr.where(pole, tr.where(odd, math.nan, math.inf), found)
    fractional = low & (s != tr.floor(s))
    found = tr.where((s < 1) | fractional, math.nan, found)
    return tr.where(s == 1, math.inf, found)


def _hurwitz(s: Tensor, q: Tensor) -> Tensor:
    """Of q > 0, by Euler and Maclaurin: F. Johansson, "Rigorous high-precision computation of the
    Hurwitz zeta function and its derivatives", Numerical Algorithms 69 (2015), formula (5).
    """
    terms = [(q + k) ** -s for k in range(_TERMS)]
    a = q + _TERMS
    last = a**-s
    tail = tr.zeros_like(a)
    for k, coefficient in reversed(list(enumerate(_TAIL, 1))):
        tail = coefficient + (s + 2 * k - 1) * (s + 2 * k) / (a * a) * tail
    tail = tr.where(last == 0, 0.0, last * (0.5 + s / a * tail))
    return sum(reversed(terms), a ** (1 - s) / (s - 1) + tail)


@traced(RULES, "chlo.polygamma")
@in_float32
def polygamma(n: Tensor, x: Tensor) -> Tensor:
    """polygamma(n, x) = (-1)^(n + 1) n! zeta(n + 1, x), and digamma(x) of n = 0

    NaN unless n is an integer from 0 on.
    """
    size = _factorial(n) * zeta(n + 1, x)
    found = tr.where(tr.remainder(n, 2) == 0, -size, size)
    natural = (n >= 0) & (n == tr.floor(n))
    return tr.where(natural, tr.where(n == 0, tr.digamma(x), found), math.nan)


def _factorial(n: Tensor) -> Tensor:
    """n! of each integer from 0 on; infinite from the first that the dtype can't hold."""
    last = _LARGEST_FACTORIAL[n.dtype.itemsize]
    factors = tr.arange(1, last + 1, dtype=n.dtype)
    each = n.reshape(*n.shape, 1)
    found = tr.prod(tr.where(factors <= each, factors, 1.0), axis=-1)
    return tr.where(n > last, math.inf, found)


_LARGEST_FACTORIAL = {4: 34, 8: 170}
"""By a float's bytes, the largest number whose factorial is finite."""

_NEAR_I1E = tuple(1 / (math.factorial(k) * math.factorial(k + 1)) for k in range(24))
"""2 I1(x) / x in powers of (x / 2)^2 (A&S 9.6.10): none is negative, so nothing cancels."""
# S. Moshier, Cephes Mathematical Library, i1.c: Chebyshev coefficients, those of high degree first.
_FAR_I1E = (
    7.517296310842105e-18, 4.414348323071708e-18, -4.6503053684893586e-17, -3.209525921993424e-17,
    2.96262899764595e-16, 3.3082023109209285e-16, -1.8803547755107825e-15, -3.8144030724370075e-15,
    1.0420276984128802e-14, 4.272440016711951e-14, -2.1015418427726643e-14,
    -4.0835511110921974e-13, -7.198551776245908e-13, 2.0356285441470896e-12,
    1.4125807436613782e-11, 3.2526035830154884e-11, -1.8974958123505413e-11,
    -5.589743462196584e-10, -3.835380385964237e-09, -2.6314688468895196e-08,
    -2.512236237870209e-07, -3.882564808877691e-06, -0.00011058893876262371, -0.009761097491361469,
    0.7785762350182801,
)  # fmt: skip
"""exp(-x) sqrt(x) I1(x) in 32 / x - 2, x >= 8."""


@traced(RULES, "chlo.bessel_i1e", kinds=("float",))
@in_float32
def bessel_i1e(x: Tensor) -> Tensor:
    """exp(-|x|) I1(x): I1's own series to |x| = 8, one of Chebyshev polynomials from there on"""
    size = abs(x)
    near = size <= 8
    half, large = tr.where(near, size, 8.0) / 2, tr.where(near, 8.0, size)
    small = half * _power_series(half * half) * tr.exp(-2 * half)
    far = _chebyshev(32 / large - 2, _FAR_I1E) / tr.sqrt(large)
    return tr.copysign(tr.where(near, small, far), x)


def _power_series(x: Tensor) -> Tensor:
    """Of x up to 16, less the terms that rounding swallows."""
    smallest = float(finfo(x.dtype).eps)
    kept = [c for k, c in enumerate(_NEAR_I1E) if c * 16.0**k > smallest]
    return wrap(polynomial(x._data, kept))


def _chebyshev(x: Tensor, coefficients: Sequence[float]) -> Tensor:
    """c[-1] / 2 + c[-2] T1(x / 2) + …, by Clenshaw's recurrence, less what rounding swallows."""
    smallest = float(finfo(x.dtype).eps) / 16
    current = before = last = tr.zeros_like(x)
    for coefficient in (c for c in coefficients if abs(c) > smallest):
        current, before, last = x * current - before + coefficient, current, before
    return (current - last) / 2
