"""What passes change is counted once, and not past a limit."""

from __future__ import annotations

import numpy as np

from lowering import Rewriter, RuleSet, apply_rules, counting, run_passes
from tracer.ir import Builder, Function, Operation, TensorType, Value
from tracer.ops import OPS

X = TensorType((2,), np.dtype(np.float32))
RULES = RuleSet()


@RULES.rule("negate")
def negate_of_negate(operation: Operation, rewriter: Rewriter) -> Value | None:
    """-(-x) -> x"""
    match operation:
        case Operation("negate", (Value(Operation("negate", (x,))),)):
            return x
    return None


@RULES.rule("sine")
def undecided(operation: Operation, rewriter: Rewriter) -> Value | None:
    """sin(x) -> sin(x), after all"""
    (x,) = operation.operands
    rewriter.create("negate", rewriter.create("negate", x))
    return None


def chain(*names: str) -> Function:
    """Operations one after the other."""
    builder = Builder()
    value = builder.argument(X)
    for name in names:
        (value,) = builder.create(OPS[name], [value])
    return builder.function("f", [value])


def test_rules_that_fire_are_counted() -> None:
    with counting() as rewrites:
        made = apply_rules(chain("negate", "negate", "negate"), RULES)
    assert rewrites.counts == {"test-statistics/negate_of_negate": 1}
    assert [op.name for op in made.operations] == ["negate"]


def test_what_a_rule_makes_and_drops_is_not() -> None:
    function = chain("sine")
    with counting() as rewrites:
        assert apply_rules(function, RULES) is function
    assert rewrites.total == 0


def test_nothing_is_changed_past_the_limit() -> None:
    function = chain(*["negate"] * 4)
    for limit, left in ((0, 4), (1, 2), (2, 0)):
        with counting(limit) as rewrites:
            made = apply_rules(function, RULES)
        assert (rewrites.total, len(made.operations)) == (limit, left)


def test_dead_code_is_one_change() -> None:
    builder = Builder()
    x = builder.argument(X)
    builder.create(OPS["negate"], [x])
    function = builder.function("f", [x])
    with counting(0):
        assert len(run_passes(function, ["dce"]).entry.operations) == 1
    with counting() as rewrites:
        assert len(run_passes(function, ["dce"]).entry.operations) == 0
    assert rewrites.counts == {"dce": 1}
