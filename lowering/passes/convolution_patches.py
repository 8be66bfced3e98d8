"""Convolutions of few features, as one dot product with every patch of the input."""

from lowering.passes.registry import register_pass
from lowering.rewriting import apply_rules
from lowering.rules import patches
from tracer.ir import Function

RULES = patches.RULES


@register_pass
def convolution_patches(function: Function) -> Function:
    """Writes convolutions of one feature, or over few images, as dots with every patch (CPU).

    In no pipeline: each such convolution runs faster on a CPU, but of LeNet's step no less time was
    measured, and it takes more than half again as long to compile. Sums of floats may come in
    another order.
    """
    return apply_rules(function, RULES)
