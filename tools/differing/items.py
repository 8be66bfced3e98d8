"""What of a program is compared: its arguments, operations and results, StableHLO's or HLO's."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

from lowering.attributes import CARRIED, KINDS
from tools.graph import from_hlo
from tools.graph.graph import Node
from tools.places.locations import brief
from tools.programs.selecting import Label, labels
from tools.programs.sources import Source
from tools.terminal import UNREADABLE, Failure
from tracer.errors import LoweringError
from tracer.ir import Block, Literal, Module, Operation, Value
from tracer.ir.core import is_carried

Use = tuple[int, int]
"""The item that is used, and which of its results."""
_SYMBOLS = ("callee", "composite_name", "decomposition", "called_computations")
_NAMES = re.compile(r"%[\w.#-]+|\b(?:calls|to_apply|body|condition|branch_computations)=\S+")


@dataclass(slots=True, eq=False)
class Item:
    """An argument, an operation, what a block returns (op "return"), or a function (op "func").

    `parent` is the item that it stands in, -1 for functions; `slot` tells apart those of a parent
    that are arguments, returns or functions. `constant` is what a literal holds.
    """

    op: str
    types: tuple[str, ...]
    operands: tuple[Use, ...] = ()
    attributes: tuple[tuple[str, str], ...] = ()
    constant: Literal | str | None = None
    parent: int = -1
    slot: int = 0
    name: str = ""
    place: str = ""
    scope: str = ""
    line: Hashable = None
    """The line of the user's that it comes from; None where that is one of the text itself."""
    symbol: str = ""

    @property
    def is_operation(self) -> bool:
        """Whether it is one that computes something."""
        return self.op not in ("argument", "return", "func")


@dataclass(slots=True)
class Program:
    """The items of a program, each after those it uses, and what messages call the program."""

    name: str
    items: list[Item] = field(default_factory=list)

    def is_inside(self, item: Item) -> bool:
        """Whether it stands in a region of an operation."""
        return item.parent >= 0 and self.items[item.parent].op != "func"

    def text(self, index: int) -> str:
        """An item in a line, without its place."""
        item = self.items[index]
        if item.op == "argument":
            return f"{item.name}: {', '.join(item.types)}"
        operands = ", ".join(self._used(use) for use in item.operands)
        given = ", ".join(f"{key} = {_short(text)}" for key, text in item.attributes)
        if item.constant is not None:
            given = _short(_value(item.constant))
        called = f"@{item.symbol}" if item.symbol else ""
        words = (item.op, called, operands, f"{{{given}}}" if given else "")
        shown = " ".join(word for word in words if word)
        result = f"{item.name} = " if item.name else ""
        return f"{result}{shown} : {', '.join(item.types)}".rstrip(" :")

    def _used(self, use: Use) -> str:
        index, result = use
        item = self.items[index]
        return f"{item.name}#{result}" if len(item.types) > 1 else item.name


def _value(constant: Literal | str) -> str:
    if isinstance(constant, str):
        return constant
    if constant.type.size > 16:
        return f"{constant.type.size} elements"
    return str(constant.array.tolist())


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:59]}…"


def program_of(source: Source) -> Program:
    """The items of a program. Raises Failure."""
    if source.kind == "stablehlo":
        return of_module(source.module, source.name)
    try:
        return _of_hlo(source)
    except LoweringError as error:
        raise Failure(f"{source.name}: {error}", UNREADABLE) from None


def of_module(module: Module, name: str) -> Program:
    """The items of a module of ours, its entry first."""
    reader = _Reader(Program(name), labels(module))
    for slot, function in enumerate(sorted(module, key=lambda f: f is not module.entry)):
        reader.program.items.append(Item("func", (), slot=slot, symbol=function.name))
        reader.block(function.body, len(reader.program.items) - 1, 0)
    return reader.program


