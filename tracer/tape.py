"""Reverse mode: a tape of what was done to watched values, and its walk back.

The rules of the walk are ordinary operations: an outer tape records them, which is how a
derivative is differentiated again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import Any

from tracer.context import thread
from tracer.errors import Location, in_derivative
from tracer.values import Data

Rule = Callable[..., Data | None]
"""rule(g, y, *operands, **attributes): the cotangent of one operand, given that of the result.

An op of several results gets tuples for g and y; cotangents that nobody asked for are None.
"""


Results = Data | tuple[Data, ...]
"""What one application gave: its only result, or several."""

Entry = tuple[Sequence[Rule | None], Sequence[Any], Results, dict[str, Any], Location]
"""One application: its rules, one an operand (None: the derivative is zero), its operands, results
and attributes, and where it stands in the user's program: its derivative is said to stand there
too. A plain tuple, for there is one of every operation."""


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

    def note(
        self,
        rules: Sequence[Rule | None],
        operands: Sequence[Any],
        results: Results,
        attributes: dict[str, Any],
        place: Location,
    ) -> None:
        """Appends an application and watches its results."""
        if type(results) is Data:
            self.entries.append((rules, operands, results, attributes, place))
            if results.type.inexact:
                self._watched[id(results)] = results
        elif len(results) == 1:  # type: ignore[arg-type]
            self.note(rules, operands, results[0], attributes, place)  # type: ignore[index]
        else:
            self.entries.append((rules, operands, results, attributes, place))
            found = {id(y): y for y in results if y.type.inexact}  # type: ignore[union-attr]
            self._watched.update(found)

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
        state = thread.state
        before = state.place
        try:
            for entry in reversed(self.entries):
                if (g := walk.cotangent(entry[2])) is not None:
                    state.place = in_derivative(entry[4])
                    walk.visit(entry, g)
        finally:
            state.place = before
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

    def cotangent(self, results: Results) -> Any:
        """That of results, a tuple of several; None where nobody asked for any."""
        if type(results) is Data:
            return self.found.get(id(results))
        found = tuple([self.found.get(id(y)) for y in results])  # type: ignore[union-attr]
        return None if found.count(None) == len(found) else found

    def visit(self, entry: Entry, g: Any) -> None:
        rules, operands, results, attributes, _ = entry
        watched = self.watched
        for rule, operand in zip(rules, operands, strict=True):
            if rule is not None and id(operand) in watched:
                cotangent = rule(g, results, *operands, **attributes)
                if cotangent is not None:
                    self.accumulate(operand, cotangent)


def active() -> list[Tape]:
    """The tapes of this thread, outermost first."""
    return thread.state.tapes


@contextmanager
def paused() -> Iterator[None]:
    """Inside, no tape notes anything."""
    before, thread.state.tapes = thread.state.tapes, []
    try:
        yield
    finally:
        thread.state.tapes = before
