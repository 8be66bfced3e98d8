"""Hyperbolic functions and their inverses, of real and complex values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tracer.dtypes import kind
from tracer.functions import analytic
from tracer.functions.composed import filled, in_float32, with_rules
from tracer.functions.operands import floating, wrap
from tracer.ops import elementwise as ops
from tracer.ops.complex import complex
from tracer.values import Data

if TYPE_CHECKING:
    from tracer.functions.operands import ArrayLike
    from tracer.tensor import Tensor

__all__ = [
    "acosh",
    "arccosh",
    "arcsinh",
    "arctanh",
    "asinh",
    "atanh",
    "cosh",
    "sinh",
    "tanh",
]


def is_complex(x: Data) -> bool:
    """Whether the dtype is complex."""
    return kind(x.type.dtype) == "complex"


@in_float32
@with_rules(lambda g, y, x: ops.multiply(g, cosh_of(x)))
def sinh_of(x: Data) -> Data:
    """sinh of a value."""
    return analytic.sinh(x) if is_complex(x) else analytic.real_sinh(x)


@in_float32
@with_rules(lambda g, y, x: ops.multiply(g, sinh_of(x)))
def cosh_of(x: Data) -> Data:
    """cosh of a value."""
    return analytic.cosh(x) if is_complex(x) else analytic.real_cosh(x)


def tanh_of(x: Data) -> Data:
    """tanh of a value."""
    return analytic.tanh(x) if is_complex(x) else ops.tanh(x)


def _asinh_rule(g: Data, y: Data, x: Data) -> Data:
    """Of a real x, 1 / hypot(1, x): its square may be infinite."""
    if is_complex(x):
        return ops.divide(g, ops.sqrt(ops.add(ops.multiply(x, x), 1.0)))
    return ops.divide(g, ops.abs(complex(filled(x, 1.0), x)))


@in_float32
@with_rules(_asinh_rule)
def asinh_of(x: Data) -> Data:
    """asinh of a value."""
    return analytic.asinh(x) if is_complex(x) else analytic.real_asinh(x)


def _acosh_rule(g: Data, y: Data, x: Data) -> Data:
    roots = ops.multiply(ops.sqrt(ops.add(x, -1.0)), ops.sqrt(ops.add(x, 1.0)))
    return ops.divide(g, roots)


@in_float32
@with_rules(_acosh_rule)
def acosh_of(x: Data) -> Data:
    """acosh of a value."""
    return analytic.acosh(x) if is_complex(x) else analytic.real_acosh(x)


def _atanh_rule(g: Data, y: Data, x: Data) -> Data:
    return ops.divide(g, ops.multiply(ops.subtract_from(1.0, x), ops.add(x, 1.0)))


@in_float32
@with_rules(_atanh_rule)
def atanh_of(x: Data) -> Data:
    """atanh of a value."""
    if is_complex(x):
        return analytic.atanh(x)
    difference = ops.subtract(ops.log_plus_one(x), ops.log_plus_one(ops.negate(x)))
    return ops.multiply(difference, 0.5)


def sinh(x: ArrayLike) -> Tensor:
    """The hyperbolic sine."""
    return wrap(sinh_of(floating("sinh", x)))


def cosh(x: ArrayLike) -> Tensor:
    """The hyperbolic cosine."""
    return wrap(cosh_of(floating("cosh", x)))


def tanh(x: ArrayLike) -> Tensor:
    """The hyperbolic tangent."""
    return wrap(tanh_of(floating("tanh", x)))


def asinh(x: ArrayLike) -> Tensor:
    """The inverse hyperbolic sine."""
    return wrap(asinh_of(floating("asinh", x)))


def acosh(x: ArrayLike) -> Tensor:
    """The inverse hyperbolic cosine, not negative; NaN for a real x below 1."""
    return wrap(acosh_of(floating("acosh", x)))


def atanh(x: ArrayLike) -> Tensor:
    """The inverse hyperbolic tangent; infinite at 1 and -1, NaN for a real x beyond."""
    return wrap(atanh_of(floating("atanh", x)))


arcsinh, arccosh, arctanh = asinh, acosh, atanh
