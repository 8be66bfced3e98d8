"""Slices whose place is computed, where it is known after all."""

from __future__ import annotations

from collections.abc import Sequence

from lowering.rewriting import Rewriter, RuleSet, splat_of
from lowering.rules.forms import Ints, again, repeats, same_scalar, scalar
from lowering.rules.slice import cut
from tracer.ir import Operation, Value

RULES = RuleSet()


def _starts(whole: Ints, sizes: Ints, starts: Sequence[Value]) -> list[int] | None:
    """Where a slice starts, moved inside; None where that is not known."""
    found = []
    for length, size, start in zip(whole, sizes, starts, strict=True):
        value = 0 if size == length else splat_of(start)
        if value is None:
            return None
        found.append(min(max(int(value), 0), length - size))
    return found


@RULES.rule("dynamic_slice")
def dynamic_slice_at_a_known_place(operation: Operation, rewriter: Rewriter) -> Value | None:
    """dynamic_slice(x, constants) -> slice(x), moved inside"""
    x, *given = operation.operands
    starts = _starts(x.type.shape, operation.result.type.shape, given)
    if starts is None:
        return None
    pairs = zip(starts, operation.result.type.shape, strict=True)
    return cut(x, [(start, length, 1) for start, length in pairs], rewriter)


@RULES.rule("dynamic_slice")
def dynamic_slice_of_broadcast(operation: Operation, rewriter: Rewriter) -> Value | None:
    """dynamic_slice(broadcast(x)) -> broadcast(x), where the axes of x stay whole"""
    match operation:
        case Operation(_, (Value(Operation("broadcast_in_dim", (x,)) as inner), *_)):
            shape = operation.result.type.shape
            axes = zip(inner.attributes["broadcast_dimensions"], x.type.shape, strict=True)
            if any(length not in (1, shape[axis]) for axis, length in axes):
                return None
            return again(inner, rewriter, x, shape=shape)
    return None


@RULES.rule("dynamic_slice")
def dynamic_slice_of_what_was_written(operation: Operation, rewriter: Rewriter) -> Value | None:
    """dynamic_slice(dynamic_update_slice(x, u, i), i) -> u"""
    match operation:
        case Operation(_, (Value(Operation("dynamic_update_slice", (_, update, *at))), *starts)):
            same = update.type is operation.result.type and _same(at, starts)
            return update if same else None
    return None


def _same(at: Sequence[Value], starts: Sequence[Value]) -> bool:
    return all(same_scalar(a, b) for a, b in zip(at, starts, strict=True))


@RULES.rule("dynamic_update_slice")
def update_of_everything(operation: Operation, rewriter: Rewriter) -> Value | None:
    """dynamic_update_slice(x, u) -> u, where u is as large as x"""
    x, update, *_ = operation.operands
    return update if update.type is x.type else None


@RULES.rule("dynamic_update_slice")
def update_of_nothing(operation: Operation, rewriter: Rewriter) -> Value | None:
    """dynamic_update_slice(x, u) -> x, where u has no elements"""
    x, update, *_ = operation.operands
    return None if update.type.size else x


@RULES.rule("dynamic_update_slice")
def update_with_what_was_there(operation: Operation, rewriter: Rewriter) -> Value | None:
    """dynamic_update_slice(x, dynamic_slice(x, i), i) -> x"""
    match operation:
        case Operation(_, (x, Value(Operation("dynamic_slice", (y, *at))), *starts)):
            return x if x is y and _same(at, starts) else None
    return None


@RULES.rule("dynamic_update_slice")
def update_of_updated(operation: Operation, rewriter: Rewriter) -> Value | None:
    """dynamic_update_slice(dynamic_update_slice(x, u, i), v, i) -> dynamic_update_slice(x, v, i)"""
    match operation:
        case Operation(_, (Value(Operation("dynamic_update_slice", (x, u, *at))), v, *starts)):
            if u.type is not v.type or not _same(at, starts):
                return None
            return again(operation, rewriter, x, v, *starts)
    return None


@RULES.rule("dynamic_update_slice")
def update_of_repeated(operation: Operation, rewriter: Rewriter) -> Value | None:
    """dynamic_update_slice(v repeated, u, constants) -> pad(u, v)"""
    x, update, *given = operation.operands
    starts = _starts(x.type.shape, update.type.shape, given)
    if starts is None or not repeats(x):
        return None
    rows = zip(x.type.shape, update.type.shape, starts, strict=True)
    return rewriter.create(
        "pad",
        update,
        scalar(x, rewriter),
        edge_padding_low=tuple(starts),
        edge_padding_high=tuple(length - size - start for length, size, start in rows),
        interior_padding=(0,) * len(starts),
    )
