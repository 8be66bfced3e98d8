"""A faster form for finite inputs alone, and the operation itself for all others."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from lowering.rewriting import Rewriter, RuleSet
from lowering.rules.forms import fill
from tracer.ir import Block, Operation, Value
from tracer.ops.bodies import combiner


class Branch(Rewriter):
    """Makes the operations of a branch that stands in for another operation."""

    def __init__(self, operation: Operation) -> None:
        super().__init__(RuleSet(), Block((), (), ()))
        self._location = operation.location

    def giving(self, value: Value) -> Block:
        """The branch that gives a value."""
        return Block((), tuple(self._operations), (value,))


def if_finite(
    operation: Operation,
    values: Sequence[Value],
    make: Callable[[Rewriter], Value],
    otherwise: Callable[[Value, Rewriter], Value],
    rewriter: Rewriter,
) -> Value:
    """if all of the values are finite {what is made} else {what is made of x, held back from rules}

    For a form that multiplies values by zeros where the operation of x and others does not, or the
    other way round: infinities give NaN there.
    """
    fast, slow = Branch(operation), Branch(operation)
    made = fast.giving(make(fast))
    held = slow.create("optimization_barrier", operation.operands[0])
    kept = slow.giving(otherwise(held, slow))
    return rewriter.create("if", _all_finite(values, rewriter), regions=(made, kept))


def _all_finite(values: Sequence[Value], rewriter: Rewriter) -> Value:
    """Whether x * 0 adds up to 0: one loop, where is_finite and a reduction of bools are three."""
    zero = sum = rewriter.constant(np.zeros((), values[0].type.dtype))
    for x in values:
        nothing = rewriter.create("multiply", x, fill(zero, x.type.shape, rewriter))
        body = combiner("add", x.type.dtype)
        axes = tuple(range(x.type.ndim))
        sum = rewriter.create("reduce", nothing, sum, dimensions=axes, regions=(body,))
    return rewriter.create("compare", sum, zero, comparison_direction="EQ")


def is_held_back(x: Value) -> bool:
    """Whether an operand is that of an operation which such a form stands in for."""
    match x:
        case Value(Operation("optimization_barrier")):
            return True
    return False
