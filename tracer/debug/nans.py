"""nans(): the first operation that makes a NaN or an infinity is named, wherever it runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tracer.context import thread
from tracer.debug.guards import decides, guarded
from tracer.debug.origins import Origin, origin
from tracer.debug.stepping import TESTS, Machine, Steps
from tracer.debug.words import story, unexplained
from tracer.donation import DONOR
from tracer.errors import Location, TracingError, at_caller
from tracer.events import Cut, Event, Run
from tracer.ir import Value
from tracer.recording import cut_all


@contextmanager
def nans(nan: bool = True, infinity: bool = True) -> Iterator[None]:
    """Inside, what makes a NaN or an infinity raises FloatingPointError: operation, line, operands.

    At once on an eager device; else where the program runs that has it among its results: at the
    cut, at the call of a jitted function, and at the end, which is a barrier. Infinities that were
    given, or are literals, are taken to be meant. Each run is waited for. Applies to this thread,
    in place of what a context around it looks for.
    """
    kinds = [kind for kind, wanted in (("nan", nan), ("inf", infinity)) if wanted]
    if not kinds:
        raise at_caller(ValueError("nans() needs nan=True or infinity=True"))
    if thread.state.changed is not None:
        message = "nans() was entered in a function that is recorded whole: enter it around a call"
        raise at_caller(TracingError(message))
    with guarded(nans, _Watch(kinds)):
        yield
        cut_all(None, "barrier")


class _Watch:
    """Looks at the results of each run of its thread, if it is the one that decides."""

    def __init__(self, kinds: Sequence[str]) -> None:
        self._kinds = kinds
        self._cuts = 0
        self._found: FloatingPointError | None = None
        self._kept: dict[int, NDArray[Any]] = {}

    def started(self, event: Event) -> None:
        """Keeps what a run takes the memory of: an operation may have to be done again."""
        if not decides(nans, self):
            return
        self._cuts += isinstance(event, Cut)
        if isinstance(event, Run):
            machine = _machine(event)
            marked = enumerate(event.function.argument_attributes)
            taken = [i for i, attributes in marked if DONOR.items() <= attributes.items()]
            self._kept = {i: np.array(machine.array(event.inputs[i])) for i in taken}

    def finished(self, event: Event) -> None:
        """Raises: of a recording's run, once the recording is over."""
        if not decides(nans, self):
            return
        self._cuts -= isinstance(event, Cut)
        if isinstance(event, Run) and event.error is None:
            self._found = self._found or self._judged(event)
        if not self._cuts and isinstance(event, (Cut, Run)):
            found, self._found = self._found, None
            if found is not None and event.error is None:
                raise found

    def _judged(self, event: Run) -> FloatingPointError | None:
        kept, self._kept = self._kept, {}
        machine = _machine(event)
        arrays = map(machine.array, event.results)
        pairs = enumerate(zip(event.function.returns, arrays, strict=True))
        wrong = [(i, kind) for i, (v, array) in pairs for kind in self._wrong(v, array)]
        if not wrong:
            return None
        given = [machine.put(kept[i]) if i in kept else x for i, x in enumerate(event.inputs)]
        function = event.placed() if event.placed else event.function
        steps = Steps(machine, function.body, given, {})
        found = origin(steps, self._kinds)
        if found is not None and not _is_fill(event, found):
            return _error(*story(found, event))
        values = [(function.returns[i], kind) for i, kind in wrong]
        alone = [v for v, kind in values if not steps.places(v, kind).any()]
        return _error(*unexplained(alone[0], event)) if alone else None

    def _wrong(self, value: Value, array: NDArray[Any]) -> list[str]:
        """What an array has of what is looked for; most have only finite elements."""
        if not value.type.inexact or np.isfinite(array).all():
            return []
        return [kind for kind in self._kinds if TESTS[kind](array).any()]


def _is_fill(event: Run, found: Origin) -> bool:
    """Whether this only spreads a scalar that was given, on an eager device: who uses it tells."""
    given = found.steps.maker(found.value) is None and found.value.type.ndim == 0
    names = [o.name for o in event.function.operations]
    return event.cause == "eager" and given and names == ["broadcast_in_dim"]


def _machine(event: Run) -> Machine:
    assert event.device is not None
    return Machine(event.device)


def _error(message: str, location: Location) -> FloatingPointError:
    return at_caller(FloatingPointError(f"nans(): {message}"), location)
