"""Pieces of wires as paths of SVG: straight beside boxes, curved between rows."""

from __future__ import annotations

from collections.abc import Iterator

from tools.pictures.layout import Layout, Link

_TURN = 16.0
Path = tuple[str, bool]
"""What an element has as `d`, and whether it ends in an arrow head."""


def paths(layout: Layout, left: float, top: float) -> Iterator[Path]:
    """The wires of what is laid out at this place; a head where a box uses the value."""
    entries = _entries(layout)
    # links that share the way beside a row draw it once: twice is darker
    first = {(id(link.start), link.offset): link for link in reversed(layout.links)}
    for number, link in enumerate(layout.links):
        whole = first[id(link.start), link.offset] is link
        yield _path(link, (left, top), entries.get(number), whole), number in entries


def _entries(layout: Layout) -> dict[int, float]:
    """Where a link ends that may end anywhere on the upper edge of its box: side by side."""
    into: dict[int, list[int]] = {}
    for number, link in enumerate(layout.links):
        if link.to is not None and link.to.offset is None and link.to.box >= 0:
            into.setdefault(link.to.box, []).append(number)
    found: dict[int, float] = {}
    for box, numbers in into.items():
        cell = layout.boxes[box]
        numbers.sort(key=lambda number: layout.links[number].start.x)
        for i, number in enumerate(numbers, 1):
            found[number] = cell.x + cell.width * (i / (len(numbers) + 1) - 0.5)
    return found


def _path(link: Link, corner: tuple[float, float], entry: float | None, whole: bool) -> str:
    """Out of the box or through the row, a curve between two rows, into the box."""
    (left, top), start, end, to = corner, link.start, link.end, link.to
    x = left + start.x + link.offset
    to_x = left + (end.x + ((to and to.offset) or 0.0) if entry is None else entry)
    turns = start.row == end.row
    rises = start.row > end.row or (turns and to is not None)
    under = start.y + start.height / 2 if start.is_box else start.top
    begin, leave = (start.foot, start.top) if rises else (under, start.foot)
    enter = end.foot if rises != turns else end.top
    ways = (begin if whole else leave, leave, enter, end.y - end.height / 2)
    first, leave, enter, last = (top + y for y in ways)
    if link.around is not None:
        under, between, over = link.around
        way = (over, under) if rises else (under, over)
        ends = last if end.is_box else enter
        between, (out, back) = left + between, (top + y for y in way)
        return f"M{x:.1f} {first:.1f}V{out:.1f}H{between:.1f}V{back:.1f}H{to_x:.1f}V{ends:.1f}"
    bend = (leave + enter) / 2 + turns * (-_TURN if rises else _TURN)
    curve = f"C{x:.1f} {bend:.1f} {to_x:.1f} {bend:.1f} {to_x:.1f} {enter:.1f}"
    into = _down(enter, last) if end.is_box else ""
    return f"M{x:.1f} {first:.1f}{_down(first, leave)}{curve}{into}"


def _down(start: float, end: float) -> str:
    return f"V{end:.1f}" if start != end else ""
