"""A program, or a part of it, that is to be shown, and how."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

from tools.graph import Graph, Node, graph_of
from tools.programs.excerpts import QUIET, Excerpt
from tools.programs.sources import Source
from tools.terminal import UNREADABLE, Failure
from tracer.errors import LoweringError


@dataclass(frozen=True, slots=True)
class Style:
    """How text is printed: see `dump-hlo show --help`, and `tools.places.locations.Locations`."""

    locations: str = "inline"
    elide: int | None = 16
    names: str = "ssa"
    types: bool = True
    width: int = 0
    home: tuple[str, int] | None = None


@dataclass(frozen=True)
class View:
    """What a format is given. `part` is an excerpt of it; None for the whole."""

    source: Source
    style: Style = field(default_factory=Style)
    part: Excerpt | None = None

    @cached_property
    def graph(self) -> Graph:
        """The program as a graph. Raises Failure."""
        return graph_of_source(self.source)

    def only(self, part: Excerpt) -> View:
        """The same, but a part of it."""
        made = replace(self, part=part)
        made.__dict__["graph"] = self.graph
        return made

    @property
    def indices(self) -> list[int]:
        """Positions of the nodes that are to be shown, in order."""
        everything = range(len(self.graph.nodes))
        return [i for i in everything if self.part is None or i in self.part.nodes]

    @property
    def excerpted(self) -> Graph:
        """The graph of the part: its nodes, and edges among them."""
        new = {old: i for i, old in enumerate(self.indices)}
        nodes = tuple(self.graph.nodes[i] for i in new)
        edges = ((new[a], new[b]) for a, b in self.graph.edges if a in new and b in new)
        return replace(self.graph, nodes=nodes, edges=tuple(edges))

    @property
    def operations(self) -> Iterator[Node]:
        """The operations that are to be shown, in order."""
        nodes = (self.graph.nodes[i] for i in self.indices)
        return (node for node in nodes if node.op not in QUIET)

    @property
    def operands(self) -> dict[int, list[int]]:
        """What each node uses, by position."""
        used: dict[int, list[int]] = {}
        for source, user in self.graph.edges:
            used.setdefault(user, []).append(source)
        return used

    @property
    def title(self) -> str:
        """What part of the program it is, and how much of it."""
        if self.part is None:
            return self.graph.name
        count = sum(node.op not in QUIET for node in self.graph.nodes)
        return f"{sum(1 for _ in self.operations)} of {count} operations: {self.part.title}"


def graph_of_source(source: Source) -> Graph:
    """The graph of a program, of either kind. Raises Failure.

    A place in the text of a bundle itself is none that anyone has written.
    """
    try:
        graph = graph_of(source.text if source.kind == "hlo" else source.module)
    except LoweringError as error:
        raise Failure(f"{source.name}: {error}", UNREADABLE) from None
    if source.entry is None:
        return graph
    own = f"{source.name}:"
    nodes = (replace(n, place="") if n.place.startswith(own) else n for n in graph.nodes)
    return replace(graph, nodes=tuple(nodes))
