"""What random programs are made with: a builder that chooses among the values there are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import numpy as np

from tracer.dtypes import (
    DType,
    bfloat16,
    bool_,
    complex64,
    float32,
    float64,
    iinfo,
    int4,
    int8,
    int32,
    int64,
    is_integer,
    kind,
    uint8,
)
from tracer.ir import CALL, Block, Builder, Function, Literal, Operation, TensorType, Value
from tracer.ir.walk import uses
from tracer.ops import OPS
from tracer.ops.meanings import convert

Array = np.ndarray[Any, Any]

DTYPES = (float32,) * 6 + (int32,) * 5 + (bool_,) * 3 + (float64, int8, uint8, complex64) * 2
DTYPES += (int64, bfloat16, int4)
LENGTHS = (1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 5, 0)
_SPECIAL: dict[str, Sequence[Any]] = {
    "float": (0.0, -0.0, 0.0, 1.0, 1.0, -1.0, 0.5, 2.0, -3.0, 4.5, np.inf, -np.inf, np.nan),
    "complex": (0j, 1 + 0j, -1 + 0j, complex(-0.0, 0.0), 2 - 1j, complex(1.0, -0.0), 1j),
    "bool": (False, True),
    "uint": (0, 0, 1, 1, 2, 3, 7),
    "int": (0, 0, 1, 1, -1, 2, -2, 3, 7),
}
"""Small numbers, sums of which are exact in any order, and what rules forget."""


class Maker:
    """A builder that knows which values there are, and chooses among them."""

    def __init__(
        self, random: Random, values: Sequence[Value] = (), functions: Sequence[Function] = ()
    ) -> None:
        self.random = random
        self.builder = Builder()
        self.values = list(values)
        self.functions = functions

    def argument(self, type: TensorType) -> Value:
        """One more argument."""
        self.values.append(self.builder.argument(type))
        return self.values[-1]

    def add(
        self, name: str, *operands: Value, regions: Sequence[Block] = (), **attributes: Any
    ) -> Value:
        """One more operation; its last result."""
        results = self.builder.create(OPS[name], operands, attributes, regions)
        self.values += results
        return results[-1]

    def unused(self) -> list[Value]:
        """Most of the values that no operation reads: returned, they show what all of them do."""
        owners = {v.owner for v in self.values if isinstance(v.owner, Operation)}
        read = {value for operation in owners for value in uses(operation)}
        found = [value for value in self.values if value not in read]
        return [value for value in found if self.chance(0.9)] or found[-1:]

    def call(self, function: Function) -> Value:
        """A call of a function of the module, with operands of its types; its last result."""
        operands = [self.like(v.type) for v in function.arguments]
        types = tuple(v.type for v in function.returns)
        results = self.builder.create(CALL, operands, {"callee": function.name, "types": types})
        self.values += results
        return results[-1]

    def constant(self, type: TensorType) -> Value:
        """A constant, often with equal elements."""
        array = numbers(self.random, type.with_shape(()) if self.chance(0.6) else type)
        return self.add("constant", value=Literal(np.array(np.broadcast_to(array, type.shape))))

    def splat(self, number: float, type: TensorType) -> Value:
        """A number, or what comes nearest to it, in each place; at times broadcast."""
        one = np.asarray(convert(np.float64(number), type.dtype))
        if self.chance(0.3):
            x = self.scalar(one, type.dtype)
            return self.add("broadcast_in_dim", x, broadcast_dimensions=(), shape=type.shape)
        return self.add("constant", value=Literal(np.array(np.broadcast_to(one, type.shape))))

    def scalar(self, value: Any, dtype: DType) -> Value:
        """A 0-d constant."""
        return self.add("constant", value=Literal(np.asarray(value, dtype)))

    def chance(self, probability: float) -> bool:
        """True as often as this."""
        return self.random.random() < probability

    def pick(self, *kinds: str, least: int = 0) -> Value:
        """A value of one of these kinds (none: of any), a recent one rather, of least axes."""
        fits = [
            v
            for v in self.values
            if (not kinds or kind(v.type.dtype) in kinds) and v.type.ndim >= least
        ]
        if not fits:
            dtype = self.random.choice([d for d in DTYPES if not kinds or kind(d) in kinds])
            return self.constant(TensorType(self.shape(least), dtype))
        return fits[-1] if self.chance(0.6) else self.random.choice(fits)

    def shape(self, least: int = 0) -> tuple[int, ...]:
        """Short axes, at least so many."""
        count = max(least, self.random.choice((0, 1, 2, 2, 3)))
        return tuple(self.random.choices(LENGTHS, k=count))

    def axes(self, ndim: int) -> tuple[int, ...]:
        """All axes, in some order."""
        return tuple(self.random.sample(range(ndim), ndim))

    def some_axes(self, ndim: int) -> tuple[int, ...]:
        """Some axes, in order."""
        return tuple(axis for axis in range(ndim) if self.chance(0.5))

    def like(self, type: TensorType) -> Value:
        """A value of this type: one there is, or a constant."""
        fits = [v for v in self.values if v.type is type]
        if fits and self.chance(0.6):
            return self.random.choice(fits)
        return self.constant(type)


def numbers(random: Random, type: TensorType) -> Array:
    """Elements of a type, special values among them."""
    choices = list(_SPECIAL[kind(type.dtype)])
    if is_integer(type.dtype):
        lowest, highest = int(iinfo(type.dtype).min), int(iinfo(type.dtype).max)
        choices = [x for x in choices if lowest <= x <= highest] + [lowest, highest]
    drawn = [random.choice(choices) for _ in range(type.size)]
    return np.array(drawn, type.dtype).reshape(type.shape)


Move = Callable[[Maker], Value]


class Moves(dict[Move, int]):
    """Ways in which a program goes on, and how often each is chosen."""

    def of(self, weight: int) -> Callable[[Move], Move]:
        """Adds one."""

        def added(move: Move) -> Move:
            self[move] = weight
            return move

        return added
