"""Exponentials, logarithms and roots beside exp, log and sqrt."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from tracer.functions.composed import (
    Composition,
    compared,
    filled,
    floats,
    in_float32,
    real_floats,
    with_rules,
)
from tracer.functions.elementwise import power
from tracer.functions.operands import floating, need_real, wrap
from tracer.functions.signs import infinite
from tracer.ops import elementwise as ops
from tracer.ops.complex import complex
from tracer.values import Data

if TYPE_CHECKING:
    from tracer.functions.operands import ArrayLike
    from tracer.tensor import Tensor

__all__ = [
    "cbrt",
    "exp2",
    "float_power",
    "hypot",
    "logaddexp",
    "logaddexp2",
]


def cbrt(x: ArrayLike) -> Tensor:
    """The cube root, of a negative x too."""
    return wrap(ops.cbrt(need_real("cbrt", floating("cbrt", x))))


def exp2(x: ArrayLike) -> Tensor:
    """2 ** x."""
    data = floating("exp2", x)
    return wrap(ops.power(filled(data, 2.0), data))


def float_power(x1: ArrayLike, x2: ArrayLike) -> Tensor:
    """x1 ** x2 of floats; integers become float32 first."""
    a, b = floats("float_power", x1, x2)
    return power(wrap(a), wrap(b))


def _share(base: float, position: int) -> Composition:
    """The share of one of two in the sum of their powers: 1/2 where they are equal."""

    def rule(g: Data, y: Data, *operands: Data) -> Data:
        mine, other = operands[position], operands[1 - position]
        return ops.multiply(g, ops.logistic(_scaled(_apart(mine, other), base)))

    return rule


def _apart(a: Data, b: Data) -> Data:
    """a - b, and 0 where they are one infinity."""
    equal = ops.compare(a, b, comparison_direction="EQ")
    return ops.select(equal, ops.zeros_like(a), ops.subtract(a, b))


def _scaled(x: Data, base: float) -> Data:
    return x if base == math.e else ops.multiply(x, math.log(base))


def _logaddexp(base: float) -> Composition:
    @in_float32
    @with_rules(_share(base, 0), _share(base, 1))
    def added(a: Data, b: Data) -> Data:
        below = ops.negate(ops.abs(_apart(a, b)))
        rest = ops.log_plus_one(ops.exponential(_scaled(below, base)))
        scaled = rest if base == math.e else ops.multiply(rest, 1 / math.log(base))
        return ops.add(ops.maximum(a, b), scaled)

    return added


_logaddexp_e, _logaddexp_2 = _logaddexp(math.e), _logaddexp(2.0)


def logaddexp(x1: ArrayLike, x2: ArrayLike) -> Tensor:
    """log(exp(x1) + exp(x2)), without overflow."""
    return wrap(_logaddexp_e(*real_floats("logaddexp", x1, x2)))


def logaddexp2(x1: ArrayLike, x2: ArrayLike) -> Tensor:
    """log2(2 ** x1 + 2 ** x2), without overflow."""
    return wrap(_logaddexp_2(*real_floats("logaddexp2", x1, x2)))


def _leg_rule(position: int) -> Composition:
    def rule(g: Data, y: Data, *operands: Data) -> Data:
        """0 at the origin, where there is no slope."""
        safe = ops.select(compared(y, "EQ", 0.0), filled(y, 1.0), y)
        return ops.multiply(g, ops.divide(operands[position], safe))

    return rule


@in_float32
@with_rules(_leg_rule(0), _leg_rule(1))
def _hypot(a: Data, b: Data) -> Data:
    endless = ops.or_(infinite(a), infinite(b))
    return ops.select(endless, filled(a, math.inf), ops.abs(complex(a, b)))


def hypot(x1: ArrayLike, x2: ArrayLike) -> Tensor:
    """sqrt(x1 ** 2 + x2 ** 2), without overflow; its slope at the origin is 0."""
    return wrap(_hypot(*real_floats("hypot", x1, x2)))
