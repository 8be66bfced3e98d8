"""A call of a function, recorded whole: its program, what it returned, what it changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import optree

from tracer import strict, tree
from tracer.context import thread
from tracer.deferred import Number, Numbers, Step
from tracer.device import Buffer, Device, default_device
from tracer.dtypes import DType
from tracer.errors import TracingError, at_caller
from tracer.functions.operands import SCALARS, Handle, need_dtype, wrap
from tracer.ir import Function, TensorType
from tracer.scopes import NAMESPACE
from tracer.strict import Kept, Path
from tracer.tensor import Tensor
from tracer.transforms.trace import Trace, recorded
from tracer.values import Data

ARRAYS = (Handle, np.ndarray, np.generic)
"""Leaves that become parameters of the program."""


_MADE = (
    "a State, such as a random generator's, was made and changed in a function that is recorded "
    "whole: make it outside of the function"
)


Act = Callable[[Sequence[Data]], None]


class Ref(NamedTuple):
    """What stands at a place: leaf, made tensor or number of this index; a constant; the argument's
    own object at a path."""

    kind: str
    value: Any


class Extra(NamedTuple):
    """A parameter after those of the leaves: a buffer closed over, or a number, converted."""

    buffer: Buffer
    number: int = -1
    dtype: DType | None = None
    name: str = ""


@dataclass(frozen=True, slots=True)
class Recorded:
    """What a call became.

    `tensors` are the tensors that it makes: the value of a leaf (by its index), a constant, or None
    for the next result of the program. `writes` say what stands in the arguments afterwards,
    `changes` which leaves have the value of which tensor. `hidden` are States that are no
    arguments. `shared` says for each leaf at which place it stands first, `paths` where each
    stands, `given` which of them are the first parameters of the program. `looks` say what is done
    with which tensors after each call.
    """

    function: Function | None
    operations: int
    device: Device
    types: tuple[TensorType, ...]
    extras: tuple[Extra, ...]
    steps: tuple[Step, ...]
    tensors: tuple[int | Data | None, ...]
    spec: Any
    output: tuple[Ref, ...]
    writes: tuple[tuple[Path, Ref], ...]
    changes: tuple[tuple[int, int], ...]
    hidden: tuple[tree.State, ...]
    shared: tuple[int, ...]
    paths: tuple[Path, ...]
    given: tuple[int, ...]
    looks: tuple[tuple[Act, tuple[int, ...]], ...]

    @property
    def outline(self) -> int:
        """A hash of its operations, by names and types: the same for other values closed over."""
        found = self.function.operations if self.function else ()
        return hash(tuple([(o.name, *[v.type for v in o.results]) for o in found]))


def record(f: Callable[..., Any], args: Any, kwargs: Any, device: Device) -> Recorded:
    """f(*args, **kwargs), recorded; it runs twice where it changes States that are no arguments.

    Arguments are lent to f: their objects hold abstract tensors until it returns. Raises TypeError
    for what is no argument, and for a structure that f changes.
    """
    hidden: list[tree.State] = []
    while True:
        attempt = _Attempt((args, kwargs, hidden), device)
        made, found = attempt.run(f)
        if not found:
            return made
        if hidden:  # those of the first time are known, so that these are new each time
            raise at_caller(TracingError(_MADE))
        hidden = found


class _Parameters:
    """The parameters of a program that are numbers; it knows nothing of the arguments."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.extras: dict[int, Extra] = {}
        self._known: dict[tuple[int, DType], Data] = {}

    def parameter(self, number: Number, name: str, dtype: DType) -> Data:
        """The 0-d value that a number has in the program, converted as `name` converts it."""
        if self.trace.over:
            message = "a number was kept while a function was recorded, and used afterwards"
            raise at_caller(TracingError(message))
        key = (number.index, dtype)
        if key not in self._known:
            self.extras[len(self.trace.inputs)] = Extra(None, number.index, dtype, name)
            self._known[key] = self.trace.parameter(TensorType((), dtype))
        return self._known[key]


