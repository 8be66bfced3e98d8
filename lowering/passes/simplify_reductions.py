"""Reductions that have less to reduce, and sorts with less to sort."""

from lowering.passes.registry import register_pass
from lowering.rewriting import apply_rules
from lowering.rules import empty, reduce, sort, unused, windows
from tracer.ir import Function

RULES = empty.RULES + unused.RULES + reduce.RULES + windows.RULES + sort.RULES


@register_pass
def simplify_reductions(function: Function) -> Function:
    """Reduces, exactly, only along axes that have several different elements, and once.

    Sums and products of floats keep the order of their terms; an initial value stays, unless
    combining it with any other changes no bit of that. What only unused results need is left out.
    """
    return apply_rules(function, RULES)
