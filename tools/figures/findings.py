"""What in a program may be a mistake: wide floats, casts, large constants; and what is donated."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from tools.costs.counting import bytes_of
from tools.costs.peak import donated
from tools.graph.graph import Graph, Node
from tracer.dtypes import MLIR_NAMES
from tracer.errors import scope_of, source_line
from tracer.ir import Function, Module, OpaqueType, Operation, TensorType, Value
from tracer.ir.walk import operations

LARGE = 1 << 14
"""The bytes from which a constant is large."""
_WIDE = re.compile(r"\b(f64|c128|complex<f64>)\b")
_ALIAS = re.compile(r"\{([\d, ]*)\}: \((\d+), \{[\d, ]*\}(?:, [\w-]+)?\)")
Names = Callable[[], Mapping[Operation, str]]
"""The name of each operation of a program, found when one is asked for."""


@dataclass(frozen=True, slots=True)
class Finding:
    """An operation, or an argument, that is worth a look."""

    name: str
    op: str
    type: str
    bytes: int
    file: str
    line: int
    scope: str


@dataclass(frozen=True, slots=True)
class Alias:
    """An argument whose memory the program may use, and for which of its results, where fixed."""

    argument: int
    type: str
    result: int | None


@dataclass(frozen=True, slots=True)
class Findings:
    """All of them, in the order of the program; the largest constants first."""

    f64: tuple[Finding, ...]
    casts: tuple[Finding, ...]
    constants: tuple[Finding, ...]
    aliases: tuple[Alias, ...]


def in_module(module: Module, names: Names) -> Findings:
    """Those of a module; the names of results are only looked up where there is something."""
    every = [operation for function in module for operation in operations(function.body)]
    wide = [operation for operation in every if _widens(operation)]
    casts = [operation for operation in every if operation.name == "convert"]
    constants = [operation for operation in every if _is_large(operation)]
    given = [v for v in module.entry.arguments if _is_wide(v.type)]
    return Findings(
        (*(_argument(module.entry, v) for v in given), *_found(wide, names)),
        tuple(_found(casts, names, _cast)),
        tuple(sorted(_found(constants, names), key=lambda finding: -finding.bytes)),
        tuple(_aliases(module.entry)),
    )


def live(value: Value, size: int, entry: Function, names: Names) -> Finding:
    """A tensor that is held."""
    if not isinstance(value.owner, Operation):
        return _argument(entry, value)
    return replace(of_operation(value.owner, names), type=str(value.type), bytes=size)


def of_operation(operation: Operation, names: Names) -> Finding:
    """An operation, all its results taken together."""
    (found,) = _found([operation], names)
    return found


def _found(
    chosen: list[Operation], names: Names, type: Callable[[Operation], str] | None = None
) -> Iterator[Finding]:
    for operation in chosen:
        file, line = source_line(operation.location)
        shown = type(operation) if type else ", ".join(str(v.type) for v in operation.results)
        size = sum(bytes_of(value.type) for value in operation.results)
        name = names()[operation]
        scope = scope_of(operation.location)
        place = (file, line) if line else ("", 0)
        yield Finding(name, operation.name, shown, size, *place, scope)


def _argument(function: Function, value: Value) -> Finding:
    known = {v: i for i, v in enumerate(function.arguments)}
    name = f"%arg{known[value]}" if value in known else "a region's argument"
    return Finding(value.name or name, "argument", str(value.type), bytes_of(value.type), "", 0, "")


def _is_wide(type: TensorType) -> bool:
    if isinstance(type, OpaqueType):
        return _WIDE.search(type.text) is not None
    return MLIR_NAMES[type.dtype] in ("f64", "complex<f64>")


def _widens(operation: Operation) -> bool:
    """Whether it makes 64-bit floats of what was none."""
    made = any(_is_wide(value.type) for value in operation.results)
    return made and not any(_is_wide(value.type) for value in operation.operands)


def _cast(operation: Operation) -> str:
    return f"{operation.operands[0].type} -> {operation.results[0].type}"


def _is_large(operation: Operation) -> bool:
    """A constant of many bytes that are not all the same element."""
    if operation.name != "constant" or bytes_of(operation.results[0].type) < LARGE:
        return False
    array = operation.attributes["value"].array
    data: bytes = array.tobytes()
    return bool(data != data[: array.itemsize] * array.size)


def _aliases(function: Function) -> Iterator[Alias]:
    for i in donated(function):
        fixed = function.argument_attributes[i].get("tf.aliasing_output")
        result = None if fixed is None else int(fixed.partition(" ")[0])
        yield Alias(i, str(function.arguments[i].type), result)


def in_hlo(graph: Graph, text: str) -> Findings:
    """Those of a module in HLO text."""
    wide = {i for i, node in enumerate(graph.nodes) if _WIDE.search(node.type)}
    fed = {target for source, target in graph.edges if source in wide}
    large = [n for n in graph.nodes if n.op == "constant" and (n.size or 0) >= LARGE]
    types = [node.type for node in graph.nodes if node.op == "parameter" and not node.parent]
    return Findings(
        tuple(_of_node(graph.nodes[i]) for i in sorted(wide - fed)),
        tuple(_hlo_casts(graph)),
        tuple(sorted(map(_of_node, large), key=lambda finding: -finding.bytes)),
        tuple(_hlo_aliases(text, types)),
    )


def _of_node(node: Node) -> Finding:
    file, _, line = node.place.rpartition(":")
    size = node.size or 0
    return Finding(node.id, node.op, node.type, size, file, int(line or 0), node.scope)


def _hlo_casts(graph: Graph) -> Iterator[Finding]:
    sources = {target: graph.nodes[source].type for source, target in graph.edges}
    for i, node in enumerate(graph.nodes):
        if node.op == "convert":
            yield replace(_of_node(node), type=f"{sources.get(i, '?')} -> {node.type}")


def _hlo_aliases(text: str, types: list[str]) -> Iterator[Alias]:
    header = next((line for line in text.splitlines() if line.startswith("HloModule")), "")
    found = re.search(r"input_output_alias=\{(.*?\)) \}", header)
    for result, argument in _ALIAS.findall(found[1]) if found else ():
        at = int(argument)
        first = result.partition(",")[0].strip()
        yield Alias(at, types[at] if at < len(types) else "", int(first) if first else 0)
