"""How the lines of a program show where they come from: as comments to be read.

`hlo_places`, `mlir_places` and `place_of` say it to other tools.
"""

from __future__ import annotations

import linecache
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass

from lowering.hlo_metadata import without_metadata, without_tables
from tools.places.hlo import hlo_places, instruction_name
from tools.places.notes import (
    Place,
    brief,
    mlir_aliases,
    mlir_notes,
    mlir_place,
    mlir_places,
    mlir_string,
    place_of,
)
from tracer.tables import in_line

__all__ = ["LOCATIONS", "Locations", "Place", "brief", "hlo_places", "mlir_places", "place_of"]

LOCATIONS = ("none", "inline", "source")
_OURS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_ARGUMENT = re.compile(r'(%\w+): [^%]*? loc\("((?:[^"\\]|\\.)*)"\)')

_Row = tuple[str, Place | None, list[str]]
"""A line without notes, its place, and what else to say of it."""


@dataclass(frozen=True, slots=True)
class Locations:
    """How places are shown: "none", "inline" after the line, or as "source" above it.

    What stands in this package, since it called the user's function, is at `home`, a file and line.
    """

    mode: str = "inline"
    home: tuple[str, int] | None = None

    def mlir(self, text: str) -> str:
        """MLIR text that was printed with its locations, those as comments."""
        aliases = mlir_aliases(text)
        kept = (line for line in text.splitlines() if not line.startswith("#loc"))

        def read(line: str) -> _Row:
            given = _ARGUMENT.finditer(line)
            named = [f"{found[1]}: {in_line(mlir_string(found[2]))}" for found in given]
            return _without_notes(line), mlir_place(line, aliases), named

        return self.lines(map(read, kept))

    def hlo(self, text: str) -> str:
        """HLO text, its metadata as comments."""
        places = hlo_places(text)

        def read(line: str) -> _Row:
            return without_metadata(line), places.get(instruction_name(line)), []

        return self.lines(map(read, without_tables(text).splitlines()))

    def lines(self, rows: Iterable[_Row]) -> str:
        """Lines, their places as comments."""
        lines: list[str] = []
        last: Place | None = None
        for bare, place, names in rows:
            indent = bare[: len(bare) - len(bare.lstrip())]
            place = self._user(place)
            if self.mode == "none":
                place, names = None, []
            lines += [f"{indent}// {name}" for name in names]
            if self.mode == "source" and place and place != last:
                lines.append(f"{indent}// {_quoted(place)}")
            inline = place if self.mode == "inline" else None
            lines.append(f"{bare}  // {inline}" if inline else bare)
            last = place or last
        return "\n".join(lines).strip("\n") + "\n"

    def _user(self, place: Place | None) -> Place | None:
        if place is None or os.path.dirname(place.file) != _OURS:
            return place
        return Place(*self.home, place.scope) if self.home else None


def _without_notes(line: str) -> str:
    for start, end, _ in reversed(list(mlir_notes(line))):
        line = line[:start] + line[end:]
    return line


def _quoted(place: Place) -> str:
    return f"{place}  {linecache.getline(place.file, place.line).strip()}".rstrip()
