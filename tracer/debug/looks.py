"""Values inside code that is recorded: printed and checked as soon as they are there."""

from __future__ import annotations

import atexit
import builtins
from collections.abc import Callable, Sequence
from threading import get_ident
from typing import Any

from tracer.context import thread
from tracer.debug.formatting import Array, Text, values_of
from tracer.dtypes import bool_
from tracer.errors import at_caller, locate
from tracer.functions.operands import data_of, device_of
from tracer.recording import Recording, materialize
from tracer.values import Data, Look


class CheckError(AssertionError):
    """A condition that `check` was given is not true."""


def print(format: str, /, *tensors: Any, **named: Any) -> None:
    """Prints `format.format(*tensors, **named)` with values: "{}", "{x}", "{x:.3f}" by element.

    Nothing is cut: it is printed once the recording is, in a jitted function at each call, and on
    an eager device at once. Arguments may be any trees of tensors. Raises ValueError where they
    don't fit the format.
    """
    text = Text(format, tensors, named)
    if text.unused:
        unused = ", ".join(map(str, text.unused))
        raise at_caller(ValueError(f"the format {format!r} does not use its argument {unused}"))
    _look(values_of(tensors, named), lambda arrays: builtins.print(text.show(arrays)))


def check(condition: Any, message: str, /, *tensors: Any, **named: Any) -> None:
    """Raises CheckError with a message, a format as of `print`, unless a condition is true.

    The condition is a bool, or a tensor of bools all of which are to be true; it is looked at when
    `print` would print. Arguments that the format does not show stand below the message. Raises
    TypeError for a condition of another dtype.
    """
    place = locate()
    text = Text(message, tensors, named)
    data = data_of("check", condition, device_of(*tensors, *named.values()))
    if data.type.dtype != bool_:
        raise at_caller(TypeError(f"check needs a condition of bools, got {data.type}"))

    def act(arrays: Sequence[Array]) -> None:
        held, *rest = arrays
        if not held.all():
            where = f": false at {(~held).sum()} of {held.size} places" if held.ndim else ""
            raise at_caller(CheckError(text.show(rest) + where + text.rest(rest)), place)

    _look([data, *values_of(tensors, named)], act)


def _look(values: Sequence[Data], act: Callable[[Sequence[Array]], None]) -> None:
    """Does something with the elements of values as soon as they are there, in order."""

    def on_data(datas: Sequence[Data]) -> None:
        buffers = [(x.device, materialize(x, "value")) for x in datas]
        act([device.executor.get(buffer) for device, buffer in buffers])

    recording = _home(values)
    if recording is None:
        on_data(values)
    else:
        recording.look(Look(values, on_data))


def _home(values: Sequence[Data]) -> Recording | None:
    """What values wait for: a function that is recorded, what is pending, an earlier look."""
    known = list(thread.state.recordings.values())
    found = [r for r in reversed(known) if r.abstract]
    for data in values:
        recording = data.epoch.recording if data.epoch else None
        if recording is None:
            continue
        if recording.thread == get_ident() and (recording in known or not recording.abstract):
            found.append(recording)
        else:
            materialize(data, "thread")  # which raises, where its function is recorded already
    devices = {data.device for data in values}
    found += [r for r in known if r.looks and (r.device in devices or not devices)]
    return found[0] if found else None


@atexit.register
def _flush() -> None:
    """What still waits as the process ends."""
    for recording in list(thread.state.recordings.values()):
        if recording.looks:
            recording.cut("barrier")
