"""Common subexpression elimination."""

from typing import Any

from lowering.passes.effects import has_effect
from lowering.passes.registry import register_pass
from lowering.passes.rewrite import with_body, with_operations, with_regions
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
        effect = has_effect(current)
        first = current if effect else known.setdefault(_key(current, {}), current)
        if first is current:
            kept.append(current)
        if first is not operation:
            mapping.update(zip(operation.results, first.results, strict=True))
    return with_operations(block, kept, mapping)


def _key(operation: Operation, numbers: dict[Value, int]) -> Any:
    """Equal for operations that give equal results; values of the same number are the same."""
    operands = tuple(numbers.get(v, v) for v in operation.operands)
    regions = tuple(_region_key(region, numbers) for region in operation.regions)
    return operation.op, operands, tuple(operation.attributes.items()), regions


def _region_key(block: Block, outer: dict[Value, int]) -> Any:
    """A region by its structure: which objects its own values are does not matter."""
    numbers = dict(outer)
    for value in block.arguments:
        numbers[value] = len(numbers)
    rows = []
    for operation in block.operations:
        rows.append(_key(operation, numbers))
        for value in operation.results:
            numbers[value] = len(numbers)
    types = tuple(v.type for v in block.arguments)
    return types, tuple(rows), tuple(numbers.get(v, v) for v in block.returns)
