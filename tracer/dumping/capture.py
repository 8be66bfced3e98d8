"""Who is told of events, and writes them into a bundle."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from threading import RLock
from time import perf_counter
from typing import Any

from tracer.device import Device
from tracer.dumping.entries import Entries, Entry
from tracer.dumping.facts import of_event, said
from tracer.dumping.folder import Folder
from tracer.dumping.options import Options
from tracer.dumping.waiting import Waiter
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
        self._waiter = Waiter()
        self._barriers = 0
        self._idle: dict[Device, float] = {}  # since when, where the waiter has seen it
        self._lock = RLock()
        self._local = _Local()

    def started(self, event: Event) -> None:
        """An event begins."""
        if self._ignores(event):
            return
        if isinstance(event, Cut):
            self._local.ran = ""
        elif isinstance(event, Compile):
            with self._writing():
                entry = self._entries.of(event)
                if self._in_time:
                    self._entries.begun(entry)
        elif isinstance(event, Run) and self.options.inputs and self._in_time:
            with self._writing():
                self._entries.feed(self._entries.of(event), event.inputs)

    def finished(self, event: Event) -> None:
        """An event has ended."""
        if self._ignores(event):
            return
        with self._writing():
            if self._in_time:
                self._note(event)
            elif isinstance(event, Compile):  # it may run in time
                self._entries.learn(event)
        if isinstance(event, Cut) and event.cause == "barrier":
            self._barriers += 1

    def end(self, error: BaseException | None = None) -> None:
        """Waits for what runs, and ends the bundle."""
        facts: dict[str, Any] = {"kind": "end"}
        if error is not None:
            facts["error"] = said(error)
        try:
            if self.folder.writes:
                self._waiter.close()
            self.folder.event({**facts, "at": round(perf_counter() - self.start, 7)})
        finally:
            self.folder.close()

    @property
    def _in_time(self) -> bool:
        return self.options.holds(self._barriers)

    def _ignores(self, event: Event) -> bool:
        """Whether an event is of our own doing, comes too late, or is of an eager operation."""
        eager = isinstance(event, (Compile, Run)) and event.cause == "eager"
        unwanted = eager and not self.options.eager
        return unwanted or self._local.writing or not self.folder.writes

    @contextmanager
    def _writing(self) -> Iterator[None]:
        self._local.writing = True
        try:
            with self._lock:
                yield
        finally:
            self._local.writing = False

    def _note(self, event: Event) -> None:
        facts = of_event(event, self.start)
        match event:
            case Compile():
                entry = self._entries.compiled(event)
                facts |= {"program": entry.id, "cause": event.cause, "reason": event.reason}
                facts |= {"source": event.source, "differences": list(event.differences)}
            case Run():
                self._note_run(event, facts)
                return
            case Cut():
                facts |= {"cause": event.cause, "operations": event.operations}
                facts["results"] = event.results
                if self._local.ran:
                    facts["program"] = self._local.ran
            case Transfer():
                facts |= {"to": event.to, "bytes": event.bytes}
        self.folder.event(facts)

    def _note_run(self, event: Run, facts: dict[str, Any]) -> None:
        entry = self._entries.of(event)
        self._local.ran = entry.id
        facts |= {"program": entry.id, "cause": event.cause, "operations": event.operations}
        if event.wait is None:
            self._entries.ran(entry, event.seconds, event.error is not None)
            self.folder.event(facts)
        else:
            self._waiter.add(event.wait, partial(self._ended, entry, facts, event.start))

    def _ended(
        self,
        entry: Entry,
        facts: dict[str, Any],
        start: float,
        end: float,
        error: BaseException | None,
    ) -> None:
        """A run has ended on the device, which did one after another."""
        began = max(start, self._idle.get(entry.device, start))
        self._idle[entry.device] = end
        facts["device_seconds"] = round(end - began, 7)
        if error is not None:
            facts["error"] = said(error)
        with self._writing():
            self._entries.ran(entry, end - began, error is not None)
            self.folder.event(facts)
