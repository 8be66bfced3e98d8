"""Places of the instructions of HLO: their metadata; of what XLA added, what it was added for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from lowering.hlo_metadata import metadata_of, stack_frames, without_metadata
from tools.places.notes import Place

_COMPUTATION = re.compile(r"(?:ENTRY\s+)?%?([\w.\-]+)\s*(?:\(.*)?\{")
_INSTRUCTION = re.compile(r"\s*(ROOT\s+)?%?([\w.\-]+)\s+=\s+(.*)")
_QUIET = re.compile(r"\s(?:parameter|constant|tuple)\(")
_MENTIONED = re.compile(r"(?<![\w.\-])[\w.\-]+(?![\w.\-(=])")  # no opcode, no attribute
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


def hlo_places(text: str, *, inferred: bool = True) -> dict[str, Place]:
    """The place of each instruction that has one, by name.

    What XLA added has no metadata. With `inferred` it has the place of what it computes (a fusion),
    or else of what uses it, or of what it uses; parameters, constants and tuples stay without.
    """
    frames = stack_frames(text)
    module = _Module()
    for line in text.splitlines():
        said = metadata_of(line, frames)
        module.add(line, Place(said.file, said.line, said.scope) if said else None)
    if inferred:
        module.infer()
    return module.places


def instruction_name(line: str) -> str:
    """The name of the instruction that a line of HLO is; "" where it is none."""
    found = _INSTRUCTION.match(line)
    return found[2] if found else ""


@dataclass(slots=True)
class _Module:
    """Instructions in order, each with the names that it mentions: operands, computations."""

    places: dict[str, Place] = field(default_factory=dict)
    _mentioned: dict[str, list[str]] = field(default_factory=dict)
    _quiet: set[str] = field(default_factory=set)
    _roots: dict[str, str] = field(default_factory=dict)
    _computation: str = ""

    def add(self, line: str, place: Place | None) -> None:
        """One more line."""
        found = _INSTRUCTION.match(line)
        if found is None:
            header = _COMPUTATION.match(line)
            self._computation = header[1] if header else self._computation
            return
        root, name, rest = found.groups()
        rest = _STRING.sub("", without_metadata(rest))
        self._mentioned[name] = _MENTIONED.findall(rest)
        if root:
            self._roots[self._computation] = name
        if _QUIET.search(rest):
            self._quiet.add(name)
        if place:
            self.places[name] = place

    def infer(self) -> None:
        """Gives a place to what has none. Operands stand before what uses them."""
        names = list(self._mentioned)
        users: dict[str, list[str]] = {}
        operands: dict[str, list[str]] = {}
        roots: dict[str, list[str]] = {}
        for name in names:
            mentioned = self._mentioned[name]
            operands[name] = [word for word in mentioned if word in self._mentioned]
            roots[name] = [self._roots[word] for word in mentioned if word in self._roots]
            for word in operands[name] + roots[name]:
                users.setdefault(word, []).append(name)
        self._fill(names, roots)
        self._fill(names[::-1], users)
        self._fill(names, operands)
        self._fill(names[::-1], users)

    def _fill(self, names: Sequence[str], near: dict[str, list[str]]) -> None:
        for name in names:
            if name not in self.places and name not in self._quiet:
                known = (self.places[other] for other in near.get(name, ()) if other in self.places)
                place = next(known, None)
                if place:
                    self.places[name] = place
