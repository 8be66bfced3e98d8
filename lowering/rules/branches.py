"""`if` and `case`: branches that are known, or do the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lowering.copying import spliced
from lowering.effects import has_effect
from lowering.loops import with_results
from lowering.numbering import Numbers, number
from lowering.rewriting import Rewriter, RuleSet, constant_of
from tracer.ir import Operation, Value

RULES = RuleSet()


@RULES.rule("if")
def known_predicate(operation: Operation, rewriter: Rewriter) -> Sequence[Value] | None:
    """if true {f} else {g} -> f; if false {f} else {g} -> g"""
    predicate = constant_of(operation.operands[0])
    if predicate is None:
        return None
    return spliced(operation.regions[0 if predicate else 1], (), rewriter)


@RULES.rule("case")
def known_index(operation: Operation, rewriter: Rewriter) -> Sequence[Value] | None:
    """case i {f0, ..., fn} -> fi of a constant i, fn where there is no fi; case _ {f} -> f"""
    found, last = constant_of(operation.operands[0]), len(operation.regions) - 1
    if found is None and last:
        return None
    index = last if found is None else int(found)
    return spliced(operation.regions[index if 0 <= index < last else last], (), rewriter)


@RULES.rule("if", "case")
def equal_branches(operation: Operation, rewriter: Rewriter) -> Sequence[Value] | None:
    """if _ {f} else {f} -> f, where f has no effect"""
    if has_effect(operation):
        return None
    numbers: Numbers = {}
    number((op for branch in operation.regions for op in branch.operations), numbers)
    forms = {tuple(numbers.get(v, v) for v in branch.returns) for branch in operation.regions}
    return spliced(operation.regions[0], (), rewriter) if len(forms) == 1 else None


@RULES.rule("if", "case")
def passed_through(operation: Operation, rewriter: Rewriter) -> Sequence[Value] | None:
    """if p {x, y} else {x, z} -> x, if p {y} else {z}; what is given twice is given once"""
    columns = _columns(operation)
    outside = [_from_outside(operation, column) for column in columns]
    kept = {column: i for i, column in enumerate(columns) if outside[i] is None}
    if len(kept) == len(outside):
        return None
    results = rewriter.insert(with_results(operation, list(kept.values())))
    found = dict(zip(kept, results, strict=True))
    pairs = zip(columns, outside, strict=True)
    return [found[column] if value is None else value for column, value in pairs]


def _columns(operation: Operation) -> list[tuple[Value, ...]]:
    """For each result, what the branches give."""
    return list(zip(*(branch.returns for branch in operation.regions), strict=True))


def _from_outside(operation: Operation, column: tuple[Value, ...]) -> Value | None:
    """The value that every branch gives and none makes."""
    made: Any = (op.results for branch in operation.regions for op in branch.operations)
    inside = len(set(column)) > 1 or any(column[0] in results for results in made)
    return None if inside else column[0]
