"""Repeated blocks become one function: a model of many equal layers compiles as fast as one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count, groupby

from lowering.effects import has_effect
from lowering.outlining import Block, Cheap, Stretch, common, describe
from lowering.passes.registry import register_module_pass
from lowering.repeats import Run, find_runs
from lowering.statistics import may_rewrite
from lowering.structure import form_of
from tracer.ir import CALL, Function, Module, Operation, Value, callee, make_operation
from tracer.ir.walk import free_values, replace_body, substitute, uses

_LEAST_REPEATS = 4
_LEAST_OPERATIONS = 12
"""Of fewer, calls compiled no faster, and ran slower."""

_HEAVY = ("convolution", "dot_general")
_KEPT = {"mhlo.frontend_attributes": '{inlineable = "false"}'}


@register_module_pass
def outline(module: Module) -> Module:
    """Makes a function of a dozen operations or more that repeat at least four times, and calls it.

    Where they repeat one after the other, and have a dot or a convolution, or read nothing of each
    other, as the updates of parameters do: XLA fuses chains of others. The calls say that they are
    not to be inlined, which XLA:CPU honours: a program of many equal layers then compiles nearly as
    fast as one, and runs as fast as their sum. Where a block starts is chosen so that fewest values
    pass from one to the next; what is cheap is computed again, not passed.
    """
    functions: list[Function] = []
    for function in module:
        taken = {f.name for f in (*module, *functions)}
        functions += _Outline(function).functions(taken)
    if len(functions) == len(module.functions):
        return module
    return replace(module, functions=tuple(functions))


class _Outline:
    """One function: its operations in a row, but for cheap ones, and the blocks among them."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self._cheap = Cheap()
        self._row = [op for op in function.operations if not self._cheap.add(op)]

    def functions(self, taken: set[str]) -> list[Function]:
        """The function that calls its blocks, and they; itself alone where there are none."""
        groups = [group for run in self._runs() for group in self._groups(run)]
        groups = [group for group in groups if may_rewrite("outline")]
        if not groups:
            return [self._function]
        needed = self._needed(groups)
        blocks = [
            common(_name(group[0], taken), group, self._cheap, needed.__contains__)
            for group in groups
        ]
        return [self._calling(blocks), *(block.function for block in blocks)]

    def _runs(self) -> list[Run]:
        forms = [form_of(op) if _may_repeat(op) else object() for op in self._row]
        runs = find_runs(forms, _LEAST_REPEATS)
        return [run for run in runs if run.period >= _LEAST_OPERATIONS]

    def _groups(self, run: Run) -> Iterator[list[Stretch]]:
        """The stretches of a run that share a pattern with their neighbours."""
        start = self._start(run)
        at = range(start, start + run.period * run.count, run.period)
        stretches = [describe(self._row[i : i + run.period], self._cheap) for i in at]
        for _, equal in groupby(stretches, lambda stretch: stretch.pattern):
            group = list(equal)
            if len(group) >= _LEAST_REPEATS and (_is_heavy(group) or _is_independent(group)):
                yield group

    def _start(self, run: Run) -> int:
        """Where the stretches begin so that fewest values pass from one to the next."""
        end = run.start + run.period * run.count + run.slack
        row = self._row[run.start : end]
        made = {v: i for i, op in enumerate(row) for v in op.results}
        last: dict[Value, int] = {}
        for i, operation in enumerate(row):
            for value in (leaf for v in operation.operands for leaf in self._cheap.leaves(v)):
                last[value] = i
        passing = [0] * (len(row) + 1)
        for value, i in last.items():
            for between in range(
                made.get(value, i) + 1, min(i, made.get(value, i) + run.period) + 1
            ):
                passing[between] += 1
        totals = [sum(passing[at :: run.period]) for at in range(run.slack + 1)]
        return run.start + totals.index(min(totals))

    def _needed(self, groups: Sequence[Sequence[Stretch]]) -> set[Value]:
        """What the stretches must give: to each other, to the other operations, to the caller."""
        stretches = [stretch for group in groups for stretch in group]
        inside = {op for stretch in stretches for op in stretch.operations}
        wanted = {leaf for stretch in stretches for leaf in stretch.leaves}
        for operation in self._row:
            if operation not in inside:
                wanted.update(uses(operation))
        wanted.update(self._function.returns)
        return {leaf for value in wanted for leaf in self._cheap.leaves(value)}

    def _calling(self, blocks: Sequence[Block]) -> Function:
        """The function with calls in place of the stretches."""
        calls = {s.operations[0]: (b, i) for b in blocks for i, s in enumerate(b.stretches)}
        inside = {op for block in blocks for s in block.stretches for op in s.operations}
        caller = _Caller(self._cheap)
        for operation in self._row:
            if operation in calls:
                caller.call(*calls[operation])
            elif operation not in inside:
                caller.keep(operation)
        return replace_body(self._function, caller.operations, caller.all(self._function.returns))


class _Caller:
    """The operations of a function that calls blocks; cheap ones come in where they are wanted."""

    def __init__(self, cheap: Cheap) -> None:
        self.operations: list[Operation] = []
        self._cheap = cheap
        self._mapping: dict[Value, Value] = {}

    def keep(self, operation: Operation) -> None:
        """An operation of no block."""
        self.all(list(uses(operation)))
        self._append(operation)

    def call(self, block: Block, number: int) -> None:
        """One stretch of a block."""
        operands = self.all([column[number] for column in block.columns])
        types = tuple(v.type for v in block.function.returns)
        given = {"callee": block.function.name, "types": types, **_KEPT}
        operations = block.stretches[number].operations
        made = make_operation(CALL, operands, given, location=operations[0].location)
        self.operations.append(made)
        for (i, j), value in zip(block.results, made.results, strict=True):
            self._mapping[operations[i].results[j]] = value

    def all(self, values: Sequence[Value]) -> list[Value]:
        """What stands for these values, made if they are cheap."""
        for value in values:
            maker = self._cheap.maker(value)
            if maker is not None and value not in self._mapping:
                self.all(maker.operands)
                self._append(maker)
        return [self._mapping.get(v, v) for v in values]

    def _append(self, operation: Operation) -> None:
        made = substitute(operation, self._mapping)
        self.operations.append(made)
        self._mapping.update(zip(operation.results, made.results, strict=True))


def _is_heavy(group: Sequence[Stretch]) -> bool:
    """Whether there is work in it that XLA does not fuse with that of the next."""
    return any(op.name in _HEAVY for op in group[0].operations)


def _is_independent(group: Sequence[Stretch]) -> bool:
    """Whether no stretch reads what another has made."""
    made = {v for stretch in group for op in stretch.operations for v in op.results}
    return made.isdisjoint(leaf for stretch in group for leaf in stretch.leaves)


def _may_repeat(operation: Operation) -> bool:
    """Not calls, which are blocks already, nor effects, nor regions that read from outside."""
    if callee(operation) is not None or has_effect(operation):
        return False
    return not any(map(free_values, operation.regions))


def _name(stretch: Stretch, taken: set[str]) -> str:
    """After the function of the user's where the block begins, if it is known."""
    location = stretch.operations[0].location
    word = location[0].co_name if isinstance(location, tuple) else "block"
    word = word if word.isidentifier() else "block"
    names = (word if i == 0 else f"{word}_{i}" for i in count())
    name = next(name for name in names if name not in taken)
    taken.add(name)
    return name
