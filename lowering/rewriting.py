"""Rules, and the driver that applies them until none fires."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import get_close_matches
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lowering.blocks import with_body, with_operations, with_regions
from lowering.liveness import live
from lowering.statistics import may_rewrite, take_back
from tracer.errors import LoweringError, where
from tracer.ir import Block, Function, Literal, OpDef, Operation, Value, make_operation
from tracer.ir.walk import operations, substitute
from tracer.ops import OPS

Replacement = Value | Sequence[Value] | None
Rule = Callable[[Operation, "Rewriter"], Replacement]
"""Gives what takes the place of an operation's results, or None where it does not apply."""

_CALLS = ("call", "composite")
_SWEEPS = 64
_DEPTH = 64


class RuleSet:
    """Rules, and the operations that each is tried on, in the order they were added."""

    def __init__(self, entries: Iterable[tuple[Callable[[OpDef], bool], Rule]] = ()) -> None:
        self._entries = list(entries)
        self._found: dict[OpDef, tuple[Rule, ...]] = {}

    def rule(self, *names: str, trait: str | None = None) -> Callable[[Rule], Rule]:
        """Adds a rule for the operations of these names, or of a trait; by default for all.

        A name with a dot is that of an opaque operation. Raises ValueError for a name or a trait
        that no operation has, and for a rule without a docstring, which says its algebra.
        """
        _check_names(names, trait)

        def added(rule: Rule) -> Rule:
            if not rule.__doc__:
                raise ValueError(f"the rule {rule_name(rule)} needs a docstring, its algebra")
            self._entries.append((_chooser(names, trait), rule))
            self._found.clear()
            return rule

        return added

    def of(self, op: OpDef) -> tuple[Rule, ...]:
        """The rules that are tried on an operation of this op."""
        found = self._found.get(op)
        if found is None:
            found = tuple(rule for matches, rule in self._entries if matches(op))
            self._found[op] = found
        return found

    def __add__(self, other: RuleSet) -> RuleSet:
        return RuleSet([*self._entries, *other._entries])

    def __iter__(self) -> Iterator[Rule]:
        return (rule for _, rule in self._entries)


def _chooser(names: Sequence[str], trait: str | None) -> Callable[[OpDef], bool]:
    if names:
        return lambda op: op.name in names
    if trait is not None:
        return lambda op: trait in op.traits
    return lambda op: not op.is_opaque


def _check_names(names: Sequence[str], trait: str | None) -> None:
    for name in names:
        if "." not in name and name not in OPS and name not in _CALLS:
            near = "".join(f"; is it {x!r}?" for x in get_close_matches(name, OPS, 1))
            raise ValueError(f"no operation is named {name!r}{near}")
    traits = {"opaque", "effect", *(t for op in OPS.values() for t in op.traits)}
    if trait is not None and trait not in traits:
        raise ValueError(f"no operation has the trait {trait!r}; there are {sorted(traits)}")


def rule_name(rule: Rule) -> str:
    """The name a rule is counted by: its pass, and its own."""
    home = rule.__module__.rpartition(".")[2].replace("_", "-")
    return f"{home}/{getattr(rule, '__name__', 'rule')}"


def apply_rules(function: Function, rules: RuleSet) -> Function:
    """The function once no rule applies any more; itself where none did.

    Operands are rewritten before what uses them, and what a rule makes at once. What nobody needs
    any more is removed. Raises LoweringError for rules that undo each other, or change a type.
    """
    for _ in range(_SWEEPS):
        rewriter = Rewriter(rules, function.body)
        swept = with_body(function, rewriter.block)
        if not rewriter.fired:
            return function
        function = with_body(swept, live)
    raise LoweringError(f"these rules undo each other: {', '.join(sorted(set(rewriter.fired)))}")


