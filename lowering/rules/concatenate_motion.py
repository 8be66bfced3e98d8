"""Concatenations of what was moved alike: it is moved once, when it is joined."""

from __future__ import annotations

from collections.abc import Sequence

from lowering.rewriting import Rewriter, RuleSet
from lowering.rules.forms import again, groups, reshaped
from tracer.ir import Operation, Value

RULES = RuleSet()


def _moves(operation: Operation, name: str, rewriter: Rewriter) -> list[Operation] | None:
    """The moves of this name whose results are joined, each needed for that alone; or None."""
    found = []
    for value in operation.operands:
        match value:
            case Value(Operation(moved) as owner) if moved == name and rewriter.has_one_use(value):
                found.append(owner)
    return found if 1 < len(found) == len(operation.operands) else None


@RULES.rule("concatenate")
def concatenate_of_transposed(operation: Operation, rewriter: Rewriter) -> Value | None:
    """concatenate(transpose(x, p), transpose(y, p)) -> transpose(concatenate(x, y), p)"""
    moves = _moves(operation, "transpose", rewriter)
    if moves is None or any(move.attributes != moves[0].attributes for move in moves):
        return None
    axis = moves[0].attributes["permutation"][operation.attributes["dimension"]]
    joined = again(operation, rewriter, *(move.operands[0] for move in moves), dimension=axis)
    return again(moves[0], rewriter, joined)


@RULES.rule("concatenate")
def concatenate_of_reshaped(operation: Operation, rewriter: Rewriter) -> Value | None:
    """concatenate(reshape(x), reshape(y)) -> reshape(concatenate(x, y)), along one axis in both"""
    moves = _moves(operation, "reshape", rewriter)
    if moves is None:
        return None
    axes = {_before(move, operation.attributes["dimension"]) for move in moves}
    inside = [move.operands[0] for move in moves]
    axis = axes.pop()
    if axes or axis is None or not _fit(inside, axis):
        return None
    joined = again(operation, rewriter, *inside, dimension=axis)
    return reshaped(joined, operation.result.type.shape, rewriter)


def _before(move: Operation, axis: int) -> int | None:
    """The axis along which the operand of a reshape is to be joined; None where there is none.

    Of axes that are split or joined, the first ones count in the largest steps.
    """
    pairs = groups(move.operands[0].type.shape, move.result.type.shape)
    return next((before[0] for before, after in pairs if after[0] == axis), None)


def _fit(values: Sequence[Value], axis: int) -> bool:
    """Whether values differ along this axis alone."""
    shapes = {(*v.type.shape[:axis], *v.type.shape[axis + 1 :]) for v in values}
    return len(shapes) == 1
