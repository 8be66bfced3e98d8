"""Tracing: a function on abstract tensors, recorded and never run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from tracer import tree
from tracer.context import thread
from tracer.device import Buffer, Device, default_device
from tracer.errors import at_caller
from tracer.functions.operands import wrap
from tracer.ir import Function, TensorType
from tracer.recording import Recording, swap
from tracer.tensor import Tensor


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
    with _recording(place) as recording:
        arguments = [tree.map(lambda leaf: _parameter(recording, leaf), t) for t in types]
        given = len(recording.inputs)
        with default_device(place):
            result = f(*arguments)
        returns = [leaf for leaf in tree.leaves(result) if isinstance(leaf, Tensor)]
        if not returns:
            message = f"{name} needs a function that returns tensors, got {type(result).__name__}"
            raise at_caller(TypeError(message))
        made = recording.function(getattr(f, "__name__", "main"), [r._data for r in returns])
        return Traced(made, result, recording.inputs[given:])


def _parameter(recording: Recording, leaf: Any) -> Any:
    type_ = leaf._data.type if isinstance(leaf, Tensor) else leaf
    if not isinstance(type_, TensorType):
        return leaf
    return wrap(recording.parameter(type_))


@contextmanager
def _recording(device: Device) -> Iterator[Recording]:
    """A recording of its own in place of this thread's."""
    made = Recording(device, abstract=True)
    before, outer = swap(device, made), thread.changed
    thread.changed = {}
    try:
        yield made
    finally:
        changed, thread.changed = thread.changed, outer
        for state, value in changed.values():  # what was traced has no value to keep
            state.value = value
        swap(device, before)
