"""Pooling in the forms that XLA runs fast on a CPU."""

from lowering.passes.registry import register_pass
from lowering.rewriting import apply_rules
from lowering.rules import maximum_gradients, pooling
from tracer.ir import Function

RULES = pooling.RULES + maximum_gradients.RULES


@register_pass
def pooling_forms(function: Function) -> Function:
    """Writes pooling and its derivatives as slices, repeats and masks, not windows (CPU).

    A window is combined axis by axis, what spreads over whole windows is repeated, and what goes
    to the extrema of windows side by side is masked. Sums and products of floats may come in
    another order.
    """
    return apply_rules(function, RULES)
