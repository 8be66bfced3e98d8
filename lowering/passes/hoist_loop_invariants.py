"""Loop-invariant code motion."""

from __future__ import annotations

from collections.abc import Sequence

from lowering.blocks import with_body, with_operations, with_regions
from lowering.copying import copy_of
from lowering.effects import has_effect
from lowering.liveness import live
from lowering.loops import unchanged
from lowering.passes.registry import register_pass
from lowering.statistics import may_rewrite
from tracer.ir import Block, Function, Operation, Value, callee, make_operation
from tracer.ir.walk import operations, substitute, substitute_block, uses

_CHEAP = ("broadcast_in_dim", "constant", "iota")
"""Costs less where it is than kept in memory from turn to turn."""


@register_pass
def hoist_loop_invariants(function: Function) -> Function:
    """Moves before a `while` what its condition and body compute alike in every turn.

    It may then run where the loop does not: only what has no effect and comes to an end is moved,
    and nothing out of a branch. Constants, iotas and broadcasts stay; what is moved takes copies.
    """
    return with_body(function, _hoisted)


def _hoisted(block: Block) -> Block:
    mapping: dict[Value, Value] = {}
    body: list[Operation] = []
    for operation in block.operations:
        current = substitute(with_regions(operation, _hoisted), mapping)
        if current.name == "while":
            moved, current = _split(current)
            body += moved
        if current is not operation:
            mapping.update(zip(operation.results, current.results, strict=True))
        body.append(current)
    return with_operations(block, body, mapping)


def _split(loop: Operation) -> tuple[list[Operation], Operation]:
    """What goes before a loop, and the loop without it."""
    moved: list[Operation] = []
    regions = [_without(loop, region, moved) for region in loop.regions]
    if not moved:
        return moved, loop
    return moved, make_operation(loop.op, loop.operands, loop.attributes, regions, loop.location)


def _without(loop: Operation, region: Block, moved: list[Operation]) -> Block:
    """A region of a loop without what it computes alike in every turn, which is moved."""
    fixed = unchanged(loop)
    copies = {region.arguments[i]: loop.operands[i] for i in fixed}
    varying = set(region.arguments).difference(copies)
    invariant = [op for op in region.operations if _is_invariant(op, varying)]
    leaving = [op for op in invariant if op.name not in _CHEAP]
    leaving = [op for op in leaving if may_rewrite("hoist-loop-invariants")]
    for operation in _with_cheap(invariant, leaving):
        moved.append(copy_of(operation, copies, operation.location))
    gone = {v for op in leaving for v in op.results}
    kept = Block(
        region.arguments,
        tuple(op for op in region.operations if gone.isdisjoint(op.results)),
        region.returns,
    )
    return live(substitute_block(kept, {v: copies[v] for v in gone}))


def _is_invariant(operation: Operation, varying: set[Value]) -> bool:
    """Whether each turn computes the same; if not, its results are varying too."""
    if varying.isdisjoint(uses(operation)) and _may_run_always(operation):
        return True
    varying.update(operation.results)
    return False


def _may_run_always(operation: Operation) -> bool:
    """Whether it does no harm to run an operation where nobody asked for it."""
    inner = (op for region in operation.regions for op in operations(region))
    return not has_effect(operation) and not any(map(_is_unsure, (operation, *inner)))


def _is_unsure(operation: Operation) -> bool:
    """Whether it may run for ever, fail, or do what is not known."""
    named = operation.name in ("while", "custom_call")
    return named or operation.op.is_opaque or callee(operation) is not None


def _with_cheap(invariant: Sequence[Operation], leaving: Sequence[Operation]) -> list[Operation]:
    """What leaves, and the cheap operations that it comes from, in order."""
    wanted = {v for op in leaving for v in op.results}
    found = []
    for operation in reversed(invariant):
        if not wanted.isdisjoint(operation.results):
            wanted.update(uses(operation))
            found.append(operation)
    return found[::-1]
