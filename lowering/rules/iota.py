"""Iotas."""

from __future__ import annotations

import operator

import numpy as np

from lowering.rewriting import Rewriter, RuleSet, splat_of
from lowering.rules.forms import again, fill
from tracer.dtypes import bool_, iinfo, is_integer
from tracer.ir import Operation, Value

RULES = RuleSet()


@RULES.rule("iota")
def iota_of_one(operation: Operation, rewriter: Rewriter) -> Value | None:
    """iota -> 0, along an axis of length 1"""
    type_ = operation.result.type
    if type_.shape[operation.attributes["iota_dimension"]] != 1:
        return None
    if type_.size == 1:
        return rewriter.constant(np.zeros(type_.shape, type_.dtype))
    return fill(rewriter.constant(np.zeros((), type_.dtype)), type_.shape, rewriter)


@RULES.rule("iota")
def iota_of_more_axes(operation: Operation, rewriter: Rewriter) -> Value | None:
    """iota -> broadcast(iota of one axis)"""
    type_, axis = operation.result.type, operation.attributes["iota_dimension"]
    if type_.ndim == 1:
        return None
    line = rewriter.create("iota", iota_dimension=0, shape=(type_.shape[axis],), dtype=type_.dtype)
    return rewriter.create(
        "broadcast_in_dim", line, broadcast_dimensions=(axis,), shape=type_.shape
    )


_EXACT = 2**24
"""Numbers up to this are whole in float32, which narrower floats are converted from."""


@RULES.rule("convert")
def convert_of_iota(operation: Operation, rewriter: Rewriter) -> Value | None:
    """convert(iota) -> iota of the dtype, where its own counts all of them"""
    match operation:
        case Operation(_, (Value(Operation("iota") as inner) as count,)):
            length, dtype = _count(count) or 0, operation.result.type.dtype
            if not is_integer(count.type.dtype) or dtype == bool_:
                return None
            if length - 1 > min(int(iinfo(count.type.dtype).max), _EXACT):
                return None
            return again(inner, rewriter, dtype=dtype)
    return None


_HOLDS = {
    "EQ": operator.eq,
    "NE": operator.ne,
    "LT": operator.lt,
    "LE": operator.le,
    "GT": operator.gt,
    "GE": operator.ge,
}


@RULES.rule("compare")
def compare_of_iota(operation: Operation, rewriter: Rewriter) -> Value | None:
    """iota < n -> true, where n is past its end; and so on for all that is the same everywhere"""
    left, right = operation.operands
    length, number = _count(left), splat_of(right)
    if length is None or number is None or not is_integer(left.type.dtype):
        return None
    number = int(number)
    if length - 1 > int(iinfo(left.type.dtype).max):
        return None
    holds = _HOLDS[operation.attributes["comparison_direction"]]
    near = {0, length - 1, *(n for n in range(number - 1, number + 2) if 0 <= n < length)}
    answers = {holds(n, number) for n in near}
    if len(answers) > 1:
        return None
    answer = rewriter.constant(np.asarray(answers.pop()))
    return fill(answer, operation.result.type.shape, rewriter)


def _count(value: Value) -> int | None:
    """How many numbers an iota, broadcast or not, counts."""
    match value:
        case Value(Operation("broadcast_in_dim", (inner,))):
            return _count(inner)
        case Value(Operation("iota") as owner):
            length: int = value.type.shape[owner.attributes["iota_dimension"]]
            return length
    return None
