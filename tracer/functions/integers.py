"""Functions of integers alone: divisors, and the bits that are set."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from tracer.dtypes import bool_, iinfo, int32, is_integer, kind, uint8
from tracer.errors import at_caller
from tracer.functions.composed import compared, filled
from tracer.functions.operands import as_dtype, data_of, unify, wrap
from tracer.ir import Block, Builder, Literal, TensorType
from tracer.ir.registry import OPS
from tracer.ops import elementwise as ops
from tracer.ops.bits import popcnt
from tracer.ops.bodies import combiner
from tracer.ops.control import while_
from tracer.values import Data

if TYPE_CHECKING:
    from tracer.functions.operands import ArrayLike
    from tracer.tensor import Tensor

__all__ = [
    "bitwise_count",
    "gcd",
    "lcm",
]


def _integers(name: str, *operands: Any) -> list[Data]:
    values = unify(name, *operands)
    if not is_integer(values[0].type.dtype):
        raise at_caller(TypeError(f"{name} needs integers, got {values[0].type}"))
    return values


def _constant(builder: Builder, value: int, type: TensorType) -> Any:
    literal = Literal(np.full(type.shape, value, type.dtype))
    return builder.create(OPS["constant"], (), {"value": literal})[0]


@cache
def _unfinished(type: TensorType) -> Block:
    """The region (a, b) -> whether some b is not 0."""
    builder = Builder()
    _, b = builder.argument(type), builder.argument(type)
    zero = _constant(builder, 0, type)
    left = builder.create(OPS["compare"], (b, zero), {"comparison_direction": "NE"})[0]
    none = _constant(builder, 0, TensorType((), bool_))
    axes = {"dimensions": tuple(range(type.ndim))}
    return builder.block(
        builder.create(OPS["reduce"], (left, none), axes, (combiner("or", bool_),))
    )


@cache
def _step(type: TensorType) -> Block:
    """The region (a, b) -> (b, a mod b), as it is where b is 0."""
    builder = Builder()
    a, b = builder.argument(type), builder.argument(type)
    zero, one = _constant(builder, 0, type), _constant(builder, 1, type)
    done = builder.create(OPS["compare"], (b, zero), {"comparison_direction": "EQ"})[0]
    divisor = builder.create(OPS["select"], (done, one, b))[0]
    rest = builder.create(OPS["remainder"], (a, divisor))[0]
    next_a = builder.create(OPS["select"], (done, a, b))[0]
    next_b = builder.create(OPS["select"], (done, zero, rest))[0]
    return builder.block((next_a, next_b))


def _magnitude(x: Data) -> Data:
    return x if kind(x.type.dtype) == "uint" else ops.abs(x)


def _gcd(a: Data, b: Data) -> Data:
    """By Euclid's algorithm, of all elements at once."""
    regions = (_unfinished(a.type), _step(a.type))
    return _magnitude(while_.all(a, b, regions=regions)[0])


def gcd(x1: ArrayLike, x2: ArrayLike) -> Tensor:
    """The greatest common divisor of integers, not negative; 0 of 0 and 0."""
    return wrap(_gcd(*_integers("gcd", x1, x2)))


def lcm(x1: ArrayLike, x2: ArrayLike) -> Tensor:
    """The least common multiple of integers, not negative unless it overflows; 0 where one is 0."""
    a, b = _integers("lcm", x1, x2)
    divisor = _gcd(a, b)
    safe = ops.select(compared(divisor, "EQ", 0), filled(divisor, 1), divisor)
    return wrap(ops.multiply(ops.divide(_magnitude(a), safe), _magnitude(b)))


def bitwise_count(x: ArrayLike) -> Tensor:
    """How many bits of |x| are set, as uint8."""
    data = data_of("bitwise_count", x)
    if not is_integer(data.type.dtype):
        raise at_caller(TypeError(f"bitwise_count needs integers, got {data.type}"))
    wide = as_dtype(data, int32) if iinfo(data.type.dtype).bits < 8 else data
    return wrap(as_dtype(popcnt(_magnitude(wide)), uint8))
