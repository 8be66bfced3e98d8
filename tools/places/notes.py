"""Where what a text says comes from: the notes that MLIR and HLO keep of it, read.

- `hlo_places(text)`: each instruction's place, by its name
- `mlir_places(text)`: the place of each line, of text printed with its locations
- `place_of(location)`: that of an operation of ours, `operation.location`
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from tracer.errors import Location, scope_of, source_line
from tracer.tables import in_line

_ALIAS = re.compile(r"^(#loc\w*) = loc\((.*)\)$", re.MULTILINE)
_PART = re.compile(r'"((?:[^"\\]|\\.)*)"(?::(\d+):\d+)?|(#loc\w*)|"')
_FUSED = re.compile(r"fused<.*?>\[")  # what it says of how is no name
_MARK = " loc("


class Place(NamedTuple):
    """A file and a line in it, and the layer; either may be unknown: ("", 0), ""."""

    file: str
    line: int
    scope: str = ""

    def __str__(self) -> str:
        """`train.py:12 LeNet.conv1`."""
        at = f"{brief(self.file)}:{self.line}" if self.file else ""
        return in_line(f"{at} {self.scope}".strip())


def brief(file: str) -> str:
    """A file as seen from here, or from where modules are looked for; elsewhere as it is.

    A name that would not stand in a line does.
    """
    whole = os.path.abspath(file)
    roots = (os.path.abspath(entry or os.curdir) + os.sep for entry in ("", *sys.path))
    inside = [root for root in roots if whole.startswith(root)]
    return in_line(whole[len(max(inside, key=len)) :] if inside else file)


def place_of(location: Location) -> Place | None:
    """The place of an operation; None where nothing is known of it."""
    file, line = source_line(location)
    scope = scope_of(location)
    if not line:
        return Place("", 0, scope) if scope else None
    return Place(file, line, scope)


def mlir_places(text: str) -> list[Place | None]:
    """The place that each line ends in."""
    aliases = mlir_aliases(text)
    return [mlir_place(line, aliases) for line in text.splitlines()]


def mlir_aliases(text: str) -> dict[str, str]:
    """What stands for `#loc3`, where locations have names."""
    return dict(_ALIAS.findall(text))


def mlir_place(line: str, aliases: Mapping[str, str]) -> Place | None:
    """The place that a line of MLIR ends in; None where it ends in none, or in an unknown one."""
    *_, (_, end, last) = [(0, 0, ""), *mlir_notes(line)]
    ends = end == len(line.rstrip()) and not line.startswith("#loc")
    return _read(last, aliases) if ends else None


def mlir_notes(line: str) -> Iterator[tuple[int, int, str]]:
    """Where each ` loc(…)` of a line starts and ends, and what is in it."""
    at = line.find(_MARK)
    while at >= 0:
        end = _closing(line, at + len(_MARK))
        yield at, end, line[at + len(_MARK) : end - 1]
        at = line.find(_MARK, end)


def _closing(line: str, at: int) -> int:
    """Where the bracket that opened before `at` has closed; those in strings are none."""
    depth = 1
    for found in re.finditer(r'"(?:[^"\\]|\\.)*"|[()]', line[at:]):
        depth += {"(": 1, ")": -1}.get(found[0], 0)
        if not depth:
            return at + found.end()
    return len(line)


def _read(note: str, aliases: Mapping[str, str]) -> Place | None:
    """The outermost name, and the first file; "-" is the text itself, which no one wrote."""
    scope, parts = "", [_FUSED.sub("fused[", note)]
    while parts:
        found = _PART.search(parts[-1])
        if found is None:
            parts.pop()
            continue
        parts[-1] = parts[-1][found.end() :]
        name, line, alias = found.groups()
        if alias:
            parts.append(aliases.get(alias, ""))
        elif line and name != "-":
            return Place(mlir_string(name), int(line), scope)
        elif name and not line:
            scope = scope or mlir_string(name)
    return Place("", 0, scope) if scope else None


def mlir_string(text: str) -> str:
    """The string that MLIR writes so: with bytes in hex."""
    raw = re.sub(
        rb"\\([0-9A-F]{2}|.)",
        lambda found: bytes.fromhex(found[1].decode()) if len(found[1]) == 2 else found[1],
        text.encode(errors="surrogateescape"),
    )
    return raw.decode(errors="surrogateescape")
