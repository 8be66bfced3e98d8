"""What happens as a program runs, told while it happens: cuts, compiles, runs, transfers.

Nobody listens: then `observers` is empty, and nothing is made or measured.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from time import perf_counter
from types import TracebackType
from typing import Any, Protocol, Self

from tracer.context import here
from tracer.device import Buffer, Device, Executable
from tracer.errors import Location
from tracer.ir import Function
from tracer.values import Data


@dataclass(slots=True, kw_only=True)
class Event:
    """Something that takes time, at a line of the user's program; `with event:` tells of it.

    Who is told that it begins is told that it ends, and nobody else. Where someone raises as it
    begins, it does not take place.
    `start`, by `time.perf_counter`, and `seconds` are of this thread: a program that was started
    may run on. `error` is what it ended in, if it did.
    """

    location: Location = None
    device: Device | None = None
    start: float = 0.0
    seconds: float = 0.0
    error: BaseException | None = None
    told: list[Observer] = field(default_factory=list, repr=False)

    def __enter__(self) -> Self:
        self.location = self.location or here()
        self.start = perf_counter()
        try:
            for observer in list(observers):
                observer.started(self)
                self.told.append(observer)
        except BaseException as error:
            self._end(error)
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end(error)

    def _end(self, error: BaseException | None) -> None:
        self.seconds = perf_counter() - self.start
        self.error = error
        self._tell()

    def _tell(self) -> None:
        """Tells that it has ended: all, the last first, whoever raises."""
        if self.told:
            try:
                self.told.pop().finished(self)
            finally:
                self._tell()


@dataclass(slots=True, kw_only=True)
class Cut(Event):
    """A recording ends. `results`: how many values were live, `operations`: how many recorded.

    `wanted` is the value that was looked at, if one was.
    """

    cause: str
    operations: int
    results: int
    wanted: Data | None = None


@dataclass(slots=True, kw_only=True)
class Compile(Event):
    """A program is made, or loaded: `source` is "compiler" or "disk" once that is known.

    `executable` is None until it is there, and where the backend refused the program.
    `differences` say what the program has other than the nearest one known.
    """

    function: Function
    cause: str
    reason: str
    executable: Executable | None = None
    source: str = ""
    differences: tuple[str, ...] = ()


@dataclass(slots=True, kw_only=True)
class Run(Event):
    """A compiled program is started. `function` is the one that its Compile had.

    `inputs` are the buffers given; `results` those made, once they are. `wait` returns when the
    device has run it, and keeps no buffer alive; it raises what the run ended in. `source` is
    where the program came from. `placed`, where it is there, gives the function with the places of
    this run: those of `function` are of the first that was like it.
    """

    function: Function
    cause: str
    operations: int
    source: str = ""
    inputs: Sequence[Buffer] = ()
    results: Sequence[Buffer] = ()
    wait: Callable[[], Any] | None = None
    placed: Callable[[], Function] | None = None


@dataclass(slots=True, kw_only=True)
class Transfer(Event):
    """Bytes are moved `to` "device" or "host"."""

    to: str
    bytes: int


class Observer(Protocol):
    """Who is told of events, in the thread where they happen."""

    def started(self, event: Event) -> None:
        """An event begins. To raise here forbids it: everything stays as it was."""

    def finished(self, event: Event) -> None:
        """It has ended: in `event.error`, if not well."""


observers: list[Observer] = []
UNTOLD: AbstractContextManager[Any] = nullcontext()
"""What stands for an event where nobody listens."""