class _Attempt:
    """One time that f is run."""

    def __init__(self, whole: Any, device: Device) -> None:
        self.whole = whole
        self.device = device
        self.leaves, self.spec = strict.flatten(whole)
        self.paths = strict.paths(whole)
        for leaf, path in zip(self.leaves, self.paths, strict=True):
            _check_leaf(leaf, path)
        self.original = Kept(whole)
        self.made: list[Tensor] = []
        self._places: dict[int, int] = {}

    def run(self, f: Callable[..., Any]) -> tuple[Recorded, list[tree.State]]:
        """The recorded call, and States that f changed and that were not among the arguments."""
        with ExitStack() as stack:
            stack.callback(self.original.put_back)  # last, after the States that are no arguments
            trace = stack.enter_context(recorded(self.device, anew=True))
            stack.enter_context(default_device(self.device))
            self._lend(trace)
            args, kwargs, _ = self.lent
            result = f(*args, **kwargs)
            changed = thread.state.changed or {}
            found = [s for s, _ in changed.values() if id(s) not in self.original.places]
            return self._recorded(f, trace, result), found

    def _lend(self, trace: Trace) -> None:
        self.parameters = _Parameters(trace)
        self.numbers = Numbers(self.parameters, [x for x in self.leaves if type(x) in SCALARS])
        following = iter(self.numbers.given)
        known: dict[int, Tensor] = {}
        self.fresh: list[Any] = []
        for leaf, path in zip(self.leaves, self.paths, strict=True):
            if type(leaf) in SCALARS:
                self.fresh.append(next(following))
                continue
            tensor = wrap(trace.parameter(type_of(leaf)))
            hidden = path[0] == 2  # no part of the signature, which says what is one tensor
            self.fresh.append(tensor if hidden else known.setdefault(id(leaf), tensor))
        self.values = [x._data if isinstance(x, Handle) else None for x in self.fresh]
        self.lent = self.whole
        for path, new in zip(self.paths, self.fresh, strict=True):
            self.lent = strict.replace(self.lent, path, new)
        self.before = Kept(self.lent)

    def _recorded(self, f: Callable[..., Any], trace: Trace, result: Any) -> Recorded:
        self._positions = {id(x): i for i, x in reversed(list(enumerate(self.fresh)))}
        output, spec = self._output(result)
        writes = self._writes()
        changes = self._changes()
        looks = self._looks(trace)
        values = [x._data for x in self.made]
        leaf_of = {id(data): i for i, data in enumerate(self.values) if data is not None}
        tensors = tuple([self._source(data, trace, leaf_of) for data in values])
        returns = [x for x, source in zip(values, tensors, strict=True) if source is None]
        program = trace.program(getattr(f, "__name__", "main"), returns) if returns else None
        given = [i for i, data in enumerate(self.values) if data is not None]
        extras = [
            self.parameters.extras.get(i) or Extra(buffer)
            for i, buffer in enumerate(trace.inputs[len(given) :], len(given))
        ]
        return Recorded(
            function=program.function if program else None,
            operations=program.operations if program else 0,
            device=self.device,
            types=tuple([x.type for x in returns]),
            extras=tuple(extras),
            steps=tuple(self.numbers.steps),
            tensors=tensors,
            spec=spec,
            output=tuple(output),
            writes=tuple(writes),
            changes=tuple(changes),
            hidden=tuple(self.whole[2]),
            shared=shared(self.leaves),
            paths=tuple(self.paths),
            given=tuple(given),
            looks=tuple(looks),
        )

    def _looks(self, trace: Trace) -> list[tuple[Act, tuple[int, ...]]]:
        """What is done with values, each one of the tensors that are made."""
        known = {id(x._data): i for i, x in enumerate(self.made)}
        found = []
        for values, act in trace.looks:
            for data in values:
                if known.setdefault(id(data), len(self.made)) == len(self.made):
                    self.made.append(wrap(data))
            found.append((act, tuple([known[id(data)] for data in values])))
        return found

    def _source(self, data: Data, trace: Trace, leaf_of: dict[int, int]) -> int | Data | None:
        if data.epoch is trace.epoch:
            return leaf_of.get(id(data))
        return data

    def _refer(self, x: Any) -> Ref:
        if id(x) in self._positions:
            return Ref("leaf", self._positions[id(x)])
        if isinstance(x, Handle):
            place = self._places.setdefault(id(x), len(self.made))
            if place == len(self.made):
                self.made.append(x)  # type: ignore[arg-type]
            return Ref("made", place)
        if type(x) is Number:
            return Ref("number", x.index)
        return Ref("constant", x)

    def _output(self, result: Any) -> tuple[list[Ref], Any]:
        places = self.before.places
        leaves, spec = optree.tree_flatten(
            result, is_leaf=lambda x: id(x) in places, namespace=NAMESPACE
        )
        refs = [Ref("object", places[id(x)]) if id(x) in places else self._refer(x) for x in leaves]
        return refs, spec

    def _writes(self) -> list[tuple[Path, Ref]]:
        """What f put into the arguments. Raises TypeError where that has another structure."""
        after, spec = strict.flatten(self.lent)
        if spec != self.spec:
            raise at_caller(TypeError(_difference(self.before, self.lent)))
        found = []
        for path, fresh, now in zip(self.paths, self.fresh, after, strict=True):
            if now is not fresh:
                _check_leaf(now, path)
                found.append((path, self._refer(now)))
        return found

    def _changes(self) -> list[tuple[int, int]]:
        """Leaves that have another value, as by `x[0] = 1`, and which tensor has it."""
        found = []
        for i, (fresh, value) in enumerate(zip(self.fresh, self.values, strict=True)):
            changed = isinstance(fresh, Handle) and fresh._data is not value
            if not changed or self._positions[id(fresh)] != i:
                continue
            if not isinstance(self.leaves[i], Handle):
                message = (
                    f"{shown(self.paths[i])} is an array, which jit can't change: pass a tensor"
                )
                raise at_caller(TypeError(message))
            self.made.append(wrap(fresh._data))
            found.append((i, len(self.made) - 1))
        return found


