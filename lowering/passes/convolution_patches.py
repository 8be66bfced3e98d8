"""Convolutions of few features, as one dot product with patches of the input."""

from lowering.passes.registry import register_pass
from lowering.rewriting import apply_rules
from lowering.rules import few_features
from tracer.ir import Function

RULES = few_features.RULES


@register_pass
def convolution_patches(function: Function) -> Function:
    """Writes convolutions of fewer than 8 features as dots with patches (CPU, float32).

    Where the input is not finite, the convolution itself runs. Sums may come in another order.
    """
    return apply_rules(function, RULES)
