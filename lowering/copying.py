"""Copies of operations: what a block does, done in another place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter

from lowering.rewriting import Rewriter
from tracer.errors import Location
from tracer.ir import Block, Operation, Value, make_operation
from tracer.ir.walk import substitute_block


def copy_of(operation: Operation, mapping: dict[Value, Value], location: Location) -> Operation:
    """The operation made anew with values replaced; `mapping` grows by its results."""
    operands = [mapping.get(v, v) for v in operation.operands]
    regions = [substitute_block(region, mapping) for region in operation.regions]
    made = make_operation(operation.op, operands, operation.attributes, regions, location)
    mapping.update(zip(operation.results, made.results, strict=True))
    return made


def bound(block: Block, operands: Sequence[Value]) -> dict[Value, Value]:
    """What stands for the arguments of a block that is run on these values."""
    return dict(zip(block.arguments, operands, strict=True))


def spliced(
    block: Block,
    operands: Sequence[Value],
    rewriter: Rewriter,
    place: Callable[[Operation], Location] = attrgetter("location"),
) -> list[Value]:
    """What a block returns for these operands, its operations made here by a rule.

    `place` says where each stands; by default where it stood.
    """
    mapping = bound(block, operands)
    for operation in block.operations:
        made = copy_of(operation, mapping, place(operation))
        mapping.update(zip(operation.results, rewriter.insert(made), strict=True))
    return [mapping.get(v, v) for v in block.returns]
