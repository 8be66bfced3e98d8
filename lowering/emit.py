"""Functions as StableHLO text, in MLIR's generic form: one printer for every operation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lowering.attributes import CARRIED, KINDS, quote
from tracer.errors import Location, source_line
from tracer.ir import Block, Function, Module, Operation, Value


def emit(program: Function | Module, name: str = "program") -> str:
    """The text of a module, or of one that holds a function alone, there named `@main`."""
    if isinstance(program, Function):
        program = Module((Function("main", program.body),), name)
    lines = [f"module {symbol(program.name)} {{" if program.name else "module {"]
    for function in program:
        lines += _function(function)
    return "\n".join([*lines, "}", ""])


def symbol(name: str) -> str:
    """A name as MLIR refers to it."""
    return f"@{name}" if re.fullmatch(r"[A-Za-z_][\w$.]*", name, re.ASCII) else f'@"{quote(name)}"'


def _function(function: Function) -> Iterator[str]:
    names = _Names()
    arguments = ", ".join(
        f"{names.new(v, '%arg')}: {v.type}{_named(v)}" for v in function.arguments
    )
    results = ", ".join(str(v.type) for v in function.returns)
    yield f"  func.func {symbol(function.name)}({arguments}) -> ({results}) {{"
    yield from _block(function.body, names, "    ", "func.return")
    yield "  }"


def _named(argument: Value) -> str:
    return f' loc("{quote(argument.name)}")' if argument.name else ""


class _Names:
    """SSA names, given in order."""

    def __init__(self) -> None:
        self._names: dict[Value, str] = {}
        self._count = 0  # not len(_names): regions that are one object are named once a use

    def new(self, value: Value, prefix: str = "%") -> str:
        self._names[value] = f"{prefix}{self._count}"
        self._count += 1
        return self._names[value]

    def __getitem__(self, value: Value) -> str:
        return self._names[value]

    def all(self, values: Sequence[Value]) -> str:
        return ", ".join(self._names[v] for v in values)


def _block(block: Block, names: _Names, indent: str, terminator: str) -> Iterator[str]:
    for operation in block.operations:
        yield from _operation(operation, names, indent)
    types = ", ".join(str(v.type) for v in block.returns)
    yield f'{indent}"{terminator}"({names.all(block.returns)}) : ({types}) -> ()'


def _operation(operation: Operation, names: _Names, indent: str) -> Iterator[str]:
    operands = names.all(operation.operands)
    before = ", ".join(str(v.type) for v in operation.operands)
    after = ", ".join(str(v.type) for v in operation.results)
    regions = list(_regions(operation, names, indent))
    results = ", ".join(names.new(v) for v in operation.results)
    head = f'{indent}{results}{" = " if results else ""}"stablehlo.{operation.op.name}"({operands})'
    tail = f"{_attributes(operation)} : ({before}) -> ({after}){_location(operation.location)}"
    if not regions:
        yield head + tail
        return
    yield f"{head} ({{"
    yield from regions
    yield f"{indent}}}){tail}"


def _regions(operation: Operation, names: _Names, indent: str) -> Iterator[str]:
    for i, region in enumerate(operation.regions):
        if i:
            yield f"{indent}}}, {{"
        arguments = ", ".join(f"{names.new(v, '%arg')}: {v.type}" for v in region.arguments)
        yield f"{indent}^bb0({arguments}):"
        yield from _block(region, names, indent + "  ", "stablehlo.return")


def _attributes(operation: Operation) -> str:
    shown = [
        f"{a.name} = {KINDS[a.kind].print(operation.attributes[a.name])}"
        for a in operation.op.attributes
        if a.kind not in CARRIED and operation.attributes[a.name] is not None
    ]
    return f" {{{', '.join(shown)}}}" if shown else ""


def _location(location: Location) -> str:
    if location is None:
        return ""
    file, line = source_line(location)
    return f' loc("{quote(file)}":{line}:0)'
