"""Dot products in the forms that a CPU computes fast."""

from __future__ import annotations

from lowering.rewriting import Rewriter, RuleSet
from lowering.rules.dot import axes_of, is_symmetric, numbers_of
from lowering.rules.forms import again
from tracer.ir import Operation, Value
from tracer.ops.contraction import DotDimensionNumbers

RULES = RuleSet()

_LEAST = 4096
"""Elements that must be spared, below which one operation more costs as much."""


@RULES.rule("dot_general")
def dot_that_turns_less(operation: Operation, rewriter: Rewriter) -> Value | None:
    """dot(x, y) -> transpose(dot(y, x)), where x would be turned, and y and the result are less"""
    x, y = operation.operands
    others = _turned(operation, 1) + operation.result.type.size
    if _turned(operation, 0) - others < _LEAST or not is_symmetric(operation):
        return None
    a, b, c, d = numbers_of(operation)
    swapped = again(
        operation, rewriter, y, x, dot_dimension_numbers=DotDimensionNumbers(b, a, d, c)
    )
    batch, rank = len(a), swapped.type.ndim
    middle = rank - len(axes_of(operation, 0)[2])
    order = (*range(batch), *range(middle, rank), *range(batch, middle))
    return rewriter.create("transpose", swapped, permutation=order)


def _turned(operation: Operation, side: int) -> int:
    """How many elements of an operand are moved where it stands left.

    Contracted axes go last there; where it stands right, they may be anywhere.
    """
    _, contracting, free = axes_of(operation, side)
    moved = min(contracting, default=0) < max(free, default=-1)
    return operation.operands[side].type.size if moved else 0
