"""The stages of a recorded function, from its operations to a program that can be called."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from operator import itemgetter
from typing import Any

import optree

from tracer import metrics, strict
from tracer.context import thread
from tracer.deferred import Changed, evaluate
from tracer.device import Buffer, Device, Executable
from tracer.donation import with_donors
from tracer.errors import TracingError, at_caller
from tracer.functions.operands import SCALARS, Handle, scalar_for, wrap
from tracer.ir import Function
from tracer.programs import compile_function, put_scalar
from tracer.recording import materialize
from tracer.strict import Path
from tracer.tensor import Tensor
from tracer.transforms.donors import are_free, donors
from tracer.transforms.recorder import Recorded, Ref
from tracer.transforms.signatures import Target, signature
from tracer.values import Data

_NO_PROGRAM = "a program needs a function that computes tensors, and this one does not"


def backend_of(device: Device) -> Device:
    """Where a program for a device is made: on its XLA backend, which optimises it whole."""
    return Device(device.kind, device.ordinal, "XLA")


class Replayed:
    """A recorded call as a program: what it is given in, what it made and changed out.

    There is one that takes the memory of what it changes, and one for where somebody else holds
    some of that; each is compiled when it is first needed.
    """

    def __init__(self, recorded: Recorded, donating: bool = True) -> None:
        self.recorded = recorded
        self.donors = donors(recorded) if donating else ()
        self.operations = _count(recorded)
        self.plain = _is_plain(recorded)
        self.types = recorded.types
        self.finish = _finish(recorded.spec)
        self.used = False
        self.hidden = [state.value._data.type for state in recorded.hidden]
        self._executables: dict[bool, Executable] = {}
        self.executable = None if self.donors else self.compiled(False)
        self.start = getattr(self.executable, "start", None)
        self.runs = metrics.Runs(self.operations)

    def compiled(self, donating: bool) -> Executable | None:
        """The program with or without donation; None where no tensor is computed."""
        made = self.recorded
        if made.function is None:
            return None
        if donating not in self._executables:
            chosen = [donor.parameter for donor in self.donors] if donating else ()
            function = with_donors(made.function, chosen)
            place = backend_of(made.device)
            self._executables[donating] = compile_function(function, place, "jit", "new program")
        return self._executables[donating]

    @property
    def fits(self) -> bool:
        """Whether the States that are no arguments are of the types that were recorded."""
        pairs = zip(self.recorded.hidden, self.hidden, strict=True)
        return all(state.value._data.type is type_ for state, type_ in pairs)

    def __call__(self, args: Any, kwargs: Any, leaves: list[Any]) -> Any:
        """The results for these arguments, whose leaves are tensors and numbers; they are changed.

        `leaves` is the only list of them, and gets those of States that are no arguments.

        Raises Changed where a number that is computed from them has another type than before.
        """
        made = self.recorded
        leaves += [state.value for state in made.hidden]
        given = [x for x in leaves if type(x) in SCALARS]
        numbers = evaluate(made.steps, given) if given else given
        whole = (args, kwargs, made.hidden)
        found: dict[str, Sequence[Any]] = {"leaf": leaves, "number": numbers}
        results: list[Buffer] = []
        scalars = _scalars(made, found)
        before = [(path, strict.at(whole, path)) for path, _ in scalars]
        try:
            _put(whole, scalars)  # first: an object may refuse one
            self._run(leaves, numbers, results)
            self._write(whole, found, results)
        except BaseException:
            if results:  # an interrupt, when what they were made of may be donated
                self._write(whole, found, results)
            else:
                _put(whole, before)
            raise
        output = [
            strict.at(whole, x.value) if x.kind == "object" else _find(found, x)
            for x in made.output
        ]
        return self.finish(output)

    def _write(self, whole: Any, found: dict[str, Sequence[Any]], results: list[Buffer]) -> None:
        """Puts into the arguments what the call changes."""
        made = self.recorded
        tensors = found["made"] = self._tensors(found["leaf"], results)
        written = [(path, _find(found, ref)) for path, ref in made.writes]
        for i, k in made.changes:
            found["leaf"][i]._data = tensors[k]._data
        _put(whole, written)

    def _tensors(self, leaves: Sequence[Any], buffers: Sequence[Buffer]) -> list[Tensor]:
        made, device = self.recorded, self.recorded.device
        results = iter(buffers)
        types = iter(made.types)
        return [
            wrap(Data(next(types), device, next(results)))
            if source is None
            else wrap(source if isinstance(source, Data) else leaves[source]._data)
            for source in made.tensors
        ]

    def _run(self, leaves: Sequence[Any], numbers: Sequence[Any], results: list[Buffer]) -> None:
        donating = bool(self.donors) and are_free(leaves, self.donors)
        executable = self.executable or self.compiled(donating)
        if executable is None:
            return
        device = self.recorded.device
        arguments = [materialize(x._data, "jit") for x in leaves if isinstance(x, Handle)]
        for buffer, number, dtype, name in self.recorded.extras:
            if dtype is not None:
                scalar = scalar_for(name, numbers[number], dtype)
                buffer = put_scalar(scalar, dtype, device)
            arguments.append(buffer)
        metrics.add("ops_executed", self.operations)
        executable.fill(arguments, results)


def _find(found: dict[str, Sequence[Any]], ref: Ref) -> Any:
    return found[ref.kind][ref.value] if ref.kind in found else ref.value


def _scalars(made: Recorded, found: dict[str, Sequence[Any]]) -> list[tuple[Path, Any]]:
    """The numbers among what is written, and where."""
    known = [(path, _find(found, ref)) for path, ref in made.writes if ref.kind != "made"]
    return [(path, value) for path, value in known if type(value) in SCALARS]


def _put(whole: Any, written: Sequence[tuple[Path, Any]]) -> None:
    for path, value in written:
        strict.replace(whole, path, value)


def _finish(spec: Any) -> Callable[[list[Any]], Any]:
    """What makes the result of its leaves; the usual ones by the shortest way."""
    if spec.num_nodes == 1 and spec.num_leaves == 1:
        return itemgetter(0)
    if spec.type is tuple and spec.num_nodes == spec.num_leaves + 1:
        return tuple
    return partial(optree.tree_unflatten, spec)


def _count(made: Recorded) -> int:
    """How many operations were recorded; scalars became some without a place."""
    operations = made.function.operations if made.function else ()
    return sum(operation.location is not None for operation in operations)


def _is_plain(made: Recorded) -> bool:
    """Whether a call is no more than tensors in, a tensor or a tuple of them out."""
    refs = tuple([Ref("made", i) for i in range(len(made.tensors))])
    beside = (made.extras, made.steps, made.writes, made.changes, made.hidden)
    return not any(beside) and made.output == refs and set(made.tensors) == {None}


@dataclass(frozen=True, slots=True, repr=False)
class Traced:
    """A function recorded for arguments of one signature. Nothing has run."""

    recorded: Recorded
    target: Target
    key: tuple[Any, ...]

    def __repr__(self) -> str:
        return f"<Traced {self.target.name}>"

    @property
    def function(self) -> Function:
        """The program. Raises TypeError where there is none: no tensor is computed."""
        if self.recorded.function is None:
            raise at_caller(TypeError(_NO_PROGRAM))
        return self.recorded.function

    def as_text(self) -> str:
        """StableHLO, as recorded."""
        return _text(self, "EAGER")  # whose programs go through no passes

    def lower(self) -> Lowered:
        """The program, to be sent through the passes."""
        return Lowered(self)


@dataclass(frozen=True, slots=True, repr=False)
class Lowered:
    """A recorded function as XLA is given it."""

    traced: Traced

    def __repr__(self) -> str:
        return f"<Lowered {self.traced.target.name}>"

    def as_text(self) -> str:
        """StableHLO, after the passes."""
        return _text(self.traced, "XLA")

    def compile(self) -> Compiled:
        """The program, ready to run. Raises LoweringError where XLA refuses it."""
        return Compiled(self.traced, Replayed(self.traced.recorded, donating=False))


@dataclass(frozen=True, slots=True, repr=False)
class Compiled:
    """A program that is called as its function is, with arguments of the same signature."""

    traced: Traced
    program: Replayed

    def __repr__(self) -> str:
        return f"<Compiled {self.traced.target.name}>"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Raises TypeError for arguments of another signature."""
        if thread.state.tapes or thread.state.changed is not None:
            message = "a compiled program was called in a derivative: call the jitted function"
            raise at_caller(TracingError(message))
        call = self.traced.target.call(args, kwargs)
        found = signature(call)
        try:
            if found.key == self.traced.key and self.program.fits:
                return self.program(call.args, call.kwargs, found.leaves)
        except Changed:
            pass
        raise at_caller(TypeError(_mismatch(found.key, self.traced.key)))

    def as_text(self) -> str:
        """HLO, as XLA optimised it."""
        return self._executable().optimized_text()

    def memory_analysis(self) -> Any:
        """What XLA says of the memory: sizes of arguments, results, code and the rest, in bytes."""
        return self._executable().memory_analysis()

    def cost_analysis(self) -> dict[str, float]:
        """What XLA estimates of the work, by name: "flops", "bytes accessed", …"""
        return self._executable().cost_analysis()

    def _executable(self) -> Executable:
        if self.program.executable is None:
            raise at_caller(TypeError(_NO_PROGRAM))
        return self.program.executable


def _mismatch(found: tuple[Any, ...], made: tuple[Any, ...]) -> str:
    places, had = found[0], made[0]
    if len(places) == len(had) and places != had:
        return "a compiled program needs one tensor in two places just where it was made for that"
    return (
        "a compiled program needs arguments of the structure, types, static values and learning "
        "phase that it was made for"
    )


def _text(traced: Traced, backend: str) -> str:
    device = traced.recorded.device
    place = Device(device.kind, device.ordinal, backend)
    return place.executor.lower(traced.function, place.kind, place.ordinal)
