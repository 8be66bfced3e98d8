"""What tensors name: values on a device, there or pending in a recording."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from tracer.device import Buffer, Device
from tracer.dtypes import Scalar
from tracer.errors import DeviceError, at_caller
from tracer.ir import TensorType

if TYPE_CHECKING:
    from tracer.recording import Recording


class Data:
    """The value of a tensor: a buffer on a device, or a result that is pending in a recording.

    A pending value is result number `index` of the recording, in `epoch`.
    """

    __slots__ = ("buffer", "device", "epoch", "index", "type")

    def __init__(
        self,
        type: TensorType,
        device: Device,
        buffer: Buffer = None,
        epoch: Epoch | None = None,
        index: int = -1,
    ) -> None:
        self.type = type
        self.device = device
        self.buffer = buffer
        self.epoch = epoch
        self.index = index


class Epoch:
    """The time from one cut of a recording to the next."""

    __slots__ = ("recording",)

    def __init__(self, recording: Recording) -> None:
        self.recording = recording


class Look(NamedTuple):
    """What is done with values as soon as they are there: they are printed, or checked."""

    values: Sequence[Data]
    act: Callable[[Sequence[Data]], None]


Operand = Data | Scalar
"""A value, or a Python scalar that fills a tensor of the first value's type."""


def check_devices(name: str, operands: Sequence[Operand]) -> None:
    """Raises DeviceError, with the user's file and line, unless values are on one device."""
    found = dict.fromkeys(x.device for x in operands if isinstance(x, Data))
    if len(found) > 1:
        devices = " and ".join(map(repr, found))
        message = f"{name} needs operands on one device, got {devices}; move one with .to(device)"
        raise at_caller(DeviceError(message))
