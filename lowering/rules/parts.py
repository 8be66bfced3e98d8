"""Absolute values, signs, whole numbers, and the parts of complex numbers."""

from __future__ import annotations

from lowering.rewriting import Rewriter, RuleSet
from lowering.rules.signs import has_no_sign
from lowering.rules.values import filled, is_exact_kind, kind_of
from tracer.dtypes import finfo
from tracer.ir import Operation, Value

RULES = RuleSet()

_ROUNDINGS = ("ceil", "floor", "round_nearest_afz", "round_nearest_even")


@RULES.rule("abs")
def abs_of_no_sign(operation: Operation, rewriter: Rewriter) -> Value | None:
    """|(|x|)| -> |x|; |x * x| -> x * x, of floats; others that have no sign likewise"""
    (x,) = operation.operands
    match x:
        case Value(Operation("abs")):
            return x
    return x if has_no_sign(x) else None


@RULES.rule("abs")
def abs_of_negated(operation: Operation, rewriter: Rewriter) -> Value | None:
    """|-x| -> |x|"""
    match operation:
        case Operation(_, (Value(Operation("negate", (x,))),)):
            return rewriter.create("abs", x)
    return None


@RULES.rule("sign")
def sign_of_sign(operation: Operation, rewriter: Rewriter) -> Value | None:
    """sign(sign(x)) -> sign(x), of real numbers"""
    (x,) = operation.operands
    match x:
        case Value(Operation("sign")) if kind_of(x) != "complex":
            return x
    return None


@RULES.rule("is_finite")
def is_finite_of_signed(operation: Operation, rewriter: Rewriter) -> Value | None:
    """is_finite(-x) -> is_finite(x); is_finite(|x|) -> is_finite(x)"""
    match operation:
        case Operation(_, (Value(Operation("negate" | "abs", (x,))),)):
            return rewriter.create("is_finite", x) if kind_of(x) == "float" else None
    return None


@RULES.rule(*_ROUNDINGS)
def round_a_whole_number(operation: Operation, rewriter: Rewriter) -> Value | None:
    """floor(ceil(x)) -> ceil(x); floor(n) -> n, of an integer n made a float"""
    (x,) = operation.operands
    match x:
        case Value(Operation(name)) if name in _ROUNDINGS:
            return x
        case Value(Operation("convert", (n,))) if is_exact_kind(n):
            return x
    return None


@RULES.rule("reduce_precision")
def reduce_to_its_own_precision(operation: Operation, rewriter: Rewriter) -> Value | None:
    """reduce_precision(x, as many bits as x has) -> x"""
    (x,) = operation.operands
    limits = finfo(x.type.dtype)
    wide = operation.attributes["exponent_bits"] >= limits.nexp
    return x if wide and operation.attributes["mantissa_bits"] >= limits.nmant else None


@RULES.rule("real")
def real_of_complex(operation: Operation, rewriter: Rewriter) -> Value | None:
    """real(complex(a, b)) -> a; real(x) -> x, of a float x"""
    (x,) = operation.operands
    match x:
        case Value(Operation("complex", (a, _))):
            return a
    return x if kind_of(x) == "float" else None


@RULES.rule("imag")
def imag_of_complex(operation: Operation, rewriter: Rewriter) -> Value | None:
    """imag(complex(a, b)) -> b; imag(x) -> 0, of a float x"""
    (x,) = operation.operands
    match x:
        case Value(Operation("complex", (_, b))):
            return b
    return filled(rewriter, 0, x.type) if kind_of(x) == "float" else None


@RULES.rule("complex")
def complex_of_parts(operation: Operation, rewriter: Rewriter) -> Value | None:
    """complex(real(z), imag(z)) -> z"""
    match operation:
        case Operation(_, (Value(Operation("real", (z,))), Value(Operation("imag", (w,))))):
            return z if z is w and kind_of(z) == "complex" else None
    return None


@RULES.rule("negate")
def negate_complex(operation: Operation, rewriter: Rewriter) -> Value | None:
    """-complex(-a, -b) -> complex(a, b)"""
    match operation:
        case Operation(_, (Value(Operation("complex", (first, second))),)):
            match first, second:
                case Value(Operation("negate", (a,))), Value(Operation("negate", (b,))):
                    return rewriter.create("complex", a, b)
    return None
