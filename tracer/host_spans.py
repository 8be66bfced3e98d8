"""The events of the host as spans of a profile: what happens when, thread by thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from tracer.context import thread
from tracer.errors import scope_of, source_line
from tracer.events import Compile, Cut, Event, Run, Transfer
from tracer.profiles import Profiler, Span, Trace
from tracer.tables import near

NAMES: dict[type[Event], str] = {
    Cut: "tracer.cut",
    Compile: "tracer.compile",
    Run: "tracer.run",
    Transfer: "tracer.transfer",
}
RECORD = "tracer.record"
_FACTS: dict[type[Event], tuple[str, ...]] = {
    Cut: ("cause", "operations", "results"),
    Compile: ("cause", "reason"),
    Run: ("cause", "operations"),
    Transfer: ("to",),
}
_OUTCOME: dict[type[Event], tuple[str, ...]] = {Compile: ("source",), Transfer: ("bytes",)}


class _Mine(threading.local):
    """The spans that are open in this thread, and the one of what is recorded now."""

    def __init__(self) -> None:
        self.open: list[Span] = []
        self.record: Span | None = None


class HostSpans:
    """An observer that tells a profiler; "record" is from the end of a cut to the next one."""

    def __init__(self, profiler: Profiler) -> None:
        self._profiler = profiler
        self._mine = _Mine()
        self._waits: dict[Any, Callable[[], Any]] = {}
        self._begin_record()

    def started(self, event: Event) -> None:
        """An event begins: so does a span."""
        if isinstance(event, Cut) and not self._mine.open:
            self._end_record(event.operations)
        span = self._profiler.span(NAMES[type(event)], _facts(event))
        span.__enter__()
        self._mine.open.append(span)

    def finished(self, event: Event) -> None:
        """It has ended."""
        span = self._mine.open.pop()
        span.set_metadata(**_outcome(event))
        span.__exit__(None, None, None)
        if isinstance(event, Run) and event.wait is not None:
            self._waits[threading.get_ident(), event.device] = event.wait
        if isinstance(event, Cut) and not self._mine.open:
            self._begin_record()

    def stop(self) -> Trace:
        """What was seen, once devices have run what was started."""
        for wait in self._waits.values():
            with suppress(Exception):  # whoever looks at its results is told
                wait()
        recordings = thread.state.recordings.values()
        self._end_record(sum(recording.operations for recording in recordings))
        return self._profiler.stop()

    def _begin_record(self) -> None:
        self._mine.record = self._profiler.span(RECORD, {})
        self._mine.record.__enter__()

    def _end_record(self, operations: int) -> None:
        if self._mine.record is not None:
            self._mine.record.set_metadata(operations=operations)
            self._mine.record.__exit__(None, None, None)
            self._mine.record = None


def _facts(event: Event) -> dict[str, Any]:
    """What is known of an event when it begins."""
    file, line = source_line(event.location)
    facts: dict[str, Any] = {"at": f"{near(file)}:{line}"}
    scope = scope_of(event.location)
    if scope:
        facts["scope"] = scope
    facts |= {name: getattr(event, name) for name in _FACTS[type(event)]}
    if isinstance(event, Compile | Run):
        facts["program"] = event.function.name
    return facts


def _outcome(event: Event) -> dict[str, Any]:
    """What is known of it when it has ended."""
    facts: dict[str, Any] = {"error": type(event.error).__name__} if event.error else {}
    facts |= {name: getattr(event, name) for name in _OUTCOME.get(type(event), ())}
    return facts
