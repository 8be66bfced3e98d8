"""A graph as nested groups: layers, and in them operations with what stands inside."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from tools.graph.graph import Graph, path_of


@dataclass(slots=True, eq=False)
class Group:
    """An operation (`node` is its position), or a layer; either may have parts."""

    name: str
    node: int | None = None
    parts: list[Group] = field(default_factory=list)

    def __iter__(self) -> Iterator[Group]:
        """All that is in it, each after what it stands in."""
        for part in self.parts:
            yield part
            yield from part

    @property
    def operations(self) -> list[int]:
        """The positions of the operations in it, its own among them."""
        own = [] if self.node is None else [self.node]
        return own + [part.node for part in self if part.node is not None]


def grouped(graph: Graph) -> Group:
    """The whole of a graph: by layers, and by the fusion, region or function it stands in."""
    root = Group(graph.name)
    holders: dict[str, Group] = {}
    layers: dict[str, Group] = {}
    for position, node in enumerate(graph.nodes):
        group = holders.get(node.parent)
        if group is None:
            group = root
            for name in path_of(node.scope):
                if name not in layers:
                    layers[name] = Group(name)
                    group.parts.append(layers[name])
                group = layers[name]
        holders[node.id] = made = Group(node.label or node.op, position)
        group.parts.append(made)
    return root
