"""Moves of one number that stands in every place."""

from __future__ import annotations

from lowering.rewriting import Rewriter, RuleSet
from lowering.rules.forms import fill, repeats, scalar
from tracer.ir import Operation, Value

RULES = RuleSet()


@RULES.rule(
    "broadcast_in_dim", "dynamic_slice", "gather", "reshape", "reverse", "slice", "transpose"
)
def move_of_repeated(operation: Operation, rewriter: Rewriter) -> Value | None:
    """move(v repeated) -> v repeated"""
    x, *_ = operation.operands
    if not x.type.shape or not repeats(x):
        return None
    if x.type is operation.result.type:
        return x
    return fill(scalar(x, rewriter), operation.result.type.shape, rewriter)