class _Reader:
    """Operations in the order of the program, and the items that their results are."""

    def __init__(self, program: Program, named: dict[Operation, Label]) -> None:
        self.program = program
        self._named = named
        self._known: dict[Value, Use] = {}
        self._count = 0

    def block(self, block: Block, parent: int, region: int) -> None:
        """Appends what a block holds."""
        items = self.program.items
        for slot, value in enumerate(block.arguments):
            self._known[value] = (len(items), 0)
            name = f"%arg{self._count}"
            self._count += 1
            at = region << 16 | slot
            items.append(
                Item(
                    "argument",
                    (str(value.type),),
                    parent=parent,
                    slot=at,
                    name=name,
                    symbol=value.name,
                )
            )
        for operation in block.operations:
            self.operation(operation, parent)
        uses = tuple(self._known[v] for v in block.returns)
        types = tuple(str(v.type) for v in block.returns)
        items.append(Item("return", types, uses, parent=parent, slot=region))

    def operation(self, operation: Operation, parent: int) -> None:
        """Appends an operation, and what its regions hold."""
        items, label = self.program.items, self._named[operation]
        index = len(items)
        items.append(
            Item(
                label.op,
                tuple(str(v.type) for v in operation.results),
                tuple(self._known[v] for v in operation.operands),
                _attributes(operation),
                _constant(operation),
                parent,
                name=label.name if label.names else "",
                place=f"{brief(label.file)}:{label.line}" if label.line else "",
                scope=label.scope,
                line=(label.file, label.line) if label.file != self.program.name else None,
                symbol=str(operation.attributes.get("callee", "")),
            )
        )
        for i, value in enumerate(operation.results):
            self._known[value] = (index, i)
        for region, block in enumerate(operation.regions):
            self.block(block, index, region)


def _constant(operation: Operation) -> Literal | None:
    value = operation.attributes.get("value") if operation.name == "constant" else None
    return value if isinstance(value, Literal) else None


def _attributes(operation: Operation) -> tuple[tuple[str, str], ...]:
    """As MLIR writes them, without what types say, what constants hold, and symbols."""
    given = operation.attributes
    if operation.op.is_opaque:
        return tuple(given["raw"])
    left_out = (*_SYMBOLS, "value") if operation.name == "constant" else _SYMBOLS
    shown = [
        (a.name, KINDS[a.kind].print(given[a.name]))
        for a in operation.op.attributes
        if a.kind not in CARRIED and a.name not in left_out and given[a.name] is not None
    ]
    return (*shown, *((name, text) for name, text in given.items() if is_carried(name)))


def _of_hlo(source: Source) -> Program:
    graph = from_hlo(source.text)
    program = Program(source.name, [Item("func", (), symbol="ENTRY")])
    known = {node.id: i + 1 for i, node in enumerate(graph.nodes)}
    for node in graph.nodes:
        found = (known.get(name, 0) for name in _operand_names(node))
        uses = [i for i in found if 0 < i < len(program.items)]
        program.items.append(_instruction(node, known.get(node.parent, 0), uses))
    last = max((i for i, item in enumerate(program.items) if item.parent == 0), default=0)
    if last:
        types = program.items[last].types
        program.items.append(Item("return", types, ((last, 0),), parent=0))
    return program


def _operand_names(node: Node) -> list[str]:
    """The last word of each operand, its mark aside: some releases write its type before it."""
    inner = node.text.partition(f" {node.op}(")[2]
    depth, end = 1, 0
    while end < len(inner) and depth:
        depth += (inner[end] == "(") - (inner[end] == ")")
        end += 1
    parts = re.split(r",\s*(?![^\[({]*[\])}])", inner[: end - 1])
    return [f"%{part.split()[-1].removeprefix('%')}" for part in parts if part.strip()]


def _instruction(node: Node, parent: int, uses: Sequence[int]) -> Item:
    inner = node.text.partition(f" {node.op}(")[2]
    if node.op == "parameter":
        slot = int(re.match(r"\d*", inner)[0] or 0)  # type: ignore[index]
        return Item("argument", (node.type,), parent=parent, slot=slot, name=node.id)
    constant = inner.rstrip(") ") if node.op == "constant" else None
    rest = _NAMES.sub("", inner.partition(")")[2]).strip(" ,")
    given = (("attributes", rest),) if rest and constant is None else ()
    return Item(
        node.op,
        (node.type,),
        tuple((index, 0) for index in uses),
        given,
        constant,
        parent,
        name=node.id,
        place=node.place,
        line=node.place or None,
        scope=node.scope,
    )
