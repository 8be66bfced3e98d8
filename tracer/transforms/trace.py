"""Tracing: a function on abstract tensors, recorded and never run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from tracer import tree
from tracer.context import thread
from tracer.device import Buffer, Device, default_device
from tracer.errors import TracingError, at_caller, where
from tracer.functions.operands import wrap
from tracer.ir import Function, TensorType
from tracer.recording import Recording, swap
from tracer.tensor import Tensor
from tracer.values import Data

_LOOKED = (
    "a value was looked at while its function is recorded, when it has none: use tracer.where in "
    "place of a condition, pass what decides in static_argnames, or look at what is returned"
)
_WHY = {
    "thread": "a tensor was used in another thread than the one that records its function, when it "
    "has no value: use it there, or what is returned",
    "barrier": "barrier was called in a function that is recorded whole: call it after the "
    "function",
    "transfer": "a tensor was moved to another device while its function is recorded, when it has "
    "no value: move it before, or move what is returned",
}


class Trace(Recording):
    """A recording of a function's operations, which nothing can cut; `over` once that is made.

    `anew`: numbers among the arguments come anew at each call.
    """

    def __init__(self, device: Device, anew: bool) -> None:
        super().__init__(device, abstract=True)
        self.anew = anew
        self.over = False

    def cut(self, cause: str, wanted: Data | None = None) -> None:
        """Raises TracingError: that there is no value, and what to do instead."""
        if self.over:
            raise at_caller(TracingError(self._leaked(wanted)))
        raise at_caller(TracingError(_WHY.get(cause, _LOOKED)))

    def _leaked(self, wanted: Data | None) -> str:
        kept = "a tensor" if wanted is None else self._origin(wanted)
        return (
            f"{kept} was kept while a function was recorded, and used afterwards, when it has no "
            "value: return it from the function, or keep it in a tracer.nn.State"
        )

    def _origin(self, wanted: Data) -> str:
        """A tensor in words: where it was made."""
        place = self.place_of(wanted)
        return f"the tensor made at {where(place)}" if place else "an argument"


@dataclass(frozen=True, slots=True)
class Traced:
    """A function of the IR, what f returned, and what f closed over: its last parameters."""

    function: Function
    result: Any
    closed: Sequence[Buffer]


def trace(f: Callable[..., Any], *types: Any, device: Device | None = None) -> Function:
    """f as a function of the IR, for arguments of these types: trees of TensorTypes or tensors.

    Nothing runs. Tensors that f closes over become parameters after the arguments. Raises
    TracingError where f looks at a value, TypeError where it returns no tensors.
    """
    return traced("trace", f, types, device or Device.default_xla()).function


def traced(name: str, f: Callable[..., Any], types: Sequence[Any], place: Device) -> Traced:
    """The same with all that is known; `name` is who asks."""
    with recorded(place) as recording:
        arguments = [tree.map(lambda leaf: _parameter(recording, leaf), t) for t in types]
        given = len(recording.inputs)
        with default_device(place):
            result = f(*arguments)
        returns = [leaf for leaf in tree.leaves(result) if isinstance(leaf, Tensor)]
        if not returns:
            message = f"{name} needs a function that returns tensors, got {type(result).__name__}"
            raise at_caller(TypeError(message))
        made = recording.program(getattr(f, "__name__", "main"), [r._data for r in returns])
        return Traced(made.function, result, recording.inputs[given:])


def _parameter(recording: Recording, leaf: Any) -> Any:
    type_ = leaf._data.type if isinstance(leaf, Tensor) else leaf
    if not isinstance(type_, TensorType):
        return leaf
    return wrap(recording.parameter(type_))


@contextmanager
def recorded(device: Device, anew: bool = False) -> Iterator[Trace]:
    """A recording of its own in place of this thread's."""
    made = Trace(device, anew)
    before, outer = swap(device, made), thread.state.changed
    thread.state.changed = {}
    try:
        yield made
    finally:
        changed, thread.state.changed = thread.state.changed, outer
        for state, value in changed.values():  # what was traced has no value to keep
            state.value = value
        swap(device, before)
        made.over = True
