"""A recording past its limit, run in pieces: XLA's compile time grows faster than a program does.

Pieces of a loop that nobody cut are alike, so that one program serves most of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tracer.assembly import Entry, Snapshot, decode
from tracer.device import Buffer
from tracer.errors import Location
from tracer.ir import TensorType
from tracer.programs import run
from tracer.signature import Leaf, leaf

SIZE = 1000
"""Operations a piece."""


def run_in_pieces(snapshot: Snapshot, inputs: Sequence[Buffer], cause: str) -> list[Buffer]:
    """The wanted results of a snapshot, as `programs.run` gives them."""
    entries = decode(snapshot.log)
    leaves = _leaves(entries, inputs, snapshot.scalars)
    types = {first + n: t for made, _, first in entries for n, t in enumerate(made.results)}
    last_use = {i: at for at, (_, operands, _) in enumerate(entries) for i in operands}
    last_use.update(dict.fromkeys(snapshot.returns, len(entries)))
    known: dict[int, Buffer] = {}
    locations = iter(snapshot.locations)
    for start, end in _bounds(entries):
        piece = _Piece(types, leaves, known)
        for entry in entries[start:end]:
            if not isinstance(entry[0], Leaf):  # those come in where they are used
                piece.append(entry, next(locations))
        made = [i for i in piece.numbers if i not in leaves and i not in known]
        returns = [i for i in made if last_use.get(i, -1) >= end]
        known.update(zip(returns, piece.run(snapshot, returns, cause), strict=True))
        known = {i: buffer for i, buffer in known.items() if last_use[i] >= end}
    return [known[i] if i in known else _leaf_buffer(i, snapshot, leaves) for i in snapshot.returns]


def _leaf_buffer(index: int, snapshot: Snapshot, leaves: dict[int, tuple[Leaf, Any]]) -> Buffer:
    """The buffer of a leaf that is wanted itself: an input's own, or one filled with a scalar."""
    made, value = leaves[index]
    place = snapshot.fills.get(index)
    if made.kind == "input":
        return value
    return run(Snapshot(snapshot.device, [made], [value], [], {0: place}, [0]), [], "size limit")[0]


def _leaves(
    entries: Sequence[Entry], inputs: Sequence[Buffer], scalars: Sequence[Any]
) -> dict[int, tuple[Leaf, Any]]:
    """The leaves by index, each with its buffer or scalar."""
    values = {"input": iter(inputs), "scalar": iter(scalars)}
    found = ((first, entry) for entry, _, first in entries if isinstance(entry, Leaf))
    return {first: (entry, next(values[entry.kind])) for first, entry in found}


def _bounds(entries: Sequence[Entry]) -> Iterator[tuple[int, int]]:
    start = count = 0
    for at, (entry, _, _) in enumerate(entries):
        count += not isinstance(entry, Leaf)
        if count == SIZE or at + 1 == len(entries):
            yield start, at + 1
            start, count = at + 1, 0


class _Piece:
    """A stretch of a log as a log of its own; what it needs of before becomes inputs."""

    def __init__(
        self,
        types: dict[int, TensorType],
        leaves: dict[int, tuple[Leaf, Any]],
        known: dict[int, Buffer],
    ) -> None:
        self.numbers: dict[int, int] = {}
        self._types = types
        self._leaves = leaves
        self._known = known
        self._log: list[Any] = []
        self._locations: list[Location] = []
        self._inputs: list[Buffer] = []
        self._scalars: list[Any] = []
        self._count = 0

    def append(self, entry: Entry, location: Location) -> None:
        made, operands, first = entry
        numbers = [self._number(i) for i in operands]
        self._log += [made, *numbers]
        self._locations.append(location)
        for i in range(len(made.results)):
            self._name(first + i)

    def _name(self, index: int) -> int:
        self.numbers[index] = self._count
        self._count += 1
        return self.numbers[index]

    def _number(self, index: int) -> int:
        if index in self.numbers:
            return self.numbers[index]
        if index in self._leaves:
            made, value = self._leaves[index]
        else:
            made, value = leaf("input", self._types[index]), self._known[index]
        (self._inputs if made.kind == "input" else self._scalars).append(value)
        self._log.append(made)
        return self._name(index)

    def run(self, snapshot: Snapshot, returns: Sequence[int], cause: str) -> list[Buffer]:
        if not returns:
            return []
        numbers = [self.numbers[i] for i in returns]
        piece = Snapshot(snapshot.device, self._log, self._scalars, self._locations, {}, numbers)
        return run(piece, self._inputs, cause)
