"""CHLO's operations as StableHLO's."""

from lowering.chlo import RULES
from lowering.passes.registry import register_pass
from lowering.rewriting import apply_rules
from tracer.ir import Function


@register_pass
def expand_chlo(function: Function) -> Function:
    """Puts operations of StableHLO in the place of those of CHLO.

    Floats of 16 bits and less are computed with in 32. Operations with types that are not static
    tensors stay.
    """
    return apply_rules(function, RULES)
