"""Graphs as DOT, which graphviz draws."""

from __future__ import annotations

from collections.abc import Iterator

from tools.graph import Graph, Node
from tools.graph.groups import Group, grouped
from tools.pictures.letters import visible


def dot(graph: Graph) -> str:
    """DOT text: a cluster each layer, fusion and region; deterministic."""
    lines = [
        f"digraph {_quoted(graph.name)} {{",
        '  graph [rankdir=TB, fontname="Helvetica", fontsize=11, color="#9aa5b8"];',
        '  node [shape=box, style="rounded,filled", fillcolor=white, fontname="Helvetica", '
        'fontsize=11, color="#5b626b"];',
        '  edge [color="#7d8591", arrowsize=0.7];',
        *_parts(graph, grouped(graph), 1),
        *(f"  n{start} -> n{end};" for start, end in graph.edges),
        "}",
    ]
    return "\n".join(lines) + "\n"


def _parts(graph: Graph, group: Group, depth: int) -> Iterator[str]:
    """What is in a group; what holds others is a cluster, itself in it."""
    indent = "  " * depth
    for part in group.parts:
        if not part.parts:
            yield f"{indent}{_node(graph, part)}"
            continue
        name = _first(graph, part)
        yield f"{indent}subgraph {_quoted(f'cluster_{name}')} {{"
        yield f"{indent}  label={_quoted(part.name)};"
        if part.node is not None:
            yield f"{indent}  {_node(graph, part)}"
        yield from _parts(graph, part, depth + 1)
        yield f"{indent}}}"


def _first(graph: Graph, group: Group) -> str:
    """What no other cluster is called: a layer by its name, an operation by its own."""
    return group.name if group.node is None else f"{graph.nodes[group.node].id} {group.node}"


def _node(graph: Graph, group: Group) -> str:
    assert group.node is not None
    node = graph.nodes[group.node]
    shown = "\n".join(text for text in (group.name, node.type, node.place) if text)
    tip = f"{node.id}: {node.text}"
    return f"n{group.node} [label={_quoted(shown)}, tooltip={_quoted(tip)}{_look(node)}];"


def _look(node: Node) -> str:
    """What stands out: constants and arguments are not computed."""
    if node.op in ("constant", "argument", "parameter"):
        return ', fillcolor="#eef1f5"'
    return ', shape=plaintext, style=""' if node.op == "func" else ""


def _quoted(text: str) -> str:
    escaped = visible(text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
