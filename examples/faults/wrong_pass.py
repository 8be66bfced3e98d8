"""A pass that miscompiles: to it, it makes no difference what is taken from what."""

from lowering import Rewriter, RuleSet, apply_rules, register_pass
from tracer.ir import Function, Operation, Value

RULES = RuleSet()


@RULES.rule("subtract")
def exponential_first(operation: Operation, rewriter: Rewriter) -> Value | None:
    """x - exp(y) -> exp(y) - x"""
    match operation.operands:
        case (x, Value(Operation("exponential")) as y):
            return rewriter.create("subtract", y, x)
    return None


@register_pass
def wrong_pass(function: Function) -> Function:
    """Puts exponentials first."""
    return apply_rules(function, RULES)
