"""Regions that read values from around them become regions that are given them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from lowering.blocks import with_body, with_operations
from lowering.passes.registry import register_pass
from lowering.statistics import may_rewrite
from tracer.assembly import spread
from tracer.errors import Location
from tracer.ir import (
    Block,
    Builder,
    Function,
    Literal,
    OpaqueType,
    Operation,
    TensorType,
    Value,
    make_operation,
)
from tracer.ir.walk import free_values, substitute, substitute_block, uses
from tracer.ops import OPS

_CONTROL = ("case", "if", "while")
_COUNT = TensorType((), np.dtype(np.int32))


@register_pass
def isolate_regions(function: Function) -> Function:
    """Makes the regions of a function's operations read nothing from around them.

    A constant that one reads is copied into it. An operation whose regions read more is put into a
    loop of one turn, with all that it reads as state; XLA takes such loops away. Regions of regions
    stay as they are.
    """
    return with_body(function, partial(_isolated, _closed))


def copy_constants(function: Function) -> Function:
    """The function with the constants that regions read copied into them, but for control flow."""
    return with_body(function, partial(_isolated, _with_own))


def _isolated(
    closed: Callable[[Operation, dict[Value, int]], list[Operation]], block: Block
) -> Block:
    places = {v: i for i, v in enumerate(block.arguments)}
    mapping: dict[Value, Value] = {}
    body: list[Operation] = []
    for operation in block.operations:
        made = closed(substitute(operation, mapping), places)
        body += made
        for old, new in zip(operation.results, _results(operation, made), strict=True):
            places[new] = len(places)
            if new is not old:
                mapping[old] = new
    return with_operations(block, body, mapping)


def _closed(operation: Operation, places: dict[Value, int]) -> list[Operation]:
    """Operations that do the same, the last of them closed."""
    if not any(map(free_values, operation.regions)) or not may_rewrite("isolate-regions"):
        return [operation]
    current = _given_constants(operation, places)
    opaque = any(isinstance(v.type, OpaqueType) for v in (*uses(current), *current.results))
    if opaque or not any(map(free_values, current.regions)):
        return [current]
    return _loop(current, sorted(set(uses(current)), key=places.__getitem__))


def _with_own(operation: Operation, places: dict[Value, int]) -> list[Operation]:
    if operation.name in _CONTROL or not any(map(free_values, operation.regions)):
        return [operation]
    return [_given_constants(operation, places)]


def _given_constants(operation: Operation, places: dict[Value, int]) -> Operation:
    regions = [_with_constants(region, places) for region in operation.regions]
    op, attributes, location = operation.op, operation.attributes, operation.location
    return make_operation(op, operation.operands, attributes, regions, location)


def _results(operation: Operation, made: list[Operation]) -> tuple[Value, ...]:
    """What stands for an operation's results: a loop has its count before them."""
    found = made[-1].results
    return found if len(made) == 1 else found[1 : 1 + len(operation.results)]


def _with_constants(region: Block, places: dict[Value, int]) -> Block:
    """The region with copies of the constants that it reads."""
    copies: dict[Value, Operation] = {}
    for value in sorted(free_values(region), key=places.__getitem__):
        match value.owner:
            case Operation("constant", ()) as owner:
                copies[value] = make_operation(owner.op, (), owner.attributes, (), owner.location)
    inner = substitute_block(region, {v: copy.result for v, copy in copies.items()})
    return Block(inner.arguments, (*copies.values(), *inner.operations), inner.returns)


def _loop(operation: Operation, used: list[Value]) -> list[Operation]:
    """A loop that does an operation once: its state is a count, the results, and what is read."""
    before = Builder()
    at = operation.location
    made = (_COUNT, *(v.type for v in operation.results))
    initial = [_filled(before, 0, type, at) for type in made]
    state = [v.type for v in (*initial, *used)]
    cond, body = Builder(), Builder()
    count, *_ = [cond.argument(type) for type in state]
    limit = _filled(cond, 1, _COUNT)
    less = cond.create(OPS["compare"], (count, limit), {"comparison_direction": "LT"})
    count, *rest = [body.argument(type) for type in state]
    given = rest[len(operation.results) :]
    inner = substitute(operation, dict(zip(used, given, strict=True)))
    (following,) = body.create(OPS["add"], (count, _filled(body, 1, _COUNT)))
    body.append(inner)
    regions = [cond.block(less), body.block([following, *inner.results, *given])]
    before.create(OPS["while"], [*initial, *used], {}, regions, at)
    return list(before.block(()).operations)


def _filled(builder: Builder, number: int, type: TensorType, at: Location = None) -> Value:
    given = {"value": Literal(np.asarray(number, type.dtype))}
    (scalar,) = builder.create(OPS["constant"], (), given, location=at)
    return spread(builder, scalar, type, at)
