"""Operations of dynamic shape: static ones where they can be, and simpler ones."""

from __future__ import annotations

from collections.abc import Sequence

from lowering.dynamism import FORMS, SYMBOLIC, static_form
from lowering.passes.registry import register_pass
from lowering.rewriting import Rewriter, RuleSet, apply_rules
from tracer.ir import Function, Operation, Value

RULES = RuleSet()


@RULES.rule(*FORMS)
def static(operation: Operation, rewriter: Rewriter) -> Sequence[Value] | None:
    """dynamic_f(x, s) -> f(x), where the types are static already, and s is known or they say it"""
    found = static_form(operation, rewriter)
    if found is None or any(
        a.type is not b.type for a, b in zip(found, operation.results, strict=True)
    ):
        return None
    return found


_ALL = RULES + SYMBOLIC


@register_pass
def canonicalize_dynamism(function: Function) -> Function:
    """Makes operations of dynamic shape static ones where their types are static, others simpler.

    What else says how they work, such as where a slice starts, must be constant for that.
    `refine-shapes` also makes types static, through calls, and does arithmetic on shapes.
    """
    return apply_rules(function, _ALL)
