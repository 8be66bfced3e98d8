"""Which program each operation of a profile is of, and its lines where the profile lacks them.

A program from the disk brings neither its HLO nor a number of its own: it has that of the process
that compiled it, which another program of this one may have too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from threading import Lock
from typing import Any

from tracer.device import Device
from tracer.errors import FileLine, LoweringError
from tracer.events import Event, Run
from tracer.ir import Function
from tracer.profiles import Trace, TraceEvent

Places = Mapping[str, Sequence[FileLine]]
"""The lines of each instruction of a program, by its name."""
RunKey = tuple[int, Any]
"""A run of a program: the program's number in the profile, and its own."""


@dataclass(eq=False)
class _Ran:
    """A program, and when it ran: `key` is its number here, `known_as` those in the profile."""

    function: Function
    device: Device
    loaded: bool
    key: int
    starts: list[float] = field(default_factory=list)
    known_as: set[int] = field(default_factory=set)

    @cached_property
    def text(self) -> str:
        """Its HLO, with lines of this process: compiled once more, beside the cache on disk."""
        device = self.device
        with suppress(LoweringError):
            return device.executor.stage(self.function, "hlo-opt", device.kind, device.ordinal)
        return ""


@dataclass
class _Group:
    """Runs under one number, as they came, that ran the same instructions.

    `known` says whether the profile has HLO of that number with all of these.
    """

    key: int
    program: str
    names: frozenset[str]
    known: bool
    runs: list[RunKey] = field(default_factory=list)


class Programs:
    """An observer that notes which programs run. `read` finds the lines in an optimised HLO."""

    def __init__(self, read: Callable[[str], Places]) -> None:
        self._read = cache(read)
        self._ran: dict[tuple[int, Device], _Ran] = {}
        self._lock = Lock()

    def started(self, event: Event) -> None:
        """Only what has run counts."""

    def finished(self, event: Event) -> None:
        """Something has ended."""
        if isinstance(event, Run) and event.device is not None:
            place = id(event.function), event.device
            with self._lock:
                if place not in self._ran:
                    loaded, key = event.source == "disk", -2 - len(self._ran)  # no backend's
                    self._ran[place] = _Ran(event.function, event.device, loaded, key)
                self._ran[place].starts.append(event.start)

    def complete(self, trace: Trace) -> Trace:
        """The trace with the lines of this process's programs, and a number for each of them."""
        keys: dict[RunKey, int] = {}
        places = dict(trace.places)
        for ran, runs in self._found(_groups(trace)):
            keys |= dict.fromkeys(runs, ran.key)
            places |= {(ran.key, name): at for name, at in self._read(ran.text).items()}
        if not keys:
            return trace
        tracks = [replace(t, events=[_moved(e, keys) for e in t.events]) for t in trace.tracks]
        return replace(trace, tracks=tracks, places=places)

    def _found(self, groups: Sequence[_Group]) -> Iterator[tuple[_Ran, Sequence[RunKey]]]:
        """Programs with their runs: of numbers that are not known, then of those of others."""
        for group in groups:
            found = None if group.known else self._likeliest(group)
            if found is not None:
                found.known_as.add(group.key)
                yield found, group.runs
        known = [group for group in groups if group.known]
        for ran in self._ran.values():
            if ran.loaded and not ran.known_as and known:
                hidden = (self._hidden(ran, g) for g in known if self._fits(ran, g))
                yield ran, next(filter(None, hidden), ())

    def _likeliest(self, group: _Group) -> _Ran | None:
        """Not found before, run as often, with the least besides."""
        for loaded in (True, False):
            fitting = [r for r in self._ran.values() if r.loaded is loaded and self._fits(r, group)]
            if fitting:
                return min(fitting, key=partial(self._unlikely, group))
        return None

    def _hidden(self, ran: _Ran, group: _Group) -> Sequence[RunKey]:
        """Which of the runs are this program's, that has number and instructions of another."""
        others = [r for r in self._ran.values() if not r.loaded and self._fits(r, group)]
        counts = [len(other.starts) for other in others]
        more = len(group.runs) - len(ran.starts)
        if more == 0:
            return () if len(group.runs) in counts else group.runs
        if more not in counts:
            return ()
        theirs = [(start, False) for start in others[counts.index(more)].starts]
        order = sorted([*theirs, *((start, True) for start in ran.starts)])
        return [run for run, (_, mine) in zip(group.runs, order, strict=True) if mine]

    def _fits(self, ran: _Ran, group: _Group) -> bool:
        start = f"HloModule {group.program}"
        named = ran.text.startswith((f"{start},", f"{start}\n"))
        return named and group.names <= self._read(ran.text).keys()

    def _unlikely(self, group: _Group, ran: _Ran) -> tuple[bool, bool, int]:
        taken = bool(ran.known_as - {group.key})
        return taken, len(ran.starts) != len(group.runs), len(self._read(ran.text))


def _moved(event: TraceEvent, keys: Mapping[RunKey, int]) -> TraceEvent:
    key = keys.get(_run_of(event)) if event.instruction else None
    return event if key is None else replace(event, key=key)


def _run_of(event: TraceEvent) -> RunKey:
    return event.key, event.facts.get("run_id")


def _groups(trace: Trace) -> list[_Group]:
    """The runs of a trace."""
    known: dict[int, set[str]] = {}
    for key, name in trace.places:
        known.setdefault(key, set()).add(name)
    events = [event for track in trace.tracks for event in track.events if event.instruction]
    runs: dict[tuple[RunKey, str], set[str]] = {}
    for event in sorted(events, key=lambda event: event.start):
        runs.setdefault((_run_of(event), event.program), set()).add(event.instruction)
    found: dict[tuple[int, str, frozenset[str]], _Group] = {}
    for (run, program), names in runs.items():
        is_known = names <= known.get(run[0], set())
        made = _Group(run[0], program, frozenset(names), is_known)
        found.setdefault((made.key, program, made.names), made).runs.append(run)
    return list(found.values())
