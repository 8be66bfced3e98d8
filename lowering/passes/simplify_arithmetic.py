"""Elementwise operations that cancel, or that say nothing."""

from lowering.passes.registry import register_pass
from lowering.rewriting import apply_rules
from lowering.rules import comparison, extrema, logic, parts, products, selection, sums
from tracer.ir import Function

RULES = (
    sums.RULES
    + products.RULES
    + extrema.RULES
    + logic.RULES
    + comparison.RULES
    + selection.RULES
    + parts.RULES
)


@register_pass
def simplify_arithmetic(function: Function) -> Function:
    """Removes elementwise operations that change nothing, or that others undo, exactly.

    By IEEE 754, in which -0.0, NaN and infinity are numbers like others: of floats x + 0.0, x * 0,
    x - x and x / x stay. Only the bits of a NaN may change. Constants are looked for on the right.
    """
    return apply_rules(function, RULES)