def type_of(leaf: Any) -> TensorType:
    """The type of a tensor or array."""
    if isinstance(leaf, Handle):
        return leaf._data.type
    return TensorType(leaf.shape, need_dtype(leaf.dtype))


def shared(leaves: Sequence[Any]) -> tuple[int, ...]:
    """For each leaf, at which place it stands first."""
    first: dict[int, int] = {}
    return tuple([first.setdefault(id(x), i) for i, x in enumerate(leaves)])


def _check_leaf(leaf: Any, path: Path) -> None:
    if not isinstance(leaf, (*ARRAYS, Number, *SCALARS)):
        message = (
            "jit needs tensors, arrays, numbers, modules or optimizers, or containers of them, "
            f"got {type(leaf).__name__} at {shown(path)}: name the argument in static_argnames"
        )
        if hasattr(leaf, "__dict__") and not hasattr(leaf, "__name__"):  # of a class of the user's
            message += ", or make its class a tracer.nn.Module if it holds tensors"
        raise at_caller(TypeError(message))


def shown(path: Path) -> str:
    """A place among the arguments, in words."""
    kind, *rest = path
    if kind == 2:
        return "a State"
    first, *inner = rest
    name = f"argument {first}" if kind == 0 else f"argument {first!r}"
    return name + (f" ({'.'.join(map(str, inner))})" if inner else "")


def _difference(before: Kept, lent: Any) -> str:
    """What f did to the structure, in words."""
    path, old, new = before.difference(lent)
    what = f"{shown(path)} was {tree.brief(old)} and became {tree.brief(new)}"
    return (
        f"jit needs a function that keeps the structure of its arguments, but {what}: return what "
        "is new, or keep what changes in a tensor or a tracer.nn.State"
    )
