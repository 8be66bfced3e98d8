"""Dot products that take their operands, and give their results, as they stand."""

from lowering.passes.registry import register_pass
from lowering.rewriting import apply_rules
from lowering.rules import convert, dot, dot_reshape, empty, reshape, transpose
from tracer.ir import Function

RULES = (
    empty.RULES + convert.RULES + dot.RULES + dot_reshape.RULES + reshape.RULES + transpose.RULES
)


@register_pass
def merge_dots(function: Function) -> Function:
    """Takes transposes, reshapes and broadcasts into the dimension numbers of dot products.

    Those that cancel go, too. Each element stays the sum of the same products, over the same axes
    in the same order; in which order a backend adds them may depend on how the operands stand.
    """
    return apply_rules(function, RULES)
