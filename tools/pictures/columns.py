"""What is laid out far taller than wide goes on beside itself, as text does in columns."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import sqrt

from tools.pictures.layout import Cell, Layout, Link

_TALL = 2400.0
"""Up to so tall there is one column."""
_FEWEST = 3
"""What needs fewer columns is wide enough as it is."""
_SPARE, _STEP = 24.0, 4.0
"""Room for a turn, and between wires side by side."""


def in_columns(layout: Layout) -> Layout:
    """The layout in columns, where it is tall."""
    rows = layout.rows
    count = round(sqrt(layout.height / max(layout.width, 1.0)))
    if layout.height <= _TALL or count < _FEWEST:
        return layout
    columns = _broken(rows[1:-1], layout.height / count)
    columns[0].insert(0, rows[0])
    columns[-1].append(rows[-1])
    top = rows[1][0].top
    layout.width = _extent(columns[0])[1]
    layout.height = 0.0
    for before, after in pairwise(columns):
        crossing = [link for link in layout.links if _crosses(link, before[-1], after[0])]
        room = len(crossing) * _STEP + _SPARE
        foot, gutter = before[-1][0].foot + _SPARE, layout.width + _SPARE
        _shift(after, gutter + room, top + room)
        for number, link in enumerate(crossing):
            lane = number * _STEP
            link.around = (foot + lane, gutter + lane, top + lane)
        layout.width = _extent(after)[1]
        layout.height = max(layout.height, foot + room)
    layout.height = max(layout.height, *(row[0].foot for row in columns[-1] if row))
    for cell in rows[-1]:
        cell.top = cell.foot = cell.y = layout.height
    return layout


def _broken(rows: Sequence[list[Cell]], height: float) -> list[list[list[Cell]]]:
    """The rows in columns of about this height."""
    columns: list[list[list[Cell]]] = []
    for row in rows:
        if not columns or row[0].foot - columns[-1][0][0].top > height:
            columns.append([])
        columns[-1].append(row)
    return columns


def _crosses(link: Link, last: list[Cell], first: list[Cell]) -> bool:
    return {link.start.row, link.end.row} == {last[0].row, first[0].row}


def _extent(column: list[list[Cell]]) -> tuple[float, float]:
    cells = [cell for row in column for cell in row]
    left = min(cell.x - cell.width / 2 for cell in cells)
    return left, max(cell.x + cell.width / 2 for cell in cells)


def _shift(column: list[list[Cell]], left: float, top: float) -> None:
    """Moves a column to its place."""
    right, down = left - _extent(column)[0], top - column[0][0].top
    for row in column:
        for cell in row:
            cell.x += right
            cell.y, cell.top, cell.foot = cell.y + down, cell.top + down, cell.foot + down
