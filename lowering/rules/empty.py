"""Values without elements."""

import numpy as np

from lowering.effects import has_effect
from lowering.rewriting import Rewriter, RuleSet
from tracer.ir import Operation, Value, callee

RULES = RuleSet()


@RULES.rule()
def results_without_elements(operation: Operation, rewriter: Rewriter) -> list[Value] | None:
    """f(x) -> constant, where no result has an element"""
    if operation.name == "constant" or callee(operation) is not None:
        return None
    if any(v.type.size for v in operation.results) or has_effect(operation):
        return None
    return [rewriter.constant(np.empty(v.type.shape, v.type.dtype)) for v in operation.results]