class Rewriter:
    """One walk over a function: what rules make operations with."""

    def __init__(self, rules: RuleSet, body: Block) -> None:
        self.fired: list[str] = []
        self._rules = rules
        self._uses = _count_uses(body)
        self._operations: list[Operation] = []
        self._location: Any = None
        self._depth = 0

    def create(
        self, name: str, *operands: Value, regions: Sequence[Block] = (), **attributes: Any
    ) -> Value:
        """The only result of an operation of the table, simplified."""
        (made,) = self.create_all(name, *operands, regions=regions, **attributes)
        return made

    def create_all(
        self, name: str, *operands: Value, regions: Sequence[Block] = (), **attributes: Any
    ) -> tuple[Value, ...]:
        """The results of an operation of the table, simplified."""
        return self.insert(make_operation(OPS[name], operands, attributes, regions, self._location))

    def insert(self, operation: Operation) -> tuple[Value, ...]:
        """The results of an operation made otherwise, simplified."""
        self._uses.update(operation.operands)
        return self._simplified(operation)

    def constant(self, array: Any) -> Value:
        """A constant of these elements."""
        return self.create("constant", value=Literal(np.asarray(array)))

    def has_one_use(self, value: Value) -> bool:
        """Whether a value is known to be used once in all."""
        return self._uses[value] == 1

    def is_private(self, value: Value, operation: Operation) -> bool:
        """Whether a value is known to be used by this operation alone, as often as it may."""
        return self._uses[value] == operation.operands.count(value)

    def is_unused(self, value: Value) -> bool:
        """Whether a result of the operation that is rewritten is known not to be used."""
        return self._depth == 1 and not self._uses[value]

    def block(self, block: Block) -> Block:
        """The block with its operations rewritten."""
        outer, self._operations = self._operations, []
        mapping: dict[Value, Value] = {}
        for operation in block.operations:
            current = with_regions(substitute(operation, mapping), self.block)
            if current is not operation:
                self._take(operation.results, current.results, mapping)
            results = self._simplified(current)
            if results is not current.results:
                self._take(operation.results, results, mapping)
        body, self._operations = self._operations, outer
        return with_operations(block, body, mapping)

    def _take(
        self, old: Sequence[Value], new: Sequence[Value], mapping: dict[Value, Value]
    ) -> None:
        for before, after in zip(old, new, strict=True):
            mapping[before] = after
            self._uses[after] += self._uses[before]

    def _simplified(self, operation: Operation) -> tuple[Value, ...]:
        for rule in self._rules.of(operation.op):
            found = self._try(rule, operation)
            if found is not None:
                return found
        self._operations.append(operation)
        return operation.results

    def _try(self, rule: Rule, operation: Operation) -> tuple[Value, ...] | None:
        """What a rule puts in the place of an operation; what it made else is dropped."""
        made, fired = len(self._operations), len(self.fired)
        before, self._location = self._location, operation.location
        self._depth += 1
        if self._depth > _DEPTH:
            names = ", ".join(sorted({*self.fired, rule_name(rule)}))
            raise LoweringError(f"these rules undo each other: {names}")
        try:
            found = rule(operation, self)
        except Exception as error:
            place = f"in the rule {rule_name(rule)}, on {operation.op.full_name}"
            error.add_note(f"{place} at {where(operation.location)}")
            raise
        self._depth -= 1
        self._location = before
        if found is not None:
            values: tuple[Any, ...] = tuple(found) if isinstance(found, Sequence) else (found,)
            if may_rewrite(rule_name(rule), operation, values):
                self.fired.append(rule_name(rule))
                _check(rule, operation, values)
                return values
        self._drop(made, fired)
        return None

    def _drop(self, made: int, fired: int) -> None:
        """Takes back the operations made, and the rules that fired, beyond so many."""
        del self._operations[made:]
        if len(self.fired) > fired:
            take_back(len(self.fired) - fired)
            del self.fired[fired:]


def _check(rule: Rule, operation: Operation, values: Sequence[Value]) -> None:
    needed = [v.type for v in operation.results]
    if [getattr(v, "type", None) for v in values] != needed:
        given = ", ".join(str(getattr(v, "type", v)) for v in values)
        raise LoweringError(
            f"the rule {rule_name(rule)} must give {', '.join(map(str, needed))} for "
            f"{operation.name}, got {given}\n  at {where(operation.location)}"
        )


def _count_uses(body: Block) -> Counter[Value]:
    """How often each value is used, in regions too."""
    counts = Counter(body.returns)
    for operation in operations(body):
        counts.update(operation.operands)
        for region in operation.regions:
            counts.update(region.returns)
    return counts


def constant_of(value: Value) -> NDArray[Any] | None:
    """The elements of a constant; None for any other value."""
    match value:
        case Value(Operation("constant", ()) as operation):
            array: NDArray[Any] = operation.attributes["value"].array
            return array
    return None


def splat_of(value: Value) -> Any:
    """The one element, a NumPy scalar, that a constant repeats; None for any other value.

    Elements are the same when their bits are. A constant broadcast from one counts too.
    """
    match value:
        case Value(Operation("broadcast_in_dim", (inner,))):
            return splat_of(inner)
    array = constant_of(value)
    if array is None or not array.size:
        return None
    rows = np.ascontiguousarray(array).reshape(array.size, 1).view(np.uint8)
    same = (rows[-1] == rows[0]).all() and (rows == rows[0]).all()
    return array.reshape(-1)[0] if same else None


def is_splat(value: Value, number: complex) -> bool:
    """Whether a value repeats a number, bit for bit: 0 is not -0.0."""
    found = splat_of(value)
    return found is not None and found.tobytes() == np.asarray(number).astype(found.dtype).tobytes()
