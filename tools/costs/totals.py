"""What whole programs cost: loops as often as they run, and calls as what they call."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from operator import add

from tools.costs.counting import Cost, single
from tools.costs.turns import turns
from tracer.ir import Block, Function, Module, Operation, callee
from tracer.ir.walk import operations

Part = tuple[Block, int]
"""A block that an operation runs, and how often."""


@dataclass(frozen=True, slots=True)
class Row:
    """An operation, how often it runs, and what it costs each time."""

    operation: Operation
    times: int
    cost: Cost

    @property
    def total(self) -> Cost:
        """What it costs altogether."""
        return self.cost * self.times


@dataclass(frozen=True, slots=True)
class Costs:
    """The operations of a program, those that only run others left out, and their sum."""

    rows: tuple[Row, ...]
    total: Cost


def cost_of(operation: Operation, module: Module | None = None) -> Cost:
    """What one operation costs: a call is looked up in the module, and a loop is run in mind."""
    return _Counting(module or Module(())).of(operation)


def costs(program: Function | Module) -> Costs:
    """What a program costs, operation by operation."""
    module = Module.of(program)
    return _Counting(module).whole(module.entry)


class _Counting:
    """The functions of a module, callers first, and what each of them costs."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._order = callers_first(module)
        self._known: dict[str, Cost] = {}
        self._turns: dict[Operation, int | None] = {}
        self._blocks: dict[Block, Cost] = {}
        for name in reversed(self._order):
            self._known[name] = self._block(module[name].body)

    def of(self, operation: Operation) -> Cost:
        """What an operation costs each time it runs."""
        name = callee(operation)
        if name is not None:
            return self._known.get(name) or Cost(unknown=1)
        parts = self._parts(operation)
        if parts is None:
            return single(operation)
        inside = (self._block(block) * times for block, times in parts)
        return reduce(add, inside, self._left_out(operation))

    def _block(self, block: Block) -> Cost:
        if block not in self._blocks:
            self._blocks[block] = reduce(add, map(self.of, block.operations), Cost())
        return self._blocks[block]

    def _left_out(self, operation: Operation) -> Cost:
        """What is not known of an operation that runs others."""
        return Cost(unknown=int(operation.name == "while" and self._trips(operation) is None))

    def _parts(self, operation: Operation) -> list[Part] | None:
        """The blocks that an operation runs, of which of its branches costs most; None for none."""
        if operation.op.is_opaque:
            return None
        if operation.name == "while":
            known = self._trips(operation)
            often = 1 if known is None else known
            condition, body = operation.regions
            return [(condition, often + 1), (body, often)]
        if operation.name in ("if", "case"):
            dearest = max(operation.regions, key=self._weight)
            return [(dearest, 1)]
        return None

    def _weight(self, block: Block) -> tuple[float, int]:
        cost = self._block(block)
        return cost.work, cost.bytes

    def _trips(self, loop: Operation) -> int | None:
        if loop not in self._turns:
            self._turns[loop] = turns(loop)
        return self._turns[loop]

    def whole(self, entry: Function) -> Costs:
        """Every function once, with how often it is called altogether."""
        times = dict.fromkeys(self._order, 0) | {entry.name: 1}
        rows = []
        for name in self._order:
            for row in self._rows(self._module[name].body, times[name]):
                called = callee(row.operation)
                if called is None:
                    rows.append(row)
                elif called in times:
                    times[called] += row.times
        return Costs(tuple(rows), self._known[entry.name])

    def _rows(self, block: Block, times: int) -> Iterator[Row]:
        for operation in block.operations:
            parts = self._parts(operation)
            if parts is None:
                yield Row(operation, times, self.of(operation))
            elif (left_out := self._left_out(operation)).unknown:
                yield Row(operation, times, left_out)
            for inner, often in parts or ():
                yield from self._rows(inner, times * often)


def callers_first(module: Module) -> list[str]:
    """The functions that a program runs, each after all that call it."""
    if not module.functions:
        return []
    done: list[str] = []
    met: set[str] = set()
    stack = [(module.entry.name, False)]
    while stack:
        name, finished = stack.pop()
        if finished:
            done.append(name)
        elif name not in met:
            met.add(name)
            stack.append((name, True))
            called = map(callee, operations(module[name].body))
            stack += [(other, False) for other in called if other and other in module]
    return done[::-1]
