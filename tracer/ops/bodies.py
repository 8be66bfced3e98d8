"""Regions that combine two scalars, and the sum that derivatives of movement need."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from tracer.dispatch import splat
from tracer.dtypes import DType, bool_
from tracer.ir import Block, Builder, TensorType
from tracer.ir.registry import OPS
from tracer.ops.table import FUNCTIONS
from tracer.values import Data

_OF_BOOLS = {"add": "or", "multiply": "and"}
"""XLA adds i1 as OR at run time, as XOR when it folds: of bools, sums and products are these."""


@cache
def combiner(name: str, dtype: DType) -> Block:
    """The region (a, b) -> op(a, b) of an op that takes two scalars; one object an op and dtype."""
    builder = Builder()
    scalar = TensorType((), dtype)
    operands = (builder.argument(scalar), builder.argument(scalar))
    op = OPS[_OF_BOOLS.get(name, name) if dtype is bool_ else name]
    return builder.block(builder.create(op, operands))


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


def compares(block: Block) -> str:
    """The direction of a region (a, b) -> compare(a, b); "" for any other region."""
    if len(block.operations) != 1 or block.operations[0].op.name != "compare":
        return ""
    operation = block.operations[0]
    if block.returns != operation.results or operation.operands != block.arguments:
        return ""
    return str(operation.attributes["comparison_direction"])


def total(x: Data, dimensions: Sequence[int]) -> Data:
    """The sum over axes, which go."""
    if not dimensions:
        return x
    zero = splat(0.0, x.type.with_shape(()), x.device)
    body = combiner("add", x.type.dtype)
    return FUNCTIONS["reduce"](x, zero, dimensions=tuple(dimensions), regions=(body,))
