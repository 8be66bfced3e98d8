"""Loops and branches of which something is known."""

from __future__ import annotations

from collections.abc import Sequence

from lowering.blocks import with_body
from lowering.copying import spliced
from lowering.loops import has_pure_condition, trimmed, unchanged, with_state
from lowering.numbering import Numbers, number
from lowering.passes.registry import register_pass
from lowering.rewriting import Rewriter, RuleSet, apply_rules
from lowering.rules import branches
from lowering.trips import trips
from tracer.ir import Function, Operation, Value
from tracer.ir.walk import operations

RULES = RuleSet() + branches.RULES

TURNS = 8
"""The most turns of a loop that are written out; more than one only if they have, in all,"""
OPERATIONS = 64
"""at most so many operations."""


@register_pass
def simplify_loops(function: Function) -> Function:
    """Puts what a known branch does in place of an `if` or `case`, and writes out short loops.

    Of the others: what no turn changes is used from outside, of two values that are always equal
    one is kept, and what no result or effect comes from is no longer computed.
    """
    while True:
        made = with_body(apply_rules(function, RULES), trimmed)
        if made is function:
            return function
        function = made


@RULES.rule("while")
def written_out(operation: Operation, rewriter: Rewriter) -> Sequence[Value] | None:
    """while c(s) {f(s)} -> f(f(s)), of two turns"""
    body = operation.regions[1]
    size = sum(1 for _ in operations(body)) or 1
    turns = trips(operation, max(1, min(TURNS, OPERATIONS // size)))
    if turns is None or not has_pure_condition(operation):
        return None
    state: Sequence[Value] = operation.operands
    for _ in range(turns):
        state = spliced(body, state, rewriter)
    return state


@RULES.rule("while")
def unchanged_state(operation: Operation, rewriter: Rewriter) -> Sequence[Value] | None:
    """while (s, t) {f(s, t), t} -> while (s) {f(s, t)}, t"""
    fixed = unchanged(operation)
    if len(fixed) == len(operation.operands):
        fixed = fixed[1:]  # a loop needs a state
    if not fixed:
        return None
    body, condition = operation.regions[1], operation.regions[0]
    mapping = {
        region.arguments[i]: operation.operands[i] for region in (condition, body) for i in fixed
    }
    places = [i for i in range(len(operation.operands)) if i not in fixed]
    results = rewriter.insert(with_state(operation, places, mapping))
    found = {**dict(zip(places, results, strict=True)), **{i: operation.operands[i] for i in fixed}}
    return [found[i] for i in range(len(operation.operands))]


@RULES.rule("while")
def equal_states(operation: Operation, rewriter: Rewriter) -> Sequence[Value] | None:
    """while (s, t) {f(s, t), f(t, s)} -> r, r of r = while (s) {f(s, s)}, where s starts as t"""
    first = _firsts(operation)
    places = sorted(set(first))
    if len(places) == len(first):
        return None
    mapping = {
        region.arguments[i]: region.arguments[j]
        for region in operation.regions
        for i, j in enumerate(first)
        if i != j
    }
    results = rewriter.insert(with_state(operation, places, mapping))
    return [results[places.index(i)] for i in first]


def _firsts(loop: Operation) -> list[int]:
    """For each place of the state, the first that is always equal to it."""
    body = loop.regions[1]
    start: Numbers = {}
    number((v.owner for v in loop.operands if isinstance(v.owner, Operation)), start)
    groups = _grouped([start.get(v, v) for v in loop.operands])
    while len(set(groups)) < len(groups):
        numbers = dict(zip(body.arguments, groups, strict=True))
        number(body.operations, numbers)
        after = [numbers.get(v, v) for v in body.returns]
        split = _grouped(list(zip(groups, after, strict=True)))
        if split == groups:
            break
        groups = split
    return groups


def _grouped(keys: Sequence[object]) -> list[int]:
    """For each key, where it stands first."""
    firsts: dict[object, int] = {}
    return [firsts.setdefault(key, i) for i, key in enumerate(keys)]
