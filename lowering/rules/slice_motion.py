"""Slices of what was moved or computed: they are taken before, where that is less work."""

from __future__ import annotations

from lowering.rewriting import Rewriter, RuleSet
from lowering.rules.forms import Ints, again, fill, groups, repeats, reshaped, scalar
from lowering.rules.slice import Cuts, cut, cuts
from tracer.ir import Operation, Value

RULES = RuleSet()


@RULES.rule("slice")
def slice_of_broadcast(operation: Operation, rewriter: Rewriter) -> Value | None:
    """slice(broadcast(x)) -> broadcast(slice(x))"""
    match operation:
        case Operation("slice", (Value(Operation("broadcast_in_dim", (x,)) as inner),)):
            taken = cuts(operation)
            axes = zip(inner.attributes["broadcast_dimensions"], x.type.shape, strict=True)
            small = [(0, 1, 1) if length == 1 else taken[axis] for axis, length in axes]
            part = cut(x, small, rewriter)
            return again(inner, rewriter, part, shape=operation.result.type.shape)
    return None


@RULES.rule("slice")
def slice_of_transpose(operation: Operation, rewriter: Rewriter) -> Value | None:
    """slice(transpose(x, p)) -> transpose(slice(x), p)"""
    match operation:
        case Operation("slice", (Value(Operation("transpose", (x,)) as inner) as whole,)):
            if not rewriter.has_one_use(whole):
                return None
            by_axis = dict(zip(inner.attributes["permutation"], cuts(operation), strict=True))
            part = cut(x, [by_axis[axis] for axis in range(x.type.ndim)], rewriter)
            return again(inner, rewriter, part)
    return None


@RULES.rule("slice")
def slice_of_reshape(operation: Operation, rewriter: Rewriter) -> Value | None:
    """slice(reshape(x)) -> reshape(slice(x)), where the axes that are cut stay whole"""
    match operation:
        case Operation("slice", (Value(Operation("reshape", (x,))) as whole,)):
            taken = _before_reshape(x.type.shape, whole.type.shape, cuts(operation))
            if taken is None or not rewriter.has_one_use(whole):
                return None
            return reshaped(cut(x, taken, rewriter), operation.result.type.shape, rewriter)
    return None


def _before_reshape(before: Ints, after: Ints, taken: Cuts) -> Cuts | None:
    found = [(0, length, 1) for length in before]
    for left, right in groups(before, after):
        if len(left) == len(right) == 1:
            found[left[0]] = taken[right[0]]
        elif any(taken[axis][1] != after[axis] for axis in right):
            return None
    return found


@RULES.rule("slice")
def slice_of_reverse(operation: Operation, rewriter: Rewriter) -> Value | None:
    """slice(reverse(x)) -> reverse(slice(x))"""
    match operation:
        case Operation("slice", (Value(Operation("reverse", (x,)) as inner) as whole,)):
            if not rewriter.has_one_use(whole):
                return None
            taken = cuts(operation)
            for axis in inner.attributes["dimensions"]:
                start, n, stride = taken[axis]
                taken[axis] = (x.type.shape[axis] - 1 - start - (n - 1) * stride, n, stride)
            return again(inner, rewriter, cut(x, taken, rewriter))
    return None


@RULES.rule("slice")
def slice_of_elementwise(operation: Operation, rewriter: Rewriter) -> Value | None:
    """slice(f(x, a number)) -> f(slice(x), the number)"""
    match operation:
        case Operation("slice", (Value(Operation() as inner) as whole,)):
            if "elementwise" not in inner.op.traits or not rewriter.has_one_use(whole):
                return None
            numbers = [v for v in inner.operands if not v.type.shape or repeats(v)]
            if len(numbers) != len(inner.operands) - 1:
                return None
            operands = [_part(v, operation, rewriter) for v in inner.operands]
            return again(inner, rewriter, *operands)
    return None


def _part(value: Value, operation: Operation, rewriter: Rewriter) -> Value:
    if not value.type.shape:
        return value
    if repeats(value):
        return fill(scalar(value, rewriter), operation.result.type.shape, rewriter)
    return again(operation, rewriter, value)
