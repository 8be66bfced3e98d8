"""Dot products in the forms that XLA runs fast on a CPU."""

from lowering.passes.registry import register_pass
from lowering.rewriting import apply_rules
from lowering.rules import dot_forms as forms
from lowering.rules import transpose
from tracer.ir import Function

RULES = forms.RULES + transpose.RULES


@register_pass
def dot_forms(function: Function) -> Function:
    """Puts the operand of a dot product that would have to be transposed on the right (CPU).

    Where that moves fewer elements, those of the result counted. Each element stays the sum of the
    same products, over the same axes in the same order; a backend may add them in another.
    """
    return apply_rules(function, RULES)
