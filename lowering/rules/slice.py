"""Slices, of what was sliced, joined, padded or counted."""

from __future__ import annotations

from collections.abc import Sequence

from lowering.rewriting import Rewriter, RuleSet
from lowering.rules.forms import again, fill
from tracer.ir import Operation, Value

RULES = RuleSet()

Cuts = list[tuple[int, int, int]]
"""Start, length and stride on each axis."""


def cuts(operation: Operation) -> Cuts:
    """What a slice takes."""
    starts, strides = (operation.attributes[name] for name in ("start_indices", "strides"))
    return list(zip(starts, operation.result.type.shape, strides, strict=True))


def cut(x: Value, taken: Cuts, rewriter: Rewriter) -> Value:
    """The slice of a value, of at least one place on each axis."""
    return rewriter.create(
        "slice",
        x,
        start_indices=tuple(start for start, _, _ in taken),
        limit_indices=tuple(start + (n - 1) * stride + 1 for start, n, stride in taken),
        strides=tuple(stride for _, _, stride in taken),
    )


@RULES.rule("slice")
def slice_of_everything(operation: Operation, rewriter: Rewriter) -> Value | None:
    """slice(x, all of it) -> x"""
    (x,) = operation.operands
    return x if x.type is operation.result.type else None


@RULES.rule("slice")
def slice_of_slice(operation: Operation, rewriter: Rewriter) -> Value | None:
    """slice(slice(x)) -> slice(x)"""
    match operation:
        case Operation("slice", (Value(Operation("slice", (x,)) as inner),)):
            pairs = zip(cuts(operation), cuts(inner), strict=True)
            both = [(b + a * t, n, s * t) for (a, n, s), (b, _, t) in pairs]
            return cut(x, both, rewriter)
    return None


@RULES.rule("slice")
def slice_of_concatenate(operation: Operation, rewriter: Rewriter) -> Value | None:
    """slice(concatenate(x, y, z)) -> slice(concatenate(of those that it reaches into))"""
    match operation:
        case Operation("slice", (Value(Operation("concatenate", parts) as inner) as whole,)):
            axis, taken = inner.attributes["dimension"], cuts(operation)
            before, reached = _reached(parts, axis, taken[axis])
            alone = len(reached) == 1
            if len(reached) == len(parts) or not (alone or rewriter.has_one_use(whole)):
                return None
            start, length, stride = taken[axis]
            taken[axis] = (start - before, length, stride)
            return cut(again(inner, rewriter, *reached), taken, rewriter)
    return None


def _reached(
    parts: Sequence[Value], axis: int, taken: tuple[int, int, int]
) -> tuple[int, list[Value]]:
    """The first place of, and all, the operands of a concatenate from first to last place taken."""
    start, length, stride = taken
    end, before, place = start + (length - 1) * stride, 0, 0
    reached: list[Value] = []
    for part in parts:
        if place + part.type.shape[axis] <= start:
            before = place + part.type.shape[axis]
        elif place <= end:
            reached.append(part)
        place += part.type.shape[axis]
    return before, reached


@RULES.rule("slice")
def slice_of_pad(operation: Operation, rewriter: Rewriter) -> Value | None:
    """slice(pad(x, v)) -> slice(x), or v repeated, where it takes nothing else"""
    match operation:
        case Operation("slice", (Value(Operation("pad", (x, value)) as inner),)):
            taken = [
                _through_pad(found, n, low, hole + 1)
                for found, n, low, hole in zip(
                    cuts(operation),
                    x.type.shape,
                    inner.attributes["edge_padding_low"],
                    inner.attributes["interior_padding"],
                    strict=True,
                )
            ]
            if "outside" in taken:
                return fill(value, operation.result.type.shape, rewriter)
            inside = [found for found in taken if isinstance(found, tuple)]
            return cut(x, inside, rewriter) if len(inside) == len(taken) else None
    return None


def _through_pad(
    taken: tuple[int, int, int], length: int, low: int, step: int
) -> tuple[int, int, int] | str:
    """What is taken of the operand of a pad on one axis; or "outside", or "both"."""
    start, count, stride = taken
    places = [start - low + i * stride for i in (0, count - 1)]
    if places[1] < 0 or places[0] > (length - 1) * step:
        return "outside"
    steps = stride if count > 1 else 0
    inside = places[0] >= 0 and places[1] <= (length - 1) * step
    if steps % step == 0 and places[0] % step:
        return "outside"
    if not inside or steps % step:
        return "both"
    return places[0] // step, count, max(steps // step, 1)


@RULES.rule("slice")
def slice_of_edges(operation: Operation, rewriter: Rewriter) -> Value | None:
    """slice(pad(x, v, low, high)) -> pad(x, v, less), of stride 1"""
    match operation:
        case Operation("slice", (Value(Operation("pad", (x, value)) as inner) as wide,)):
            if set(operation.attributes["strides"]) != {1} or not rewriter.has_one_use(wide):
                return None
            low, high = (inner.attributes[f"edge_padding_{end}"] for end in ("low", "high"))
            starts = operation.attributes["start_indices"]
            ends = zip(wide.type.shape, operation.attributes["limit_indices"], strict=True)
            return again(
                inner,
                rewriter,
                x,
                value,
                edge_padding_low=tuple(a - b for a, b in zip(low, starts, strict=True)),
                edge_padding_high=tuple(
                    a - (n - limit) for a, (n, limit) in zip(high, ends, strict=True)
                ),
            )
    return None


@RULES.rule("slice")
def slice_of_iota(operation: Operation, rewriter: Rewriter) -> Value | None:
    """slice(iota) -> iota, where it takes the first places"""
    match operation:
        case Operation("slice", (Value(Operation("iota") as inner),)):
            axis = inner.attributes["iota_dimension"]
            start, length, stride = cuts(operation)[axis]
            if start or (stride != 1 and length > 1):
                return None
            return again(inner, rewriter, shape=operation.result.type.shape)
    return None
