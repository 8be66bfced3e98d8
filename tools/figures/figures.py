"""What a program costs, operation by operation, in groups, and altogether."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from runtime import pjrt
from tools.costs import Cost, Peak, Row, costs, peak
from tools.figures import findings
from tools.figures.findings import Finding, Findings
from tools.graph import Graph, graph_of
from tools.places.notes import brief
from tools.programs.selecting import labels
from tools.programs.sources import Source
from tools.terminal import UNREADABLE, Failure
from tracer.dtypes import MLIR_NAMES
from tracer.errors import LoweringError, scope_of, source_line
from tracer.ir import Module, OpaqueType, Operation

_RUNNING = ("call", "conditional", "while")
"""Instructions of HLO that only run others."""
_GIVEN = ("func", "parameter")


@dataclass(frozen=True, slots=True)
class Item:
    """An operation by what it may be grouped by, how often it runs, and its cost altogether."""

    op: str
    dtype: str
    loc: str
    scope: str
    times: int
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
    """The names of a module's operations, found when one is asked for."""

    def __init__(self, module: Module) -> None:
        self._module = module

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
    return Figures(
        source,
        tuple(map(_item, found.rows)),
        found.total,
        findings.in_module(module, names),
        len(module.entry.arguments),
        len(module.entry.returns),
        names,
        peak(module) if with_peak else None,
    )


def _item(row: Row) -> Item:
    operation = row.operation
    type = operation.results[0].type if operation.results else OpaqueType("()")
    dtype = "(none)" if isinstance(type, OpaqueType) else MLIR_NAMES[type.dtype]
    file, line = source_line(operation.location)
    place = f"{brief(file)}:{line}" if line else ""
    return Item(operation.name, dtype, place, scope_of(operation.location), row.times, row.total)


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
    """How many results the entry has, by its header."""
    header = re.search(r"^ENTRY .*->(.*)\{$", text, re.MULTILINE)
    return len(re.findall(r"\w+\[", header[1])) if header else 0


def _counted(found: dict[str, float]) -> Cost:
    """What XLA's analysis says, which is -1 of what it does not know."""
    known = {name: max(0.0, value) for name, value in found.items()}
    moved, written = known.get("bytes accessed", 0.0), known.get("bytes accessedout{}", 0.0)
    flops, others = known.get("flops", 0.0), known.get("transcendentals", 0.0)
    return Cost(flops, others, int(moved - written), int(written), int(-1.0 in found.values()))


def _hlo_items(graph: Graph) -> Iterator[Item]:
    """What is run: a fusion as one, and of a loop what is in it."""
    nodes = {node.id: node for node in graph.nodes}
    for node in graph.nodes:
        parent = nodes.get(node.parent)
        while parent is not None and parent.op in _RUNNING:
            parent = nodes.get(parent.parent)
        if parent is None and node.op not in (*_RUNNING, *_GIVEN):
            found = re.match(r"\(?([a-z]\w*)\[", node.type)
            work = Cost(node.flops or 0.0, 0.0, 0, int(node.bytes or 0), int(node.flops is None))
            dtype = found[1] if found else "(none)"
            yield Item(node.op, dtype, node.place, node.scope, 1, work)


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
