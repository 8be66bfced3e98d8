"""Elementwise operations and moves: the one computes on what is smaller, two of the other cancel.

A move goes behind what is computed of its result, and once, where all operands have the same one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lowering.rewriting import Rewriter, RuleSet
from lowering.rules.forms import again, fill, repeats, scalar
from tracer.ir import Operation, TensorType, Value

RULES = RuleSet()

_MOVES = ("reshape", "transpose", "broadcast_in_dim")


def _move(value: Value) -> Operation | None:
    """The move that a value is the result of."""
    match value:
        case Value(Operation(name) as owner) if name in _MOVES:
            return owner
    return None


def _form(move: Operation) -> Any:
    """Equal for moves that do the same."""
    return move.name, move.operands[0].type.shape, move.attributes


@RULES.rule(trait="elementwise")
def elementwise_of_moved(operation: Operation, rewriter: Rewriter) -> Value | None:
    """f(move(x), move(y), a number) -> move(f(x, y, the number)), of one move"""
    type_ = operation.result.type
    whole = [v for v in operation.operands if v.type.shape == type_.shape]
    moved = [v for v in whole if not repeats(v)] if type_.shape else []
    moves = [move for move in map(_move, moved) if move is not None]
    if not moves or len(moves) < len(moved) or not _gains(moves[0], moved, operation, rewriter):
        return None
    form = _form(moves[0])
    if any(_form(move) != form for move in moves):
        return None
    inside = moves[0].operands[0].type.shape
    operands = [_inside(v, type_, inside, rewriter) for v in operation.operands]
    return again(moves[0], rewriter, again(operation, rewriter, *operands))


def _gains(
    move: Operation, moved: Sequence[Value], operation: Operation, rewriter: Rewriter
) -> bool:
    """Whether a broadcast repeats elements, or another move is not needed any more."""
    if move.name == "broadcast_in_dim":
        return move.operands[0].type.size < move.result.type.size
    return any(rewriter.is_private(v, operation) for v in moved)


def _inside(value: Value, outside: TensorType, shape: Any, rewriter: Rewriter) -> Value:
    """An operand as it is before the move."""
    if value.type.shape != outside.shape:
        return value
    if repeats(value):
        return fill(scalar(value, rewriter), shape, rewriter)
    move = _move(value)
    assert move is not None
    return move.operands[0]


@RULES.rule(trait="elementwise")
def elementwise_of_repeated(operation: Operation, rewriter: Rewriter) -> Value | None:
    """f(broadcast(a), broadcast(b)) -> broadcast(f(a, b)), of 0-d a and b"""
    shape = operation.result.type.shape
    if not shape or not all(not v.type.shape or repeats(v) for v in operation.operands):
        return None
    if all(_is_constant(v) for v in operation.operands):
        return None
    numbers = [scalar(v, rewriter) if v.type.shape else v for v in operation.operands]
    return fill(again(operation, rewriter, *numbers), shape, rewriter)


@RULES.rule("select", "clamp")
def number_without_axes(operation: Operation, rewriter: Rewriter) -> Value | None:
    """select(p repeated, x, y) -> select(p, x, y); clamp likewise, of its edges"""
    places = (0,) if operation.name == "select" else (0, 2)
    numbers = {
        v: scalar(v, rewriter)
        for v in (operation.operands[i] for i in places)
        if v.type.shape and repeats(v)
    }
    if not numbers:
        return None
    operands = [numbers.get(v, v) if i in places else v for i, v in enumerate(operation.operands)]
    return again(operation, rewriter, *operands)


def _is_constant(value: Value) -> bool:
    match value:
        case Value(Operation("constant")):
            return True
    return False


@RULES.rule("reshape", "transpose")
def moved_back_elementwise(operation: Operation, rewriter: Rewriter) -> Value | None:
    """back(f(move(x), y)) -> f(x, back(y)), where fewer moves are left"""
    match operation:
        case Operation(_, (Value(Operation() as inner) as between,)):
            if "elementwise" not in inner.op.traits or not rewriter.has_one_use(between):
                return None
            shape = between.type.shape
            whole = [v for v in inner.operands if v.type.shape == shape and not repeats(v)]
            back = [v for v in whole if _cancels(v, operation)]
            saved = 1 + sum(map(rewriter.has_one_use, back))
            added = sum(_move_name(v) != operation.name for v in whole)
            if not back or added >= saved:
                return None
            operands = [_moved(v, shape, operation, rewriter) for v in inner.operands]
            return again(inner, rewriter, *operands)
    return None


def _move_name(value: Value) -> str:
    move = _move(value)
    return "" if move is None else move.name


def _cancels(value: Value, back: Operation) -> bool:
    """Whether a move goes back to where a value came from."""
    move = _move(value)
    if move is None or move.name != back.name:
        return False
    if back.name == "reshape":
        return move.operands[0].type.shape == back.result.type.shape
    first, second = (o.attributes["permutation"] for o in (move, back))
    return [first[axis] for axis in second] == list(range(len(first)))


def _moved(value: Value, shape: Any, move: Operation, rewriter: Rewriter) -> Value:
    if value.type.shape != shape:
        return value
    if repeats(value):
        return fill(scalar(value, rewriter), move.result.type.shape, rewriter)
    return again(move, rewriter, value)
