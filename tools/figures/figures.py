"""What a program costs, operation by operation, in groups, and altogether."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from runtime import pjrt
from tools.costs import Cost, Peak, costs, peak
from tools.figures import findings
from tools.figures.findings import Finding, Findings
from tools.graph import Graph, graph_of, layer_of
from tools.hlo_opt.removal import all_operations
from tools.places.notes import brief
from tools.programs.excerpts import QUIET
from tools.programs.selecting import labels
from tools.programs.sources import Source
from tools.terminal import UNREADABLE, Failure
from tracer.dtypes import MLIR_NAMES
from tracer.errors import LoweringError, scope_of, source_line
from tracer.ir import Module, OpaqueType, Operation

_RUNNING = ("call", "conditional", "while")
"""Instructions of HLO that only run others."""


@dataclass(frozen=True, slots=True)
class Item:
    """An operation by what it may be grouped by, and its cost altogether.

    What is in a reducer or a fusion costs nothing of its own: it is counted in what runs it.
    """

    op: str
    dtype: str
    loc: str
    scope: str
    cost: Cost


@dataclass(frozen=True, slots=True)
class Group:
    """The operations of one key: how many there are in the program, and their cost."""

    key: str
    operations: int
    cost: Cost


@dataclass(frozen=True)
class Figures:
    """All figures of one program; its peak where that was asked for."""

    source: Source
    items: tuple[Item, ...]
    total: Cost
    findings: Findings
    arguments: int
    results: int
    names: _Names | None = None
    peak: Peak | None = None

    @cached_property
    def held(self) -> list[Finding]:
        """What is live at the peak, the largest first."""
        if self.peak is None or self.names is None:
            return []
        entry = self.source.module.entry
        return [findings.live(x.value, x.bytes, entry, self.names) for x in self.peak.live]

    @property
    def peak_at(self) -> Finding | None:
        """The operation where most is held; None where that is when the program starts."""
        if self.peak is None or self.names is None or self.peak.operation is None:
            return None
        return findings.of_operation(self.peak.operation, self.names)


class _Names:
    """A module's operations, and their names, found when one is asked for."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self.all = all_operations(module)

    def __call__(self) -> dict[Operation, str]:
        return self._found

    @cached_property
    def _found(self) -> dict[Operation, str]:
        return {operation: label.name for operation, label in labels(self._module).items()}


def figures_of(source: Source, with_peak: bool = False) -> Figures:
    """The figures of a program. Raises Failure; the peak is only known of StableHLO."""
    if source.kind == "hlo":
        if with_peak:
            source.need("stablehlo")
        return _of_hlo(source)
    module = source.module
    if not module.functions:
        raise Failure(f"{source.name} has no function: there is nothing to count", UNREADABLE)
    found, names = costs(module), _Names(module)
    spent = {row.operation: row.total for row in found.rows}
    return Figures(
        source,
        tuple(_item(operation, spent.get(operation, Cost())) for operation in names.all),
        found.total,
        findings.in_module(module, names),
        len(module.entry.arguments),
        len(module.entry.returns),
        names,
        peak(module) if with_peak else None,
    )


def _item(operation: Operation, cost: Cost) -> Item:
    type = operation.results[0].type if operation.results else OpaqueType("()")
    dtype = "(none)" if isinstance(type, OpaqueType) else MLIR_NAMES[type.dtype]
    file, line = source_line(operation.location)
    place = f"{brief(file)}:{line}" if line else ""
    return Item(operation.name, dtype, place, layer_of(scope_of(operation.location)), cost)


def _of_hlo(source: Source) -> Figures:
    """Of HLO text: what XLA counts, altogether; what each instruction costs, from its text."""
    try:
        graph = graph_of(source.text)
        counted = pjrt.hlo_costs(source.text)
    except (LoweringError, pjrt.CompileError) as error:
        message = f"{source.name}: {str(error).splitlines()[0]}"
        raise Failure(message, UNREADABLE) from None
    return Figures(
        source,
        tuple(_hlo_items(graph)),
        _counted(counted),
        findings.in_hlo(graph, source.text),
        sum(node.op == "parameter" and not node.parent for node in graph.nodes),
        _hlo_results(source.text),
    )


def _hlo_results(text: str) -> int:
    """How many results the entry has, by the type of its root."""
    root = re.search(r"^ENTRY\b(?:.*\n)+?\s*ROOT \S+ = (.*)", text, re.MULTILINE)
    type_ = re.split(r" [\w-]+\(", root[1], maxsplit=1)[0] if root else ""
    return len(re.findall(r"\w+\[", type_))


def _counted(found: dict[str, float]) -> Cost:
    """What XLA's analysis says, which is -1 of what it does not know."""
    known = {name: max(0.0, value) for name, value in found.items()}
    moved, written = known.get("bytes accessed", 0.0), known.get("bytes accessedout{}", 0.0)
    flops, others = known.get("flops", 0.0), known.get("transcendentals", 0.0)
    return Cost(flops, others, int(moved - written), int(written), int(-1.0 in found.values()))


def _hlo_items(graph: Graph) -> Iterator[Item]:
    """A fusion costs what is in it, and a loop nothing but that."""
    nodes = {node.id: node for node in graph.nodes}
    for node in graph.nodes:
        if node.op in QUIET:
            continue
        parent = nodes.get(node.parent)
        while parent is not None and parent.op in _RUNNING:
            parent = nodes.get(parent.parent)
        work = Cost()
        if parent is None and node.op not in _RUNNING:
            work = Cost(node.flops or 0.0, 0.0, 0, int(node.bytes or 0), int(node.flops is None))
        found = re.match(r"\(?([a-z]\w*)\[", node.type)
        yield Item(node.op, found[1] if found else "(none)", node.place, layer_of(node.scope), work)


def grouped(items: tuple[Item, ...], by: str) -> list[Group]:
    """The operations by "op", "dtype", "loc" or "scope": those that do most first."""
    members: dict[str, list[Item]] = {}
    for item in items:
        members.setdefault(getattr(item, by) or "(none)", []).append(item)
    made = [
        Group(key, len(found), sum((item.cost for item in found), Cost()))
        for key, found in members.items()
    ]
    return sorted(made, key=lambda group: (-group.cost.work, -group.cost.bytes, group.key))
