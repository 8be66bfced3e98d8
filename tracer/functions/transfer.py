"""Moving tensors between devices, and cutting recordings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tracer.context import here
from tracer.device import Device
from tracer.errors import at_caller
from tracer.functions.operands import wrap
from tracer.recording import cut_all, materialize
from tracer.tape import active
from tracer.values import Data

if TYPE_CHECKING:
    from tracer.tensor import Tensor

__all__ = [
    "barrier",
]


def to_device(x: Tensor, device: Device) -> Tensor:
    """x on a device; x itself where it is there. Pending work is run first ("transfer").

    Derivatives flow back to where x was.
    """
    if not isinstance(device, Device):
        raise at_caller(TypeError(f"a Device was needed, got {device!r}"))
    return x if x._data.device is device else wrap(_move(x._data, device))


def _move(data: Data, device: Device) -> Data:
    buffer = materialize(data, "transfer")
    source = data.device
    if (source.kind, source.ordinal) != (device.kind, device.ordinal):
        array = source.executor.get(buffer)
        buffer = device.executor.put(array, device.kind, device.ordinal)
    moved = Data(data.type, device, buffer)
    for tape in active():
        if tape.watches((data,)):
            tape.note((_move_back,), (data,), moved, {}, here())
    return moved


def _move_back(g: Data, y: Data, x: Data) -> Data:
    return _move(g, x.device)


def barrier(device: Device | None = None, *, wait: bool = False) -> None:
    """Cuts this thread's recordings: everything live, on `device` or on all devices, runs once.

    Returns as soon as the work is under way; with wait=True, when it is done. Raises LoweringError
    where a program can't be compiled or run, and every tensor stays as it was.
    """
    if device is not None and not isinstance(device, Device):
        raise at_caller(TypeError(f"barrier needs a Device, got {device!r}"))
    live = cut_all(device, "barrier")
    if wait:
        for data in live:
            data.device.executor.wait(data.buffer)
