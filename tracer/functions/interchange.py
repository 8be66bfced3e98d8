"""DLPack: taking the arrays of other libraries, and giving them ours, on one memory or a copy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tracer.device import Device
from tracer.errors import CopyError, at_caller
from tracer.functions.operands import Handle, need_dtype, placed, put, wrap
from tracer.functions.transfer import to_device
from tracer.ir import TensorType
from tracer.recording import materialize
from tracer.values import Data

if TYPE_CHECKING:
    from tracer.tensor import Tensor

__all__ = [
    "from_dlpack",
]

_KINDS = {1: "CPU", 2: "GPU", 3: "CPU", 10: "GPU"}
"""Of DLPack's kinds of memory (the CPU's, CUDA's, CUDA's on the host, ROCm's), our devices."""
_HOST = (1, 0)


def from_dlpack(x: Any, /, *, device: Device | None = None, copy: bool | None = None) -> Tensor:
    """A tensor of an array of another library, by default on the device where that is.

    Memory that its owner may change later is copied; with copy=False it is shared, and the owner
    must leave it alone. Raises CopyError, a BufferError and ValueError, where that can't be, other
    BufferErrors where the array can't be taken at all, AttributeError for what is none.
    """
    if isinstance(x, Handle):
        return existing("from_dlpack", wrap(x._data) if copy else x, device, copy)  # type: ignore[arg-type]
    kind, ordinal = _place(x)
    source = _near(kind, ordinal)
    target = source if device is None else placed(device)
    if copy is False and (target.kind, target.ordinal) != (source.kind, source.ordinal):
        raise at_caller(CopyError(f"from_dlpack needs a copy to move to {target}"))
    array = _host_array(x) if kind == "CPU" else None
    if array is None:
        return to_device(_adopted(x, source, copy), target)
    return shared("from_dlpack", array, target) if copy is False else wrap(put(array, target))


def existing(name: str, x: Tensor, device: Device | None, copy: bool | None) -> Tensor:
    """x on a device. Raises CopyError where that takes a copy, and copy is False."""
    if device is None:
        return x
    here, there = x._data.device, placed(device)
    if copy is False and (here.kind, here.ordinal) != (there.kind, there.ordinal):
        raise at_caller(CopyError(f"{name} needs a copy to move to {there}"))
    return to_device(x, there)


def shared(name: str, array: NDArray[Any], device: Device) -> Tensor:
    """A tensor on the memory of an array. Raises CopyError where a device needs a copy."""
    dtype = need_dtype(array.dtype)
    fits = array.dtype == dtype and array.flags.c_contiguous and array.size
    buffer = device.executor.share(array, device.kind, device.ordinal) if fits else None
    if buffer is None:
        message = f"{name} needs a copy: {device} can't use the array's memory as it is"
        raise at_caller(CopyError(message))
    return wrap(Data(TensorType(array.shape, dtype), device, buffer))


def _place(x: Any) -> tuple[str, int]:
    if not hasattr(x, "__dlpack_device__"):
        message = f"from_dlpack needs an array with __dlpack__, got {type(x).__name__}"
        raise at_caller(AttributeError(message))
    kind, ordinal = x.__dlpack_device__()
    if int(kind) not in _KINDS:
        raise at_caller(BufferError(f"from_dlpack knows no device of DLPack kind {int(kind)}"))
    found = _KINDS[int(kind)]
    return found, 0 if found == "CPU" else ordinal


def _near(kind: str, ordinal: int) -> Device:
    """The default device if it is of this kind, else the one that is, of the same backend."""
    default = Device.default()
    if default.kind == kind and (kind == "CPU" or default.ordinal == ordinal):
        return default
    return Device(kind, ordinal, default.backend)


def _host_array(x: Any) -> NDArray[Any] | None:
    """As NumPy sees it; None where it can't, most likely for a dtype that it does not know."""
    try:
        return np.from_dlpack(x)
    except (BufferError, RuntimeError):
        return None


def _adopted(x: Any, device: Device, copy: bool | None) -> Tensor:
    try:
        buffer = device.executor.adopt(x, device.kind, device.ordinal, copy is not False)
    except BufferError as error:
        raise at_caller(BufferError(f"from_dlpack: {error}")) from None
    return wrap(Data(TensorType(tuple(buffer.shape), need_dtype(buffer.dtype)), device, buffer))


def dlpack_device(device: Device) -> tuple[int, int]:
    """A device as DLPack names it. Raises BufferError for one that DLPack does not know."""
    if device.kind == "CPU":
        return _HOST
    if device.kind == "GPU":
        return 2, device.ordinal
    raise at_caller(BufferError(f"DLPack needs a CPU or GPU, got {device}"))


def export(data: Data, stream: Any, version: Any, device: Any, copy: bool | None) -> Any:
    """A DLPack capsule of a value; what `Tensor.__dlpack__` says."""
    here = dlpack_device(data.device)
    kind, ordinal = here if device is None else device
    wanted = (int(getattr(kind, "value", kind)), int(ordinal))
    if wanted not in (here, _HOST) or (copy is False and wanted != here):
        raise at_caller(BufferError(f"DLPack device {wanted} needs a copy from {here}"))
    if wanted == _HOST and stream is not None:
        raise at_caller(BufferError(f"a CPU has no streams, got stream {stream!r}"))
    place, buffer = data.device, materialize(data, "value")
    copied = bool(copy) or wanted != here
    if copied:
        array = place.executor.get(buffer)
        place = place if wanted == here else Device("CPU", 0, place.backend)
        buffer = place.executor.put(array, place.kind, place.ordinal)
    return place.executor.export(buffer, stream, version, copied)
