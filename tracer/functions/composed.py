"""What functions composed of many ops share: a derivative of their own, a dtype to work in."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from tracer.context import here
from tracer.dispatch import splat
from tracer.dtypes import float32, is_floating, is_inexact, result_type
from tracer.functions.operands import as_dtype, check_operand, dtype_of, need_real, unify
from tracer.ops.elementwise import compare, select
from tracer.ops.table import Op
from tracer.recording import alias
from tracer.tape import Rule, active, paused
from tracer.values import Data

Composition = Callable[..., Data]


def with_rules(*rules: Rule | None) -> Callable[[Composition], Composition]:
    """Gives a function of values a derivative as an op has: `rule(g, y, *operands)` an operand."""

    def decorate(f: Composition) -> Composition:
        @wraps(f)
        def with_derivative(*operands: Data) -> Data:
            tapes = [tape for tape in active() if tape.watches(operands)]
            if not tapes:
                return f(*operands)
            with paused():
                result = alias(f(*operands))
            for tape in tapes:
                tape.note(rules, operands, result, {}, here())
            return result

        return with_derivative

    return decorate


def ruled_like(op: Op) -> Callable[[Composition], Composition]:
    """Gives a function of one value the derivative of an op with the same meaning."""
    return with_rules(*op.definition.vjp.rules(1))


def in_float32(f: Composition) -> Composition:
    """Computes narrower floats in float32, rounded once at the end."""

    @wraps(f)
    def widened(*operands: Data) -> Data:
        dtype = operands[0].type.dtype
        if not is_floating(dtype) or dtype.itemsize > 2:
            return f(*operands)
        return as_dtype(f(*(as_dtype(x, float32) for x in operands)), dtype)

    return widened


def floats(name: str, *operands: Any) -> list[Data]:
    """Values of one inexact dtype and one shape: booleans and integers become float32."""
    for x in operands:
        check_operand(name, x)
    found = result_type(*map(dtype_of, operands))
    return unify(name, *operands, dtype=found if is_inexact(found) else result_type(found, float))


def real_floats(name: str, *operands: Any) -> list[Data]:
    """The same. Raises TypeError where they are complex."""
    return [need_real(name, x) for x in floats(name, *operands)]


def compared(x: Data, direction: str, y: Any) -> Data:
    """x < y, …, of a value or a number y."""
    return compare(x, y, comparison_direction=direction)


def kept(mask: Data, x: Data, value: float) -> Data:
    """x where mask, else a number: keeps a branch that is not taken free of NaN, and its slope."""
    return select(mask, x, filled(x, value))


def filled(x: Data, value: float) -> Data:
    """A number in every place of x."""
    return splat(value, x.type, x.device)
