"""CHLO's operations as StableHLO's: rules, by what the operations are about."""

from functools import lru_cache

from lowering.chlo import (
    broadcasting,
    constants,
    contraction,
    elementwise,
    scans,
    sorting,
    special,
    trigonometry,
)
from lowering.rewriting import RuleSet, apply_rules
from lowering.statistics import counting
from tracer.ir import Block, Builder, Operation, make_operation

__all__ = ["RULES", "expansion"]

RULES = sum(
    (
        broadcasting.RULES,
        constants.RULES,
        contraction.RULES,
        elementwise.RULES,
        scans.RULES,
        sorting.RULES,
        special.RULES,
        trigonometry.RULES,
    ),
    RuleSet(),
)


@lru_cache(maxsize=256)
def expansion(operation: Operation) -> Block | None:
    """What an operation computes, as a block of its operands; None where no rule knows."""
    builder = Builder()
    operands = [builder.argument(v.type) for v in operation.operands]
    results = builder.append(
        make_operation(
            operation.op, operands, operation.attributes, operation.regions, operation.location
        )
    )
    alone = builder.function("main", results)
    with counting():  # apart from what a pass counts, and its limit
        expanded = apply_rules(alone, RULES)
    return None if expanded is alone else expanded.body
