"""What is known of the signs of floats, and of values that are negations of others."""

from __future__ import annotations

import numpy as np

from lowering.rewriting import Rewriter, splat_of
from lowering.rules.forms import again
from lowering.rules.values import is_exact_kind, kind_of
from tracer.ir import Operation, Value

_DEPTH = 4
"""How many operations are looked through."""


def has_no_sign(value: Value, depth: int = _DEPTH) -> bool:
    """Whether each element of a float is 0.0, or greater, or NaN."""
    if kind_of(value) != "float" or not depth:
        return False
    number = splat_of(value)
    if number is not None:
        return not np.signbit(number)
    match value:
        case Value(Operation("abs" | "exponential" | "iota" | "logistic")):
            return True
        case Value(Operation("broadcast_in_dim" | "convert" | "reshape" | "transpose", (x,))):
            return kind_of(x) in ("bool", "uint") or has_no_sign(x, depth - 1)
        case Value(Operation("multiply", (x, y))) if x is y:
            return True
        case Value(Operation("add" | "divide" | "minimum" | "multiply", operands)):
            return all(has_no_sign(each, depth - 1) for each in operands)
        case Value(Operation("maximum", operands)):
            return any(has_no_sign(each, depth - 1) for each in operands)
        case Value(Operation("sqrt", (x,))):
            return is_never_negative_zero(x, depth - 1)
    return False


def is_never_negative_zero(value: Value, depth: int = _DEPTH) -> bool:
    """Whether no element of a float is -0.0."""
    if kind_of(value) != "float" or not depth:
        return False
    number = splat_of(value)
    if number is not None:
        return bool(number != 0 or not np.signbit(number))
    match value:
        case Value(Operation("convert", (x,))) if is_exact_kind(x):
            return True
        case Value(Operation("add", operands)):
            return any(is_never_negative_zero(each, depth - 1) for each in operands)
        case Value(Operation("broadcast_in_dim" | "reshape" | "transpose", (x,))):
            return is_never_negative_zero(x, depth - 1)
    return has_no_sign(value, depth)


def opposite(value: Value, rewriter: Rewriter, depth: int = _DEPTH) -> Value | None:
    """What a value is the negation of, of no more operations than it; None if there is nothing."""
    match value:
        case Value(Operation("negate", (x,))):
            return x
    if not depth or not rewriter.has_one_use(value) or kind_of(value) == "complex":
        return None
    match value:
        case Value(Operation("broadcast_in_dim" | "reshape" | "transpose", (x,)) as move):
            inner = opposite(x, rewriter, depth - 1)
            moved: Value | None = inner and again(move, rewriter, inner)
            return moved
        case Value(Operation("multiply" | "divide" as name, (x, y))):
            if name == "divide" and kind_of(value) != "float":
                return None
            inner, other = (opposite(each, rewriter, depth - 1) for each in (x, y))
            if inner is not None:
                return rewriter.create(name, inner, y)
            return other and rewriter.create(name, x, other)
    return None
