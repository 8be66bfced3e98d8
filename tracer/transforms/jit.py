"""jit: a function recorded once for each signature of its arguments, and replayed after that."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial, update_wrapper
from itertools import takewhile
from threading import RLock
from typing import Any

from tracer import metrics
from tracer.context import thread
from tracer.deferred import Changed
from tracer.events import observers
from tracer.recompiles import Streak, path, streak_here
from tracer.tensor import Tensor
from tracer.transforms.reasons import nearest
from tracer.transforms.recorder import Recorded, record
from tracer.transforms.signatures import Call, Signature, Target, settle, signature
from tracer.transforms.stages import Lowered, Replayed, Traced
from tracer.values import Data

LIMIT = 256
"""How many signatures of one function are kept; the one used longest ago goes first."""
Programs = OrderedDict[tuple[Any, ...], Replayed]


def jit(
    f: Callable[..., Any] | None = None, *, static_argnames: str | Sequence[str] = ()
) -> Callable[..., Any]:
    """f, recorded whole at the first call for each signature of its arguments, then replayed.

    Arguments are trees of tensors, arrays, numbers, modules and optimizers; those named in
    `static_argnames` may be anything with a hash, and each value of one has a program of its own.
    What f changes in its arguments is changed by each call. Numbers may differ from call to call.
    Tensors that f closes over are constants of the time of the recording, States that it changes
    are not.
    Inside a derivative, and inside another jit, f is simply called.

    `jit(f).trace(*args)` and `.lower(*args)` give the stages as objects. Raises TracingError where
    f looks at a value, TypeError for other arguments and for a structure that f changes.
    """
    if f is None:
        return lambda f: jit(f, static_argnames=static_argnames)
    return _jitted(_Cache(Target(f, static_argnames)))


def _jitted(cache: _Cache) -> Callable[..., Any]:
    """The function that users call. Its first half is the fast path, spelled out."""
    plain, simple, new, kind = cache.plain, cache.target.simple, object.__new__, Tensor

    def call(*args: Any, **kwargs: Any) -> Any:
        state = thread.state
        if kwargs or not simple or state.tapes or state.changed is not None or observers:
            return cache.call(args, kwargs)
        try:
            datas = [x._data for x in args]
            device = datas[0].device
            found = plain[
                (state.phase, device, *[data.type for data in datas if data.device is device])
            ]
            results = found.start([data.buffer for data in datas])  # type: ignore[misc]
        except (AttributeError, IndexError, KeyError, RuntimeError, TypeError):
            found = None  # no tensors, a new signature, pending, a failure
        if found is None:
            return cache.call(args, kwargs)
        found.used = True
        found.runs.times += 1
        tensors = []
        for type, buffer in zip(found.types, results, strict=True):
            data = new(Data)
            data.type = type
            data.device = device
            data.buffer = buffer
            data.epoch = None
            data.index = -1
            tensor = new(kind)
            tensor._data = data
            tensors.append(tensor)
        return found.finish(tensors)

    update_wrapper(call, cache.target.function, updated=())
    call.__name__ = cache.target.name
    call.__qualname__ = getattr(cache.target.function, "__qualname__", call.__name__)
    call.trace = cache.trace  # type: ignore[attr-defined]
    call.lower = cache.lower  # type: ignore[attr-defined]
    return call


class _Cache:
    """The programs of one function by signature."""

    def __init__(self, target: Target) -> None:
        self.target = target
        self.programs: Programs = OrderedDict()
        self.plain: dict[tuple[Any, ...], Replayed] = {}
        """Of those, by phase, device and types, what takes tensors alone and only computes."""
        self.streak = Streak()
        self._anew: Streak | None = None
        self._path: list[Any] = []
        self._lock = RLock()

    def call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Any call: inside a derivative or a recording, f itself."""
        if thread.state.tapes or thread.state.changed is not None:
            return self.target.function(*args, **kwargs)
        call = self.target.call(args, kwargs)
        found = signature(call)
        settle(found.leaves)
        program = self._program(call, found)
        with suppress(Changed):
            return program(call.args, call.kwargs, found.leaves)
        with self._lock:
            self.programs.pop(found.key, None)  # recorded anew, with numbers of these types
        found = signature(call)
        return self._program(call, found)(call.args, call.kwargs, found.leaves)

    def _program(self, call: Call, found: Signature) -> Replayed:
        with self._lock:
            program = self.programs.get(found.key)
            if program is not None and program.fits:
                metrics.add("cache_hits")
                self._hit(program, call, found)
            else:
                program = self.programs[found.key] = self._made(call, found)
            self.programs.move_to_end(found.key)
            if len(self.programs) > LIMIT:
                self._forget()
            return program

    def _hit(self, program: Replayed, call: Call, found: Signature) -> None:
        """A program is used again: from now on the fast way, where that serves."""
        program.used = True
        if self._anew is not None:
            self._anew.count = 0
        simple = program.plain and not call.kwargs and self.target.simple
        if simple and _are_tensors(call.args):
            self.plain[found.key[1:]] = program

    def _made(self, call: Call, found: Signature) -> Replayed:
        """A new program, which knows what it has other than those before."""
        recorded = self._record(call, found)
        known = [(key, program.recorded.paths) for key, program in self.programs.items()]
        now = found.key, recorded.paths
        differences = partial(nearest, self.target, now, known[::-1])
        what = f"{self.target.name}, a jitted function,"
        if self._anew is None:
            like = self.target.code, hash(found.key), recorded.outline
            self._anew = streak_here("jit", *like)
            differences = partial(list, self._anew.follow(self))
            self._anew.add(what, differences)
        unused = takewhile(lambda program: not program.used, reversed(self.programs.values()))
        before, self._path = self._path, path()
        in_a_row = sum(1 for _ in unused) if self._path == before else 0
        self.streak.count = min(self.streak.count, in_a_row)
        self.streak.add(what, differences)
        return Replayed(recorded, differences=differences)

    def _forget(self) -> None:
        """Drops the program used longest ago; the fast path says just whether one was."""
        while True:
            key, program = self.programs.popitem(last=False)
            if not program.used:
                self.plain.pop(key[1:], None)
                return
            program.used = False
            self.programs[key] = program

    def _record(self, call: Call, found: Signature) -> Recorded:
        f = self.target.function_of(call)
        return record(f, call.args, call.kwargs, found.device)

    def trace(self, *args: Any, **kwargs: Any) -> Traced:
        """f recorded for these arguments; nothing runs."""
        call = self.target.call(args, kwargs)
        found = signature(call)
        return Traced(self._record(call, found), self.target, found.key)

    def lower(self, *args: Any, **kwargs: Any) -> Lowered:
        """f recorded for these arguments and sent through the passes; nothing runs."""
        return self.trace(*args, **kwargs).lower()


def _are_tensors(args: Sequence[Any]) -> bool:
    """Whether these are tensors, no two of them the same."""
    return all(isinstance(x, Tensor) for x in args) and len(set(map(id, args))) == len(args)
