"""Regions that combine two scalars, and the sum that derivatives of movement need."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from tracer.dispatch import splat
from tracer.dtypes import DType
from tracer.ir import Block, Builder, TensorType
from tracer.ir.registry import OPS
from tracer.ops.table import Op
from tracer.recording import Data


@cache
def combiner(name: str, dtype: DType) -> Block:
    """The region (a, b) -> op(a, b) of an op that takes two scalars; one object an op and dtype."""
    builder = Builder()
    scalar = TensorType((), dtype)
    operands = (builder.argument(scalar), builder.argument(scalar))
    return builder.block(builder.create(OPS[name], operands))


@cache
def comparer(direction: str, dtype: DType) -> Block:
    """The region (a, b) -> compare(a, b)."""
    builder = Builder()
    scalar = TensorType((), dtype)
    operands = (builder.argument(scalar), builder.argument(scalar))
    attributes = {"comparison_direction": direction}
    return builder.block(builder.create(OPS["compare"], operands, attributes))


def combines(block: Block) -> str | None:
    """The name of the op that is all of a region (a, b) -> op(a, b); None for any other region."""
    if len(block.operations) != 1 or block.returns != block.operations[0].results:
        return None
    operation = block.operations[0]
    return operation.op.name if set(operation.operands) == set(block.arguments) else None


def total(x: Data, dimensions: Sequence[int]) -> Data:
    """The sum over axes, which go."""
    if not dimensions:
        return x
    zero = splat(0.0, x.type.with_shape(()), x.device)
    body = combiner("add", x.type.dtype)
    return Op(OPS["reduce"])(x, zero, dimensions=tuple(dimensions), regions=(body,))
