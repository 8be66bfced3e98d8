"""Sorting what is sorted, or a single place."""

from __future__ import annotations

from lowering.rewriting import Rewriter, RuleSet
from lowering.rules.forms import again
from tracer.dtypes import is_inexact
from tracer.ir import Operation, Value
from tracer.ops.bodies import compares

RULES = RuleSet()


@RULES.rule("sort")
def sort_of_single_places(operation: Operation, rewriter: Rewriter) -> tuple[Value, ...] | None:
    """sort(x, y) -> x, y, along an axis of length 1"""
    length = operation.results[0].type.shape[operation.attributes["dimension"]]
    return operation.operands if length == 1 else None


@RULES.rule("sort")
def sort_of_sorted(operation: Operation, rewriter: Rewriter) -> Value | None:
    """sort(sort(x)) -> sort(x), along one axis: of integers, of which no two equal ones differ"""
    match operation:
        case Operation("sort", (Value(Operation("sort", (x,)) as inner),)):
            axes = {o.attributes["dimension"] for o in (operation, inner)}
            if len(axes) > 1 or is_inexact(x.type.dtype) or not _orders(operation):
                return None
            return again(operation, rewriter, x)
    return None


def _orders(operation: Operation) -> bool:
    """Whether a sort puts smaller elements first, or last."""
    return compares(operation.regions[0]) in ("LT", "LE", "GT", "GE")
