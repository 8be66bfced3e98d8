"""Reshapes."""

from __future__ import annotations

from lowering.rewriting import Rewriter, RuleSet
from lowering.rules.forms import Ints, groups, reshaped
from tracer.ir import Operation, Value

RULES = RuleSet()


@RULES.rule("reshape")
def reshape_to_its_own_shape(operation: Operation, rewriter: Rewriter) -> Value | None:
    """reshape(x, shape of x) -> x"""
    (x,) = operation.operands
    return x if x.type is operation.result.type else None


@RULES.rule("reshape")
def reshape_of_reshape(operation: Operation, rewriter: Rewriter) -> Value | None:
    """reshape(reshape(x)) -> reshape(x)"""
    match operation:
        case Operation("reshape", (Value(Operation("reshape", (x,))),)):
            return reshaped(x, operation.result.type.shape, rewriter)
    return None


@RULES.rule("reshape")
def reshape_of_broadcast(operation: Operation, rewriter: Rewriter) -> Value | None:
    """reshape(broadcast(x)) -> broadcast(reshape(x)), where each long axis of x stays whole"""
    match operation:
        case Operation("reshape", (Value(Operation("broadcast_in_dim", (x,)) as inner) as wide,)):
            shape = operation.result.type.shape
            places = _places(inner, shape)
            if places is None or not (len(places) == x.type.ndim or rewriter.has_one_use(wide)):
                return None
            lengths = tuple(x.type.shape[axis] for axis in places)
            small = reshaped(x, lengths, rewriter)
            return rewriter.create(
                "broadcast_in_dim", small, broadcast_dimensions=tuple(places.values()), shape=shape
            )
    return None


def _places(inner: Operation, shape: Ints) -> dict[int, int] | None:
    """Where axes of a broadcast's operand that are not of length 1 come to stand in a reshape.

    None where one of them is split or joined.
    """
    (x,), between = inner.operands, inner.result.type.shape
    source = {
        to: axis
        for axis, to in enumerate(inner.attributes["broadcast_dimensions"])
        if x.type.shape[axis] != 1
    }
    found = {}
    for before, after in groups(between, shape):
        if not source.keys().isdisjoint(before):
            if (len(before), len(after)) != (1, 1):
                return None
            found[source[before[0]]] = after[0]
    return dict(sorted(found.items()))
