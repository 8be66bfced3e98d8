"""Reductions, of what is moved, repeated or reduced already."""

from __future__ import annotations

from math import prod

import numpy as np

from lowering.rewriting import Rewriter, RuleSet
from lowering.rules.bodies import (
    IDEMPOTENT,
    applied,
    combined_by,
    is_identity,
    is_orderless,
    repeated,
)
from lowering.rules.forms import Ints, again, fill, groups, repeats, reshaped, same_scalar, scalar
from tracer.dtypes import iinfo, is_integer
from tracer.ir import Operation, Value
from tracer.ops.reduction import halves

RULES = RuleSet()


def _axes(operation: Operation) -> Ints:
    axes: Ints = operation.attributes["dimensions"]
    return axes


def _single(operation: Operation) -> tuple[Value, Value, str] | None:
    """The only input, its initial value, and the op that combines them; None where it isn't so."""
    if len(operation.operands) != 2:
        return None
    x, start = operation.operands
    name = combined_by(operation.regions[0], x.type.dtype)
    return (x, start, name) if name else None


@RULES.rule("reduce")
def reduce_of_nothing(operation: Operation, rewriter: Rewriter) -> tuple[Value, ...] | None:
    """reduce(x, v) -> v repeated, where x has no elements"""
    inputs, initial = halves(operation.operands)
    return None if inputs[0].type.size else repeated(initial, operation.results, rewriter)


@RULES.rule("reduce")
def reduce_of_single_places(operation: Operation, rewriter: Rewriter) -> tuple[Value, ...] | None:
    """reduce(x, v) -> reshape(f(v, x)), over axes of length 1; without f where v changes nothing"""
    inputs, initial = halves(operation.operands)
    if prod(inputs[0].type.shape[axis] for axis in _axes(operation)) != 1:
        return None
    shape = operation.results[0].type.shape
    flat = [reshaped(x, shape, rewriter) for x in inputs]
    single = _single(operation)
    if single is not None and is_identity(single[1], single[2]):
        return tuple(flat)
    starts = [fill(v, shape, rewriter) for v in initial]
    return applied(operation.regions[0], [*starts, *flat], shape, rewriter)


@RULES.rule("reduce")
def reduce_to_what_is_given(operation: Operation, rewriter: Rewriter) -> tuple[Value, ...] | None:
    """reduce(x, v, (a, b) -> c) -> c repeated, of a c that is no a, no b and none of them"""
    body, (inputs, _) = operation.regions[0], halves(operation.operands)
    found = []
    for value in body.returns:
        match value:
            case Value(Operation("constant") as owner):
                found.append(again(owner, rewriter))
            case _ if value.owner is body or value.owner in body.operations:
                return None
            case _:
                found.append(value)
    return repeated(found, operation.results, rewriter) if inputs[0].type.size else None


@RULES.rule("reduce")
def reduce_of_reduce(operation: Operation, rewriter: Rewriter) -> Value | None:
    """reduce(reduce(x, v, f), w, f) -> reduce(x, w, f), of an f whose order does not matter"""
    single = _single(operation)
    match operation:
        case Operation(_, (Value(Operation("reduce") as inner) as between, _)) if single:
            (_, start, name), first = single, _single(inner)
            if first is None or first[2] != name or not is_orderless(name, start.type.dtype):
                return None
            x, inner_start, _ = first
            harmless = is_identity(inner_start, name) or (
                name in IDEMPOTENT and same_scalar(inner_start, start)
            )
            if not harmless or not rewriter.has_one_use(between):
                return None
            left = [axis for axis in range(x.type.ndim) if axis not in _axes(inner)]
            axes = sorted({*_axes(inner), *(left[axis] for axis in _axes(operation))})
            return again(operation, rewriter, x, start, dimensions=tuple(axes))
    return None


@RULES.rule("reduce")
def reduce_of_transpose(operation: Operation, rewriter: Rewriter) -> Value | None:
    """reduce(transpose(x)) -> reduce(x), where the axes that stay keep their order.

    The axes that go keep it too, unless the order of combination does not matter.
    """
    match operation:
        case Operation(_, (Value(Operation("transpose", (x,)) as inner), start)):
            order = inner.attributes["permutation"]
            axes = [order[axis] for axis in sorted(_axes(operation))]
            kept = [axis for axis in order if axis not in axes]
            if kept != sorted(kept) or not (axes == sorted(axes) or _is_orderless(operation)):
                return None
            return again(operation, rewriter, x, start, dimensions=tuple(sorted(axes)))
    return None


def _is_orderless(operation: Operation) -> bool:
    single = _single(operation)
    return single is not None and is_orderless(single[2], single[0].type.dtype)


