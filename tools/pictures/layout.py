"""A layered layout: boxes in rows, and wires that pass between them.

Cells stand in rows: boxes, and where a wire passes a row a cell of its own, so that no wire meets
a box. Cells are ordered by the mean of their neighbours, then moved to it as far as they may: in
time that grows with the number of cells.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

TOP, BOTTOM = -1, -2
"""In place of a box: the upper and the lower edge of what is laid out."""
_MARGIN, _LANE = 9.0, 5.0
_GAP, _FEW, _MORE, _MOST_GAP = 18.0, 10.0, 1.5, 110.0
_MOST = 2000.0
"""A row of boxes that is wider than this goes on in the next."""
_SWEEPS = 6
Size = tuple[float, float]


@dataclass(slots=True)
class End:
    """Where a wire ends: a box, how far right of its middle; None: where there is room."""

    box: int
    offset: float | None = None


@dataclass(slots=True, eq=False)
class Cell:
    """A box or a place where a wire passes; `x` and `y` are its middle, the row from top to foot.

    Its neighbours come with how far right of their middle it should stand.
    """

    row: int
    width: float = 0.0
    height: float = 0.0
    is_box: bool = False
    x: float = 0.0
    y: float = 0.0
    top: float = 0.0
    foot: float = 0.0
    rank: float = 0.0
    above: list[tuple[Cell, float]] = field(default_factory=list)
    below: list[tuple[Cell, float]] = field(default_factory=list)


@dataclass(slots=True)
class Wire:
    """One value, from a box (right of its middle by `offset`) to all that uses it.

    `ports` are the cells where it passes an edge, once it is laid out.
    """

    start: int
    offset: float = 0.0
    ends: list[End] = field(default_factory=list)
    ports: dict[int, Cell] = field(default_factory=dict)


@dataclass(slots=True)
class Link:
    """A piece of a wire between two cells, in neighbouring rows or, as a turn, in the same one.

    From column to column it goes `around`: under the one, up between them, and over the other.
    """

    start: Cell
    end: Cell
    offset: float = 0.0
    to: End | None = None
    around: tuple[float, float, float] | None = None


@dataclass(slots=True)
class Layout:
    """Placed boxes, and the pieces of wires; the first and the last row are the edges."""

    boxes: list[Cell]
    links: list[Link]
    rows: list[list[Cell]]
    width: float = 0.0
    height: float = 0.0


def layered(sizes: Sequence[Size], wires: Sequence[Wire], label: Size = (0.0, 0.0)) -> Layout:
    """Places of boxes in the order of the program, and of wires; `label` is kept free at the left.

    A wire to a box that is no lower turns, and passes the rows between upwards.
    """
    rows = _broken(_rows(len(sizes), wires), sizes)
    builder = _Builder(sizes, rows, label)
    for wire in wires:
        builder.add(wire)
    _order(builder.rows)
    _settle(builder.rows)
    return _placed(builder)


def _rows(count: int, wires: Sequence[Wire]) -> list[list[int]]:
    """By the longest path from above; a constant, and what is made of it, just over its user."""
    above: list[list[int]] = [[] for _ in range(count)]
    below: list[list[int]] = [[] for _ in range(count)]
    fed = [False] * count
    for wire in wires:
        for end in wire.ends:
            if wire.start == TOP and end.box >= 0:
                fed[end.box] = True
            if 0 <= wire.start < end.box:
                above[end.box].append(wire.start)
                below[wire.start].append(end.box)
    rank, light = [0] * count, [True] * count
    for box, sources in enumerate(above):
        rank[box] = max((rank[source] + 1 for source in sources), default=0)
        light[box] = not fed[box] and len(sources) < 2 and all(light[s] for s in sources)
    for box in reversed(range(count)):
        if light[box] and below[box]:
            rank[box] = max(rank[box], min(rank[user] for user in below[box]) - 1)
    rows: list[list[int]] = [[] for _ in range(max(rank, default=-1) + 1)]
    for box, row in enumerate(rank):
        rows[row].append(box)
    return [row for row in rows if row]


def _broken(rows: list[list[int]], sizes: Sequence[Size]) -> list[list[int]]:
    made: list[list[int]] = []
    for row in rows:
        width = 0.0
        made.append([])
        for box in row:
            width += sizes[box][0] + 2 * _MARGIN
            if width > _MOST and made[-1]:
                width = sizes[box][0] + 2 * _MARGIN
                made.append([])
            made[-1].append(box)
    return made


class _Builder:
    """Cells in rows, the first and the last of them the edges, and the links between them."""

    def __init__(self, sizes: Sequence[Size], rows: list[list[int]], label: Size) -> None:
        self.label = Cell(0, *label)
        self.rows: list[list[Cell]] = [[] for _ in range(len(rows) + 2)]
        self.boxes = [Cell(0) for _ in sizes]
        for number, row in enumerate(rows, 1):
            for box in row:
                self.boxes[box] = self._cell(Cell(number, *sizes[box], is_box=True))
        self.links: list[Link] = []

    def _cell(self, cell: Cell) -> Cell:
        self.rows[cell.row].append(cell)
        return cell

    def _end(self, wire: Wire, box: int) -> Cell:
        """The cell of a box; of an edge the port that this wire has there."""
        if box >= 0:
            return self.boxes[box]
        if box not in wire.ports:
            wire.ports[box] = self._cell(Cell(0 if box == TOP else len(self.rows) - 1))
        return wire.ports[box]

    def add(self, wire: Wire) -> None:
        """A wire: its ends share the cells that they pass."""
        start = self._end(wire, wire.start)
        down, up = {start.row: start}, {start.row + 1: start}
        for to in wire.ends:
            end = self._end(wire, to.box)
            step, passed = (1, down) if end.row > start.row else (-1, up)
            for row in range(start.row + max(step, 0), end.row + min(step, 0), step):
                if row not in passed:
                    passed[row] = self._cell(Cell(row))
                    self._link(passed[row - step], passed[row], wire.offset)
            last = passed[end.row - step if step > 0 else end.row]
            self._link(last, end, wire.offset, to)

    def _link(self, start: Cell, end: Cell, offset: float, to: End | None = None) -> None:
        offset = offset if start.is_box else 0.0
        self.links.append(Link(start, end, offset, to))
        right = offset - ((to and to.offset) or 0.0)
        upper, lower, right = (start, end, right) if start.row < end.row else (end, start, -right)
        if upper.row < lower.row:
            upper.below.append((lower, -right))
            lower.above.append((upper, right))


def _order(rows: list[list[Cell]]) -> None:
    """Fewer crossings: each row by the mean place of neighbours, from above and from below."""
    for row in rows:
        _number(row)
    for sweep in range(_SWEEPS):
        for row in rows[:: -1 if sweep % 2 else 1]:
            for cell in row:
                near = cell.below if sweep % 2 else cell.above
                cell.rank = _mean([other.rank for other, _ in near], cell.rank)
            row.sort(key=lambda cell: cell.rank)
            _number(row)


def _number(row: list[Cell]) -> None:
    for i, cell in enumerate(row):
        cell.rank = i - len(row) / 2


def _mean(numbers: list[float], otherwise: float) -> float:
    return sum(numbers) / len(numbers) if numbers else otherwise


def _settle(rows: list[list[Cell]]) -> None:
    """Moves cells towards their neighbours, in the order that they have."""
    for row in rows:
        _pack(row, [0.0] * len(row))
    for sweep in range(_SWEEPS):
        for row in rows[:: -1 if sweep % 2 else 1]:
            near = [cell.below if sweep % 2 else cell.above for cell in row]
            wanted = [
                _mean([other.x + right for other, right in others], cell.x)
                for cell, others in zip(row, near, strict=True)
            ]
            _pack(row, wanted)


def _pack(row: list[Cell], wanted: list[float]) -> None:
    """The places nearest to the wanted ones, by squares, where no cell meets another."""
    starts, at = [], 0.0
    for cell in row:
        half = cell.width / 2 + (_MARGIN if cell.is_box else _LANE)
        starts.append(at + half)
        at += 2 * half
    blocks: list[tuple[float, int]] = []
    for want, start in zip(wanted, starts, strict=True):
        total, count = want - start, 1
        while blocks and blocks[-1][0] / blocks[-1][1] > total / count:
            more, number = blocks.pop()
            total, count = total + more, count + number
        blocks.append((total, count))
    shifts = [total / count for total, count in blocks for _ in range(count)]
    for cell, start, shift in zip(row, starts, shifts, strict=True):
        cell.x = start + shift


def _placed(builder: _Builder) -> Layout:
    label, rows = builder.label, builder.rows
    cells = [cell for row in rows for cell in row]
    free = label.width
    left = min((c.x - c.width / 2 - (free if c.row == 0 else 0) for c in cells), default=0.0)
    for cell in cells:
        cell.x -= left
    width = max([label.width, *(cell.x + cell.width / 2 for cell in cells)])
    height = _stack(rows, label.height, list(_gaps(builder)))
    return Layout(builder.boxes, builder.links, rows, width, height)


def _gaps(builder: _Builder) -> Iterator[float]:
    """How much room there is under each row: the more wires pass, the more."""
    passing = [0] * len(builder.rows)
    for link in builder.links:
        over = link.start.row == link.end.row and link.to is not None
        passing[min(link.start.row, link.end.row) - over] += 1
    for count in passing:
        yield min(_GAP + _FEW + _MORE * count, _MOST_GAP) if count else 0.0


def _stack(rows: list[list[Cell]], head: float, gaps: list[float]) -> float:
    """Places rows below each other; the height of all of them."""
    y = 0.0
    for number, (row, gap) in enumerate(zip(rows, gaps, strict=True)):
        height = max((cell.height for cell in row), default=0.0) if number else head
        for cell in row:
            cell.top, cell.foot, cell.y = y, y + height, y + height / 2
        y += height + (gap or (_GAP if 0 < number < len(rows) - 2 else 0.0))
    return y
