"""What each thread carries: its recordings, tapes, default device, learning phase and scope."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from threading import local
from typing import Any
from weakref import ref

from tracer.errors import Location, at_caller, locate
from tracer.scopes import Part, Scope, still_on

PHASES = ("training", "inference")
_SCOPE = re.compile(r"[\w.\-/]+")
_NOTHING = object()


class State:
    """The state of one thread."""

    __slots__ = ("changed", "device", "entered", "phase", "place", "recordings", "scope", "tapes")

    def __init__(self) -> None:
        self.recordings: dict[Any, Any] = {}
        self.tapes: list[Any] = []
        self.device: Any = None
        self.phase = "inference"
        self.changed: dict[int, Any] | None = None  # States and their values before a trace
        self.place: Location = None  # where what is recorded stands, if not where it is called
        self.scope: Scope | None = None  # the layer that is called now
        self.entered: defaultdict[str, list[tuple[object, Any]]] = defaultdict(list)


class Thread(local):
    """This thread's state: one attribute, for what is local to a thread is slow to look up."""

    def __init__(self) -> None:
        self.state = State()


thread = Thread()


def here(skip: int = 1) -> Location:
    """Where what is done now stands, and in which scope; `skip` frames are known to be ours."""
    state = thread.state
    return state.place or locate(skip + 1, state.scope)


@contextmanager
def entered(name: str, value: Any) -> Iterator[None]:
    """Inside, an attribute of this thread's state has a value.

    Such contexts may end in any order, as those of generators and coroutines do: of those that are
    left, the one entered last decides.
    """
    state, mine = thread.state, object()
    around = state.entered[name]
    if not around:
        around.append((None, getattr(state, name)))
    around.append((mine, value))
    setattr(state, name, value)
    try:
        yield
    finally:
        around[:] = [pair for pair in around if pair[0] is not mine]
        setattr(state, name, around[-1][1])
        if len(around) == 1:
            around.clear()


@contextmanager
def learning_phase(phase: str) -> Iterator[str]:
    """Inside, layers behave as in "training" or "inference" (the default). Applies to this thread.

    Raises ValueError for any other phase.
    """
    if phase not in PHASES:
        raise at_caller(ValueError(f'a phase is "training" or "inference", got {phase!r}'))
    with entered("phase", phase):
        yield phase


def scoped(call: Callable[..., Any]) -> Callable[..., Any]:
    """A method of a module, in whose calls what is recorded is in a scope of the module's.

    A call with one argument, the usual one, is made the cheapest way.
    """

    @wraps(call)
    def within(self: Any, x: Any = _NOTHING, /, *args: Any, **kwargs: Any) -> Any:
        state = thread.state
        outer, module = state.scope, ref(self)
        inner: Scope = (outer, module, type(self).__name__)
        if outer is not None and outer[1] is module:  # a method calls its base class's
            inner = outer
        state.scope = inner
        try:
            if args or kwargs or x is _NOTHING:
                given = () if x is _NOTHING else (x, *args)
                return call(self, *given, **kwargs)
            return call(self, x)
        finally:
            state.scope = outer if state.scope is inner else still_on(outer)

    return within


@contextmanager
def named_scope(name: str) -> Iterator[str]:
    """Inside, what is recorded is said to be in a part of this name: `LeNet.conv1.name`.

    Applies to this thread. Raises ValueError for what is no name: letters, digits and _ . - /.
    """
    if type(name) is not str or not _SCOPE.fullmatch(name):
        message = f'a scope needs a name of letters, digits, "_", ".", "-" and "/", got {name!r}'
        raise at_caller(ValueError(message))
    state, part = thread.state, Part(name)
    outer = state.scope
    state.scope = (outer, outer and outer[1], part)
    try:
        yield name
    finally:
        part.left = True
        state.scope = still_on(state.scope)
