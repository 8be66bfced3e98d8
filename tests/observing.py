"""Who is told of events, for tests: keeps them, and raises where it is told to."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tracer.events import Event, observers


class Keeper:
    """Keeps the events of these kinds as they end; `refused` kinds may not begin."""

    def __init__(self, *kinds: type[Event], refused: tuple[type[Event], ...] = ()) -> None:
        self.kinds = kinds or (Event,)
        self.refused = refused
        self.events: list[Event] = []

    def started(self, event: Event) -> None:
        if isinstance(event, self.refused):
            raise Refused(type(event).__name__)

    def finished(self, event: Event) -> None:
        if isinstance(event, self.kinds):
            self.events.append(event)


class Refused(RuntimeError):
    """What was not to happen was about to."""


@contextmanager
def observed(*kinds: type[Event]) -> Iterator[list[Event]]:
    """Inside, the events of these kinds are put into the list, in the order in which they end."""
    keeper = Keeper(*kinds)
    observers.append(keeper)
    try:
        yield keeper.events
    finally:
        observers.remove(keeper)


@contextmanager
def refusing(*kinds: type[Event]) -> Iterator[None]:
    """Inside, events of these kinds raise Refused as they begin."""
    keeper = Keeper(refused=kinds)
    observers.append(keeper)
    try:
        yield
    finally:
        observers.remove(keeper)
