"""Who is told of events, and writes them into a bundle."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock
from time import perf_counter
from typing import Any

from tracer.dumping.entries import Entries, Entry
from tracer.dumping.facts import said
from tracer.dumping.folder import Folder
from tracer.dumping.lines import Lines
from tracer.dumping.options import Options
from tracer.dumping.timing import Times, Timing
from tracer.events import Compile, Cut, Event, Run, Transfer


class _Local(threading.local):
    """What a thread is at: whether it writes, and which program it ran last."""

    writing = False
    ran = ""


class Capture:
    """A bundle that is being written."""

    def __init__(self, folder: Folder, options: Options) -> None:
        self.folder = folder
        self.options = options
        self.start = perf_counter()
        self._entries = Entries(folder, options)
        self._lines = Lines(self.start)
        self._timing = Timing()
        self._barriers = 0
        self._lock = RLock()
        self._local = _Local()

    def started(self, event: Event) -> None:
        """An event begins."""
        if self._ignores(event):
            return
        if isinstance(event, Cut):
            self._local.ran = ""
            self._timing.cut()
        elif isinstance(event, Compile):
            with self._writing():
                entry = self._entries.of(event)
                if self._in_time:
                    self._entries.begun(entry)
        elif isinstance(event, Run):
            self._start(event)

    def finished(self, event: Event) -> None:
        """An event has ended."""
        if self._ignores(event):
            return
        if self._in_time:
            self._note(event)
        elif isinstance(event, Compile):  # it may run in time
            with self._writing():
                self._entries.learn(event)
        if isinstance(event, Cut) and event.cause == "barrier":
            self._barriers += 1

    def end(self, error: BaseException | None = None) -> None:
        """Ends the bundle."""
        facts: dict[str, Any] = {"kind": "end"}
        if error is not None:
            facts["error"] = said(error)
        try:
            self.folder.event({**facts, "at": round(perf_counter() - self.start, 7)})
        finally:
            self.folder.close()

    @property
    def _in_time(self) -> bool:
        return self.options.holds(self._barriers)

    def _ignores(self, event: Event) -> bool:
        """Whether an event is of our own doing, comes too late, or is of an eager operation."""
        if self._local.writing or not self.folder.writes:
            return True
        eager = isinstance(event, (Compile, Run)) and event.cause == "eager"
        return eager and not self.options.eager

    @contextmanager
    def _writing(self) -> Iterator[None]:
        self._local.writing = True
        try:
            with self._lock:
                yield
        finally:
            self._local.writing = False

    def _entry(self, event: Run) -> Entry:
        found = self._entries.known(event)
        if found is None:
            with self._writing():
                found = self._entries.of(event)
        return found

    def _start(self, event: Run) -> None:
        in_time = self._in_time
        entry = self._entry(event)
        if self.options.inputs and in_time and not entry.fed:
            with self._writing():
                self._entries.feed(entry, event.inputs)
        always = self.options.each_run and not entry.kept
        self._timing.begin(event, in_time and (self._timing.chosen(entry) or always))

    def _note(self, event: Event) -> None:
        facts: dict[str, Any]
        match event:
            case Run():
                self._note_run(event)
            case Compile():
                with self._writing():
                    entry = self._entries.compiled(event)
                facts = {"program": entry.id, "cause": event.cause, "reason": event.reason}
                facts |= {"source": event.source, "differences": event.differences}
                self._write(event, _times(event), facts)
            case Cut():
                facts = {"cause": event.cause, "operations": event.operations}
                facts["results"] = event.results
                if self._local.ran:
                    facts["program"] = self._local.ran
                self._write(event, _times(event, self._timing.waited), facts)
            case Transfer():
                facts = {"to": event.to, "bytes": event.bytes}
                self._write(event, _times(event), facts)

    def _note_run(self, event: Run) -> None:
        entry = self._entry(event)
        self._local.ran = entry.id
        times = self._timing.end(entry, event)
        facts = {"program": entry.id, "cause": event.cause, "operations": event.operations}
        self._write(event, times, facts)
        if not entry.kept:
            with self._writing():
                taken = times.seconds if times.device_seconds is None else times.device_seconds
                self._entries.ran(entry, taken, times.error is not None)

    def _write(self, event: Event, times: Times, facts: dict[str, Any]) -> None:
        """Adds a line; of a compile, or of what failed, it may be the last of all: at once."""
        self.folder.line(self._lines.line(event, times, facts))
        if times.error is not None or isinstance(event, Compile):
            self.folder.flush()


def _times(event: Event, less: float = 0.0) -> Times:
    """The times of what no device does; `less` are seconds that we took of it."""
    return Times(event.start, event.seconds - less, None, event.error)
