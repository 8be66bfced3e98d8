"""Functions as StableHLO text, in MLIR's generic form: one printer for every operation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lowering.attributes import CARRIED, KINDS, quote, symbol, texts
from tracer.errors import FileLine, Location, LoweringError, scope_of, source_line, where
from tracer.ir import Block, Function, Module, Operation, Value
from tracer.ir.core import Texts, is_carried


def emit(program: Function | Module, name: str = "program", *, places: bool = True) -> str:
    """The text of a module, or of one that holds a function alone, there named `@main`.

    Without places it does not say from where in the source an operation or argument comes.
    """
    module = Module.of(program, name)
    words = ["module", symbol(module.name) if module.name else ""]
    if module.attributes:
        words.append(f"attributes {texts(module.attributes)}")
    lines = [" ".join(word for word in [*words, "{"] if word)]
    for function in module:
        lines += _function(function, places)
    return "\n".join([*lines, "}", ""])


def _function(function: Function, places: bool) -> Iterator[str]:
    names = _Names(places)
    given = _each(function.argument_attributes, len(function.arguments))
    arguments = ", ".join(
        f"{names.new(v, '%arg')}: {v.type}{more}{names.label(v)}"
        for v, more in zip(function.arguments, given, strict=True)
    )
    given = _each(function.result_attributes, len(function.returns))
    results = ", ".join(f"{v.type}{more}" for v, more in zip(function.returns, given, strict=True))
    head = f"func.func {function.visibility} ".rstrip() + f" {symbol(function.name)}"
    tail = f" attributes {texts(function.attributes)}" if function.attributes else ""
    yield f"  {head}({arguments}) -> ({results}){tail} {{"
    yield from _block(function.body, names, "    ", "func.return")
    yield "  }"


def _each(attributes: Sequence[Texts], count: int) -> list[str]:
    """What follows each type: its attributes, if any."""
    return [f" {texts(given)}" if given else "" for given in attributes or ({},) * count]


class _Names:
    """SSA names, given in order; and where a value comes from, if that is wanted."""

    def __init__(self, places: bool) -> None:
        self._places = places
        self._names: dict[Value, str] = {}
        self._count = 0  # not len(_names): regions that are one object are named once a use

    def new(self, value: Value, prefix: str = "%") -> str:
        self._names[value] = f"{prefix}{self._count}"
        self._count += 1
        return self._names[value]

    def __getitem__(self, value: Value) -> str:
        return self._names[value]

    def all(self, values: Sequence[Value]) -> str:
        try:
            return ", ".join(self._names[v] for v in values)
        except KeyError as error:
            raise _undefined(error.args[0]) from None

    def label(self, argument: Value) -> str:
        """The user's name of an argument."""
        return f' loc("{quote(argument.name)}")' if self._places and argument.name else ""

    def place(self, location: Location) -> str:
        """Where an operation was recorded."""
        place = spelled(location) if self._places else ""
        return f" loc({place})" if place else ""


def _undefined(value: Value) -> LoweringError:
    what, at = f"the argument {value.index}", ""
    if isinstance(value.owner, Operation):
        what = f"the result {value.index} of {value.owner.name}"
        at = f"\n  at {where(value.owner.location)}" if value.owner.location else ""
    return LoweringError(f"{what}, a {value.type}, is used where nothing defines it{at}")


def _block(
    block: Block, names: _Names, indent: str, terminator: str, around: Location = None
) -> Iterator[str]:
    for operation in block.operations:
        yield from _operation(operation, names, indent, around)
    types = ", ".join(str(v.type) for v in block.returns)
    yield f'{indent}"{terminator}"({names.all(block.returns)}) : ({types}) -> ()'


def _operation(operation: Operation, names: _Names, indent: str, around: Location) -> Iterator[str]:
    """What has no place of its own has that of the operation in whose region it is."""
    at = operation.location or around
    operands = names.all(operation.operands)
    before = ", ".join(str(v.type) for v in operation.operands)
    after = ", ".join(str(v.type) for v in operation.results)
    regions = list(_regions(operation, names, indent, at))
    results = ", ".join(names.new(v) for v in operation.results)
    head = f'{indent}{results}{" = " if results else ""}"{operation.op.full_name}"({operands})'
    tail = f"{_attributes(operation)} : ({before}) -> ({after}){names.place(at)}"
    if not regions:
        yield head + tail
        return
    yield f"{head} ({{"
    yield from regions
    yield f"{indent}}}){tail}"


def _regions(operation: Operation, names: _Names, indent: str, at: Location) -> Iterator[str]:
    for i, region in enumerate(operation.regions):
        if i:
            yield f"{indent}}}, {{"
        given = (f"{names.new(v, '%arg')}: {v.type}{names.label(v)}" for v in region.arguments)
        arguments = ", ".join(given)
        yield f"{indent}^bb0({arguments}):"
        yield from _block(region, names, indent + "  ", "stablehlo.return", at)


def _attributes(operation: Operation) -> str:
    given = operation.attributes
    if operation.op.is_opaque:
        return f" {texts(dict(given['raw']))}" if given["raw"] else ""
    shown = {
        a.name: KINDS[a.kind].print(given[a.name])
        for a in operation.op.attributes
        if a.kind not in CARRIED and given[a.name] is not None
    }
    shown.update((name, text) for name, text in given.items() if is_carried(name))
    return f" {texts(shown)}" if shown else ""


def spelled(location: Location) -> str:
    """A place as MLIR writes it inside loc(…): `"LeNet.conv1"("train.py":12:0)`; "" for none."""
    if isinstance(location, FileLine) and location.text:
        return location.text.removeprefix("loc(").removesuffix(")")
    file, line = source_line(location)
    place = f'"{quote(file)}":{line}:0' if line else ""
    scope = scope_of(location)
    if not scope:
        return place
    return f'"{quote(scope)}"({place})' if place else f'"{quote(scope)}"'
