"""Broadcasts."""

from __future__ import annotations

from lowering.rewriting import Rewriter, RuleSet
from lowering.rules.forms import Ints, groups, reshaped
from tracer.ir import Operation, Value
from tracer.ops.movement import inverse

RULES = RuleSet()


def _axes(operation: Operation) -> Ints:
    axes: Ints = operation.attributes["broadcast_dimensions"]
    return axes


def _broadcast(x: Value, axes: Ints, like: Operation, rewriter: Rewriter) -> Value:
    shape = like.result.type.shape
    return rewriter.create("broadcast_in_dim", x, broadcast_dimensions=axes, shape=shape)


@RULES.rule("broadcast_in_dim")
def broadcast_that_adds_nothing(operation: Operation, rewriter: Rewriter) -> Value | None:
    """broadcast(x) -> reshape(x), where no element is repeated and none moves"""
    (x,), result = operation.operands, operation.result.type
    pairs = zip(_axes(operation), x.type.shape, strict=True)
    long = [axis for axis, length in pairs if length != 1]
    if x.type.size != result.size or long != sorted(long):
        return None
    return reshaped(x, result.shape, rewriter)


@RULES.rule("broadcast_in_dim")
def broadcast_that_permutes(operation: Operation, rewriter: Rewriter) -> Value | None:
    """broadcast(x, d) -> transpose(x, inverse(d)), where nothing is added"""
    (x,), result = operation.operands, operation.result.type
    if x.type.size != result.size or x.type.ndim != result.ndim:
        return None
    return rewriter.create("transpose", x, permutation=inverse(_axes(operation)))


@RULES.rule("broadcast_in_dim")
def broadcast_of_broadcast(operation: Operation, rewriter: Rewriter) -> Value | None:
    """broadcast(broadcast(x, d), e) -> broadcast(x, e[d])"""
    match operation:
        case Operation(_, (Value(Operation("broadcast_in_dim", (x,)) as inner),)):
            axes = tuple(_axes(operation)[axis] for axis in _axes(inner))
            return _broadcast(x, axes, operation, rewriter)
    return None


@RULES.rule("broadcast_in_dim")
def broadcast_of_transpose(operation: Operation, rewriter: Rewriter) -> Value | None:
    """broadcast(transpose(x, p), d) -> broadcast(x, d[inverse(p)])"""
    match operation:
        case Operation(_, (Value(Operation("transpose", (x,)) as inner),)):
            to = inverse(inner.attributes["permutation"])
            axes = tuple(_axes(operation)[axis] for axis in to)
            return _broadcast(x, axes, operation, rewriter)
    return None


@RULES.rule("broadcast_in_dim")
def broadcast_of_reshape(operation: Operation, rewriter: Rewriter) -> Value | None:
    """broadcast(reshape(x), d) -> broadcast(x), where only axes of length 1 come and go"""
    match operation:
        case Operation(_, (Value(Operation("reshape", (x,))) as inner,)):
            pairs = groups(x.type.shape, inner.type.shape)
            if any(len(a) > 1 or len(b) > 1 for a, b in pairs):
                return None
            long = {a[0]: _axes(operation)[b[0]] for a, b in pairs}
            axes = _placed(long, x.type.ndim, operation.result.type.ndim)
            return None if axes is None else _broadcast(x, axes, operation, rewriter)
    return None


def _placed(long: dict[int, int], count: int, room: int) -> Ints | None:
    """A place for each axis, of which the long ones have theirs; None where there is no room."""
    free = [axis for axis in range(room) if axis not in long.values()]
    if len(long) + len(free) < count:
        return None
    places: list[int] = []
    for axis in range(count):
        behind = next((i for i, to in enumerate(free) if not places or to > places[-1]), 0)
        places.append(long[axis] if axis in long else free.pop(behind))
    return tuple(places)
