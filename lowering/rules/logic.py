"""Logic of bools and bits, and shifts."""

from __future__ import annotations

from lowering.rewriting import Rewriter, RuleSet, is_splat
from lowering.rules.values import computed, elements_of, filled, is_constant
from tracer.dtypes import iinfo
from tracer.ir import Operation, Value

RULES = RuleSet()

_ONES = -1
"""The number with all bits set: true, of bools."""
_UNITS = {"and": _ONES, "or": 0, "xor": 0}
_ABSORBERS = {"and": 0, "or": _ONES}
_OTHER = {"and": "or", "or": "and"}
_SHIFTS = ("shift_left", "shift_right_arithmetic", "shift_right_logical")


def _not(value: Value) -> Value | None:
    """What a value is the complement of."""
    match value:
        case Value(Operation("not", (x,))):
            return x
    return None


@RULES.rule(*_UNITS)
def logic_with_its_unit(operation: Operation, rewriter: Rewriter) -> Value | None:
    """x and ones -> x; x or 0 -> x; x xor 0 -> x"""
    x, c = operation.operands
    return x if is_splat(c, _UNITS[operation.name]) else None


@RULES.rule(*_ABSORBERS)
def logic_with_its_absorber(operation: Operation, rewriter: Rewriter) -> Value | None:
    """x and 0 -> 0; x or ones -> ones"""
    _, c = operation.operands
    return c if is_splat(c, _ABSORBERS[operation.name]) else None


@RULES.rule("add")
def bool_plus_true(operation: Operation, rewriter: Rewriter) -> Value | None:
    """x + true -> true, of bools"""
    _, c = operation.operands
    found = c.type.dtype == bool and is_splat(c, 1)
    return c if found else None


@RULES.rule("and", "or")
def logic_of_itself(operation: Operation, rewriter: Rewriter) -> Value | None:
    """x and x -> x; x or x -> x"""
    x, y = operation.operands
    return x if x is y else None


@RULES.rule("xor")
def xor_of_itself(operation: Operation, rewriter: Rewriter) -> Value | None:
    """x xor x -> 0"""
    x, y = operation.operands
    return filled(rewriter, 0, x.type) if x is y else None


@RULES.rule("xor")
def xor_with_ones(operation: Operation, rewriter: Rewriter) -> Value | None:
    """x xor ones -> not x"""
    x, c = operation.operands
    return rewriter.create("not", x) if is_splat(c, _ONES) else None


@RULES.rule(*_UNITS)
def logic_with_its_complement(operation: Operation, rewriter: Rewriter) -> Value | None:
    """x and not x -> 0; x or not x -> ones; x xor not x -> ones"""
    x, y = operation.operands
    if _not(x) is not y and _not(y) is not x:
        return None
    return filled(rewriter, 0 if operation.name == "and" else _ONES, x.type)


@RULES.rule("and", "or")
def logic_of_logic(operation: Operation, rewriter: Rewriter) -> Value | None:
    """(x and y) and y -> x and y; (x and y) or y -> y; with and, or exchanged, too"""
    for inner, other in (operation.operands, operation.operands[::-1]):
        match inner:
            case Value(Operation(name, (x, y))) if name in _OTHER and (other is x or other is y):
                return inner if name == operation.name else other
    return None


@RULES.rule("xor")
def xor_of_xor(operation: Operation, rewriter: Rewriter) -> Value | None:
    """(x xor y) xor y -> x"""
    for inner, other in (operation.operands, operation.operands[::-1]):
        match inner:
            case Value(Operation("xor", (x, y))) if other is x or other is y:
                return x if other is y else y
    return None


@RULES.rule(*_UNITS)
def logic_of_constants(operation: Operation, rewriter: Rewriter) -> Value | None:
    """(x and c) and d -> x and (c and d); or and xor likewise"""
    match operation:
        case Operation(name, (Value(Operation(inner, (x, c))), d)) if inner == name:
            both = computed(rewriter, name, c, d)
            return None if both is None else rewriter.create(name, x, both)
    return None


@RULES.rule("and", "or")
def logic_of_complements(operation: Operation, rewriter: Rewriter) -> Value | None:
    """not x and not y -> not (x or y); and, or exchanged, too"""
    x, y = map(_not, operation.operands)
    if x is None or y is None or not all(map(rewriter.has_one_use, operation.operands)):
        return None
    return rewriter.create("not", rewriter.create(_OTHER[operation.name], x, y))


@RULES.rule("xor")
def xor_of_complements(operation: Operation, rewriter: Rewriter) -> Value | None:
    """not x xor not y -> x xor y"""
    x, y = map(_not, operation.operands)
    return None if x is None or y is None else rewriter.create("xor", x, y)


@RULES.rule("not")
def not_not(operation: Operation, rewriter: Rewriter) -> Value | None:
    """not not x -> x"""
    return _not(operation.operands[0])


@RULES.rule(*_SHIFTS)
def shift_by_zero(operation: Operation, rewriter: Rewriter) -> Value | None:
    """x << 0 -> x"""
    x, c = operation.operands
    return x if is_splat(c, 0) else None


@RULES.rule(*_SHIFTS)
def shift_of_zero(operation: Operation, rewriter: Rewriter) -> Value | None:
    """0 << x -> 0"""
    zero, _ = operation.operands
    return zero if is_splat(zero, 0) else None


@RULES.rule(*_SHIFTS)
def shift_of_shift(operation: Operation, rewriter: Rewriter) -> Value | None:
    """(x << c) << d -> x << (c + d), of c and d below the width"""
    match operation:
        case Operation(name, (Value(Operation(inner, (x, c))), d)) if inner == name:
            if not (_is_below_width(c) and _is_below_width(d)):
                return None
            both = computed(rewriter, "add", c, d)
            return None if both is None else rewriter.create(name, x, both)
    return None


def _is_below_width(value: Value) -> bool:
    """Whether a constant of shifts has none that is negative, or shifts all bits out."""
    if not is_constant(value):
        return False
    amounts, bits = elements_of(value), iinfo(value.type.dtype).bits
    return all(0 <= int(amount) < bits for amount in amounts.reshape(-1))


@RULES.rule("and", "or")
def logic_of_partial_complement(operation: Operation, rewriter: Rewriter) -> Value | None:
    """x and (not x or y) -> x and y; or, and exchanged, too"""
    for outer, inner in (operation.operands, operation.operands[::-1]):
        match inner:
            case Value(Operation(name, (x, y))) if name == _OTHER[operation.name]:
                if _not(x) is outer or _not(y) is outer:
                    rest = y if _not(x) is outer else x
                    return rewriter.create(operation.name, outer, rest)
    return None
