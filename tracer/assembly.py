"""From a recording to a Function: only what the wanted results need."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tracer.device import Device
from tracer.dtypes import DType, Scalar
from tracer.errors import Location
from tracer.ir import Builder, Function, Literal, TensorType, Value
from tracer.ir.registry import OPS
from tracer.scopes import path_of
from tracer.signature import Leaf, Signature


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A recording at its cut: the log, what stands beside it, and the results that are wanted.

    `locations` are those of the operations, in order; `fills` of scalars that fill tensors, by
    index.
    """

    device: Device
    log: Sequence[Any]
    scalars: Sequence[Scalar]
    locations: Sequence[Location]
    fills: Mapping[int, Location]
    returns: Sequence[int]


@dataclass(frozen=True, slots=True)
class Source:
    """Where an argument of a program comes from: an input or a scalar of the recording."""

    kind: str
    position: int
    dtype: DType


@dataclass(frozen=True, slots=True)
class Program:
    """A function, the sources of its arguments, and how many recorded operations it runs."""

    function: Function
    sources: tuple[Source, ...]
    operations: int


def build(
    snapshot: Snapshot,
    promoted: frozenset[int],
    name: str = "main",
    keep_inputs: bool = False,
) -> Program:
    """The function of a snapshot: only what the wanted results need."""
    return _Assembly(snapshot, promoted, keep_inputs).program(name)


class _Assembly:
    """One walk over a log that builds a Function."""

    def __init__(self, snapshot: Snapshot, promoted: frozenset[int], keep_inputs: bool) -> None:
        self.snapshot = snapshot
        self.promoted = promoted
        self.builder = Builder()
        self.values: dict[int, Value] = {}
        self.sources: list[Source] = []
        self.operations = 0
        self.entries = list(decode(snapshot.log))
        self.places = _places(self.entries, snapshot)
        self.paths: dict[int, str] = {}
        self.needed = _needed(self.entries, snapshot.returns, keep_inputs)

    def program(self, name: str) -> Program:
        seen = {"input": 0, "scalar": 0}
        for entry, operands, first in self.entries:
            position = -1
            if isinstance(entry, Leaf):
                position = seen[entry.kind]
                seen[entry.kind] += 1
            if not self.needed.isdisjoint(range(first, first + len(entry.results))):
                self._place(entry, operands, first, position)
        returns = [self.values[i] for i in self.snapshot.returns]
        function = self.builder.function(name, returns)
        return Program(function, tuple(self.sources), self.operations)

    def _place(
        self,
        entry: Signature | Leaf,
        operands: Sequence[int],
        first: int,
        position: int,
    ) -> None:
        location = self._named(self.places.get(first))
        if isinstance(entry, Leaf):
            self.values[first] = self._place_leaf(entry.kind, entry.results[0], position, location)
            return
        self.operations += 1
        values = [self.values[i] for i in operands]
        results = self.builder.create(entry.op, values, entry.attributes, entry.regions, location)
        for i, value in enumerate(results):
            self.values[first + i] = value

    def _named(self, location: Location) -> Location:
        """The place with its scope named: programs stay, and the model may be gone by then."""
        if not isinstance(location, tuple):
            return location
        code, offset, scope, order = location
        path = self.paths.get(id(scope))
        if path is None:
            path = self.paths[id(scope)] = path_of(scope)
        return code, offset, path, order

    def _place_leaf(self, kind: str, type: TensorType, position: int, location: Location) -> Value:
        if kind == "input":
            return self._argument(Source(kind, position, type.dtype), type)
        if position in self.promoted:
            scalar = self._argument(Source(kind, position, type.dtype), type.with_shape(()))
        else:
            literal = Literal(scalar_array(self.snapshot.scalars[position], type.dtype))
            given = {"value": literal}
            scalar = self.builder.create(OPS["constant"], (), given, location=location)[0]
        return spread(self.builder, scalar, type, location)

    def _argument(self, source: Source, type: TensorType) -> Value:
        self.sources.append(source)
        return self.builder.argument(type)


def scalar_array(value: Scalar, dtype: DType) -> NDArray[Any]:
    """A Python scalar as a 0-d array; one too large for the dtype is an infinity, silently."""
    with np.errstate(all="ignore"):
        return np.asarray(value, dtype)


def spread(builder: Builder, scalar: Value, type: TensorType, location: Location = None) -> Value:
    """A 0-d value broadcast to a type."""
    if not type.shape:
        return scalar
    attributes = {"broadcast_dimensions": (), "shape": type.shape}
    return builder.create(OPS["broadcast_in_dim"], (scalar,), attributes, location=location)[0]


Entry = tuple[Signature | Leaf, Sequence[int], int]
"""An entry of a log: signature or leaf, operand indices, index of the first result."""


def decode(log: Sequence[Any]) -> list[Entry]:
    """The entries of a log."""
    entries = []
    at = index = 0
    while at < len(log):
        entry = log[at]
        end = at + 1 + entry.arity
        entries.append((entry, log[at + 1 : end], index))
        index += len(entry.results)
        at = end
    return entries


def _places(entries: Sequence[Entry], snapshot: Snapshot) -> dict[int, Location]:
    """By its first result, where each entry was recorded; another leaf, where it is read first."""
    following = iter(snapshot.locations)
    places = dict(snapshot.fills)
    for entry, operands, first in entries:
        if not isinstance(entry, Leaf):
            places[first] = next(following)
            for index in operands:
                places.setdefault(index, places[first])
    return places


def place_of(log: Sequence[Any], locations: Sequence[Location], index: int) -> Location:
    """Where result number `index` of a log was recorded; None for a leaf."""
    places = iter(locations)
    for entry, _, first in decode(log):
        place = None if isinstance(entry, Leaf) else next(places)
        if first <= index < first + len(entry.results):
            return place
    return None


def _needed(
    entries: Sequence[Entry],
    returns: Sequence[int],
    keep_inputs: bool,
) -> set[int]:
    needed = set(returns)
    for entry, operands, first in reversed(entries):
        if not needed.isdisjoint(range(first, first + len(entry.results))):
            needed.update(operands)
        elif keep_inputs and isinstance(entry, Leaf) and entry.kind == "input":
            needed.add(first)
    return needed
