"""Operations on constants, computed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import numpy as np

from lowering.passes.registry import register_pass
from lowering.rewriting import Rewriter, RuleSet, apply_rules, splat_of
from lowering.rules.exact import CHOSEN, OF_INTEGERS, has_nan, has_subnormal, is_exact, moves
from lowering.rules.forms import fill
from lowering.rules.values import (
    LIMIT,
    Array,
    elements_of,
    evaluate,
    filled,
    is_constant,
    size_of,
)
from tracer.ir import Function, Operation, Value, make_operation
from tracer.ops.bodies import combines

RULES = RuleSet()

TINY = 1_024
"""The bytes up to which a constant may be larger than those it comes from."""


@register_pass
def fold_constants(function: Function) -> Function:
    """Computes operations on constants where all backends give the same bits, up to 65,536 bytes.

    Not what rounds in a way of their own (exp, tanh, power, ...), sums of floats in an open order,
    and what takes or makes NaN or a subnormal number, which XLA flushes on the CPU. Broadcasts of
    scalars stay that, of any size.
    """
    return apply_rules(function, RULES)


@RULES.rule(trait="elementwise")
def fold_splats(operation: Operation, rewriter: Rewriter) -> Value | None:
    """op(broadcast(a), broadcast(b)) -> broadcast(op(a, b)), of constants a and b"""
    if not operation.result.type.shape or not is_exact(operation):
        return None
    numbers = [splat_of(value) for value in operation.operands]
    if any(number is None for number in numbers):
        return None
    scalars = [Value(value.type.with_shape(())) for value in operation.operands]
    single = make_operation(operation.op, scalars, operation.attributes)
    result = _computed(single, dict(zip(scalars, map(np.asarray, numbers), strict=True)))
    return None if result is None else filled(rewriter, result, operation.result.type)


@RULES.rule(*CHOSEN)
def move_splats(operation: Operation, rewriter: Rewriter) -> Value | None:
    """reshape(broadcast(a)) -> broadcast(a), of a constant a; other moves likewise"""
    result, sources = operation.result.type, operation.operands[CHOSEN[operation.name]]
    if not (result.shape and result.size) or _is_spread(operation):
        return None
    numbers = [splat_of(value) for value in sources]
    if any(number is None or number.tobytes() != numbers[0].tobytes() for number in numbers):
        return None
    return filled(rewriter, numbers[0], result)


@RULES.rule("concatenate")
def join_splats(operation: Operation, rewriter: Rewriter) -> Value | None:
    """concatenate(x, a, a) -> concatenate(x, a of both), of a constant a in every place"""
    axis = operation.attributes["dimension"]
    runs = [(bits, list(run)) for bits, run in groupby(operation.operands, _bits)]
    if all(bits is None or len(run) == 1 for bits, run in runs):
        return None
    operands: list[Value] = []
    for bits, run in runs:
        operands += run if bits is None or len(run) == 1 else [_joined(run, axis, rewriter)]
    return rewriter.create("concatenate", *operands, dimension=axis)


def _bits(value: Value) -> bytes | None:
    """The bits that a constant has in every place."""
    number = splat_of(value)
    return None if number is None else bytes(number.tobytes())


def _joined(run: Sequence[Value], axis: int, rewriter: Rewriter) -> Value:
    """One constant instead of equal ones that follow each other along an axis."""
    shape = list(run[0].type.shape)
    shape[axis] = sum(value.type.shape[axis] for value in run)
    return filled(rewriter, splat_of(run[0]), run[0].type.with_shape(tuple(shape)))


@RULES.rule("reduce")
def reduce_a_splat(operation: Operation, rewriter: Rewriter) -> Value | None:
    """reduce(broadcast(a), b) by max -> max(a, b), of constants a and b; min, and, or likewise"""
    numbers = [splat_of(value) for value in operation.operands]
    if not _finds_extremum(operation) or any(number is None for number in numbers):
        return None
    pair = [rewriter.constant(np.asarray(number)) for number in numbers]
    best = rewriter.create(str(combines(operation.regions[0])), *pair)
    return fill(best, operation.result.type.shape, rewriter) if is_constant(best) else None


def _finds_extremum(operation: Operation) -> bool:
    """Whether it reduces one tensor, that has elements, to one of its own or the initial value."""
    name, source = combines(operation.regions[0]), operation.operands[0].type
    if len(operation.operands) > 2 or name not in ("and", "maximum", "minimum", "or"):
        return False
    return source.size > 0 and source.dtype == operation.result.type.dtype


@RULES.rule()
def fold_elements(operation: Operation, rewriter: Rewriter) -> Value | None:
    """op(a, b) -> c, of constants a and b"""
    operands = operation.operands
    if not all(map(_is_known, operands)) or not any(map(is_constant, operands)):
        return None
    if not is_exact(operation) or not _is_worth(operation):
        return None
    result = _computed(operation, {value: _elements(value) for value in operands})
    return None if result is None else rewriter.constant(result)


def _is_spread(operation: Operation) -> bool:
    """Whether it is the broadcast of a scalar, which is as simple as a splat gets."""
    return operation.name == "broadcast_in_dim" and not operation.operands[0].type.shape


def _is_worth(operation: Operation) -> bool:
    """Whether the constant, and the work that makes it, would be small."""
    size, given = size_of(operation.result), sum(map(_stored, operation.operands))
    if _is_spread(operation) or (operation.name in OF_INTEGERS and given > TINY):
        return False
    return size <= TINY or size <= min(LIMIT, given)


def _stored(value: Value) -> int:
    """The bytes of a constant, or of what it is broadcast from."""
    match value:
        case Value(Operation("broadcast_in_dim", (inner,))):
            return size_of(inner)
    return size_of(value)


def _is_known(value: Value) -> bool:
    """Whether the elements are known: of constants, and of an iota that is tiny."""
    match value:
        case Value(Operation("iota")):
            return size_of(value) <= TINY
    return is_constant(value)


def _elements(value: Value) -> Array:
    match value:
        case Value(Operation("iota") as iota):
            return evaluate(iota, {})
    return elements_of(value)


def _computed(operation: Operation, arrays: dict[Value, Array]) -> Array | None:
    """The result; None where its bits, or those of an operand, are the backend's own."""
    result = evaluate(operation, arrays)
    if moves(operation):
        return result
    if has_nan(result) or any(map(has_subnormal, (result, *arrays.values()))):
        return None
    return result
