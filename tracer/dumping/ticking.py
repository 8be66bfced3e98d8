"""A thread that does something again and again, so that who works need not look at the clock."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Thread


class Ticker:
    """Calls something every so many seconds until it is ended."""

    def __init__(self, call: Callable[[], None], seconds: float) -> None:
        self._call = call
        self._seconds = seconds
        self._ended = Event()
        self._thread = Thread(target=self._work, name="tracer-dump", daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Returns when nothing is called any more."""
        self._ended.set()
        self._thread.join()

    def _work(self) -> None:
        while not self._ended.wait(self._seconds):
            self._call()
