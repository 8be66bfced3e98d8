"""Reverse mode: a tape of what was done to watched values, and its walk back.

The rules of the walk are ordinary operations: an outer tape records them, which is how a
derivative is differentiated again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from tracer.context import thread
from tracer.dtypes import is_inexact
from tracer.errors import Location
from tracer.recording import Data

Rule = Callable[..., Data | None]
"""rule(g, y, *operands, **attributes): the cotangent of one operand, given that of the result.

An op of several results gets tuples for g and y; cotangents that nobody asked for are None.
"""


@dataclass(slots=True)
class Entry:
    """One application: its rules, one an operand (None: the derivative is zero), and its values.

    `place` is where it stands in the user's program; its derivative is said to stand there too.
    """

    rules: Sequence[Rule | None]
    operands: Sequence[Any]
    results: tuple[Data, ...]
    attributes: dict[str, Any]
    place: Location = None


class Tape:
    """Notes, while it is active, every operation on a value it watches."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self._watched: dict[int, Data] = {}

    def __enter__(self) -> Tape:
        active().append(self)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        active().remove(self)

    def watch(self, data: Data) -> None:
        """Makes a value one that derivatives may be asked of."""
        self._watched[id(data)] = data

    def watches(self, operands: Sequence[Any]) -> bool:
        """Whether any of these values is watched."""
        watched = self._watched
        for x in operands:  # noqa: SIM110  asked of every operation, and faster so
            if id(x) in watched:
                return True
        return False

    def note(self, entry: Entry) -> None:
        """Appends an entry and watches its results."""
        self.entries.append(entry)
        for result in entry.results:
            if is_inexact(result.type.dtype):
                self._watched[id(result)] = result

    def cotangents(
        self,
        results: Sequence[tuple[Data, Data]],
        inputs: Sequence[Data],
        add: Callable[[Data, Data], Data],
    ) -> list[Data | None]:
        """The cotangents of inputs, given (result, cotangent) pairs; None where there is none."""
        walk = _Walk(self._watched, add)
        for result, cotangent in results:
            walk.accumulate(result, cotangent)
        before = thread.place
        try:
            for entry in reversed(self.entries):
                walk.visit(entry)
        finally:
            thread.place = before
        return [walk.found.get(id(data)) for data in inputs]


class _Walk:
    """The state of one walk back: the cotangents found so far."""

    def __init__(self, watched: dict[int, Data], add: Callable[[Data, Data], Data]) -> None:
        self.watched = watched
        self.add = add
        self.found: dict[int, Data] = {}

    def accumulate(self, data: Data, cotangent: Data) -> None:
        known = self.found.get(id(data))
        self.found[id(data)] = cotangent if known is None else self.add(known, cotangent)

    def visit(self, entry: Entry) -> None:
        g: Any = tuple([self.found.get(id(result)) for result in entry.results])
        if g.count(None) == len(g):
            return
        y: Any = entry.results
        if len(y) == 1:
            g, y = g[0], y[0]
        thread.place = entry.place
        for rule, operand in zip(entry.rules, entry.operands, strict=True):
            if rule is not None and id(operand) in self.watched:
                cotangent = rule(g, y, *entry.operands, **entry.attributes)
                if cotangent is not None:
                    self.accumulate(operand, cotangent)


def active() -> list[Tape]:
    """The tapes of this thread, outermost first."""
    return thread.tapes


@contextmanager
def paused() -> Iterator[None]:
    """Inside, no tape notes anything."""
    before, thread.tapes = thread.tapes, []
    try:
        yield
    finally:
        thread.tapes = before
