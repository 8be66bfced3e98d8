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
from tracer.differences import Difference
from tracer.donation import with_donors
from tracer.errors import LoweringError, TracingError, at_caller
from tracer.functions.operands import SCALARS, Handle, scalar_for, wrap
from tracer.ir import Function
from tracer.programs import Made, Why, compile_function, execute, put_scalar
from tracer.recording import materialize
from tracer.strict import Path
from tracer.tensor import Tensor
from tracer.transforms.donors import are_free, donors
from tracer.transforms.recorder import Recorded, Ref
from tracer.transforms.signatures import Target, signature
from tracer.values import Data

_HELD = Difference("donor", "somebody else holds what it changes: it can't be changed in place")
_FREE = Difference("donor", "nobody else holds what it changes now: it is changed in place")
_NO_PROGRAM = "a program needs a function that computes tensors, and this one does not"
Differences = Callable[[], Sequence[Difference]]


def backend_of(device: Device) -> Device:
    """Where a program for a device is made: on its XLA backend, which optimises it whole."""
    return Device(device.kind, device.ordinal, "XLA")


class Replayed:
    """A recorded call as a program: what it is given in, what it made and changed out.

    There is one that takes the memory of what it changes, and one for where somebody else holds
    some of that; each is compiled when it is first needed.
    """

    def __init__(
        self, recorded: Recorded, donating: bool = True, differences: Differences = list
    ) -> None:
        self.recorded = recorded
        self.donors = donors(recorded) if donating else ()
        self.operations = recorded.operations
        self.plain = _is_plain(recorded)
        self.types = recorded.types
        self.finish = _finish(recorded.spec)
        self.used = False
        self.hidden = [state.value._data.type for state in recorded.hidden]
        self._made: dict[bool, Made] = {}
        self._differences = differences
        made = None if self.donors else self._compiled(False)
        self.executable = made and made.executable
        self.start = getattr(self.executable, "start", None)
        self.runs = metrics.Runs(self.operations)

    def _compiled(self, donating: bool) -> Made | None:
        """The program with or without donation; None where no tensor is computed."""
        made = self.recorded
        if made.function is None:
            return None
        if donating not in self._made:
            chosen = [donor.parameter for donor in self.donors] if donating else ()
            function = with_donors(made.function, chosen)
            place = backend_of(made.device)
            executable = compile_function(function, place, self._why(donating))
            self._made[donating] = Made(function, executable)
        return self._made[donating]

    def _why(self, donating: bool) -> Why:
        if not self._made:
            differences, self._differences = self._differences, list
            return Why("jit", "new program", differences)
        return Why("jit", "donors changed", lambda: [_FREE if donating else _HELD])

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
        for act, chosen in made.looks:
            act([found["made"][i]._data for i in chosen])
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
        compiled = self._compiled(donating)
        if compiled is None:
            return
        device = self.recorded.device
        arguments = [materialize(x._data, "jit") for x in leaves if isinstance(x, Handle)]
        for buffer, number, dtype, name in self.recorded.extras:
            if dtype is not None:
                scalar = scalar_for(name, numbers[number], dtype)
                buffer = put_scalar(scalar, dtype, device)
            arguments.append(buffer)
        metrics.add("ops_executed", self.operations)
        execute(compiled, backend_of(device), "jit", self.operations, arguments, results)


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


def _is_plain(made: Recorded) -> bool:
    """Whether a call is no more than tensors in, a tensor or a tuple of them out."""
    refs = tuple([Ref("made", i) for i in range(len(made.tensors))])
    beside = (made.extras, made.steps, made.writes, made.changes, made.hidden, made.looks)
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

    def as_text(self, stage: str = "trace") -> str:
        """StableHLO, as recorded; "grad": of that what derivatives added."""
        return _text(self, stage, ("trace", "grad"))

    def lower(self) -> Lowered:
        """The program, to be sent through the passes."""
        return Lowered(self)


@dataclass(frozen=True, slots=True, repr=False)
class Lowered:
    """A recorded function as XLA is given it."""

    traced: Traced

    def __repr__(self) -> str:
        return f"<Lowered {self.traced.target.name}>"

    def as_text(self, stage: str = "lowered") -> str:
        """StableHLO, after the passes; or "pass:NAME", "stablehlo", "hlo": see docs/jit.md."""
        return _text(self.traced, stage, ("pass", "lowered", "stablehlo", "hlo"))

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

    def as_text(self, stage: str = "hlo-opt") -> str:
        """HLO, as XLA optimised it; or "stablehlo-opt", "memory", ...: see docs/jit.md.

        Raises LoweringError for what this device or release can't show.
        """
        made = self._executable()
        if stage == "hlo-opt" and made.source != "disk":  # else it has the lines of another run
            return made.optimized_text()
        return _text(self.traced, stage, _XLA)

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


_XLA = ("xla-pass", "hlo-opt", "stablehlo-opt", "buffers", "memory", "llvm")


def _text(traced: Traced, stage: str, known: tuple[str, ...]) -> str:
    """The text of a stage. Raises ValueError where it is none of those known."""
    if str(stage).partition(":")[0] not in known:
        message = f"the stages of this object are {', '.join(known)}, got {stage!r}"
        raise at_caller(ValueError(message))
    place = backend_of(traced.recorded.device)
    try:
        return place.executor.stage(traced.function, stage, place.kind, place.ordinal)
    except (LoweringError, ValueError) as error:
        raise at_caller(error) from None
