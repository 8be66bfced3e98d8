"""Concatenations."""

from __future__ import annotations

from collections.abc import Callable

from lowering.rewriting import Rewriter, RuleSet
from lowering.rules.forms import again, fill, repeats, same_scalar, scalar
from lowering.rules.slice import cut, cuts
from tracer.ir import Operation, Value

RULES = RuleSet()


@RULES.rule("concatenate")
def concatenate_of_one(operation: Operation, rewriter: Rewriter) -> Value | None:
    """concatenate(x) -> x"""
    return operation.operands[0] if len(operation.operands) == 1 else None


@RULES.rule("concatenate")
def concatenate_of_nothing(operation: Operation, rewriter: Rewriter) -> Value | None:
    """concatenate(x, y without elements) -> concatenate(x)"""
    parts = [v for v in operation.operands if v.type.size]
    if len(parts) == len(operation.operands):
        return None
    return again(operation, rewriter, *parts)


@RULES.rule("concatenate")
def concatenate_of_concatenate(operation: Operation, rewriter: Rewriter) -> Value | None:
    """concatenate(concatenate(x, y), z) -> concatenate(x, y, z)"""
    parts: list[Value] = []
    for value in operation.operands:
        match value:
            case Value(Operation("concatenate", inner) as owner) if owner.attributes[
                "dimension"
            ] == operation.attributes["dimension"] and rewriter.has_one_use(value):
                parts += inner
            case _:
                parts.append(value)
    if len(parts) == len(operation.operands):
        return None
    return again(operation, rewriter, *parts)


@RULES.rule("concatenate")
def concatenate_of_the_same(operation: Operation, rewriter: Rewriter) -> Value | None:
    """concatenate(x, x) -> broadcast(x), of one place each"""
    (x, *others), axis = operation.operands, operation.attributes["dimension"]
    if any(v is not x for v in others) or x.type.shape[axis] != 1:
        return None
    axes = tuple(range(x.type.ndim))
    shape = operation.result.type.shape
    return rewriter.create("broadcast_in_dim", x, broadcast_dimensions=axes, shape=shape)


@RULES.rule("concatenate")
def concatenate_of_neighbours(operation: Operation, rewriter: Rewriter) -> Value | None:
    """concatenate(slice(x, a to b), slice(x, b to c)) -> slice(x, a to c)"""
    axis = operation.attributes["dimension"]
    return _paired(operation, rewriter, lambda a, b: _joined(a, b, axis, rewriter))


def _joined(a: Value, b: Value, axis: int, rewriter: Rewriter) -> Value | None:
    match a, b:
        case Value(Operation("slice", (x,)) as one), Value(Operation("slice", (y,)) as other):
            first, second = cuts(one), cuts(other)
            (start, n, stride), (then, m, other_stride) = first.pop(axis), second.pop(axis)
            stride = _stride(start, then, (n, stride), (m, other_stride))
            if x is not y or first != second or not stride:
                return None
            return cut(x, [*first[:axis], (start, n + m, stride), *first[axis:]], rewriter)
    return None


def _stride(start: int, then: int, one: tuple[int, int], other: tuple[int, int]) -> int:
    """The stride at which a slice goes on with another; 0 where it does not.

    One place alone is of any stride.
    """
    (n, stride), (m, other_stride) = one, other
    if n == 1:
        stride = other_stride if m > 1 else then - start
    goes_on = then == start + n * stride and (m == 1 or stride == other_stride)
    return stride if goes_on and stride > 0 else 0


@RULES.rule("concatenate")
def concatenate_of_repeated(operation: Operation, rewriter: Rewriter) -> Value | None:
    """concatenate(v repeated, v repeated, x) -> concatenate(v repeated, x)"""
    axis = operation.attributes["dimension"]

    def joined(a: Value, b: Value) -> Value | None:
        if not (repeats(a) and repeats(b)):
            return None
        value = scalar(a, rewriter)
        if not same_scalar(value, scalar(b, rewriter)):
            return None
        shape = list(a.type.shape)
        shape[axis] += b.type.shape[axis]
        return fill(value, tuple(shape), rewriter)

    return _paired(operation, rewriter, joined)


def _paired(
    operation: Operation, rewriter: Rewriter, join: Callable[[Value, Value], Value | None]
) -> Value | None:
    """The concatenate with neighbours joined where they can be; None where none can."""
    parts: list[Value] = []
    for value in operation.operands:
        made = join(parts[-1], value) if parts else None
        parts[-1:] = [*parts[-1:], value] if made is None else [made]
    if len(parts) == len(operation.operands):
        return None
    return again(operation, rewriter, *parts)
