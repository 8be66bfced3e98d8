"""Selection."""

from __future__ import annotations

from lowering.rewriting import Rewriter, RuleSet, is_splat
from lowering.rules.comparison import direction_of
from lowering.rules.forms import fill
from lowering.rules.values import is_exact_kind, kind_of
from tracer.ir import Operation, Value

RULES = RuleSet()


@RULES.rule("select")
def select_of_the_same(operation: Operation, rewriter: Rewriter) -> Value | None:
    """select(p, x, x) -> x"""
    _, x, y = operation.operands
    return x if x is y else None


@RULES.rule("select")
def select_by_constant(operation: Operation, rewriter: Rewriter) -> Value | None:
    """select(true, x, y) -> x; select(false, x, y) -> y"""
    predicate, x, y = operation.operands
    if is_splat(predicate, True):
        return x
    return y if is_splat(predicate, False) else None


@RULES.rule("select")
def select_by_complement(operation: Operation, rewriter: Rewriter) -> Value | None:
    """select(not p, x, y) -> select(p, y, x)"""
    match operation:
        case Operation(_, (Value(Operation("not", (p,))), x, y)):
            return rewriter.create("select", p, y, x)
    return None


@RULES.rule("select")
def select_by_broadcast_complement(operation: Operation, rewriter: Rewriter) -> Value | None:
    """select(broadcast(not p), x, y) -> select(broadcast(p), y, x)"""
    match operation:
        case Operation(_, (Value(Operation("broadcast_in_dim", (inner,)) as spread), x, y)):
            match inner:
                case Value(Operation("not", (p,))):
                    wide = rewriter.create("broadcast_in_dim", p, **spread.attributes)
                    return rewriter.create("select", wide, y, x)
    return None


@RULES.rule("select")
def select_of_select(operation: Operation, rewriter: Rewriter) -> Value | None:
    """select(p, select(p, x, y), z) -> select(p, x, z); in the other branch likewise"""
    p, x, y = operation.operands
    match x, y:
        case Value(Operation("select", (inner, first, _))), _ if inner is p:
            return rewriter.create("select", p, first, y)
        case _, Value(Operation("select", (inner, _, second))) if inner is p:
            return rewriter.create("select", p, x, second)
    return None


@RULES.rule("select")
def select_true_or_false(operation: Operation, rewriter: Rewriter) -> Value | None:
    """select(p, true, y) -> p or y; select(p, x, false) -> p and x; of bools"""
    p, x, y = operation.operands
    if kind_of(x) != "bool":
        return None
    whole = fill(p, x.type.shape, rewriter) if p.type is not x.type else p
    if is_splat(x, True):
        return rewriter.create("or", whole, y)
    return rewriter.create("and", whole, x) if is_splat(y, False) else None


@RULES.rule("select")
def select_false_or_true(operation: Operation, rewriter: Rewriter) -> Value | None:
    """select(p, false, true) -> not p"""
    p, x, y = operation.operands
    if kind_of(x) != "bool" or p.type is not x.type:
        return None
    return rewriter.create("not", p) if is_splat(x, False) and is_splat(y, True) else None


@RULES.rule("select")
def select_one_or_zero(operation: Operation, rewriter: Rewriter) -> Value | None:
    """select(p, 1, 0) -> convert(p), of numbers"""
    p, x, y = operation.operands
    if kind_of(x) == "bool" or p.type.shape != x.type.shape:
        return None
    one_or_zero = is_splat(x, 1) and is_splat(y, 0)
    return rewriter.create("convert", p, dtype=x.type.dtype) if one_or_zero else None


_EXTREMA = {"LT": "minimum", "LE": "minimum", "GT": "maximum", "GE": "maximum"}
_OPPOSITE = {"minimum": "maximum", "maximum": "minimum"}


@RULES.rule("select")
def select_the_lesser(operation: Operation, rewriter: Rewriter) -> Value | None:
    """select(x < y, x, y) -> min(x, y); the greater likewise; of integers: x might be NaN"""
    match operation:
        case Operation(_, (Value(Operation("compare", (a, b)) as compare), x, y)):
            name = _EXTREMA.get(direction_of(compare))
            if name is None or not is_exact_kind(x) or compare.result.type.shape != x.type.shape:
                return None
            if a is x and b is y:
                return rewriter.create(name, x, y)
            return rewriter.create(_OPPOSITE[name], x, y) if a is y and b is x else None
    return None


@RULES.rule("select")
def select_the_equal(operation: Operation, rewriter: Rewriter) -> Value | None:
    """select(x == y, x, y) -> y; select(x != y, x, y) -> x; of integers: 0.0 equals -0.0"""
    match operation:
        case Operation(_, (Value(Operation("compare", (a, b)) as compare), x, y)):
            same = (a is x and b is y) or (a is y and b is x)
            if not same or not is_exact_kind(x) or compare.result.type.shape != x.type.shape:
                return None
            return {"EQ": y, "NE": x}.get(direction_of(compare))
    return None
