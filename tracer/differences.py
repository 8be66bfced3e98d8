"""What a recording has other than the nearest one known: why it is compiled anew."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, NamedTuple

from tracer.assembly import Snapshot, decode
from tracer.errors import Location, scope_of, source_line
from tracer.ir import TensorType
from tracer.signature import Leaf, Signature
from tracer.tables import in_line

MOST = 5
"""How many differences are told."""
_ALIGNED = 2000
"""How many entries that are no common start or end are compared one by one."""
_NAMED = 3


class Difference(NamedTuple):
    """One difference, in a line; what `kind` it is: "shape", "operation", "result" and so on.

    "program": so much differs that it is another one, rather than the same made differently.
    """

    kind: str
    text: str


ANEW = Difference("anew", "only the function: it is jitted anew for each call")


@dataclass(frozen=True, slots=True)
class Known:
    """A recording that was compiled: its log, and the results that were wanted."""

    log: Sequence[Any]
    returns: Sequence[int]


def place(location: Location) -> str:
    """A place in few words: `train.py:12 LeNet.conv1`."""
    file, line = source_line(location)
    return in_line(f"{os.path.basename(file)}:{line} {scope_of(location)}".rstrip())


def of_scalars(now: Snapshot, before: Sequence[Any], changed: Sequence[int]) -> list[Difference]:
    """Scalars that have other values than in the program known: those alike in one line."""
    log = _Log(now.log, now.locations)
    leaves = [i for i, e in enumerate(log.entries) if _kind(e[0]) == "scalar"]
    values = (f"{now.scalars[i]!r}, was {before[i]!r}" for i in changed)
    places = (log.used_at(leaves[i]) for i in changed)
    counted = Counter(zip(places, values, strict=True))
    return [
        Difference("scalar", f"the scalar at {place}{_times(count)}: {change}")
        for (place, change), count in counted.most_common(MOST)
    ]


def of_donors(
    now: Snapshot, arguments: Sequence[int], donors: set[int], before: set[int]
) -> list[Difference]:
    """Inputs whose memory may be used now, or may not any more; `arguments` are all, in order."""
    log = _Log(now.log, now.locations)
    leaves = [i for i, e in enumerate(log.entries) if _kind(e[0]) == "input"]
    return [
        Difference(
            "donor",
            f"argument {number}, first used at {log.used_at(leaves[i])}: "
            + ("nobody else holds it now" if i in donors else "somebody else holds it now"),
        )
        for number, i in enumerate(arguments)
        if (i in donors) != (i in before)
    ][:MOST]


def nearest(now: Snapshot, known: Sequence[Known]) -> list[Difference]:
    """What a recording has other than the one of these that it has most in common with.

    Empty where it has too little in common with any. Of equally near ones the first counts.
    """
    log = _Log(now.log, now.locations)
    compared = [_Comparison(log, now.returns, one) for one in known]
    near = [one for one in compared if one.is_near]
    if not near:
        return []
    best = min(near, key=lambda one: one.distance)
    return best.differences()[:MOST]


def _times(count: int) -> str:
    return f", {count} times" if count > 1 else ""


def _kind(entry: Signature | Leaf) -> str:
    return entry.kind if isinstance(entry, Leaf) else ""


class _Log:
    """A log by entries; of the newer one the places too."""

    def __init__(self, log: Sequence[Any], locations: Sequence[Location] = ()) -> None:
        self.entries = decode(log)
        self.kinds = [_kind(entry) for entry, _, _ in self.entries]
        self.user: dict[int, int] = {}
        for number, (_, operands, _) in enumerate(self.entries):
            for index in operands:
                self.user.setdefault(index, number)
        self.labels = [self._label(*entry) for entry in self.entries]
        self.types: list[TensorType] = [t for e, _, _ in self.entries for t in e.results]
        self.owner = [n for n, (e, _, _) in enumerate(self.entries) for _ in e.results]
        self.operations = self.kinds.count("")
        following = iter(locations)
        self.places: list[Location] = [
            None if isinstance(entry, Leaf) else next(following, None)
            for entry, _, _ in self.entries
        ]

    def _label(self, entry: Signature | Leaf, _: Sequence[int], index: int) -> str:
        """What an entry has in common with one of another log: a leaf, who uses it first."""
        if not isinstance(entry, Leaf):
            return entry.op.name
        user = self.entries[self.user[index]][0] if index in self.user else None
        return f"{entry.kind} of {user.op.name}" if isinstance(user, Signature) else entry.kind

    def operand_types(self, number: int) -> list[TensorType]:
        """The types of the operands of an entry."""
        return [self.types[i] for i in self.entries[number][1]]

    def used_at(self, number: int) -> str:
        """The place of the first operation that uses an entry's result."""
        user = self.user.get(self.entries[number][2])
        return "the end, as a result" if user is None else place(self.places[user])

    def said(self, number: int) -> str:
        """An operation and its place."""
        return f"{self.labels[number]} at {place(self.places[number])}"

    def value(self, index: int) -> str:
        """A value in words."""
        number = self.owner[index]
        words = {
            "input": f"from outside (argument {self.argument(number)})",
            "scalar": "made inside (filled with a scalar)",
        }
        known = self.places[number] is not None
        return words.get(self.kinds[number]) or (
            self.said(number) if known else self.labels[number]
        )

    def argument(self, number: int) -> int:
        """Which of the inputs an entry is."""
        return self.kinds[:number].count("input")


