"""What each thread carries: its recordings, tapes, default device and learning phase."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import local
from typing import Any

from tracer.errors import Location, at_caller

PHASES = ("training", "inference")


class State:
    """The state of one thread."""

    __slots__ = ("changed", "device", "phase", "place", "recordings", "tapes")

    def __init__(self) -> None:
        self.recordings: dict[Any, Any] = {}
        self.tapes: list[Any] = []
        self.device: Any = None
        self.phase = "inference"
        self.changed: dict[int, Any] | None = None  # States and their values before a trace
        self.place: Location = None  # where what is recorded stands, if not where it is called


class Thread(local):
    """This thread's state: one attribute, for what is local to a thread is slow to look up."""

    def __init__(self) -> None:
        self.state = State()


thread = Thread()


@contextmanager
def learning_phase(phase: str) -> Iterator[str]:
    """Inside, layers behave as in "training" or "inference" (the default). Applies to this thread.

    Raises ValueError for any other phase.
    """
    if phase not in PHASES:
        raise at_caller(ValueError(f'a phase is "training" or "inference", got {phase!r}'))
    before, thread.state.phase = thread.state.phase, phase
    try:
        yield phase
    finally:
        thread.state.phase = before
