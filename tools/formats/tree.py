"""A program as a tree, from its results to its arguments; what is shared stands in it once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from tools.formats.view import View
from tools.graph import Node

_DEEPEST = 100
"""How deep a tree goes: below that, nobody reads it."""
_ABOVE, _INSIDE = "(above)", "inside"


@dataclass(slots=True)
class Branch:
    """A line, and those below it."""

    text: str
    below: list[Branch] = field(default_factory=list)


def tree(view: View) -> str:
    """The tree, a line each."""
    return "".join(f"{line}\n" for root in _Grower(view).roots() for line in _drawn(root))


def styled(text: str) -> list[tuple[str, str]]:
    """The lines of a tree for `tools.terminal.painted`: what only points elsewhere is dim."""
    return [(s, "dim" if s.endswith((_ABOVE, _INSIDE)) else "") for s in text.splitlines()]


class _Grower:
    """Grows branches, each node but once. What stands in a region or a fusion is below it."""

    def __init__(self, view: View) -> None:
        self._nodes = view.graph.nodes
        self._chosen = set(view.indices)
        self._operands = view.operands
        self._met: set[int] = set()
        self._tops = self._by_parent()

    def _by_parent(self) -> dict[str, list[int]]:
        """For each node, what stands in it and nothing else there uses; at "" of the program."""
        ids = {self._nodes[i].id for i in self._chosen}
        used = {operand for i in self._chosen for operand in self._operands.get(i, ())}
        tops: dict[str, list[int]] = {}
        for i in sorted(self._chosen - used):
            parent = self._nodes[i].parent
            tops.setdefault(parent if parent in ids else "", []).append(i)
        return tops

    def roots(self) -> list[Branch]:
        """A branch for each node that no other of the chosen uses."""
        return [self._branch(i, 0) for i in self._tops.get("", ())]

    def _branch(self, index: int, depth: int) -> Branch:
        node = self._nodes[index]
        inside = self._tops.get(node.id, [])
        below = [i for i in self._operands.get(index, ()) if i in self._chosen]
        if index in self._met and (below or inside):
            return Branch(f"{_name(node)} {_ABOVE}")
        self._met.add(index)
        if depth >= _DEEPEST and (below or inside):
            return Branch(_line(node), [Branch(f"... (--around {_name(node)})")])
        branches = [self._branch(i, depth + 1) for i in below]
        if inside:
            branches.append(Branch(_INSIDE, [self._branch(i, depth + 2) for i in inside]))
        return Branch(_line(node), branches)


def _name(node: Node) -> str:
    return node.id.rpartition("/")[2]


def _line(node: Node) -> str:
    place = f"{node.place} {node.scope}".strip()
    name = _name(node)
    known = ("", node.op, name, name.removeprefix("%"))
    words = (name, node.op, "" if node.label in known else node.label, node.type)
    shown = " ".join(word for word in dict.fromkeys(words) if word)
    return f"{shown}  // {place}" if place else shown


def _drawn(branch: Branch, first: str = "", rest: str = "") -> Iterator[str]:
    yield first + branch.text
    for i, below in enumerate(branch.below):
        last = i == len(branch.below) - 1
        yield from _drawn(
            below, rest + ("└─ " if last else "├─ "), rest + ("   " if last else "│  ")
        )