class _Comparison:
    """A recording beside a known one, entry by entry."""

    def __init__(self, now: _Log, returns: Sequence[int], known: Known) -> None:
        self.now, self.before = now, _Log(known.log)
        self.returns, self.returned = returns, known.returns
        self.pairs: list[tuple[int, int]] = []
        self.more: list[int] = []
        self.fewer: list[int] = []
        for tag, (i, j), (k, m) in _aligned(self.before.labels, now.labels):
            if tag == "equal":
                self.pairs += zip(range(i, j), range(k, m), strict=True)
            else:
                self.fewer += range(i, j)
                self.more += range(k, m)
        self.other = [(i, k) for i, k in self.pairs if self._differs(i, k)]

    def _differs(self, i: int, k: int) -> bool:
        return self.before.entries[i][0] is not self.now.entries[k][0]

    @property
    def is_near(self) -> bool:
        """Whether the two are the same program by and large."""
        paired = sum(not self.now.kinds[k] for _, k in self.pairs)
        return 2 * paired > max(self.before.operations, self.now.operations)

    @property
    def distance(self) -> int:
        """How much differs."""
        return 2 * (len(self.more) + len(self.fewer)) + len(self.other)

    def differences(self) -> list[Difference]:
        """What differs: causes first, and what merely follows from them not at all."""
        causes = [*self._arguments(), *self._operations()]
        causes = causes or [*self._attributes()] or [*self._filled()][:1] or [*self._wiring()]
        others = any(cause.kind in ("operation", "program") for cause in causes)
        return causes if others else [*causes, *self._results()]

    def _arguments(self) -> Iterator[Difference]:
        for i, k in self.other:
            if self.now.kinds[k] == "input":
                kind, said = self._types(i, k)
                yield Difference(kind, f"argument {self.now.argument(k)}, {said}")

    def _filled(self) -> Iterator[Difference]:
        for i, k in self.other:
            if self.now.kinds[k] == "scalar":
                kind, said = self._types(i, k)
                yield Difference(kind, f"what a scalar fills, {said}")

    def _types(self, i: int, k: int) -> tuple[str, str]:
        """What the types of two leaves differ in: there are many shapes, and few dtypes."""
        now, before = self.now.entries[k][0].results[0], self.before.entries[i][0].results[0]
        alike = now.dtype == before.dtype and len(now.shape) == len(before.shape)
        said = f"first used at {self.now.used_at(k)}: {now}, was {before}"
        return "shape" if alike else "program", said

    def _operations(self) -> Iterator[Difference]:
        more = [k for k in self.more if not self.now.kinds[k]]
        fewer = [i for i in self.fewer if not self.before.kinds[i]]
        both = len(more) + len(fewer) if more and fewer else 0
        kind = "program" if 10 * both > self.now.operations else "operation"
        if more:
            yield Difference(kind, f"more operations: {_few(map(self.now.said, more))}")
        if fewer:
            named = _few(self.before.labels[i] for i in fewer)
            after = [k for i, k in self.pairs if i < fewer[0] and self.now.places[k]]
            where = f", after {self.now.said(after[-1])}" if after else ""
            yield Difference(kind, f"fewer operations: {named}{where}")

    def _attributes(self) -> Iterator[Difference]:
        """Operations of operands of the same types, of which something else differs."""
        for i, k in self.other:
            now, before = self.now.entries[k][0], self.before.entries[i][0]
            if isinstance(now, Leaf) or isinstance(before, Leaf):
                continue
            if self.now.operand_types(k) == self.before.operand_types(i):
                kind = "operation" if _is_alike(now, before) else "program"
                yield Difference(kind, f"{self.now.said(k)}: {_attributes_of(now, before)}")

    def _wiring(self) -> Iterator[Difference]:
        """Operations of other operands."""
        index = self._index()
        for i, k in self.pairs:
            operands = zip(self.before.entries[i][1], self.now.entries[k][1], strict=False)
            for number, (old, new) in enumerate(operands):
                if index.get(old, -1) != new:
                    changed = f"{self.now.value(new)}, was {self.before.value(old)}"
                    said = f"{self.now.said(k)}: operand {number} is {changed}"
                    yield Difference("operation", said)
                    return

    def _results(self) -> Iterator[Difference]:
        index = self._index()
        before = {index.get(x, -1) for x in self.returned}
        now = set(self.returns)
        new = {x for x in now if self.now.owner[x] in self.more}
        for x in sorted(now - before - new):
            said = self._value(x)
            yield Difference("result", f"{said} is a result too: it is kept alive")
        for x in sorted(before - now - {-1}):
            yield Difference("result", f"{self._value(x)} is no result any more: nobody holds it")

    def _value(self, index: int) -> str:
        number = self.now.owner[index]
        if self.now.kinds[number]:
            return f"what a scalar fills, first used at {self.now.used_at(number)},"
        return f"the value of {self.now.said(number)}"

    def _index(self) -> dict[int, int]:
        """Where the results of the known recording are in the newer."""
        return {
            self.before.entries[i][2] + n: self.now.entries[k][2] + n
            for i, k in self.pairs
            for n in range(len(self.before.entries[i][0].results))
        }


