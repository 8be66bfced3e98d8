"""Comparisons."""

from __future__ import annotations

from lowering.rewriting import Rewriter, RuleSet, is_splat
from lowering.rules.values import computed, filled, highest, is_exact_kind, kind_of, lowest
from tracer.ir import Operation, Value

RULES = RuleSet()

_OUTCOMES = {"LT": "<", "LE": "<=", "EQ": "=", "GE": ">=", "GT": ">", "NE": "<>?"}
"""When a comparison is true: ? is where one of the numbers is NaN."""
_MIRRORED = {"LT": "GT", "LE": "GE", "GT": "LT", "GE": "LE", "EQ": "EQ", "NE": "NE"}
_REFLEXIVE = ("EQ", "GE", "LE")

_AT_LOWEST = {"LT": False, "GE": True, "LE": "EQ", "GT": "NE"}
_AT_HIGHEST = {"GT": False, "LE": True, "GE": "EQ", "LT": "NE"}
"""What is left of a comparison with the end of a dtype: an answer, or whether x is there."""


def direction_of(operation: Operation) -> str:
    """The direction of a comparison."""
    found: str = operation.attributes["comparison_direction"]
    return found


def _is_ordered(operation: Operation) -> bool:
    """Whether of two numbers one is always the lesser, or both are equal: no NaN is apart."""
    total = operation.attributes["compare_type"] == "TOTALORDER"
    return total or is_exact_kind(operation.operands[0])


@RULES.rule("compare")
def compare_with_itself(operation: Operation, rewriter: Rewriter) -> Value | None:
    """x == x -> true, of integers; x < x -> false, of floats too: a NaN is not itself"""
    x, y = operation.operands
    direction = direction_of(operation)
    if x is not y or not (_is_ordered(operation) or direction in ("LT", "GT")):
        return None
    return filled(rewriter, direction in _REFLEXIVE, operation.result.type)


@RULES.rule("compare")
def compare_with_an_end(operation: Operation, rewriter: Rewriter) -> Value | None:
    """x >= 0 -> true, of unsigned x; x > 0 -> x != 0; at both ends of all integers and bools"""
    x, c = operation.operands
    if not is_exact_kind(x):
        return None
    for end, answers in ((lowest, _AT_LOWEST), (highest, _AT_HIGHEST)):
        answer = answers.get(direction_of(operation))
        if answer is not None and is_splat(c, end(x.type.dtype)):
            if isinstance(answer, bool):
                return filled(rewriter, answer, operation.result.type)
            return rewriter.create("compare", x, c, comparison_direction=answer)
    return None


@RULES.rule("compare")
def compare_bool_with_constant(operation: Operation, rewriter: Rewriter) -> Value | None:
    """x == true -> x; x == false -> not x; != likewise; of bools"""
    x, c = operation.operands
    direction = direction_of(operation)
    if kind_of(x) != "bool" or direction not in ("EQ", "NE"):
        return None
    if is_splat(c, direction == "EQ"):
        return x
    return rewriter.create("not", x) if is_splat(c, direction != "EQ") else None


@RULES.rule("compare")
def compare_converted_bool(operation: Operation, rewriter: Rewriter) -> Value | None:
    """convert(p) != 0 -> p; convert(p) == 0 -> not p; of a bool p"""
    match operation:
        case Operation(_, (Value(Operation("convert", (p,))), c)) if kind_of(p) == "bool":
            if not is_splat(c, 0):
                return None
            equal = direction_of(operation) == "EQ"
            if direction_of(operation) == "NE":
                return p
            return rewriter.create("not", p) if equal else None
    return None


@RULES.rule("compare")
def compare_sum_with_constant(operation: Operation, rewriter: Rewriter) -> Value | None:
    """x + c == d -> x == d - c; != likewise; of integers, which wrap"""
    match operation:
        case Operation(_, (Value(Operation("add", (x, c))), d)):
            if kind_of(x) not in ("int", "uint") or direction_of(operation) not in ("EQ", "NE"):
                return None
            rest = computed(rewriter, "subtract", d, c)
            direction = direction_of(operation)
            return rest and rewriter.create("compare", x, rest, comparison_direction=direction)
    return None


@RULES.rule("not")
def not_compare(operation: Operation, rewriter: Rewriter) -> Value | None:
    """not (x < y) -> x >= y, of integers; not (x == y) -> x != y, of floats too"""
    match operation:
        case Operation(_, (Value(Operation("compare") as inner) as result,)):
            if rewriter.has_one_use(result):
                others = _possible(inner) - _outcomes(inner, direction_of(inner))
                return _whether(others, inner, rewriter)
    return None


@RULES.rule("and", "or", "xor")
def logic_of_comparisons(operation: Operation, rewriter: Rewriter) -> Value | None:
    """x < y or x == y -> x <= y; x <= y and x >= y -> x == y; others of x and y likewise"""
    match operation:
        case Operation(name, (Value(Operation("compare") as a), Value(Operation("compare") as b))):
            direction = _direction_as(a, b)
            if direction is None:
                return None
            left, right = _outcomes(a, direction_of(a)), _outcomes(a, direction)
            found = {"and": left & right, "or": left | right, "xor": left ^ right}[name]
            return _whether(found, a, rewriter)
    return None


def _direction_as(a: Operation, b: Operation) -> str | None:
    """The direction of one comparison with the operands of another; None if they are others."""
    if a.attributes["compare_type"] != b.attributes["compare_type"]:
        return None
    if a.operands == b.operands:
        return direction_of(b)
    return _MIRRORED[direction_of(b)] if a.operands == b.operands[::-1] else None


def _possible(operation: Operation) -> set[str]:
    return set("<=>" if _is_ordered(operation) else "<=>?")


def _outcomes(operation: Operation, direction: str) -> set[str]:
    return _possible(operation) & set(_OUTCOMES[direction])


def _whether(outcomes: set[str], like: Operation, rewriter: Rewriter) -> Value | None:
    """Whether two operands compare in one of these ways; None where no direction says it."""
    if not outcomes or outcomes == _possible(like):
        return filled(rewriter, bool(outcomes), like.result.type)
    for direction in _OUTCOMES:
        if _outcomes(like, direction) == outcomes:
            changed = {**like.attributes, "comparison_direction": direction}
            return rewriter.create("compare", *like.operands, **changed)
    return None
