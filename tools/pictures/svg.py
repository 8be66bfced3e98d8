"""Graphs as SVG, with a layout of our own. A large one is shown by its layers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise

from tools.graph import Graph
from tools.graph.groups import Group, grouped
from tools.pictures.columns import in_columns
from tools.pictures.layout import BOTTOM, TOP, End, Layout, Wire, layered
from tools.pictures.letters import visible
from tools.pictures.wires import paths

_MOST = 300
"""So many boxes are drawn at most."""
_RUN = 100
"""So many parts are one box, where there are too many of them."""
_PAD, _HEAD = 14.0, 28.0
_STYLE = """\
text{font:12px system-ui,Helvetica,sans-serif;fill:#1c2024}
.t{font-size:10.5px;fill:#5b626b}
.b{fill:#fff;stroke:#9aa1ab}
.g{fill:#6e788c;fill-opacity:.08;stroke:#b9bec8}
.c{fill:#e9edf3;stroke:#7d8591}
.e{fill:none;stroke:#9aa1ab;stroke-width:1.2}
.a{fill:#7d8591}
.w{fill:#fafaf8}
@media(prefers-color-scheme:dark){text{fill:#e7e9ec}.t{fill:#a0a8b2}.b{fill:#23272c;stroke:#59616b}
.g{stroke:#4a525d}.c{fill:#2b323b;stroke:#6f7c91}.e{stroke:#6a7480}.a{fill:#8a94a0}.w{fill:#16181b}}
"""
_HEADS = (
    '<defs><marker id="head" viewBox="0 0 8 8" refX="7.5" refY="4" markerWidth="8" '
    'markerHeight="8" markerUnits="userSpaceOnUse" orient="auto">'
    '<path class="a" d="M0 .8L8 4L0 7.2z"/></marker></defs>'
)


@dataclass(slots=True, eq=False)
class _Box:
    """What is drawn of a group: a closed box with two lines, or a frame around its parts."""

    group: Group
    first: str
    second: str
    parts: list[_Box] = field(default_factory=list)
    wires: dict[_Box, Wire] = field(default_factory=dict)
    layout: Layout | None = None
    left: float = 0.0
    x: float = 0.0
    y: float = 0.0
    width: float = 0.0
    height: float = 0.0


def svg(graph: Graph) -> str:
    """SVG text; of more than 300 nodes the outermost layers, closed. Deterministic."""
    root = _Picture(graph).root
    width, height = root.width, root.height
    title = f"{graph.name}: {len(graph.nodes)} nodes"
    said = ", ".join(box.first for box in root.parts[:40])
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="title desc" '
            f'viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}">',
            f'<title id="title">{_text(title)}</title>',
            f'<desc id="desc">A graph from top to bottom. It shows {_text(said)}.</desc>',
            f"<style>{_STYLE}</style>",
            _HEADS,
            f'<rect class="w" width="{width:.0f}" height="{height:.0f}"/>',
            *_drawn(root, graph),
            "</svg>\n",
        ]
    )


class _Picture:
    """The boxes of a graph, with their sizes and places."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.of: dict[int, _Box] = {}
        whole = grouped(graph)
        self.root = self._box(whole, 0, _depth(whole))
        self._connect()
        self._measure(self.root)
        self._move(self.root, 0.0, 0.0)

    def _box(self, group: Group, depth: int, most: int) -> _Box:
        """A box, open as far as `most` levels go."""
        second = f"{len(group.operations)} operations"
        if group.node is not None:
            second = self.graph.nodes[group.node].type
        box = _Box(group, group.name, second)
        if depth < most:
            box.parts = [self._box(part, depth + 1, most) for part in group.parts]
        for operation in [group.node] if box.parts else group.operations:
            if operation is not None:
                self.of[operation] = box
        return box

    def _connect(self) -> None:
        """Each value is a wire in every frame that it passes, from its maker to its users."""
        around = {id(part): box for box in _all(self.root) for part in box.parts}
        number = {id(part): i for box in _all(self.root) for i, part in enumerate(box.parts)}
        for start, end in dict.fromkeys((self.of[a], self.of[b]) for a, b in self.graph.edges):
            froms, tos = _path(start, around), _path(end, around)
            shared = sum(a is b for a, b in zip(froms, tos, strict=False))
            if shared == min(len(froms), len(tos)):
                continue
            for frame, part in pairwise(froms[shared:]):
                _lead(frame, start, number[id(part)], End(BOTTOM))
            to = End(number[id(tos[shared])], None if tos[shared] is end else 0.0)
            _lead(froms[shared - 1], start, number[id(froms[shared])], to)
            for frame, part in pairwise(tos[shared:]):
                to = End(number[id(part)], None if part is end else 0.0)
                _lead(frame, start, TOP, to)

    def _measure(self, box: _Box) -> None:
        letters = max(len(box.first) * 7.2, min(len(box.second), 34) * 6)
        box.width, box.height = min(240.0, max(60.0, letters + 24)), 38.0 if box.second else 26.0
        if not box.parts:
            return
        for part in box.parts:
            self._measure(part)
        is_root = box is self.root
        label = (0.0, _PAD) if is_root else (len(box.first) * 7.5 + 12, _HEAD)
        for source, wire in box.wires.items():
            _join(box, source, wire)
        sizes = [(part.width, part.height) for part in box.parts]
        box.layout = layout = in_columns(layered(sizes, list(box.wires.values()), label))
        box.width = max(layout.width, label[0], 32.0) + 2 * _PAD
        # what leads out does so at the lower edge
        out = any(BOTTOM in wire.ports for wire in box.wires.values())
        box.height = layout.height + (0.0 if out else _PAD)
        box.left = (box.width - layout.width) / 2
        for part, cell in zip(box.parts, layout.boxes, strict=True):
            part.x = box.left + cell.x - part.width / 2
            part.y = cell.y - part.height / 2

    def _move(self, box: _Box, x: float, y: float) -> None:
        """From places within their frame to places in the picture."""
        box.x, box.y = box.x + x, box.y + y
        for part in box.parts:
            self._move(part, box.x, box.y)


def _lead(frame: _Box, source: _Box, start: int, to: End) -> None:
    """Leads a value on in a frame, from one of its parts or from its edge."""
    wire = frame.wires.setdefault(source, Wire(start))
    if to not in wire.ends:
        wire.ends.append(to)


def _join(frame: _Box, source: _Box, wire: Wire) -> None:
    """Joins a wire to those in the parts of the frame that it comes from and leads into."""
    if wire.start != TOP:
        wire.offset = _port(frame.parts[wire.start], source, BOTTOM)
    for end in wire.ends:
        if end.offset is not None and end.box >= 0:
            end.offset = _port(frame.parts[end.box], source, TOP)


def _port(box: _Box, source: _Box, edge: int) -> float:
    """Where a value passes an edge of a frame, right of its middle; of a closed box there."""
    wire = box.wires.get(source)
    port = None if wire is None else wire.ports.get(edge)
    return 0.0 if port is None else box.left + port.x - box.width / 2


def _depth(root: Group) -> int:
    """How many levels may be open. Where a level has too many parts, runs of them are one first."""
    level, shown, depth = [root], 0, 0
    while level := [group for group in level if group.parts]:
        if shown + sum(len(group.parts) for group in level) > _MOST:
            for group in level:
                group.parts = _chunked(group.parts)
        level = [part for group in level for part in group.parts]
        shown += len(level)
        if shown > _MOST:
            break
        depth += 1
    return max(depth, 1)


def _chunked(parts: list[Group]) -> list[Group]:
    """Of many parts so many runs."""
    length = max(_RUN, -(-len(parts) // _RUN))
    if len(parts) <= length:
        return parts
    runs = [(start, parts[start : start + length]) for start in range(0, len(parts), length)]
    return [Group(f"{start + 1}–{start + len(run)}", None, run) for start, run in runs]


def _all(box: _Box) -> Iterator[_Box]:
    yield box
    for part in box.parts:
        yield from _all(part)


def _path(box: _Box, around: dict[int, _Box]) -> list[_Box]:
    """The boxes around a box and itself, the outermost first."""
    path = [box]
    while (outer := around.get(id(path[-1]))) is not None:
        path.append(outer)
    return path[::-1]


def _drawn(box: _Box, graph: Graph) -> Iterator[str]:
    """What is in a box: frames, then edges, then closed boxes."""
    for part in box.parts:
        if part.parts:
            yield _rectangle(part, "g", 8)
            x, y = part.x + part.left, part.y + 18
            yield f'<text x="{x:.1f}" y="{y:.1f}">{_text(part.first)}</text>'
            yield from _drawn(part, graph)
    if box.layout is not None:
        pieces = paths(box.layout, box.x + box.left, box.y)
        yield from (_edge(way, ends) for way, ends in pieces)
    for part in box.parts:
        if not part.parts:
            yield from _closed(part, graph)


def _closed(box: _Box, graph: Graph) -> Iterator[str]:
    node = None if box.group.node is None else graph.nodes[box.group.node]
    tip = box.second if node is None else f"{node.text}\n{node.place} {node.scope}".strip()
    yield f"<g><title>{_text(tip)}</title>{_rectangle(box, 'b' if node else 'c', 6)}"
    middle = box.x + box.width / 2
    top = box.y + (16 if box.second else 17)
    yield _line(middle, top, _cut(box.first, 30))
    if box.second:
        yield _line(middle, top + 14, _cut(box.second, 36), ' class="t"')
    yield "</g>"


def _line(x: float, y: float, text: str, look: str = "") -> str:
    return f'<text{look} x="{x:.1f}" y="{y:.1f}" text-anchor="middle">{_text(text)}</text>'


def _rectangle(box: _Box, look: str, radius: int) -> str:
    place = f'x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" height="{box.height:.1f}"'
    return f'<rect class="{look}" {place} rx="{radius}"/>'


def _edge(way: str, ends: bool) -> str:
    head = ' marker-end="url(#head)"' if ends else ""
    return f'<path class="e" d="{way}"{head}/>'


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _text(text: str) -> str:
    return escape(visible(text))
