"""Sums, differences and negation."""

from __future__ import annotations

from lowering.rewriting import Rewriter, RuleSet, is_splat
from lowering.rules.signs import is_never_negative_zero, opposite
from lowering.rules.values import computed, filled, is_exact_kind, kind_of
from tracer.ir import Operation, Value

RULES = RuleSet()

_UNITS = {"float": -0.0, "complex": complex(-0.0, -0.0)}
"""What changes no bit of a number it is added to; 0 of other dtypes."""


def _is_zero_of_sums(value: Value) -> bool:
    """Whether a value may be added to any other, and changes no bit of it."""
    return is_splat(value, _UNITS.get(kind_of(value), 0))


@RULES.rule("add")
def add_zero(operation: Operation, rewriter: Rewriter) -> Value | None:
    """x + 0 -> x, of floats x + -0.0, or x + 0.0 of an x that is never -0.0"""
    x, zero = operation.operands
    if _is_zero_of_sums(zero) or (is_splat(zero, 0) and is_never_negative_zero(x)):
        return x
    return None


@RULES.rule("subtract")
def subtract_zero(operation: Operation, rewriter: Rewriter) -> Value | None:
    """x - 0 -> x, of floats too"""
    x, zero = operation.operands
    return x if is_splat(zero, 0) else None


@RULES.rule("subtract")
def subtract_from_zero(operation: Operation, rewriter: Rewriter) -> Value | None:
    """0 - x -> -x, of floats -0.0 - x"""
    zero, x = operation.operands
    return rewriter.create("negate", x) if _is_zero_of_sums(zero) else None


@RULES.rule("subtract")
def subtract_itself(operation: Operation, rewriter: Rewriter) -> Value | None:
    """x - x -> 0, of integers: of floats infinity - infinity is NaN"""
    x, y = operation.operands
    return filled(rewriter, 0, x.type) if x is y and is_exact_kind(x) else None


@RULES.rule("add")
def add_negated(operation: Operation, rewriter: Rewriter) -> Value | None:
    """x + -y -> x - y; -x + y -> y - x; x + -y * z -> x - y * z"""
    x, y = operation.operands
    negated = opposite(y, rewriter)
    if negated is not None:
        return rewriter.create("subtract", x, negated)
    negated = opposite(x, rewriter)
    return negated and rewriter.create("subtract", y, negated)


@RULES.rule("subtract")
def subtract_negated(operation: Operation, rewriter: Rewriter) -> Value | None:
    """x - -y -> x + y; x - -y * z -> x + y * z"""
    x, y = operation.operands
    negated = opposite(y, rewriter)
    return negated and rewriter.create("add", x, negated)


@RULES.rule("add")
def add_constants(operation: Operation, rewriter: Rewriter) -> Value | None:
    """(x + c) + d -> x + (c + d), of integers"""
    match operation:
        case Operation("add", (Value(Operation("add", (x, c))), d)) if is_exact_kind(x):
            total = computed(rewriter, "add", c, d)
            return None if total is None else rewriter.create("add", x, total)
    return None


@RULES.rule("add")
def add_constant_to_difference(operation: Operation, rewriter: Rewriter) -> Value | None:
    """(c - x) + d -> (c + d) - x, of integers"""
    match operation:
        case Operation("add", (Value(Operation("subtract", (c, x))), d)) if is_exact_kind(x):
            total = computed(rewriter, "add", c, d)
            return None if total is None else rewriter.create("subtract", total, x)
    return None


@RULES.rule("add")
def add_what_was_subtracted(operation: Operation, rewriter: Rewriter) -> Value | None:
    """(x - y) + y -> x; y + (x - y) -> x; of integers"""
    for left, right in (operation.operands, operation.operands[::-1]):
        match left:
            case Value(Operation("subtract", (x, y))) if y is right and is_exact_kind(x):
                return x
    return None


@RULES.rule("subtract")
def subtract_what_was_added(operation: Operation, rewriter: Rewriter) -> Value | None:
    """(x + y) - y -> x; (x + y) - x -> y; of integers"""
    match operation:
        case Operation("subtract", (Value(Operation("add", (x, y))), z)) if is_exact_kind(x):
            if z is y:
                return x
            return y if z is x else None
    return None


@RULES.rule("subtract")
def subtract_difference(operation: Operation, rewriter: Rewriter) -> Value | None:
    """x - (x - y) -> y; (x - y) - x -> -y; of integers"""
    match operation:
        case Operation("subtract", (x, Value(Operation("subtract", (z, y))))):
            return y if x is z and is_exact_kind(x) else None
        case Operation("subtract", (Value(Operation("subtract", (x, y))), z)):
            return rewriter.create("negate", y) if x is z and is_exact_kind(x) else None
    return None


@RULES.rule("negate")
def negate_negated(operation: Operation, rewriter: Rewriter) -> Value | None:
    """-(-x) -> x; -(-x * y) -> x * y"""
    return opposite(operation.operands[0], rewriter)


@RULES.rule("negate")
def negate_difference(operation: Operation, rewriter: Rewriter) -> Value | None:
    """-(x - y) -> y - x, of integers: of floats 0 would lose its sign"""
    match operation:
        case Operation("negate", (Value(Operation("subtract", (x, y))),)) if is_exact_kind(x):
            return rewriter.create("subtract", y, x)
    return None
