"""Products, quotients, remainders and powers."""

from __future__ import annotations

from math import frexp

from lowering.rewriting import Rewriter, RuleSet, is_splat, splat_of
from lowering.rules.values import computed, filled, is_exact_kind, kind_of
from tracer.dtypes import finfo, kind
from tracer.ir import Operation, Value

RULES = RuleSet()


@RULES.rule("multiply", "divide", "power")
def by_one(operation: Operation, rewriter: Rewriter) -> Value | None:
    """x * 1 -> x; x / 1 -> x; x ^ 1 -> x; not of complex numbers, whose parts mix"""
    x, one = operation.operands
    return x if kind_of(x) != "complex" and is_splat(one, 1) else None


@RULES.rule("multiply", "divide")
def by_minus_one(operation: Operation, rewriter: Rewriter) -> Value | None:
    """x * -1 -> -x; x / -1 -> -x; of signed numbers"""
    x, c = operation.operands
    signed = kind_of(x) in ("int", "float")
    return rewriter.create("negate", x) if signed and is_splat(c, -1) else None


@RULES.rule("multiply")
def by_zero(operation: Operation, rewriter: Rewriter) -> Value | None:
    """x * 0 -> 0, of integers: of floats infinity * 0 is NaN, and -1 * 0 is -0.0"""
    x, zero = operation.operands
    return zero if is_exact_kind(x) and is_splat(zero, 0) else None


@RULES.rule("multiply")
def bool_by_itself(operation: Operation, rewriter: Rewriter) -> Value | None:
    """x * x -> x, of bools"""
    x, y = operation.operands
    return x if x is y and kind_of(x) == "bool" else None


@RULES.rule("multiply")
def multiply_constants(operation: Operation, rewriter: Rewriter) -> Value | None:
    """(x * c) * d -> x * (c * d), of integers"""
    match operation:
        case Operation(_, (Value(Operation("multiply", (x, c))), d)) if is_exact_kind(x):
            product = computed(rewriter, "multiply", c, d)
            return None if product is None else rewriter.create("multiply", x, product)
    return None


@RULES.rule("multiply", "divide")
def both_negated(operation: Operation, rewriter: Rewriter) -> Value | None:
    """-x * -y -> x * y; -x / -y -> x / y, of floats: the least integer is its own negation"""
    match operation:
        case Operation(name, (Value(Operation("negate", (x,))), Value(Operation("negate", (y,))))):
            exact = name == "multiply" or kind_of(x) == "float"
            return rewriter.create(name, x, y) if exact else None
    return None


@RULES.rule("multiply", "divide")
def negated_by_constant(operation: Operation, rewriter: Rewriter) -> Value | None:
    """-x * c -> x * -c; -x / c -> x / -c, of floats"""
    match operation:
        case Operation(name, (Value(Operation("negate", (x,))), c)):
            exact = name == "multiply" or kind_of(x) == "float"
            negated = computed(rewriter, "negate", c) if exact else None
            return None if negated is None else rewriter.create(name, x, negated)
    return None


@RULES.rule("negate")
def negate_product(operation: Operation, rewriter: Rewriter) -> Value | None:
    """-(x * c) -> x * -c, not of complex numbers, in whose parts zeros would differ"""
    match operation:
        case Operation(_, (Value(Operation("multiply", (x, c))) as product,)):
            exact = kind_of(x) != "complex" and rewriter.has_one_use(product)
            negated = computed(rewriter, "negate", c) if exact else None
            return None if negated is None else rewriter.create("multiply", x, negated)
    return None


@RULES.rule("divide")
def by_power_of_two(operation: Operation, rewriter: Rewriter) -> Value | None:
    """x / 2^k -> x * 2^-k, of floats, where 2^-k is a normal number: both round the same number"""
    x, c = operation.operands
    number = splat_of(c)
    if number is None or kind_of(x) != "float" or abs(frexp(number)[0]) != 0.5:
        return None
    limits, inverse = finfo(number.dtype), 1 / float(number)
    if not limits.smallest_normal <= abs(inverse) <= limits.max:
        return None
    return rewriter.create("multiply", x, filled(rewriter, inverse, x.type))


@RULES.rule("remainder")
def remainder_by_one(operation: Operation, rewriter: Rewriter) -> Value | None:
    """x % 1 -> 0; x % -1 -> 0; of integers"""
    x, c = operation.operands
    units = (1, -1) if kind_of(x) == "int" else (1,)
    one = is_exact_kind(x) and any(is_splat(c, unit) for unit in units)
    return filled(rewriter, 0, x.type) if one else None


@RULES.rule("remainder")
def remainder_of_remainder(operation: Operation, rewriter: Rewriter) -> Value | None:
    """(x % y) % y -> x % y"""
    match operation:
        case Operation(_, (Value(Operation("remainder", (_, y))) as inner, z)) if y is z:
            return inner
    return None


@RULES.rule("power")
def power_of_zero(operation: Operation, rewriter: Rewriter) -> Value | None:
    """x ^ 0 -> 1, of NaN, too; not of complex numbers"""
    x, c = operation.operands
    zero = kind_of(x) != "complex" and any(is_splat(c, number) for number in (0.0, -0.0))
    return filled(rewriter, 1, x.type) if zero else None


@RULES.rule("power")
def power_of_two(operation: Operation, rewriter: Rewriter) -> Value | None:
    """x ^ 2 -> x * x, of integers"""
    x, c = operation.operands
    square = kind(x.type.dtype) in ("int", "uint") and is_splat(c, 2)
    return rewriter.create("multiply", x, x) if square else None
