"""A profile as events of Chrome's trace format, which Perfetto reads."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Any

from tracer.profiles import Trace, TraceEvent
from tracer.tables import spot

Object = dict[str, Any]
_BESIDE = ("ThreadpoolListener::", "end: ")
"""Events that mark the ends of others, for viewers that draw arrows."""
_UNKNOWN = "not known yet: the program came from the disk; report() of the profile puts them here"
"""What stands for the places of an operation whose program the profile has no text of."""


def chrome_trace(trace: Trace) -> Object:
    """The object that a file of the format holds; times are microseconds."""
    return {"displayTimeUnit": "ms", "traceEvents": list(_events(trace))}


def _events(trace: Trace) -> Iterator[Object]:
    processes: dict[str, int] = {}
    known = {key for key, _ in trace.places}
    for thread, track in enumerate(trace.tracks, 1):
        if track.process not in processes:
            process = processes[track.process] = len(processes) + 1
            yield _named("process_name", process, 0, track.process)
        at = {"pid": processes[track.process], "tid": thread}
        yield _named("thread_name", at["pid"], thread, track.thread)
        for event in track.events:
            if not event.name.startswith(_BESIDE):
                yield {**_event(event), **at, "args": _arguments(trace, event, known)}


def _named(what: str, process: int, thread: int, name: str) -> Object:
    return {"ph": "M", "name": what, "pid": process, "tid": thread, "args": {"name": name}}


def _event(event: TraceEvent) -> Object:
    if not event.duration:
        return {"ph": "i", "s": "t", "name": event.name, "ts": event.start / 1e3}
    times = {"ts": event.start / 1e3, "dur": event.duration / 1e3}
    return {"ph": "X", "name": event.name, **times}


def _arguments(trace: Trace, event: TraceEvent, known: Container[int]) -> Object:
    facts = {name: value for name, value in event.facts.items() if not name.startswith("_")}
    places = [spot(place) for place in trace.places.get((event.key, event.instruction), ())]
    if event.instruction and event.key not in known:
        places = [_UNKNOWN]
    return {**facts, "places": places} if places else facts
