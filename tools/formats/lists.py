"""The operations of a program as a table, as JSON, and in numbers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from tools.dump_hlo.report import to_json
from tools.figures import figures_of
from tools.formats.text import hlo, mlir
from tools.formats.view import View
from tools.graph import Node
from tools.programs.excerpts import QUIET
from tracer.tables import plural, size, table

_MOST = 12
_HEADER = ("name", "op", "type", "operands", "flops", "bytes", "place", "layer")


def as_table(view: View) -> str:
    """One operation a line."""
    return table([_HEADER, *_rows(view)])


def as_json(view: View) -> str:
    """The graph: its nodes, and edges between their positions."""
    return to_json(view.excerpted.json())


def as_jsonl(view: View) -> str:
    """One node a line, with the names of its operands."""
    nodes = view.graph.json()["nodes"]
    operands = view.operands
    rows = (
        {**nodes[i], "operands": [nodes[o]["id"] for o in operands.get(i, ())]}
        for i in view.indices
    )
    return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)


def summary(view: View) -> str:
    """How many operations of what kind, what they cost, where they come from."""
    return "".join(f"{name:12} {text}\n" for name, text in _facts(view) if text)


def markdown(view: View) -> str:
    """The summary, the operations and the text, for a report."""
    rows = [_HEADER, ("---",) * len(_HEADER), *_rows(view)]
    listed = "".join(f"| {' | '.join(c.replace('|', '&#124;') for c in row)} |\n" for row in rows)
    facts = "".join(f"- {name}: {text}\n" for name, text in _facts(view) if text)
    language, text = ("hlo", hlo(view)) if view.source.kind == "hlo" else ("mlir", mlir(view))
    return f"# {view.title}\n\n{facts}\n{listed}\n```{language}\n{text}```\n"


def _rows(view: View) -> Iterator[tuple[str, ...]]:
    nodes, operands = view.graph.nodes, view.operands
    for i in view.indices:
        node = nodes[i]
        if node.op in QUIET:
            continue
        used = " ".join(nodes[o].id.rpartition("/")[2] for o in operands.get(i, ()))
        work = (_number(node.flops), _number(node.bytes))
        yield (node.id, node.op, node.type, used, *work, node.place, node.scope)


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.0f}"


def _facts(view: View) -> Iterator[tuple[str, str]]:
    operations = list(view.operations)
    yield "program", view.title
    yield "operations", str(len(operations))
    if view.part is None:
        yield "arguments", _listed([node for node in view.graph.nodes if _is_argument(node)])
        yield from _work(view)
    else:
        yield "flops", _sum(node.flops for node in operations)
        yield "bytes moved", _sum(node.bytes for node in operations)
    yield "ops", _counted(node.op for node in operations)
    yield "types", _counted(_element(node.type) for node in operations)
    yield "layers", _counted(node.scope for node in operations)
    yield "lines", _counted(node.place for node in operations)
    yield "constants", _constants(operations)


def _work(view: View) -> Iterator[tuple[str, str]]:
    """What a whole program costs."""
    figures = figures_of(view.source, with_peak=view.source.kind == "stablehlo")
    yield "flops", f"{figures.total.flops:,.0f}"
    yield "transcend.", f"{figures.total.transcendentals:,.0f}"
    yield "bytes moved", size(figures.total.bytes)
    if figures.peak:
        yield "peak", size(figures.peak.bytes)


def _is_argument(node: Node) -> bool:
    return node.op in ("argument", "parameter") and not node.parent


def _listed(nodes: list[Node]) -> str:
    total = sum(node.size or 0 for node in nodes)
    shown = ", ".join(f"{node.label}: {node.type}" for node in nodes[:_MOST])
    more = f", {len(nodes) - _MOST} more" if len(nodes) > _MOST else ""
    return f"{plural(len(nodes), 'value')}, {size(total)}: {shown}{more}" if nodes else ""


def _sum(values: Iterable[float | None]) -> str:
    return f"{sum(value or 0.0 for value in values):,.0f}"


def _counted(names: Iterable[str]) -> str:
    """The most frequent first."""
    counts = Counter(name for name in names if name)
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    more = f", {len(ordered) - _MOST} others" if len(ordered) > _MOST else ""
    return ", ".join(f"{name} {count}" for name, count in ordered[:_MOST]) + more


def _element(type: str) -> str:
    """The dtype of a type as MLIR or HLO writes it; of several the first."""
    first = type.strip("(").partition(",")[0]
    return first.partition("[")[0] if "[" in first else first.rpartition("x")[2]


def _constants(operations: list[Node]) -> str:
    """The largest, which is worth a line where it is not small."""
    found: list[Any] = [n for n in operations if n.op == "constant" and (n.size or 0) > 1024]
    found.sort(key=lambda node: -(node.size or 0))
    return ", ".join(
        f"{node.id} {size(node.size)}{f' at {node.place}' if node.place else ''}"
        for node in found[:_MOST]
    )
