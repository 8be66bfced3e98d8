"""The rules of a pass, and what they did: each rewrite in a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from lowering import PASSES, RuleSet
from lowering.passes import Pass
from lowering.rewriting import Rule, constant_of, rule_name, splat_of
from lowering.statistics import Change
from tools.hlo_opt.passes import check_known
from tools.terminal import Failure
from tracer.errors import where
from tracer.ir import Operation, Value
from tracer.ops import OPS

_DEPTH = 2
"""How far an expression goes back before it says `…`."""
_SHOWN = 4
"""Names of operations that are listed; of more it is said how many."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A rule: its name, the operations that it is tried on, its algebra."""

    name: str
    operations: tuple[str, ...]
    algebra: str


def patterns(name: str) -> list[Pattern]:
    """The rules of a pass, in the order in which they are tried. Raises Failure."""
    check_known([name], PASSES, "pass")
    found = [
        Pattern(rule_name(rule), _names(rules, rule), (rule.__doc__ or "").strip())
        for rules in _rule_sets(PASSES[name])
        for rule in rules
    ]
    if not found:
        raise Failure(f"the pass {name} is not made of rules: --list-passes says what it does")
    return found


def _rule_sets(known: Pass) -> list[RuleSet]:
    """The sets of rules that the function of a pass names."""
    code = getattr(known.function, "__code__", None)
    given = getattr(known.function, "__globals__", {})
    named = (given.get(name) for name in (code.co_names if code else ()))
    return [found for found in named if isinstance(found, RuleSet)]


def _names(rules: RuleSet, rule: Rule) -> tuple[str, ...]:
    return tuple(name for name, op in OPS.items() if rule in rules.of(op))


def listing(name: str) -> str:
    """A line for each rule of a pass."""
    found = patterns(name)
    width = max(len(pattern.name) for pattern in found)
    return "".join(f"{p.name:{width}}  {_on(p.operations)}: {_line(p.algebra)}\n" for p in found)


def _on(names: tuple[str, ...]) -> str:
    return ", ".join(names) if len(names) <= _SHOWN else f"{len(names)} operations"


def _line(text: str) -> str:
    """Its paragraphs as sentences, of which the last has no full stop."""
    return ". ".join(" ".join(part.split()).removesuffix(".") for part in text.split("\n\n"))


def told(changes: Iterable[Change]) -> Iterator[str]:
    """Each rewrite: its rule, the operation and its line, what it was and what it became."""
    for change in changes:
        operation = change.operation
        if operation is None:
            yield change.name
            continue
        after = ", ".join(expression(v) for v in change.replacement)
        place = f" at {where(operation.location)}" if operation.location else ""
        before = _applied(operation, _DEPTH)
        yield f"{change.name}: {operation.op.full_name}{place}\n  {before}\n  -> {after}"


def expression(value: Value, depth: int = _DEPTH) -> str:
    """A value by what makes it: an argument, a number, or an operation on others."""
    if not isinstance(value.owner, Operation):
        return value.name or f"%arg{value.index}"
    number = splat_of(value)
    if number is not None:
        return f"{np.asarray(number).item()}"
    if constant_of(value) is not None:
        return f"dense : {value.type}"
    shown = _applied(value.owner, depth)
    return f"{shown}#{value.index}" if len(value.owner.results) > 1 else shown


def _applied(operation: Operation, depth: int) -> str:
    if not depth:
        return "…"
    operands = ", ".join(expression(v, depth - 1) for v in operation.operands)
    return f"{operation.name}({operands})"
