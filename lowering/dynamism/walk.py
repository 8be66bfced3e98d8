"""One function's operations made again from the first to the last, with types as fine as can be."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from lowering.dynamism.folding import computes_length, folded
from lowering.dynamism.forms import static_form
from lowering.dynamism.inference import finer
from lowering.dynamism.reading import check, made, raw, table_form
from lowering.statistics import may_rewrite
from tracer.errors import Location
from tracer.ir import (
    Block,
    Builder,
    Literal,
    Module,
    Operation,
    TensorType,
    Value,
    callee,
    make_operation,
)
from tracer.ops import OPS

Caller = Callable[[Operation, Sequence[Value], "Maker"], Sequence[Value]]
"""Gives the results of a call, whose callee it refines too."""


class Maker:
    """Makes operations; arithmetic on constants is done at once, and only once."""

    def __init__(self, location: Location = None) -> None:
        self.operations: list[Operation] = []
        self.location = location
        self._lengths: dict[Any, Operation] = {}

    def create(
        self, name: str, *operands: Value, regions: Sequence[Block] = (), **attributes: Any
    ) -> Any:
        """The result of an operation of the table; a tuple where there are several."""
        made = make_operation(OPS[name], operands, attributes, regions, self.location)
        results = self.insert(made)
        return results[0] if len(results) == 1 else results

    def insert(self, operation: Operation) -> tuple[Value, ...]:
        """The results of an operation; of arithmetic on lengths, those of the first of its kind."""
        made = folded(operation)
        first = self._lengths.setdefault(_key(made), made) if computes_length(made) else made
        if first is made:
            self.operations.append(made)
        return first.results

    def constant(self, array: Any) -> Value:
        """A constant of these elements."""
        found: Value = self.create("constant", value=Literal(np.asarray(array)))
        return found


def _key(operation: Operation) -> Any:
    return operation.op, operation.operands, tuple(operation.attributes.items())


class Walk:
    """Through one function of a module."""

    def __init__(self, module: Module, call: Caller) -> None:
        self._module = module
        self._call = call
        self._values: dict[Value, Value] = {}
        self._maker = Maker()

    def body(
        self, block: Block, types: Sequence[TensorType], constants: Mapping[int, Any]
    ) -> Block:
        """A block for arguments of these types, but for those that are constants."""
        outer, self._maker = self._maker, Maker()
        builder = Builder()
        for i, (old, type) in enumerate(zip(block.arguments, types, strict=True)):
            given = i in constants
            new = self._maker.constant(constants[i]) if given else builder.argument(type, old.name)
            self._values[old] = new
        for operation in block.operations:
            self._maker.location = operation.location
            results = self._results(operation)
            check(operation, results)
            self._values.update(zip(operation.results, results, strict=True))
        made, self._maker = self._maker.operations, outer
        for operation in made:
            builder.append(operation)
        return builder.block([self._values[v] for v in block.returns])

    def _results(self, operation: Operation) -> Sequence[Value]:
        operands = [self._values[v] for v in operation.operands]
        if callee(operation) is not None:
            return self._call(operation, operands, self._maker)
        regions = self._regions(operation, operands)
        current = _with(operation, operands, regions)
        if current.op.is_opaque or current.name == "custom_call":
            return self._refined(operation, current)
        return self._maker.insert(current)

    def _regions(self, operation: Operation, operands: Sequence[Value]) -> list[Block]:
        """Those of a loop take what the loop is given; all others say what they take."""
        loops = operation.op.full_name == "stablehlo.while"
        regions = [*operation.regions, *self._called(operation)]
        return [
            self.body(r, [v.type for v in (operands if loops else r.arguments)], {})
            for r in regions
        ]

    def _called(self, operation: Operation) -> list[Block]:
        """What a custom call computes with: functions of the module, as regions."""
        text = raw(operation).get("called_computations", "") if operation.op.is_opaque else ""
        names = re.findall(r'@"?([^",\]]+)', text)
        return [self._module[name].body for name in names if name in self._module]

    def _refined(self, operation: Operation, current: Operation) -> Sequence[Value]:
        """The results of the static form, if there is one yet, or else of a finer type."""
        plain = _with(current, current.operands, current.regions[: len(operation.regions)])
        scratch = Maker(operation.location)
        found = static_form(current, scratch)
        if found is None:
            form = table_form(plain, plain.operands, plain.regions) or finer(plain)
            found = None if form is plain else scratch.insert(form)
        if found is None or not may_rewrite(f"refine-shapes/{operation.name}"):
            return self._maker.insert(plain)
        self._maker.operations += scratch.operations
        return found


def _with(operation: Operation, operands: Sequence[Value], regions: Sequence[Block]) -> Operation:
    return made(operation, operation.op, operands, operation.attributes, regions)