def _few(names: Iterator[str]) -> str:
    found = list(names)
    rest = f" and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
    return ", ".join(found[:_NAMED]) + rest


def _is_alike(now: Signature, before: Signature) -> bool:
    """Whether operations do the same otherwise: a sum is no maximum, nor float32 another dtype."""
    dtypes = [[t.dtype for t in one.results] for one in (now, before)]
    return dtypes[0] == dtypes[1] and (
        now.attributes != before.attributes or now.results != before.results
    )


def _attributes_of(now: Signature, before: Signature) -> str:
    """Which attributes of an operation differ."""
    changed = [
        f"{name} {now.attributes.get(name)!r}, was {before.attributes.get(name)!r}"
        for name in {**before.attributes, **now.attributes}
        if now.attributes.get(name) != before.attributes.get(name)
    ]
    results = f"{now.results[0]}, was {before.results[0]}"
    if not changed:
        return results if now.results != before.results else "its regions differ"
    return "; ".join(text if len(text) <= 100 else f"{text[:97]}..." for text in changed)


Span = tuple[str, tuple[int, int], tuple[int, int]]


def _aligned(before: Sequence[str], now: Sequence[str]) -> Iterator[Span]:
    """Stretches of two lists that are equal or not, as difflib has them; long ones coarsely."""
    least = min(len(before), len(now))
    start = next((n for n in range(least) if before[n] != now[n]), least)
    rest = least - start
    end = next((n for n in range(rest) if before[-1 - n] != now[-1 - n]), rest)
    old, new = before[start : len(before) - end], now[start : len(now) - end]
    yield "equal", (0, start), (0, start)
    if max(len(old), len(new)) <= _ALIGNED:
        for tag, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            yield tag, (start + i, start + j), (start + k, start + m)
    else:
        yield "replace", (start, start + len(old)), (start, start + len(new))
    yield "equal", (len(before) - end, len(before)), (len(now) - end, len(now))
