"""Reversals."""

from __future__ import annotations

from lowering.rewriting import Rewriter, RuleSet
from tracer.ir import Operation, Value

RULES = RuleSet()


def _reverse(x: Value, axes: set[int], rewriter: Rewriter) -> Value:
    return rewriter.create("reverse", x, dimensions=tuple(sorted(axes)))


@RULES.rule("reverse")
def reverse_of_single_places(operation: Operation, rewriter: Rewriter) -> Value | None:
    """reverse(x, axes) -> reverse(x, the axes longer than 1), or x where there are none"""
    (x,), axes = operation.operands, set(operation.attributes["dimensions"])
    long = {axis for axis in axes if x.type.shape[axis] != 1}
    if not long:
        return x
    return None if long == axes else _reverse(x, long, rewriter)


@RULES.rule("reverse")
def reverse_of_reverse(operation: Operation, rewriter: Rewriter) -> Value | None:
    """reverse(reverse(x, a), b) -> reverse(x, the axes in one of a and b)"""
    match operation:
        case Operation("reverse", (Value(Operation("reverse", (x,)) as inner),)):
            first, second = (set(o.attributes["dimensions"]) for o in (inner, operation))
            return _reverse(x, first ^ second, rewriter)
    return None


@RULES.rule("reverse")
def reverse_of_repeated(operation: Operation, rewriter: Rewriter) -> Value | None:
    """reverse(broadcast(x), axes) -> reverse(broadcast(x), the axes that x has), or without"""
    match operation:
        case Operation("reverse", (Value(Operation("broadcast_in_dim", (x,)) as inner) as wide,)):
            pairs = zip(inner.attributes["broadcast_dimensions"], x.type.shape, strict=True)
            varied = {axis for axis, length in pairs if length != 1}
            axes = set(operation.attributes["dimensions"])
            return None if axes <= varied else _reverse(wide, axes & varied, rewriter)
    return None
