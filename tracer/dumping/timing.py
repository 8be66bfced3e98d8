"""Which runs are timed: a device says when it has run a program only to who waits for it.

Waiting costs what its thread could have done meanwhile, so at most what the run takes.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from time import perf_counter
from typing import Any, NamedTuple

from tracer.device import Device
from tracer.dumping.entries import Entry
from tracer.events import Run

_FIRST = 3
"""How many runs of each program are timed, whatever they take."""
_SHARE = 0.02
"""The part of the time gone by that may be spent on others."""
_Wait = Callable[[], Any]


class Times(NamedTuple):
    """When a run began, and the seconds of its thread; where it was timed, also of its device."""

    start: float
    seconds: float
    device_seconds: float | None
    error: BaseException | None


class _Mine(threading.local):
    """Of the run of this thread: whether it is timed, and since when."""

    timed = False
    since = 0.0
    waited = 0.0


class Timing:
    """Chooses runs, and waits for them in the thread that started them."""

    def __init__(self) -> None:
        self._seen = perf_counter()
        self._going: dict[Device | None, _Wait] = {}
        self._mine = _Mine()

    def cut(self) -> None:
        """A cut begins."""
        self._mine.waited = 0.0

    @property
    def waited(self) -> float:
        """How long this thread has waited for runs since its last cut began."""
        return self._mine.waited

    def chosen(self, entry: Entry) -> bool:
        """Whether a run is to be timed. The time since the one before is its program's."""
        now = perf_counter()
        entry.spare += _SHARE * (now - self._seen)
        entry.runs += 1
        self._seen = now
        return entry.runs <= _FIRST or entry.spare > 0.0

    def begin(self, event: Run, timed: bool) -> None:
        """A run begins. Its device has nothing else to do, where it is timed."""
        mine = self._mine
        mine.timed, mine.since = timed, event.start
        before = self._going.pop(event.device, None) if timed else None
        if before is not None:
            _ended(before)
            mine.since = perf_counter()
            mine.waited += mine.since - event.start

    def end(self, entry: Entry, event: Run) -> Times:
        """A run was started, or has run where devices do that at once."""
        mine = self._mine
        started = event.start + event.seconds
        seconds = started - mine.since
        if event.wait is None:
            return Times(mine.since, seconds, None if event.error else seconds, event.error)
        if not mine.timed:
            self._going[event.device] = event.wait
            return Times(mine.since, seconds, None, None)
        error = _ended(event.wait)
        end = perf_counter()
        mine.waited += end - started
        entry.spare = started - end
        return Times(mine.since, seconds, end - mine.since, error)


def _ended(wait: _Wait) -> BaseException | None:
    """What a run ended in, once it has."""
    try:
        wait()
    except Exception as error:
        return error
    return None
