"""Windows of one place."""

from __future__ import annotations

from lowering.rewriting import Rewriter, RuleSet
from lowering.rules.bodies import applied, combined_by, is_identity
from lowering.rules.forms import Ints, fill
from lowering.rules.slice import cut
from tracer.ir import Operation, Value
from tracer.ops.reduction import halves

RULES = RuleSet()


def _is_one_place(operation: Operation) -> bool:
    """Whether windows, without padding and dilation, are of one place each."""
    attributes = operation.attributes
    lengths = {*attributes["window_dimensions"], *attributes.get("base_dilations", ())}
    return lengths <= {1} and all(edge == (0, 0) for edge in attributes["padding"])


@RULES.rule("reduce_window")
def reduce_window_of_one_place(
    operation: Operation, rewriter: Rewriter
) -> tuple[Value, ...] | None:
    """reduce_window(x, v, f) -> f(v, slice(x)), in windows of one place"""
    if not _is_one_place(operation):
        return None
    inputs, initial = halves(operation.operands)
    shape, body = operation.results[0].type.shape, operation.regions[0]
    parts = [_every(x, operation.attributes["window_strides"], shape, rewriter) for x in inputs]
    name = combined_by(body, inputs[0].type.dtype)
    if len(inputs) == 1 and is_identity(initial[0], name):
        return tuple(parts)
    starts = [fill(v, shape, rewriter) for v in initial]
    return applied(body, [*starts, *parts], shape, rewriter)


def _every(x: Value, strides: Ints, shape: Ints, rewriter: Rewriter) -> Value:
    """The places at these strides."""
    if x.type.shape == shape:
        return x
    return cut(x, [(0, n, stride) for n, stride in zip(shape, strides, strict=True)], rewriter)


@RULES.rule("select_and_scatter")
def select_and_scatter_of_one_place(operation: Operation, rewriter: Rewriter) -> Value | None:
    """select_and_scatter(x, source, v, f) -> f(v, source), in windows of one place each"""
    (x, source, start), body = operation.operands, operation.regions[1]
    if not _is_one_place(operation) or source.type is not x.type:
        return None
    name = combined_by(body, source.type.dtype)
    if is_identity(start, name):
        return source
    found = applied(body, [fill(start, x.type.shape, rewriter), source], x.type.shape, rewriter)
    return None if found is None else found[0]
