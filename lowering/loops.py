"""The state of a `while`, and the results of loops and branches that are of use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lowering.blocks import with_operations, with_regions
from lowering.effects import has_effect
from lowering.liveness import live
from lowering.statistics import may_rewrite
from tracer.ir import Block, Operation, Value, make_operation
from tracer.ir.walk import free_values, operations, substitute, substitute_block


def unchanged(loop: Operation) -> list[int]:
    """The places of the state that no turn changes."""
    body = loop.regions[1]
    rows = enumerate(zip(body.returns, body.arguments, loop.operands, strict=True))
    return [i for i, (after, before, first) in rows if after in (before, first)]


def with_state(
    loop: Operation, places: Sequence[int], mapping: Mapping[Value, Value] | None = None
) -> Operation:
    """The loop with these places of its state alone; `mapping` says what stands for the others."""
    condition, body = (substitute_block(region, mapping or {}) for region in loop.regions)
    arguments = tuple(condition.arguments[i] for i in places)
    condition = Block(arguments, condition.operations, condition.returns)
    arguments = tuple(body.arguments[i] for i in places)
    body = Block(arguments, body.operations, tuple(body.returns[i] for i in places))
    operands = [loop.operands[i] for i in places]
    return make_operation(loop.op, operands, loop.attributes, (condition, body), loop.location)


def has_pure_condition(loop: Operation) -> bool:
    """Whether to ask whether a loop goes on does nothing else."""
    return not any(map(has_effect, loop.regions[0].operations))


def trimmed(block: Block) -> Block:
    """The block, its loops and branches without results, and what they come from, of no use."""
    used = set(block.returns)
    for operation in operations(block):
        used.update(operation.operands, *(region.returns for region in operation.regions))
    return _trimmed(block, used)


def _trimmed(block: Block, used: set[Value]) -> Block:
    mapping: dict[Value, Value] = {}
    body = []
    for operation in block.operations:
        current = with_regions(operation, lambda region: _trimmed(region, used))
        current = substitute(current, mapping)
        places = _needed(operation, used)
        if len(places) < len(operation.results) and may_rewrite("simplify-loops/unused-results"):
            current = with_regions(with_results(current, places), live)
        else:
            places = list(range(len(operation.results)))
        if current is not operation:
            results = (operation.results[i] for i in places)
            mapping.update(zip(results, current.results, strict=True))
        body.append(current)
    return with_operations(block, body, mapping)


def _needed(operation: Operation, used: set[Value]) -> Sequence[int]:
    """The places of the results that are of use, at least one."""
    if operation.name not in ("while", "if", "case"):
        return range(len(operation.results))
    places = {i for i, v in enumerate(operation.results) if v in used}
    if operation.name == "while":
        places = _with_sources(operation, places)
    return sorted(places) or range(len(operation.results))[:1]


def _with_sources(loop: Operation, places: set[int]) -> set[int]:
    """With the places that these, the condition or an effect in the body come from."""
    condition, body = loop.regions
    places = places | _read(condition, condition.returns)
    while True:
        grown = places | _read(body, tuple(body.returns[i] for i in sorted(places)))
        if grown == places:
            return places
        places = grown


def _read(region: Block, returns: tuple[Value, ...]) -> set[int]:
    """The places of the arguments that these values, or effects, come from."""
    read = free_values(live(Block((), region.operations, returns)))
    return {i for i, v in enumerate(region.arguments) if v in read}


def with_results(operation: Operation, places: Sequence[int]) -> Operation:
    """The loop or branch with these of its results alone."""
    if operation.name == "while":
        return with_state(operation, places)
    branches = [
        Block((), branch.operations, tuple(branch.returns[i] for i in places))
        for branch in operation.regions
    ]
    op, attributes, at = operation.op, operation.attributes, operation.location
    return make_operation(op, operation.operands, attributes, branches, at)
