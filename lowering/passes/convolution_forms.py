"""Convolutions in the forms that XLA runs fast on a CPU."""

from lowering.passes.registry import register_pass
from lowering.rewriting import apply_rules
from lowering.rules import convolution
from tracer.ir import Function

RULES = convolution.RULES


@register_pass
def convolution_forms(function: Function) -> Function:
    """Writes convolutions with kernels of one place, or of every place, as dot products (CPU).

    Padding of the input becomes that of the convolution; 5 to 7 features are padded to 8. Sums of
    floats may come in another order.
    """
    return apply_rules(function, RULES)
