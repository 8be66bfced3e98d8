"""A faster form for finite inputs alone, and the operation itself for all others."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from lowering.rewriting import Rewriter, RuleSet
from lowering.rules.forms import fill
from tracer.ir import Block, Operation, Value, make_operation
from tracer.ops.bodies import combiner


class Branch(Rewriter):
    """Makes the operations of a branch that stands in for another operation."""

    def __init__(self, operation: Operation) -> None:
        super().__init__(RuleSet(), Block((), (), ()))
        self._location = operation.location

    def giving(self, value: Value) -> Block:
        """The branch that gives a value."""
        return Block((), tuple(self._operations), (value,))


def if_finite(operation: Operation, make: Callable[[Rewriter], Value], rewriter: Rewriter) -> Value:
    """if all of x is finite {what is made} else {operation(x), held back from rules}

    For a form that multiplies x by zeros where the operation has none: infinities would give NaN.
    """
    x, *others = operation.operands
    fast, slow = Branch(operation), Branch(operation)
    made = fast.giving(make(fast))
    held = slow.create("optimization_barrier", x)
    (kept,) = slow.insert(
        make_operation(operation.op, (held, *others), operation.attributes, (), operation.location)
    )
    every = _all_finite(x, rewriter)
    return rewriter.create("if", every, regions=(made, slow.giving(kept)))


def _all_finite(x: Value, rewriter: Rewriter) -> Value:
    """Whether x * 0 adds up to 0: one loop, where is_finite and a reduction of bools are three."""
    zero = rewriter.constant(np.zeros((), x.type.dtype))
    nothing = rewriter.create("multiply", x, fill(zero, x.type.shape, rewriter))
    body = combiner("add", x.type.dtype)
    axes = tuple(range(x.type.ndim))
    sum = rewriter.create("reduce", nothing, zero, dimensions=axes, regions=(body,))
    return rewriter.create("compare", sum, zero, comparison_direction="EQ")


def is_held_back(x: Value) -> bool:
    """Whether an operand is that of an operation which such a form stands in for."""
    match x:
        case Value(Operation("optimization_barrier")):
            return True
    return False
