"""Tables, times, sizes, counts and files, as people read them."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from tracer.errors import FileLine

_NUMBER = re.compile(r"[-+]?[\d.,]+(e[-+]?\d+)?( ?[a-zµ%/]+| [KMGT]i?B| [BMGT])?")


def table(rows: Sequence[Sequence[str]]) -> str:
    """Rows in columns, the first of them the header; columns of numbers to the right."""
    rows = [[in_line(cell) for cell in row] for row in rows]
    columns = [list(column) for column in zip(*rows, strict=True)]
    widths = [max(map(len, column)) for column in columns]
    right = [all(_NUMBER.fullmatch(cell) for cell in column[1:] if cell) for column in columns]
    lines = (
        "  ".join(
            cell.rjust(width) if number else cell.ljust(width)
            for cell, width, number in zip(row, widths, right, strict=True)
        ).rstrip()
        for row in rows
    )
    return "\n".join(lines) + "\n"


def in_line(text: str) -> str:
    """A text that is part of a line, as a file's name is: what would break it, as escapes."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def duration(seconds: float) -> str:
    """Seconds with three digits and a unit: `12.3 ms`."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= 0.9995 * size:
            return f"{_digits(seconds / size)} {unit}"
    return f"{seconds * 1e9:.0f} ns" if seconds else "0 s"


def size(count: float) -> str:
    """Bytes with three digits and a unit: `2.5 MiB`."""
    value = float(count)
    for unit in ("B", "KiB", "MiB", "GiB"):
        if value < 1023.5:
            return f"{value:.0f} B" if unit == "B" else f"{_digits(value)} {unit}"
        value /= 1024
    return f"{_digits(value)} TiB"


def plural(count: int, noun: str) -> str:
    """`1 program`, `2 programs`."""
    many = f"{noun}es" if noun.endswith(("s", "h")) else f"{noun}s"
    return f"{count} {noun if count == 1 else many}"


def amount(count: float) -> str:
    """A count with three digits and a prefix: `292 M`."""
    value = float(count)
    for prefix in ("", " k", " M", " G"):
        if value < 999.5:
            return f"{value:.0f}" if not prefix else f"{_digits(value)}{prefix}"
        value /= 1000
    return f"{_digits(value)} T"


def near(file: str) -> str:
    """A file as seen from the current directory, where it lies in it; elsewhere as it is."""
    root = os.getcwd() + os.sep
    return file.removeprefix(root)


def spot(place: FileLine) -> str:
    """A place with its scope: `train.py:12 LeNet.conv1`."""
    return f"{near(place.file)}:{place.line} {place.scope}".rstrip()


def _digits(value: float) -> str:
    return (
        f"{value:.0f}" if value >= 99.95 else f"{value:.1f}" if value >= 9.995 else f"{value:.2f}"
    )
