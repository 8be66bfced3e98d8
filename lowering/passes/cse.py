"""Common subexpression elimination."""

from typing import Any

from lowering.blocks import with_body, with_operations, with_regions
from lowering.effects import has_effect
from lowering.passes.registry import register_pass
from lowering.statistics import may_rewrite
from lowering.structure import key_of
from tracer.ir import Block, Function, Operation, Value
from tracer.ir.walk import substitute


@register_pass
def cse(function: Function) -> Function:
    """Replaces an operation that repeats an earlier one of its block, and has no effect, by that.

    Repeats: the same operands in the same order, attributes equal bit for bit, regions of the same
    structure. The earlier one's location stays.
    """
    return with_body(function, _merged)


def _merged(block: Block) -> Block:
    mapping: dict[Value, Value] = {}
    known: dict[Any, Operation] = {}
    kept = []
    for operation in block.operations:
        current = with_regions(substitute(operation, mapping), _merged)
        first = current if has_effect(current) else known.setdefault(key_of(current, {}), current)
        if first is not current and not may_rewrite("cse", current, first.results):
            first = current
        if first is current:
            kept.append(current)
        if first is not operation:
            mapping.update(zip(operation.results, first.results, strict=True))
    return with_operations(block, kept, mapping)
