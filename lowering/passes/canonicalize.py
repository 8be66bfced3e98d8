"""One way to say what can be said in several."""

from __future__ import annotations

from lowering.passes.registry import register_pass
from lowering.rewriting import Rewriter, RuleSet, apply_rules
from lowering.rules.forms import again
from lowering.rules.values import computed, is_constant, kind_of
from tracer.ir import Block, Function, Operation, Value

RULES = RuleSet()

_MIRRORED = {"EQ": "EQ", "NE": "NE", "LT": "GT", "LE": "GE", "GT": "LT", "GE": "LE"}
"""The direction of a comparison once its operands have changed places."""


@register_pass
def canonicalize(function: Function) -> Function:
    """Says in one way what StableHLO can say in several; no bit of a result changes.

    Constants stand to the right, comparisons of results are LT or LE, arithmetic on bools is logic,
    an integer less a constant is a sum, scalars that select and clamp can spread are not broadcast.
    """
    return apply_rules(function, RULES)


@RULES.rule(trait="commutative")
def constant_to_the_right(operation: Operation, rewriter: Rewriter) -> Value | None:
    """op(c, x) -> op(x, c)"""
    left, right = operation.operands
    if is_constant(left) and not is_constant(right):
        return again(operation, rewriter, right, left)
    return None


@RULES.rule("compare")
def comparison_with_a_constant(operation: Operation, rewriter: Rewriter) -> Value | None:
    """c < x -> x > c"""
    left, right = operation.operands
    if is_constant(left) and not is_constant(right):
        return _mirrored(operation, rewriter)
    return None


@RULES.rule("compare")
def greater_as_less(operation: Operation, rewriter: Rewriter) -> Value | None:
    """x > y -> y < x; not of two arguments, for comparators of sorts are known by their form"""
    greater = operation.attributes["comparison_direction"] in ("GT", "GE")
    arguments = all(isinstance(value.owner, Block) for value in operation.operands)
    if greater and not arguments and not any(map(is_constant, operation.operands)):
        return _mirrored(operation, rewriter)
    return None


_LOGIC = {"add": "or", "maximum": "or", "multiply": "and", "minimum": "and"}


@RULES.rule(*_LOGIC)
def arithmetic_of_bools(operation: Operation, rewriter: Rewriter) -> Value | None:
    """x + y -> x or y, max likewise; x * y -> x and y, min likewise; of bools"""
    if kind_of(operation.result) != "bool":
        return None
    return rewriter.create(_LOGIC[operation.name], *operation.operands)


@RULES.rule("compare")
def inequality_of_bools(operation: Operation, rewriter: Rewriter) -> Value | None:
    """x != y -> x xor y, of bools"""
    differs = operation.attributes["comparison_direction"] == "NE"
    if not differs or kind_of(operation.operands[0]) != "bool":
        return None
    return rewriter.create("xor", *operation.operands)


@RULES.rule("subtract")
def less_a_constant(operation: Operation, rewriter: Rewriter) -> Value | None:
    """x - c -> x + -c, of integers"""
    x, c = operation.operands
    if kind_of(x) not in ("int", "uint") or is_constant(x):
        return None
    negated = computed(rewriter, "negate", c)
    return None if negated is None else rewriter.create("add", x, negated)


@RULES.rule("select")
def scalar_predicate(operation: Operation, rewriter: Rewriter) -> Value | None:
    """select(broadcast(p), x, y) -> select(p, x, y), of a scalar p"""
    predicate, x, y = operation.operands
    scalar = _scalar(predicate)
    return None if scalar is None else again(operation, rewriter, scalar, x, y)


@RULES.rule("clamp")
def scalar_edges(operation: Operation, rewriter: Rewriter) -> Value | None:
    """clamp(broadcast(a), x, broadcast(b)) -> clamp(a, x, b), of scalars a and b"""
    low, x, high = operation.operands
    a, b = _scalar(low), _scalar(high)
    if a is None and b is None:
        return None
    return again(operation, rewriter, low if a is None else a, x, high if b is None else b)


def _scalar(value: Value) -> Value | None:
    """What a value is the broadcast of, where that is a scalar."""
    match value:
        case Value(Operation("broadcast_in_dim", (inner,))) if inner.type.shape == ():
            return inner
    return None


def _mirrored(operation: Operation, rewriter: Rewriter) -> Value:
    left, right = operation.operands
    direction = _MIRRORED[operation.attributes["comparison_direction"]]
    return again(operation, rewriter, right, left, comparison_direction=direction)
