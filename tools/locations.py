"""Where the lines of a program come from: MLIR's and HLO's notes on it, as comments to be read."""

from __future__ import annotations

import linecache
import os
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass

LOCATIONS = ("none", "inline", "source")
_OURS = os.path.dirname(os.path.abspath(__file__))
_LOC = re.compile(r' loc\((?:"((?:[^"\\]|\\.)*)"(?::(\d+):\d+[^()]*)?|[^()"]*)\)')
_ARGUMENT = re.compile(r'(%\w+): [^%]*? loc\("((?:[^"\\]|\\.)*)"\)')
_METADATA = re.compile(r', metadata=\{((?:[^{}"]|"(?:[^"\\]|\\.)*"|\{[^{}]*\})*)\}')
_FIELD = re.compile(r'(\w+)=(?:"((?:[^"\\]|\\.)*)"|(\d+))')

Place = tuple[str, int]
"""A file and a line in it."""
_Reader = Callable[[str], tuple[str, Place | None, list[str]]]
"""From a line to the line without notes, its place, and what else to say of it."""


def brief(file: str) -> str:
    """A file as seen from where modules are looked for; elsewhere as it is."""
    whole = os.path.abspath(file)
    roots = (os.path.abspath(entry or os.curdir) + os.sep for entry in sys.path)
    inside = [root for root in roots if whole.startswith(root)]
    return whole[len(max(inside, key=len)) :] if inside else file


@dataclass(frozen=True, slots=True)
class Locations:
    """How places are shown: "none", "inline" after the line, or as "source" above it.

    What stands in this package, since it called the user's function, is at `home`.
    """

    mode: str = "inline"
    home: Place | None = None

    def mlir(self, text: str) -> str:
        """MLIR text that was printed with its locations, those as comments."""
        return self._comment(text, _from_mlir)

    def hlo(self, text: str) -> str:
        """HLO text, its metadata as comments."""
        return self._comment(text, _from_hlo)

    def _comment(self, text: str, read: _Reader) -> str:
        lines: list[str] = []
        last: Place | None = None
        for line in text.splitlines():
            bare, place, names = read(line)
            indent = bare[: len(bare) - len(bare.lstrip())]
            place = self._user(place)
            if self.mode == "none":
                place, names = None, []
            lines += [f"{indent}// {name}" for name in names]
            if self.mode == "source" and place and place != last:
                lines.append(f"{indent}// {_quoted(place)}")
            inline = place if self.mode == "inline" else None
            lines.append(f"{bare}  // {_shown(inline)}" if inline else bare)
            last = place or last
        return "\n".join(lines).strip("\n") + "\n"

    def _user(self, place: Place | None) -> Place | None:
        return self.home if place and os.path.dirname(place[0]) == _OURS else place


def _shown(place: Place) -> str:
    return f"{brief(place[0])}:{place[1]}"


def _quoted(place: Place) -> str:
    return f"{_shown(place)}  {linecache.getline(*place).strip()}".rstrip()


def _from_mlir(line: str) -> tuple[str, Place | None, list[str]]:
    if " loc(" not in line:
        return line, None, []
    named = [f"{found[1]}: {_unquoted(found[2])}" for found in _ARGUMENT.finditer(line)]
    places = [(found[1], found[2]) for found in _LOC.finditer(line) if found[2]]
    file, number = places[-1] if places else ("-", "0")
    # "-" is the text that was parsed: what no line of the user's has made
    place = None if file == "-" else (_unquoted(file), int(number))
    return _LOC.sub("", line), place, named


def _unquoted(text: str) -> str:
    """The string that MLIR writes so: with bytes in hex."""
    raw = re.sub(
        rb"\\([0-9A-F]{2}|.)",
        lambda found: bytes.fromhex(found[1].decode()) if len(found[1]) == 2 else found[1],
        text.encode(errors="surrogateescape"),
    )
    return raw.decode(errors="surrogateescape")


def _from_hlo(line: str) -> tuple[str, Place | None, list[str]]:
    found = _METADATA.search(line)
    if found is None:
        return line, None, []
    fields = {name: text or number for name, text, number in _FIELD.findall(found[1])}
    file = fields.get("source_file", "-")
    place = None if file == "-" else (_unescaped(file), int(fields.get("source_line", 0)))
    return _METADATA.sub("", line), place, []


def _unescaped(text: str) -> str:
    """The string that HLO writes so: as C would, with bytes in octal."""
    raw = re.sub(
        rb"\\([0-7]{3}|.)",
        lambda found: bytes([int(found[1], 8)]) if len(found[1]) == 3 else found[1],
        text.encode(errors="surrogateescape"),
    )
    return raw.decode(errors="surrogateescape")
