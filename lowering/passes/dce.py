"""Dead code elimination."""

from lowering.passes.effects import has_effect
from lowering.passes.registry import register_pass
from lowering.passes.rewrite import with_body, with_operations, with_regions
from tracer.ir import Block, Function, Operation, Value
from tracer.ir.walk import substitute, uses


@register_pass
def dce(function: Function) -> Function:
    """Removes operations whose results nobody needs and that have no effect, in regions too."""
    return with_body(function, _live)


def _live(block: Block) -> Block:
    needed = set(block.returns)
    kept: list[tuple[Operation, Operation]] = []
    for operation in reversed(block.operations):
        if not needed.isdisjoint(operation.results) or has_effect(operation):
            current = with_regions(operation, _live)
            kept.append((operation, current))
            needed.update(uses(current))
    mapping: dict[Value, Value] = {}
    body = []
    for operation, current in reversed(kept):
        body.append(substitute(current, mapping))
        if body[-1] is not operation:
            mapping.update(zip(operation.results, body[-1].results, strict=True))
    return with_operations(block, body, mapping)
