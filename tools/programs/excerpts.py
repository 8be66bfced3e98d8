"""A part of a program's graph: what is around an operation, between two, in a layer."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tools.graph import Graph, Node
from tools.programs.selecting import Label, called
from tools.terminal import NO, Failure

QUIET = ("argument", "parameter", "return", "func")
"""Nodes that are no operations."""
_AROUND = re.compile(r"(.+\.(?:py|mlir|hlo):\d+|.+?)(?::(\d{1,6}))?")


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Positions of nodes in a graph, and what they were chosen by."""

    nodes: frozenset[int]
    title: str

    def also(self, other: Excerpt) -> Excerpt:
        """What is in both."""
        return Excerpt(self.nodes & other.nodes, f"{self.title}, {other.title}")


def around(graph: Graph, text: str) -> Excerpt:
    """Operations at most N steps from one: `%12:2`, `tanh`, `train.py:12:3`; else one step."""
    found = _AROUND.fullmatch(text)
    if found is None:
        raise Failure(f"--around needs an operation, and how many steps: %12:2, got {text!r}")
    steps = 1 if found[2] is None else int(found[2])
    start = find(graph, found[1])
    both: dict[int, list[int]] = defaultdict(list)
    for source, user in graph.edges:
        both[source].append(user)
        both[user].append(source)
    reached = _reached(start, both, steps)
    return Excerpt(reached, f"around {found[1]}, {steps} step{'' if steps == 1 else 's'}")


def between(graph: Graph, first: str, second: str) -> Excerpt:
    """Operations on the ways from one to another, whichever comes first. Raises Failure: NO."""
    down: dict[int, list[int]] = defaultdict(list)
    up: dict[int, list[int]] = defaultdict(list)
    for source, user in graph.edges:
        down[source].append(user)
        up[user].append(source)
    starts, ends = find(graph, first), find(graph, second)
    title = f"between {first} and {second}"
    for above, below in ((starts, ends), (ends, starts)):
        nodes = _reached(above, down) & _reached(below, up)
        if nodes:
            return Excerpt(nodes, title)
    raise Failure(f"there is no way from {first} to {second}, nor back", NO)


def within(graph: Graph, pattern: re.Pattern[str]) -> Excerpt:
    """Operations of the layers whose name fits. Raises Failure: NO."""
    fits = enumerate(graph.nodes)
    nodes = frozenset(i for i, node in fits if node.scope and pattern.search(node.scope))
    if not nodes:
        scopes = sorted({node.scope for node in graph.nodes if node.scope})
        has = f"it has {', '.join(scopes[:8])}" if scopes else "its operations name none"
        raise Failure(f"no layer fits {pattern.pattern!r}; {has}", NO)
    return Excerpt(nodes, f"in {pattern.pattern}")


def find(graph: Graph, text: str) -> list[int]:
    """The nodes that a text names, as `tools.programs.selecting` has it. Raises Failure."""
    nodes = (node for node in graph.nodes if node.op != "func")
    at = {node.id: i for i, node in enumerate(graph.nodes)}
    return called(text, {at[node.id]: _label(graph, node) for node in nodes})


def _label(graph: Graph, node: Node) -> Label:
    function, path = graph.entry, node.id
    if path.startswith("@"):
        function, _, path = path[1:].partition("/")
    name = path.rpartition("/")[2].partition("'")[0]  # what tells regions side by side apart
    count = node.type.count(", ") + 1
    names = (name,) if count == 1 else tuple(f"{name}#{i}" for i in range(count))
    file, _, line = node.place.rpartition(":")
    named = names if name.startswith("%") else ()
    return Label(function, path, named, node.op, file, int(line or 0), node.scope)


def _reached(
    start: Iterable[int], steps: Mapping[int, Iterable[int]], most: int | None = None
) -> frozenset[int]:
    """What can be got to, in at most so many steps."""
    known = set(start)
    edge, taken = list(known), 0
    while edge and (most is None or taken < most):
        edge = [n for at in edge for n in steps.get(at, ()) if n not in known]
        edge = list(dict.fromkeys(edge))
        known.update(edge)
        taken += 1
    return frozenset(known)
