"""Comparison, logic and bits, elementwise, with NumPy's names and broadcasting."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tracer.dtypes import bool_, kind
from tracer.functions.operands import as_dtype, data_of, pair, unify, wrap
from tracer.ops import elementwise as ops
from tracer.ops.table import Op
from tracer.values import Data

if TYPE_CHECKING:
    from tracer.functions.operands import ArrayLike
    from tracer.tensor import Tensor

__all__ = [
    "bitwise_and",
    "bitwise_invert",
    "bitwise_left_shift",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
    "equal",
    "greater",
    "greater_equal",
    "less",
    "less_equal",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "not_equal",
]


def _binary(name: str, op: Op, x: Any, y: Any) -> Tensor:
    a, b = pair(name, x, y)
    return wrap(op(a, b))


def _compare(name: str, direction: str, x: Any, y: Any) -> Tensor:
    a, b = pair(name, x, y)
    return wrap(ops.compare(a, b, comparison_direction=direction))


def equal(x: ArrayLike, y: ArrayLike) -> Tensor:
    """x == y, elementwise."""
    return _compare("equal", "EQ", x, y)


def not_equal(x: ArrayLike, y: ArrayLike) -> Tensor:
    """x != y, elementwise."""
    return _compare("not_equal", "NE", x, y)


def less(x: ArrayLike, y: ArrayLike) -> Tensor:
    """x < y."""
    return _compare("less", "LT", x, y)


def less_equal(x: ArrayLike, y: ArrayLike) -> Tensor:
    """x <= y."""
    return _compare("less_equal", "LE", x, y)


def greater(x: ArrayLike, y: ArrayLike) -> Tensor:
    """x > y."""
    return _compare("greater", "GT", x, y)


def greater_equal(x: ArrayLike, y: ArrayLike) -> Tensor:
    """x >= y."""
    return _compare("greater_equal", "GE", x, y)


def bitwise_and(x: ArrayLike, y: ArrayLike) -> Tensor:
    """x & y, of integers or bools."""
    return _binary("bitwise_and", ops.and_, x, y)


def bitwise_or(x: ArrayLike, y: ArrayLike) -> Tensor:
    """x | y, of integers or bools."""
    return _binary("bitwise_or", ops.or_, x, y)


def bitwise_xor(x: ArrayLike, y: ArrayLike) -> Tensor:
    """x ^ y, of integers or bools."""
    return _binary("bitwise_xor", ops.xor, x, y)


def bitwise_invert(x: ArrayLike) -> Tensor:
    """~x, of integers or bools."""
    return wrap(ops.not_(data_of("bitwise_invert", x)))


def bitwise_left_shift(x: ArrayLike, y: ArrayLike) -> Tensor:
    """x << y."""
    return _binary("bitwise_left_shift", ops.shift_left, x, y)


def bitwise_right_shift(x: ArrayLike, y: ArrayLike) -> Tensor:
    """x >> y, keeping the sign."""
    a, b = unify("bitwise_right_shift", x, y)
    unsigned = kind(a.type.dtype) == "uint"
    return wrap((ops.shift_right_logical if unsigned else ops.shift_right_arithmetic)(a, b))


def _truth(name: str, x: Any) -> Data:
    return as_dtype(data_of(name, x), bool_)


def logical_and(x: ArrayLike, y: ArrayLike) -> Tensor:
    """Whether both are true (not zero)."""
    a, b = unify("logical_and", wrap(_truth("logical_and", x)), wrap(_truth("logical_and", y)))
    return wrap(ops.and_(a, b))


def logical_or(x: ArrayLike, y: ArrayLike) -> Tensor:
    """Whether either is true (not zero)."""
    a, b = unify("logical_or", wrap(_truth("logical_or", x)), wrap(_truth("logical_or", y)))
    return wrap(ops.or_(a, b))


def logical_xor(x: ArrayLike, y: ArrayLike) -> Tensor:
    """Whether just one is true (not zero)."""
    a, b = unify("logical_xor", wrap(_truth("logical_xor", x)), wrap(_truth("logical_xor", y)))
    return wrap(ops.xor(a, b))


def logical_not(x: ArrayLike) -> Tensor:
    """Whether x is false (zero)."""
    return wrap(ops.not_(_truth("logical_not", x)))
