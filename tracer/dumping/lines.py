"""Events as lines of JSON. What many of them have alike is made once: a loop repeats itself."""

from __future__ import annotations

import threading
from typing import Any

from tracer.dumping.facts import name_of, of_place, said
from tracer.dumping.folder import encode
from tracer.dumping.timing import Times
from tracer.errors import Location
from tracer.events import Compile, Cut, Event, Run, Transfer

_KINDS = {Cut: "cut", Compile: "compile", Run: "run", Transfer: "transfer"}
_MOST = 4096
"""How many are remembered."""


class Lines(threading.local):
    """Makes lines of events, and knows those made in this thread; times count from `start`."""

    def __init__(self, start: float) -> None:
        self._start = start
        self._known: dict[tuple[Any, ...], tuple[str, Location]] = {}

    def line(self, event: Event, times: Times, facts: dict[str, Any]) -> str:
        """An event with its times, and what else is said of it: of what can be hashed."""
        if times.error is not None:
            facts["error"] = said(times.error)
        place = _place(event.location)
        key = type(event), place, event.device, *facts, *facts.values()
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= _MOST:
                self._known.clear()
            # the place is kept: its code has this number for as long as it is there
            known = self._known[key] = _rest(event, facts), event.location
        at, took, device = times.start - self._start, times.seconds, times.device_seconds
        ran = "" if device is None else f', "device_seconds": {device:.7f}'
        return f'{{"at": {at:.7f}, "seconds": {max(took, 0.0):.7f}{ran}, {known[0]}'


def _place(location: Location) -> Any:
    """What is equal for equal places: to hash code takes long, and a layer may be none to hash."""
    if type(location) is tuple and location[2] is None:
        return id(location[0]), location[1], location[3]
    return tuple(of_place(location).values())


def _rest(event: Event, facts: dict[str, Any]) -> str:
    """The line after its times."""
    thread = threading.current_thread().name
    what = {"kind": _KINDS[type(event)], **facts, **of_place(event.location)}
    return encode({**what, "device": name_of(event.device), "thread": thread})[1:] + "\n"
