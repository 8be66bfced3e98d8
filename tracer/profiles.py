"""What a profiler saw: events on threads and devices, and which of them ran an operation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Protocol

from tracer.errors import FileLine
from tracer.tables import duration, plural, spot, table


class Span(AbstractContextManager[Any], Protocol):
    """An event of this thread, from `with` on until its end."""

    def set_metadata(self, **facts: Any) -> None:
        """Says more of it."""


class Profiler(Protocol):
    """What looks on, from when it is made on."""

    def span(self, name: str, facts: Mapping[str, Any]) -> Span:
        """An event of this thread, in the same trace as the backend's own."""

    def places(self, hlo: str) -> Mapping[str, Sequence[FileLine]]:
        """The lines of each instruction of an optimised program, by its name; some have none."""

    def stop(self) -> Trace:
        """What was seen. Raises RuntimeError where that can't be had."""


@dataclass(frozen=True, slots=True)
class TraceEvent:
    """Something that took time: nanoseconds from the start of the trace, and what is known of it.

    `instruction` is the operation that a device ran, `program` and its `key` what that is of.
    """

    name: str
    start: float
    duration: float
    facts: Mapping[str, Any]
    instruction: str = ""
    program: str = ""
    key: int = 0

    @property
    def end(self) -> float:
        """When it ended."""
        return self.start + self.duration


@dataclass(frozen=True, slots=True)
class Track:
    """The events of one thread, or of one queue of a device, of one process or device."""

    process: str
    thread: str
    events: Sequence[TraceEvent]


@dataclass(frozen=True, slots=True)
class Trace:
    """A profile: `raw` as the backend's own tools read it, and its tracks.

    `places` are those of each instruction, by key and name: of a fusion all that it fuses. They
    are there for programs that the backend still has the text of.
    """

    raw: bytes
    tracks: Sequence[Track]
    places: Mapping[tuple[int, str], Sequence[FileLine]]


@dataclass(frozen=True, slots=True)
class DeviceOp:
    """An operation as a device ran it: seconds altogether, how often, and its share of the whole.

    Of one that runs others, a loop, their time is left out. `program` is the name of the program,
    "main #2" of the second that has it; `places` are lines of the user's.
    """

    name: str
    program: str
    seconds: float
    count: int
    share: float
    places: tuple[FileLine, ...]


def device_ops(trace: Trace) -> list[DeviceOp]:
    """The operations that devices ran, the slowest first."""
    spent: dict[tuple[int, str], list[float]] = {}
    for track in trace.tracks:
        for event, seconds in _own_seconds([e for e in track.events if e.instruction]):
            spent.setdefault((event.key, event.instruction), []).append(seconds)
    programs = _programs(trace)
    whole = sum(map(sum, spent.values())) or 1.0
    found = [
        DeviceOp(
            name,
            programs[key],
            sum(times),
            len(times),
            sum(times) / whole,
            tuple(trace.places.get((key, name), ())),
        )
        for (key, name), times in spent.items()
    ]
    return sorted(found, key=lambda op: (-op.seconds, op.program, op.name))


def _programs(trace: Trace) -> dict[int, str]:
    """The names of the programs that ran, numbered where several have one, as they came."""
    events = [event for track in trace.tracks for event in track.events if event.instruction]
    names: dict[int, str] = {}
    times: Counter[str] = Counter()
    for event in sorted(events, key=lambda event: event.start):
        if event.key not in names:
            times[event.program] += 1
            number = times[event.program]
            names[event.key] = event.program if number == 1 else f"{event.program} #{number}"
    return names


def _own_seconds(events: Sequence[TraceEvent]) -> Iterator[tuple[TraceEvent, float]]:
    """How long each event of a track took, without those inside of it."""
    inner = [0.0] * len(events)
    order = sorted(range(len(events)), key=lambda i: (events[i].start, -events[i].duration))
    around: list[int] = []
    for i in order:
        while around and events[around[-1]].end <= events[i].start:
            around.pop()
        if around:
            inner[around[-1]] += events[i].duration
        around.append(i)
    for event, less in zip(events, inner, strict=True):
        yield event, max(0.0, event.duration - less) * 1e-9


_HEADER = ("operation", "total", "share", "count", "program", "recorded at")


def table_of(ops: Sequence[DeviceOp], n: int) -> str:
    """The first of these operations as a table, under a line that sums all of them up."""
    seconds = duration(sum(op.seconds for op in ops))
    programs = plural(len({op.program for op in ops}), "program")
    more = f"... and {len(ops) - n} more\n" if len(ops) > n else ""
    head = f"{seconds} on devices: {plural(len(ops), 'operation')} of {programs}\n"
    return head + table([_HEADER, *map(_cells, ops[:n])]) + more


def _cells(op: DeviceOp) -> tuple[str, ...]:
    places = ", ".join(map(spot, op.places))
    share = f"{100 * op.share:.1f}%"
    return op.name, duration(op.seconds), share, str(op.count), op.program, places
