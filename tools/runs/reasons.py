"""Why a run cut and compiled: the events of a bundle, those alike taken together."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tools.runs.bundle import Bundle

Record = dict[str, Any]
Compiles = Mapping[str, tuple[list[float], list[Record]]]
_COPIED = ("kind", "file", "line", "scope", "cause", "reason", "source")


@dataclass(slots=True)
class Reason:
    """Cuts of one cause at one line, or one compile: what it was for, and what it cost.

    Compiles of eager operations at one line are one. `seconds` are its own: a cut without the
    compiles in it. `differences` is what the program has
    other than the nearest one that was known. `first` is when it began, in seconds.
    """

    kind: str
    file: str
    line: int
    scope: str
    cause: str
    reason: str = ""
    source: str = ""
    program: str | None = None
    count: int = 0
    seconds: float = 0.0
    operations: int = 0
    results: int = 0
    first: float = 0.0
    error: str | None = None
    differences: list[str] = field(default_factory=list)


def reasons_of(bundle: Bundle, program: str | None = None) -> list[Reason]:
    """What there is a reason for, the dearest first; of one program where it is named."""
    groups: dict[tuple[Any, ...], list[Record]] = defaultdict(list)
    compiles = _by_thread(bundle)
    for event in bundle.events:
        if event["kind"] in ("cut", "compile") and program in (None, event.get("program")):
            groups[_key(event)].append(event)
    found = [_reason(events, compiles) for events in groups.values()]
    return sorted(found, key=lambda reason: -reason.seconds)


def _key(event: Record) -> tuple[Any, ...]:
    """Compiles are never alike, but of eager operations: each made something."""
    words = tuple(str(event.get(name)) for name in ("kind", "cause", "file", "line"))
    if event["cause"] == "eager":
        return (*words, event["reason"], event["source"])
    return (*words, str(event.get("program")), id(event) * (event["kind"] == "compile"))


def _reason(events: list[Record], compiles: Compiles) -> Reason:
    first = events[0]
    programs = {None if event.get("program") is None else str(event["program"]) for event in events}
    made = Reason(
        **{name: first[name] for name in _COPIED},
        program=programs.pop() if len(programs) == 1 else None,
        first=first["at"],
        error=next((str(event["error"]) for event in events if event.get("error")), None),
        differences=[str(text) for text in first["differences"]],
    )
    for event in events:
        made.count += 1
        inside = _within(event, compiles) if event["kind"] == "cut" else ()
        made.seconds += max(0.0, event["seconds"] - sum(other["seconds"] for other in inside))
        made.operations += number(event.get("operations"))
        made.results += number(event.get("results"))
    return made


def _by_thread(bundle: Bundle) -> Compiles:
    """The compiles of each thread in the order of time, and when they began."""
    found: dict[str, list[Record]] = defaultdict(list)
    for event in bundle.events:
        if event["kind"] == "compile":
            found[str(event.get("thread"))].append(event)
    ordered = {thread: sorted(made, key=lambda e: e["at"]) for thread, made in found.items()}
    return {thread: ([e["at"] for e in made], made) for thread, made in ordered.items()}


def _within(cut: Record, compiles: Compiles) -> list[Record]:
    """The compiles that a cut has waited for."""
    times, made = compiles.get(str(cut.get("thread")), ([], []))
    return made[bisect_left(times, cut["at"]) : bisect_right(times, cut["at"] + cut["seconds"])]


def number(value: Any) -> int:
    """A count that an event tells, 0 where it tells none."""
    return value if isinstance(value, int) and value >= 0 else 0
