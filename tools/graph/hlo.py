"""The graph of a module in HLO text: a reader of its computations, line by line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from lowering.hlo_metadata import without_metadata
from tools.graph.graph import Edge, Graph, Node, unique
from tools.graph.hlo_costs import bytes_of, flops_of
from tools.places.hlo import hlo_places
from tools.places.notes import Place, brief
from tracer.errors import LoweringError

_HEADER = re.compile(r"(ENTRY\s+)?%?([\w.\-]+)\s*(?:\(.*)?\{$")
_START = re.compile(r"(?:ROOT\s+)?%?([\w.\-]+)\s+=\s+")
_OPCODE = re.compile(r"\s*([\w\-]+)\(")
_CALLED = re.compile(
    r"\b(?:calls|to_apply|body|condition|select|scatter|true_computation|false_computation)="
    r"%?([\w.\-]+)|\b(?:branch_computations|called_computations)=\{([^}]*)\}"
)
_NAME = re.compile(r"%?([\w.\-]+)")
_COMMENT = re.compile(r"/\*.*?\*/")
_LAYOUT = re.compile(r"(?<=\])\{[^{}]*\}")
_CONFIG = re.compile(r', backend_config=\{.*\}$|, backend_config="(?:[^"\\]|\\.)*"')
_NOWHERE = Place("", 0)
_QUIET = ("parameter", "constant")


@dataclass(frozen=True, slots=True)
class Instruction:
    """One line of HLO: what it computes, from what, and which computations it calls."""

    name: str
    type: str
    opcode: str
    operands: tuple[str, ...]
    attributes: str
    line: str
    place: Place

    @property
    def called(self) -> list[str]:
        """The computations that it calls, in order."""
        found = _CALLED.findall(self.attributes)
        return [name for one, many in found for name in ([one] if one else _NAME.findall(many))]


@dataclass(slots=True)
class _Module:
    name: str
    computations: dict[str, list[Instruction]] = field(default_factory=dict)
    entry: str = ""


def from_hlo(text: str) -> Graph:
    """The graph of a module; what a fusion or a loop calls stands in the node that calls it.

    Raises LoweringError for what is no HLO text.
    """
    module = _read(text)
    if not module.entry:
        raise LoweringError("a module in HLO text is needed: it starts with HloModule NAME")
    builder = _Builder(module)
    builder.computation(module.entry, "")
    return Graph(module.name, tuple(builder.nodes), unique(builder.edges))


def _read(text: str) -> _Module:
    head = re.search(r"^HloModule\s+([^\s,]+)", text, re.MULTILINE)
    module = _Module(head[1] if head else "")
    places = hlo_places(text)
    current: list[Instruction] = []
    for line in text.splitlines():
        bare = line.strip()
        if header := _HEADER.fullmatch(bare):
            current = module.computations[header[2]] = []
            module.entry = header[2] if header[1] or not module.entry else module.entry
        elif start := _START.match(bare):
            place = places.get(start[1], _NOWHERE)
            current.append(_instruction(bare, start, place))
    return module


def _instruction(line: str, named: re.Match[str], place: Place) -> Instruction:
    line, start = _COMMENT.sub("", line), named.end()
    end = _closing(line, start) if line[start] == "(" else line.find(" ", start)
    opcode = _OPCODE.match(line, end)
    if opcode is None:
        raise LoweringError(f"an instruction is needed, got {line.strip()!r:.80}")
    close = _closing(line, opcode.end() - 1)
    inner = _LAYOUT.sub("", line[opcode.end() : close - 1])
    operands = () if opcode[1] in _QUIET else tuple(_operands(inner))
    shown = _LAYOUT.sub("", _CONFIG.sub("", without_metadata(line.removeprefix("ROOT "))))
    type = _LAYOUT.sub("", line[start:end])
    return Instruction(named[1], type, opcode[1], operands, line[close:], shown, place)


def _operands(inner: str) -> Iterator[str]:
    """The last word of each operand: some releases write its type before it."""
    for part in re.split(r",\s*(?![^\[(]*[\])])", inner):
        if part.strip():
            yield part.split()[-1].removeprefix("%")


def _closing(line: str, start: int) -> int:
    """Where the bracket that opens at `start` has closed."""
    depth = 0
    for at in range(start, len(line)):
        depth += (line[at] == "(") - (line[at] == ")")
        if not depth:
            return at + 1
    raise LoweringError(f"a bracket is open in {line.strip()!r:.80}")


@dataclass(slots=True)
class _Builder:
    """Walks computations from the entry; each stands in the first node that calls it."""

    module: _Module
    nodes: list[Node] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    placed: set[str] = field(default_factory=set)

    def computation(self, name: str, parent: str) -> float:
        """Adds its instructions; the work that they do."""
        self.placed.add(name)
        known: dict[str, Instruction] = {}
        index: dict[str, int] = {}
        work = 0.0
        for instruction in self.module.computations.get(name, ()):
            operands = [known[o] for o in instruction.operands if o in known]
            index[instruction.name] = position = len(self.nodes)
            self.nodes.append(_node(instruction, operands, parent))
            self.edges += [(index[operand.name], position) for operand in operands]
            known[instruction.name] = instruction
            work += self._inner(instruction, position)
        return work

    def _inner(self, instruction: Instruction, position: int) -> float:
        """Adds what an instruction calls; its work, that of a fusion being what it fuses."""
        node = self.nodes[position]
        called = [name for name in instruction.called if name not in self.placed]
        inner = sum(self.computation(name, node.id) for name in called)
        if instruction.opcode in ("fusion", "call") and called:
            self.nodes[position] = replace(node, flops=inner)
            return inner
        return node.flops or 0.0


def _node(instruction: Instruction, operands: list[Instruction], parent: str) -> Node:
    types = [operand.type for operand in operands]
    opcode, type, place = instruction.opcode, instruction.type, instruction.place
    size = bytes_of(type)
    moved = opcode not in (*_QUIET, "tuple", "get-tuple-element", "bitcast")
    return Node(
        id=f"%{instruction.name}",
        op=opcode,
        type=type,
        label=_label(instruction),
        scope="" if opcode == "parameter" else place.scope,
        place=f"{brief(place.file)}:{place.line}" if place.file else "",
        flops=flops_of(opcode, type, instruction.attributes, types),
        bytes=float(sum(bytes_of(t) or 0 for t in (*types, type))) if moved else 0.0,
        size=size,
        parent=parent,
        text=instruction.line,
    )


def _label(instruction: Instruction) -> str:
    """The op; of a parameter its name, of a fusion what kind it is, of a scalar its value."""
    if instruction.opcode == "parameter":
        return instruction.place.scope or instruction.name
    if instruction.opcode == "fusion":
        return instruction.name.replace("_", " ")
    if instruction.opcode == "constant" and "[]" in instruction.type:
        value = re.search(r"constant\(([^()]*)\)", instruction.line)
        return value[1] if value else instruction.opcode
    return instruction.opcode
