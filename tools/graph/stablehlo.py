"""The graph of a module of ours, with the names that MLIR prints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from jaxlib.mlir import ir

from lowering import emit
from lowering.mlir import parse_mlir
from tools.costs import cost_of
from tools.graph.graph import Edge, Graph, Node, unique
from tools.places.notes import brief, place_of
from tracer.ir import (
    Block,
    Function,
    Literal,
    Module,
    OpaqueType,
    Operation,
    TensorType,
    Value,
    callee,
)

_LONGEST, _FEW = 60, 8
"""Letters of an attribute, and elements of a constant, that are shown."""
_TERMINATORS = ("return", "stablehlo.return", "func.return")


def from_module(module: Module) -> Graph:
    """The graph of a module: of its entry, and of the functions that are called, as nodes."""
    if not module.functions:
        return Graph(module.name, (), ())
    builder = _Builder()
    parsed = parse_mlir(emit(module))  # it owns what is read of it
    printed = {_name(view): view.operation for view in parsed.body}
    entry = module.entry
    for function in sorted(module, key=lambda f: f is not entry):
        builder.function(function, printed[function.name], function is entry)
    name = module.name or entry.name
    return Graph(name, tuple(builder.nodes), unique(builder.edges), entry.name)


def _name(view: Any) -> str:
    return str(view.operation.attributes["sym_name"].value)


@dataclass(slots=True)
class _Builder:
    """Walks our operations beside MLIR's, which know their names and what they are written as."""

    nodes: list[Node] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    known: dict[Value, int] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)

    def function(self, function: Function, printed: Any, entry: bool) -> None:
        state, parent = ir.AsmState(printed), ""
        if not entry:
            parent = f"@{function.name}"
            text = f"func @{function.name}"
            self.nodes.append(Node(id=parent, op="func", type="", label=function.name, text=text))
        self.block(function.body, printed.regions[0].blocks[0], state, parent)
        if entry and function.returns:
            types = ", ".join(_shown(value.type) for value in function.returns)
            self._add(Node(id="return", op="return", type=types, text="return"), function.returns)

    def block(self, block: Block, printed: Any, state: ir.AsmState, parent: str) -> None:
        arguments = zip(block.arguments, printed.arguments, strict=True)
        for value, shown in arguments:
            name = shown.get_name(state)
            self.known[value] = self._add(_argument(value, name, self._id(parent, name), parent))
        theirs = (op.operation for op in printed if op.operation.name not in _TERMINATORS)
        for operation, shown in zip(block.operations, theirs, strict=True):
            self.operation(operation, shown, state, parent)

    def operation(
        self, operation: Operation, printed: Any, state: ir.AsmState, parent: str
    ) -> None:
        names = [result.get_name(state).partition("#")[0] for result in printed.results[:1]]
        name = names[0] if names else operation.name
        text = _text(operation, printed, state, name if names else "")
        node = _node(operation, self._id(parent, name), parent, text)
        index = self._add(node, operation.operands)
        for result in operation.results:
            self.known[result] = index
        for region, shown in zip(operation.regions, printed.regions, strict=True):
            self.block(region, shown.blocks[0], state, node.id)

    def _id(self, parent: str, name: str) -> str:
        """A name in what it stands in; regions side by side have the same names once more."""
        first = f"{parent}/{name}" if parent else name
        made, number = first, 1
        while made in self.taken:
            number += 1
            made = f"{first}'{number}"
        self.taken.add(made)
        return made

    def _add(self, node: Node, operands: Sequence[Value] = ()) -> int:
        index = len(self.nodes)
        self.nodes.append(node)
        self.edges += [(self.known[value], index) for value in operands]
        return index


def _node(operation: Operation, identity: str, parent: str, text: str) -> Node:
    cost, place = cost_of(operation), place_of(operation.location)
    types = [value.type for value in operation.results]
    return Node(
        id=identity,
        op=operation.op.full_name.removeprefix("stablehlo.").removeprefix("func."),
        type=", ".join(map(_shown, types)),
        label=_label(operation),
        scope=place.scope if place else "",
        place=f"{brief(place.file)}:{place.line}" if place and place.file else "",
        flops=float(cost.flops),
        bytes=float(cost.bytes),
        size=_size(types),
        parent=parent,
        text=text,
    )


def _argument(value: Value, name: str, identity: str, parent: str) -> Node:
    return Node(
        id=identity,
        op="argument",
        type=_shown(value.type),
        label=value.name or name,
        size=_size([value.type]),
        parent=parent,
        text=f"{name}: {value.type}",
    )


def _shown(type: TensorType) -> str:
    return str(type).removeprefix("tensor<").removesuffix(">")


def _size(types: list[TensorType]) -> int | None:
    if any(isinstance(type, OpaqueType) for type in types):
        return None
    return sum(type.size * type.dtype.itemsize for type in types)


def _label(operation: Operation) -> str:
    """What is read at a glance: the op, and of a constant or a call what it is."""
    value = operation.attributes.get("value")
    if isinstance(value, Literal) and value.array.size == 1:
        return str(value.array.reshape(()).item())
    called = callee(operation)
    return f"@{called}" if called else operation.name


def _text(operation: Operation, printed: Any, state: ir.AsmState, name: str) -> str:
    """`%2 = add %0, %1 {attribute = value} : tensor<4xf32>`, long attributes left out."""
    operands = ", ".join(operand.get_name(state) for operand in printed.operands)
    texts = list(_attributes(operation, printed))
    shown = f" {{{', '.join(texts)}}}" if texts else ""
    types = ", ".join(str(value.type) for value in operation.results)
    start = f"{name} = " if name else ""
    return f"{start}{operation.op.full_name} {operands}{shown} : {types}".replace("  ", " ")


def _attributes(operation: Operation, printed: Any) -> Iterator[str]:
    """`name = value`, as MLIR writes them; jaxlib can't show all of them by themselves."""
    attributes = printed.attributes
    for i in range(len(attributes)):
        value = operation.attributes.get("value")
        if isinstance(value, Literal):
            few = value.array.size <= _FEW
            yield f"value = {value.array.tolist() if few else '…'}"
            continue
        name, _, text = str(attributes[i]).removeprefix("NamedAttribute(")[:-1].partition("=")
        yield f"{name} = {text if len(text) <= _LONGEST else f'{text[: _LONGEST - 1]}…'}"
