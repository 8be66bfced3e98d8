"""Transposes."""

from __future__ import annotations

from lowering.rewriting import Rewriter, RuleSet
from lowering.rules.forms import Ints, groups, long_axes, reshaped
from tracer.ir import Operation, Value
from tracer.ops.movement import inverse

RULES = RuleSet()


@RULES.rule("transpose")
def transpose_that_moves_nothing(operation: Operation, rewriter: Rewriter) -> Value | None:
    """transpose(x, p) -> reshape(x), where only axes of length 1 move"""
    (x,), permutation = operation.operands, operation.attributes["permutation"]
    long = [axis for axis in permutation if x.type.shape[axis] != 1]
    if long != sorted(long):
        return None
    return reshaped(x, operation.result.type.shape, rewriter)


@RULES.rule("transpose")
def transpose_of_transpose(operation: Operation, rewriter: Rewriter) -> Value | None:
    """transpose(transpose(x, p), q) -> transpose(x, p[q])"""
    match operation:
        case Operation("transpose", (Value(Operation("transpose", (x,)) as inner),)):
            first = inner.attributes["permutation"]
            order = tuple(first[axis] for axis in operation.attributes["permutation"])
            return rewriter.create("transpose", x, permutation=order)
    return None


@RULES.rule("transpose")
def transpose_of_broadcast(operation: Operation, rewriter: Rewriter) -> Value | None:
    """transpose(broadcast(x, d), p) -> broadcast(x, inverse(p)[d])"""
    match operation:
        case Operation("transpose", (Value(Operation("broadcast_in_dim", (x,)) as inner),)):
            to = inverse(operation.attributes["permutation"])
            axes = tuple(to[axis] for axis in inner.attributes["broadcast_dimensions"])
            return rewriter.create(
                "broadcast_in_dim",
                x,
                broadcast_dimensions=axes,
                shape=operation.result.type.shape,
            )
    return None


@RULES.rule("transpose")
def transpose_of_reshape(operation: Operation, rewriter: Rewriter) -> Value | None:
    """transpose(reshape(transpose(x)), p) -> reshape(transpose(x)), where p tears no axis of x"""
    match operation:
        case Operation(
            _, (Value(Operation("reshape", (Value(Operation("transpose")) as x,))) as inner,)
        ):
            order = order_before(
                x.type.shape, inner.type.shape, operation.attributes["permutation"]
            )
            if order is None or not rewriter.has_one_use(inner):
                return None
            turned = rewriter.create("transpose", x, permutation=order)
            return reshaped(turned, operation.result.type.shape, rewriter)
    return None


def order_before(before: Ints, after: Ints, permutation: Ints) -> Ints | None:
    """The permutation, said of the axes before a reshape; None where it tears a group apart."""
    found = {split: whole for whole, split in groups(before, after)}
    left = [axis for axis in permutation if after[axis] != 1]
    order: list[int] = []
    while left:
        split = next((s for s in found if tuple(left[: len(s)]) == s), None)
        if split is None:
            return None
        order += found[split]
        del left[: len(split)]
    return (*order, *(axis for axis in range(len(before)) if axis not in long_axes(before)))
