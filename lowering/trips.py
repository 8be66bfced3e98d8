"""How often a loop runs, where that can be told from its constants."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lowering.interpret import interpret
from lowering.rewriting import constant_of
from tracer.dtypes import kind
from tracer.ir import Block, Function, OpaqueType, Operation, Value

_OPERATIONS = 32
"""The most operations that are computed each turn to find out."""


def trips(loop: Operation, limit: int) -> int | None:
    """How often a `while` runs its body; None where that is more than a limit, or not known.

    It is known where the condition comes from constants by scalar operations on integers.
    """
    condition, body = loop.regions
    places = _grown(condition, condition.returns, set())
    before: set[int] | None = set()
    while places is not None and places != before:
        before, places = places, _grown(body, [body.returns[i] for i in places], places)
    if places is None or not places <= {i for i, v in enumerate(loop.operands) if _known(v)}:
        return None
    order = sorted(places)
    ends = _function(condition, condition.returns, order)
    turn = _function(body, [body.returns[i] for i in order], order)
    state: Any = [constant_of(loop.operands[i]) for i in order]
    for count in range(limit + 1):
        if not interpret(ends, *state)[0]:
            return count
        state = interpret(turn, *state)
    return None


def _known(value: Value) -> bool:
    return constant_of(value) is not None


def _grown(block: Block, values: Sequence[Value], places: set[int]) -> set[int] | None:
    """With the arguments that values come from; None unless by operations that are computed."""
    needed = _needed(block, values)
    if len(needed) > _OPERATIONS or not all(map(_is_counting, needed)):
        return None
    used = {*values, *(v for operation in needed for v in operation.operands)}
    made = {v for operation in needed for v in operation.results}
    if not used - made <= set(block.arguments):
        return None
    return places | {i for i, v in enumerate(block.arguments) if v in used}


def _needed(block: Block, values: Sequence[Value]) -> list[Operation]:
    """The operations that values come from: constants from outside of the block, and its own."""
    wanted = set(values)
    mine = []
    for operation in reversed(block.operations):
        if not wanted.isdisjoint(operation.results):
            wanted.update(operation.operands)
            mine.append(operation)
    made = {v for operation in mine for v in operation.results}
    outside = (v.owner for v in wanted - made if _known(v))
    return [*(op for op in outside if isinstance(op, Operation)), *reversed(mine)]


def _is_counting(operation: Operation) -> bool:
    """Whether an operation is one of integers or bools, each a scalar."""
    known = "elementwise" in operation.op.traits or operation.name == "constant"
    return known and all(map(_is_count, (*operation.operands, *operation.results)))


def _is_count(value: Value) -> bool:
    type = value.type
    if isinstance(type, OpaqueType):
        return False
    return not type.shape and kind(type.dtype) in ("bool", "int", "uint")


def _function(block: Block, values: Sequence[Value], places: Sequence[int]) -> Function:
    arguments = tuple(block.arguments[i] for i in places)
    return Function("counted", Block(arguments, tuple(_needed(block, values)), tuple(values)))
