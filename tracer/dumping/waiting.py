"""A thread that waits for runs, so that who started them need not."""

from __future__ import annotations

from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from time import perf_counter
from typing import Any

Ended = Callable[[float, BaseException | None], None]
"""Is told when a run ended, by `time.perf_counter`, and in what."""


class Waiter:
    """Waits for one run after another, in the order in which they were started.

    A run is given as what waits for it, which keeps no buffer alive: whose memory the next program
    may use stays as it is where nobody looks.
    """

    def __init__(self) -> None:
        self._queue: SimpleQueue[tuple[Callable[[], Any], Ended] | None] = SimpleQueue()
        self._thread = Thread(target=self._work, name="tracer-dump", daemon=True)
        self._thread.start()

    def add(self, wait: Callable[[], Any], ended: Ended) -> None:
        """Tells of the end of a run, once it comes."""
        self._queue.put((wait, ended))

    def close(self) -> None:
        """Returns when every run has ended."""
        self._queue.put(None)
        self._thread.join()

    def _work(self) -> None:
        while (found := self._queue.get()) is not None:
            wait, ended = found
            error: BaseException | None = None
            try:
                wait()
            except Exception as caught:
                error = caught
            ended(perf_counter(), error)
            del found, wait, ended