@RULES.rule("reduce")
def reduce_of_reshape(operation: Operation, rewriter: Rewriter) -> Value | None:
    """reduce(reshape(x)) -> reduce(x), where each axis that stays was whole"""
    match operation:
        case Operation(_, (Value(Operation("reshape", (x,))) as inner, start)):
            axes = _before_reshape(x.type.shape, inner.type.shape, _axes(operation))
            if axes is None:
                return None
            kept = tuple(n for axis, n in enumerate(x.type.shape) if axis not in axes)
            if kept != operation.result.type.shape:
                return None
            return again(operation, rewriter, x, start, dimensions=axes)
    return None


def _before_reshape(before: Ints, after: Ints, axes: Ints) -> Ints | None:
    """The axes that go, said of the shape before; axes of length 1 stay where there is room."""
    found: list[int] = []
    for left, right in groups(before, after):
        if set(right) <= {*axes}:
            found += left
        elif len(left) != 1 or len(right) != 1:
            return None
    room = sum(after[axis] == 1 for axis in range(len(after)) if axis not in axes)
    single = [axis for axis, length in enumerate(before) if length == 1]
    return tuple(sorted([*found, *single[room:]]))


@RULES.rule("reduce")
def reduce_of_pad(operation: Operation, rewriter: Rewriter) -> Value | None:
    """reduce(pad(x, e), v, f) -> reduce(x, v, f), of an e that f leaves any other value with"""
    single = _single(operation)
    match operation:
        case Operation(_, (Value(Operation("pad", (x, value)) as inner), start)):
            edges = [inner.attributes[f"edge_padding_{end}"] for end in ("low", "high")]
            rows = list(zip(*edges, inner.attributes["interior_padding"], strict=True))
            padded = {axis for axis, row in enumerate(rows) if any(row)}
            if single is None or not is_identity(value, single[2]) or not x.type.size:
                return None
            if not padded <= {*_axes(operation)} or min(map(min, rows), default=0) < 0:
                return None
            return again(operation, rewriter, x, start)
    return None


@RULES.rule("reduce")
def reduce_of_repeated(operation: Operation, rewriter: Rewriter) -> tuple[Value, ...] | None:
    """reduce(x repeated, v, f) -> f(v, x) repeated, of an f that keeps what is the same twice"""
    single = _single(operation)
    if single is None or single[2] not in IDEMPOTENT or not repeats(single[0]):
        return None
    pair = [single[1], scalar(single[0], rewriter)]
    found = applied(operation.regions[0], pair, (), rewriter)
    return None if found is None else repeated(found, operation.results, rewriter)


@RULES.rule("reduce")
def reduce_of_broadcast(operation: Operation, rewriter: Rewriter) -> Value | None:
    """reduce(broadcast(x), v, f) -> reduce(x, v, f), of an f that keeps what is the same twice.

    That is along the axes that are new or were of length 1, which become of length 1.
    """
    single, found = _single(operation), _narrowed(operation, rewriter)
    if single is None or found is None or single[2] not in IDEMPOTENT:
        return None
    return found[0]


@RULES.rule("reduce")
def sum_of_broadcast(operation: Operation, rewriter: Rewriter) -> Value | None:
    """reduce(broadcast(x), 0, add) -> n * reduce(x, 0, add), of integers, n of each in a sum"""
    single, found = _single(operation), _narrowed(operation, rewriter)
    if single is None or found is None or single[2] != "add":
        return None
    total, count = found
    dtype = total.type.dtype
    if not is_integer(dtype) or not is_identity(single[1], "add"):
        return None
    lowest = int(iinfo(dtype).min)
    wrapped = (count - lowest) % 2 ** iinfo(dtype).bits + lowest
    times = rewriter.constant(np.asarray(wrapped).astype(dtype))
    return rewriter.create("multiply", total, fill(times, total.type.shape, rewriter))


def _narrowed(operation: Operation, rewriter: Rewriter) -> tuple[Value, int] | None:
    """A reduction of a broadcast that repeats nothing along its axes, and how often that did."""
    match operation:
        case Operation(_, (Value(Operation("broadcast_in_dim", (x,)) as inner) as wide, start)):
            pairs = zip(inner.attributes["broadcast_dimensions"], x.type.shape, strict=True)
            varied = {axis for axis, length in pairs if length != 1}
            same = {axis for axis in _axes(operation) if axis not in varied}
            count = prod(wide.type.shape[axis] for axis in same)
            if count == 1:
                return None
            shape = tuple(1 if i in same else n for i, n in enumerate(wide.type.shape))
            small = again(inner, rewriter, x, shape=shape)
            return again(operation, rewriter, small, start), count
    return None
