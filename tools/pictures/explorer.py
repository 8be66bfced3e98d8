"""Graphs as Model Explorer reads them (github.com/google-ai-edge/model-explorer)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tools.graph import Graph, Node
from tools.graph.groups import Group, grouped


def model_explorer(graph: Graph) -> str:
    """JSON of a collection with one graph, its layers and fusions as namespaces."""
    sources: dict[int, list[int]] = {}
    for start, end in graph.edges:
        sources.setdefault(end, []).append(start)
    spaces = dict(_namespaces(grouped(graph), ""))
    nodes = [
        {
            "id": str(position),
            "label": node.label or node.op,
            "namespace": spaces[position],
            "attrs": [{"key": key, "value": value} for key, value in _attributes(node)],
            "incomingEdges": [
                _edge(i, source) for i, source in enumerate(sources.get(position, ()))
            ],
            "outputsMetadata": [{"id": "0", "attrs": _results(node)}],
        }
        for position, node in enumerate(graph.nodes)
    ]
    collection = {"label": graph.name, "graphs": [{"id": graph.name, "nodes": nodes}]}
    return json.dumps(collection, indent=1) + "\n"


def _namespaces(group: Group, space: str) -> Iterator[tuple[int, str]]:
    """The namespace of each operation; what holds others stands in the one that it opens."""
    for part in group.parts:
        # a slash would begin another level
        name = part.name.replace("/", "|") if part.node is None else f"{part.name} {part.node}"
        inner = f"{space}/{name}".lstrip("/")
        if part.node is not None:
            yield part.node, inner if part.parts else space
        yield from _namespaces(part, inner)


def _edge(place: int, source: int) -> dict[str, str]:
    ends = {"sourceNodeId": str(source), "sourceNodeOutputId": "0"}
    return {**ends, "targetNodeInputId": str(place)}


def _attributes(node: Node) -> Iterator[tuple[str, str]]:
    shown: dict[str, Any] = {
        "name": node.id,
        "op": node.op,
        "source": node.place,
        "layer": node.scope,
        "flops": node.flops,
        "bytes": node.bytes,
        "text": node.text,
    }
    for key, value in shown.items():
        if value not in (None, ""):
            yield key, value if isinstance(value, str) else f"{value:.15g}"


def _results(node: Node) -> list[dict[str, str]]:
    return [{"key": "type", "value": node.type}] if node.type else []
