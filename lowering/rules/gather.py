"""Gathers whose indices are known, and scatters of nothing."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lowering.rewriting import Rewriter, RuleSet, constant_of
from lowering.rules.forms import Ints, reshaped
from lowering.rules.slice import cut
from tracer.ir import Operation, Value
from tracer.ops.numbers import GatherDimensionNumbers, batch_shape, combined, starts, window_axes

RULES = RuleSet()


@RULES.rule("gather")
def gather_of_one_window(operation: Operation, rewriter: Rewriter) -> Value | None:
    """gather(x, one constant index) -> reshape(slice(x)), moved inside"""
    (x, _), found = operation.operands, _starts(operation)
    if found is None or _batch(operation) not in ((), (1,) * len(_batch(operation))):
        return None
    sizes = operation.attributes["slice_sizes"]
    rows = zip(found, sizes, strict=True)
    part = cut(x, [(int(start.reshape(-1)[0]), size, 1) for start, size in rows], rewriter)
    return reshaped(part, operation.result.type.shape, rewriter)


@RULES.rule("gather")
def gather_of_even_steps(operation: Operation, rewriter: Rewriter) -> Value | None:
    """gather(x, constants at an even distance on one axis) -> slice(x)"""
    (x, _), found = operation.operands, _starts(operation)
    batch = _batch(operation)
    if found is None or len(batch) != 1 or batch[0] < 2:
        return None
    taken = [_steps(line, size) for line, size in zip(found, _sizes(operation), strict=True)]
    cuts = [row for row in taken if row is not None]
    moving = [axis for axis, (_, n, _) in enumerate(cuts) if n != _sizes(operation)[axis]]
    if len(cuts) < len(taken) or len(moving) != 1 or _sizes(operation)[moving[0]] != 1:
        return None
    part = cut(x, cuts, rewriter)
    return _as_result(part, operation, moving[0], rewriter)


def _as_result(part: Value, operation: Operation, moving: int, rewriter: Rewriter) -> Value | None:
    """A slice as the result of a gather, if its axes stand in order and but one is not whole."""
    numbers: GatherDimensionNumbers = operation.attributes["dimension_numbers"]
    ndim = part.type.ndim
    if moving in window_axes(numbers, ndim):
        return None
    order = combined(numbers, (moving,), window_axes(numbers, ndim))
    if list(order) != sorted(order):
        return None
    return reshaped(part, operation.result.type.shape, rewriter)


def _steps(line: NDArray[np.int64], size: int) -> tuple[int, int, int] | None:
    """The one place, or the places at an even distance, that windows start at."""
    distances = set(np.diff(line).tolist())
    if distances == {0}:
        return int(line[0]), size, 1
    if len(distances) > 1 or min(distances) < 0 or size != 1:
        return None
    return int(line[0]), len(line), int(min(distances))


def _sizes(operation: Operation) -> Ints:
    sizes: Ints = operation.attributes["slice_sizes"]
    return sizes


def _batch(operation: Operation) -> Ints:
    return batch_shape(operation.attributes["dimension_numbers"], operation.operands[1].type.shape)


def _starts(operation: Operation) -> list[NDArray[np.int64]] | None:
    """For each axis of a gather's operand, where windows start, moved inside; None if unknown."""
    x, indices = operation.operands
    constant = constant_of(indices)
    if constant is None:
        return None
    numbers: GatherDimensionNumbers = operation.attributes["dimension_numbers"]
    rows = zip(starts(numbers, constant, x.type.ndim), x.type.shape, _sizes(operation), strict=True)
    return [np.clip(start, 0, length - size) for start, length, size in rows]


@RULES.rule("scatter")
def scatter_of_nothing(operation: Operation, rewriter: Rewriter) -> tuple[Value, ...] | None:
    """scatter(x, indices, updates) -> x, where updates have no elements"""
    count = len(operation.results)
    if any(v.type.size for v in operation.operands[count + 1 :]):
        return None
    return operation.operands[:count]
