"""Which operations somebody needs."""

from __future__ import annotations

from lowering.blocks import with_operations, with_regions
from lowering.effects import has_effect
from tracer.ir import Block, Operation, Value
from tracer.ir.walk import substitute, uses


def live(block: Block) -> Block:
    """The block without operations whose results nobody needs and that have no effect."""
    needed = set(block.returns)
    kept: list[tuple[Operation, Operation]] = []
    for operation in reversed(block.operations):
        if not needed.isdisjoint(operation.results) or has_effect(operation):
            current = with_regions(operation, live)
            kept.append((operation, current))
            needed.update(uses(current))
    mapping: dict[Value, Value] = {}
    body = []
    for operation, current in reversed(kept):
        body.append(substitute(current, mapping))
        if body[-1] is not operation:
            mapping.update(zip(operation.results, body[-1].results, strict=True))
    return with_operations(block, body, mapping)
