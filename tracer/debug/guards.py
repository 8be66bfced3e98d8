"""What may not happen inside a context: cuts that nobody asked for, compiles."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import local

from tracer.debug.causes import cause_of
from tracer.errors import at_caller, where
from tracer.events import Compile, Cut, Event, Observer, observers


class ImplicitCutError(RuntimeError):
    """A recording would have been cut without a barrier; nothing has happened."""


class UnexpectedCompileError(RuntimeError):
    """A program would have been compiled; nothing has happened."""


_CUTS = {
    "value": ("a look at {}", "look after tr.barrier(), or use tr.debug.print"),
    "transfer": ("the move of {} to another device", "call tr.barrier() before the move"),
    "thread": ("the use of {} in another thread", "call tr.barrier() in the thread it is of"),
    "jit": (
        "{} as an argument of a jitted function",
        "call tr.barrier() before it, or compute the argument inside",
    ),
    "mask": ("an index by {}", "choose with tr.where, or call tr.barrier() before it"),
    "nonzero": ("nonzero of {}", "choose with tr.where, or call tr.barrier() before it"),
    "size limit": (
        "the size of the recording",
        "call tr.barrier() once a step, or raise tr.config.recording_limit",
    ),
}
"""By its cause, what makes a cut, and what helps."""


def _check_cut(event: Event) -> None:
    if not isinstance(event, Cut) or event.cause == "barrier":
        return
    made, helps = _CUTS[event.cause]
    message = (
        f"no_implicit_cuts(): {made.format(_wanted(event))} would cut a recording of "
        f"{_count(event.operations, 'operation')}: {helps}"
    )
    raise at_caller(ImplicitCutError(message), event.location)


def _wanted(event: Cut) -> str:
    """The value that was looked at, in words: its type, and where it was made."""
    data = event.wanted
    if data is None:
        return "a pending value"
    place = data.epoch and data.epoch.recording.place_of(data)
    made = f", made at {where(place)}," if place else ""
    return f"the pending {data.type}{made}"


def _count(number: int, name: str) -> str:
    return f"{number} {name}" if number == 1 else f"{number} {name}s"


def _check_compile(event: Event) -> None:
    if not isinstance(event, Compile):
        return
    message = f"no_compiles(): {cause_of(event)} needs a compile ({event.reason})"
    differences = "".join(f"\n  {line}" for line in event.differences)
    raise at_caller(UnexpectedCompileError(message + differences), event.location)


class _Guard:
    """Raises where a check does, if it is the one that decides."""

    def __init__(self, check: Callable[[Event], None]) -> None:
        self._check = check

    def started(self, event: Event) -> None:
        if decides(self._check, self):
            self._check(event)

    def finished(self, event: Event) -> None:
        pass


class _Entered(local):
    """The observers of this thread, by what they check, and None for what allows it again.

    They end in any order: that of coroutines is not that of blocks.
    """

    def __init__(self) -> None:
        self.of: defaultdict[object, list[Observer | None]] = defaultdict(list)


_entered = _Entered()


def decides(check: object, guard: Observer) -> bool:
    """Whether this is the one that was entered last, of those in this thread that check this."""
    return _entered.of[check][-1:] == [guard]


@contextmanager
def guarded(check: object, guard: Observer | None) -> Iterator[None]:
    """Inside, this guard stands in place of the one around it."""
    entered = _entered.of[check]
    entered.append(guard)
    if guard is not None:
        observers.append(guard)
    try:
        yield
    finally:
        entered.reverse()  # of those that allow it, the innermost goes
        entered.remove(guard)
        entered.reverse()
        if guard is not None:
            observers.remove(guard)


@contextmanager
def no_implicit_cuts(enabled: bool = True) -> Iterator[None]:
    """Inside, a cut that is no barrier raises ImplicitCutError, and tensors stay pending.

    Applies to this thread. With enabled=False, what a context around it forbids is allowed.
    """
    with guarded(_check_cut, _Guard(_check_cut) if enabled else None):
        yield


@contextmanager
def no_compiles(enabled: bool = True) -> Iterator[None]:
    """Inside, what needs a program that is not compiled yet raises UnexpectedCompileError.

    Applies to this thread. With enabled=False, what a context around it forbids is allowed.
    """
    with guarded(_check_compile, _Guard(_check_compile) if enabled else None):
        yield
