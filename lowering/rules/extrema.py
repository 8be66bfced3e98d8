"""Maximum, minimum and clamp."""

from __future__ import annotations

from typing import Any

from lowering.rewriting import Rewriter, RuleSet, is_splat, splat_of
from lowering.rules.forms import fill
from lowering.rules.values import (
    computed,
    highest,
    is_constant,
    is_exact_kind,
    kind_of,
    lowest,
)
from tracer.ir import Operation, TensorType, Value

RULES = RuleSet()

_OTHER = {"maximum": "minimum", "minimum": "maximum"}


def _unit(name: str, value: Value) -> Any:
    """The number that never wins."""
    return (lowest if name == "maximum" else highest)(value.type.dtype)


def _absorber(name: str, value: Value) -> Any:
    """The number that always wins."""
    return _unit(_OTHER[name], value)


@RULES.rule("maximum", "minimum")
def extremum_of_itself(operation: Operation, rewriter: Rewriter) -> Value | None:
    """max(x, x) -> x"""
    x, y = operation.operands
    return x if x is y else None


@RULES.rule("maximum", "minimum")
def extremum_with_its_unit(operation: Operation, rewriter: Rewriter) -> Value | None:
    """max(x, lowest) -> x; min(x, highest) -> x; of NaN, too"""
    x, c = operation.operands
    if kind_of(x) == "complex":
        return None
    return x if is_splat(c, _unit(operation.name, x)) else None


@RULES.rule("maximum", "minimum")
def extremum_with_the_extreme(operation: Operation, rewriter: Rewriter) -> Value | None:
    """max(x, highest) -> highest; min(x, lowest) -> lowest; of integers: x might be NaN"""
    x, c = operation.operands
    if not is_exact_kind(x):
        return None
    return c if is_splat(c, _absorber(operation.name, x)) else None


@RULES.rule("maximum", "minimum")
def extremum_of_extremum(operation: Operation, rewriter: Rewriter) -> Value | None:
    """max(max(x, y), y) -> max(x, y)"""
    for inner, other in (operation.operands, operation.operands[::-1]):
        match inner:
            case Value(Operation(name, (x, y))) if name == operation.name:
                if other is x or other is y:
                    return inner
    return None


@RULES.rule("maximum", "minimum")
def extremum_of_the_other(operation: Operation, rewriter: Rewriter) -> Value | None:
    """max(min(x, y), x) -> x, of integers: y might be NaN"""
    for inner, other in (operation.operands, operation.operands[::-1]):
        match inner:
            case Value(Operation(name, (x, y))) if name == _OTHER[operation.name]:
                if is_exact_kind(x) and (other is x or other is y):
                    return other
    return None


@RULES.rule("maximum", "minimum")
def extremum_of_constants(operation: Operation, rewriter: Rewriter) -> Value | None:
    """max(max(x, c), d) -> max(x, max(c, d)), of integers"""
    match operation:
        case Operation(name, (Value(Operation(inner, (x, c))), d)):
            if inner != name or not is_exact_kind(x):
                return None
            both = computed(rewriter, name, c, d)
            return None if both is None else rewriter.create(name, x, both)
    return None


@RULES.rule("minimum")
def clamp_from_extrema(operation: Operation, rewriter: Rewriter) -> Value | None:
    """min(max(x, a), b) -> clamp(a, x, b), of constants a and b"""
    match operation:
        case Operation(_, (Value(Operation("maximum", (x, a))) as inner, b)):
            constant = is_constant(a) and is_constant(b) and not is_constant(x)
            known = kind_of(x) in ("int", "uint", "float")
            if constant and known and rewriter.has_one_use(inner):
                return rewriter.create("clamp", a, x, b)
    return None


@RULES.rule("clamp")
def clamp_without_an_edge(operation: Operation, rewriter: Rewriter) -> Value | None:
    """clamp(lowest, x, b) -> min(x, b); clamp(a, x, highest) -> max(x, a)"""
    low, x, high = operation.operands
    if is_splat(low, lowest(x.type.dtype)):
        return rewriter.create("minimum", x, _whole(high, x.type, rewriter))
    if is_splat(high, highest(x.type.dtype)):
        return rewriter.create("maximum", x, _whole(low, x.type, rewriter))
    return None


def _whole(edge: Value, type: TensorType, rewriter: Rewriter) -> Value:
    return edge if edge.type is type else fill(edge, type.shape, rewriter)


@RULES.rule("clamp")
def clamp_of_clamp(operation: Operation, rewriter: Rewriter) -> Value | None:
    """clamp(a, clamp(a, x, b), b) -> clamp(a, x, b)"""
    match operation:
        case Operation(_, (low, Value(Operation("clamp", (a, _, b))) as inner, high)):
            return inner if low is a and high is b else None
    return None


@RULES.rule("clamp")
def clamp_between_crossed_edges(operation: Operation, rewriter: Rewriter) -> Value | None:
    """clamp(c, x, d) -> d, of integers c >= d"""
    low, x, high = operation.operands
    c, d = splat_of(low), splat_of(high)
    if c is None or d is None or not is_exact_kind(x) or c < d:
        return None
    return _whole(high, x.type, rewriter)
