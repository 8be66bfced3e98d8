"""Padding."""

from __future__ import annotations

from lowering.rewriting import Rewriter, RuleSet
from lowering.rules.forms import again, fill, repeats, same_scalar, scalar
from lowering.rules.slice import cut
from tracer.ir import Operation, Value

RULES = RuleSet()

Edges = list[tuple[int, int, int]]
"""Low, high and interior padding on each axis."""

_NAMES = ("edge_padding_low", "edge_padding_high", "interior_padding")


def _edges(operation: Operation) -> Edges:
    return list(zip(*(operation.attributes[name] for name in _NAMES), strict=True))


def _pad(x: Value, value: Value, edges: Edges, like: Operation, rewriter: Rewriter) -> Value:
    columns = dict(zip(_NAMES, zip(*edges, strict=True), strict=True))
    return again(like, rewriter, x, value, **columns)


@RULES.rule("pad")
def pad_of_nothing(operation: Operation, rewriter: Rewriter) -> Value | None:
    """pad(x, v) -> v repeated, where x has no elements"""
    x, value = operation.operands
    return None if x.type.size else fill(value, operation.result.type.shape, rewriter)


@RULES.rule("pad")
def pad_by_nothing(operation: Operation, rewriter: Rewriter) -> Value | None:
    """pad(x, v, 0, 0, 0) -> x"""
    x, _ = operation.operands
    return None if any(map(any, _edges(operation))) else x


@RULES.rule("pad")
def pad_between_single_places(operation: Operation, rewriter: Rewriter) -> Value | None:
    """pad(x, v, low, high, interior) -> pad(x, v, low, high, 0), on axes of length 1"""
    (x, value), edges = operation.operands, _edges(operation)
    pairs = zip(x.type.shape, edges, strict=True)
    needed = [(low, high, 0 if n == 1 else hole) for n, (low, high, hole) in pairs]
    return None if needed == edges else _pad(x, value, needed, operation, rewriter)


@RULES.rule("pad")
def pad_that_only_cuts(operation: Operation, rewriter: Rewriter) -> Value | None:
    """pad(x, v, -a, -b) -> slice(x, from a to b before its end)"""
    (x, _), edges = operation.operands, _edges(operation)
    if any(low > 0 or high > 0 or hole for low, high, hole in edges):
        return None
    shape = operation.result.type.shape
    pairs = zip(edges, shape, strict=True)
    return cut(x, [(-low, length, 1) for (low, _, _), length in pairs], rewriter)


@RULES.rule("pad")
def pad_of_pad(operation: Operation, rewriter: Rewriter) -> Value | None:
    """pad(pad(x, v), v) -> pad(x, v)"""
    match operation:
        case Operation("pad", (Value(Operation("pad", (x, value)) as inner), other)):
            if not same_scalar(value, other):
                return None
            pairs = list(zip(_edges(inner), _edges(operation), strict=True))
            if not all(_join(first, second) for first, second in pairs):
                return None
            joined = [
                (c + a * (hole + 1), d + b * (hole + 1), (between + 1) * (hole + 1) - 1)
                for (a, b, between), (c, d, hole) in pairs
            ]
            return _pad(x, value, joined, operation, rewriter)
    return None


def _join(first: tuple[int, int, int], second: tuple[int, int, int]) -> bool:
    """Whether what the first pad cuts off stays away: the second adds nothing there."""
    return all(
        inner >= 0 or (outer <= 0 and not second[2])
        for inner, outer in zip(first[:2], second[:2], strict=True)
    )


@RULES.rule("pad")
def pad_of_repeated(operation: Operation, rewriter: Rewriter) -> Value | None:
    """pad(v repeated, v) -> v repeated"""
    x, value = operation.operands
    if not repeats(x) or not same_scalar(scalar(x, rewriter), value):
        return None
    return fill(value, operation.result.type.shape, rewriter)
