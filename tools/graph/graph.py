"""The graph itself, and how it is written as JSON."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

SCHEMA = "dump-hlo/graph/1"

_SLASH = re.compile(r"/(?![^()]*\))")

Edge = tuple[int, int]
"""From the position of a node to that of one that uses it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """An operation, an argument, or a function (op "func") that others call.

    `parent` is the node whose region, fusion or body it stands in; `size` the bytes of its
    results, `bytes` those it reads and writes; None where that is not known.
    """

    id: str
    op: str
    type: str
    label: str = ""
    scope: str = ""
    place: str = ""
    flops: float | None = None
    bytes: float | None = None
    size: int | None = None
    parent: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Graph:
    """Nodes in the order of the program, each after those it uses.

    `entry` is the function that runs, whose nodes stand in no other; "" in HLO.
    """

    name: str
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    entry: str = ""

    def json(self) -> dict[str, Any]:
        """As an object of the schema "dump-hlo/graph/1"."""
        nodes = [{**asdict(node), "path": list(path_of(node.scope))} for node in self.nodes]
        edges = [list(edge) for edge in self.edges]
        return {"schema": SCHEMA, "name": self.name, "nodes": nodes, "edges": edges}


def path_of(scope: str) -> tuple[str, ...]:
    """The layers around an operation, the outermost first, each with its whole name.

    "grad(LeNet.conv1)" is in "grad(LeNet)" and there in "grad(LeNet.conv1)"; in names as JAX
    writes them, "jit(f)/conv1/dot_general", the last part is the operation.
    """
    if "/" in scope:
        parts = _SLASH.split(scope.partition(";")[0])[:-1]
        return tuple("/".join(parts[: i + 1]) for i in range(len(parts)))
    before, inner = scope.count("("), scope.strip(")")
    prefix, _, dotted = inner.rpartition("(")
    if not dotted:
        return ()
    start = f"{prefix}(" if prefix else ""
    parts = dotted.split(".")
    return tuple(f"{start}{'.'.join(parts[: i + 1])}{')' * before}" for i in range(len(parts)))


def layer_of(scope: str) -> str:
    """The innermost layer: in names as JAX writes them, what is before the operation."""
    return (path_of(scope) or (scope,))[-1] if "/" in scope else scope


def unique(edges: Iterable[Edge]) -> tuple[Edge, ...]:
    """The edges, each once, in their order."""
    return tuple(dict.fromkeys(edge for edge in edges if edge[0] != edge[1]))
