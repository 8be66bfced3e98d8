"""Polynomials of values."""

from __future__ import annotations

from collections.abc import Sequence

from tracer.functions.composed import filled
from tracer.ops.elementwise import add, multiply
from tracer.values import Data


def polynomial(x: Data, coefficients: Sequence[float]) -> Data:
    """c[0] + c[1] x + c[2] x^2 + …, by Horner's rule."""
    found = filled(x, coefficients[-1])
    for coefficient in coefficients[-2::-1]:
        found = add(multiply(found, x), coefficient)
    return found
