"""Moves of elements that cancel, or that need not be."""

from lowering.passes.registry import register_pass
from lowering.rewriting import apply_rules
from lowering.rules import broadcast, convert, empty, motion, repeated, reshape, reverse, transpose
from tracer.ir import Function

RULES = (
    empty.RULES
    + repeated.RULES
    + reshape.RULES
    + transpose.RULES
    + broadcast.RULES
    + convert.RULES
    + reverse.RULES
    + motion.RULES
)


@register_pass
def simplify_shapes(function: Function) -> Function:
    """Removes reshapes, transposes, broadcasts, converts and reversals that cancel, exactly.

    What is elementwise is computed before a broadcast, not after it; values without elements become
    constants. The number of operations that move elements never grows.
    """
    return apply_rules(function, RULES)
