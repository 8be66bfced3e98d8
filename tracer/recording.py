"""The hot path: a flat, append-only log of what was done on a lazy device, and its cut.

The log holds, for each operation, its signature and then the indices of its operands; an index
names a result, counted from the start. The log is its own cache key: signatures are interned, so
two logs are equal just when their contents are. Python scalars and parameters stand beside it.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from threading import RLock
from typing import Any
from weakref import WeakSet, ref

from tracer import metrics, programs
from tracer.assembly import Snapshot, build, decode
from tracer.config import config
from tracer.context import thread
from tracer.device import Buffer, Device
from tracer.dtypes import Scalar
from tracer.errors import (
    DeviceError,
    Location,
    LoweringError,
    TracingError,
    at_caller,
    locate,
    source_line,
    where,
)
from tracer.ir import Function, TensorType
from tracer.pieces import run_in_pieces
from tracer.signature import Leaf, Signature, leaf


class Data:
    """The value of a tensor: a buffer on a device, or a result that is pending in a recording.

    A pending value is result number `index` of the recording, in `epoch`.
    """

    __slots__ = ("__weakref__", "buffer", "device", "epoch", "index", "type")

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


Operand = Data | Scalar
"""A value, or a Python scalar that fills a tensor of the first value's type."""


class Epoch:
    """The time from one cut of a recording to the next."""

    __slots__ = ("recording",)

    def __init__(self, recording: Recording) -> None:
        self.recording = recording


class _Foreign(Exception):
    """An operand of another device, or pending elsewhere: in a thread's or a destructor's."""


class Recording:
    """What one thread has done on one device since the last cut."""

    def __init__(self, device: Device, abstract: bool = False) -> None:
        self.device = device
        self.abstract = abstract
        self.lock = RLock()
        self._warned = False
        self._busy = False  # a destructor or signal handler that comes in between records apart
        self._clear()
        if not abstract:
            _recordings.add(self)

    def _clear(self) -> None:
        self.epoch = Epoch(self)
        self.log: list[Any] = []
        self.locations: list[Location] = []
        self.scalars: list[Scalar] = []
        self.inputs: list[Buffer] = []
        self.operations = 0
        self._count = 0
        self._by_buffer: dict[int, int] = {}
        self._results: list[ref[Data]] = []

    def record(
        self, made: Signature, operands: Sequence[Operand], like: Any, place: Location
    ) -> tuple[Data, ...]:
        """Appends one operation; its results, pending. A scalar fills a tensor like `like`.

        Raises DeviceError for an operand of another device.
        """
        if not self._begin():
            return Recording(self.device).record(made, operands, like, place)
        epoch, mark = self.epoch, len(self.log)
        results: tuple[Data, ...] = ()
        try:
            indices = [
                (x.index if x.epoch is epoch else self._enter(x))
                if type(x) is Data
                else self._scalar(x, like)  # type: ignore[arg-type]
                for x in operands
            ]
            self.log += (made, *indices)
            self.locations.append(place)
            self.operations += 1
            for type_ in made.results:
                data = Data(type_, self.device, None, epoch, self._count)
                self._count += 1
                self._results.append(ref(data))
                results += (data,)
        except BaseException as error:  # an interrupt from the keyboard, most likely
            self._restore(mark)
            if not isinstance(error, _Foreign):
                raise
        finally:
            self._end()
        if len(results) < len(made.results):
            _settle(made.op.name, operands, epoch)
            return self.record(made, operands, like, place)
        if self.operations >= config.recording_limit and not self.abstract:
            self._overflow()
        return results

    def _begin(self) -> bool:
        """Takes the lock; False where a destructor or signal handler came in between."""
        self.lock.acquire()  # by hand: `with` costs twice as much
        if self._busy:
            self.lock.release()
            return False
        self._busy = True
        return True

    def _end(self) -> None:
        self._busy = False
        self.lock.release()

    def _restore(self, mark: int) -> None:
        """Forgets what the log got after `mark`, and what went beside it."""
        del self.log[mark:]
        entries = decode(self.log)
        kinds = [entry.kind if isinstance(entry, Leaf) else "" for entry, _, _ in entries]
        self._count = sum(len(entry.results) for entry, _, _ in entries)
        self.operations = kinds.count("")
        del self.locations[len(entries) :]
        del self.scalars[kinds.count("scalar") :]
        del self.inputs[kinds.count("input") :]
        self._by_buffer = {k: index for k, index in self._by_buffer.items() if index < self._count}

    def _leaf(self, kind: str, type: TensorType) -> int:
        self.log.append(leaf(kind, type))
        self.locations.append(None)
        self._count += 1
        return self._count - 1

    def _enter(self, data: Data) -> int:
        """The index of a buffer; entered once, however many tensors share it."""
        if data.buffer is None or data.device is not self.device:
            raise _Foreign
        index = self._by_buffer.get(id(data.buffer))
        if index is None:
            index = self._leaf("input", data.type)
            self._by_buffer[id(data.buffer)] = index
            self.inputs.append(data.buffer)
        return index

    def _scalar(self, value: Scalar, type: Any) -> int:
        """The index of a scalar that fills a tensor of this type."""
        self.scalars.append(value)
        return self._leaf("scalar", type)

    def splat(self, value: Scalar, type: TensorType) -> Data:
        """A pending tensor of this type, every element `value`."""
        if not self._begin():
            return Recording(self.device).splat(value, type)
        mark = len(self.log)
        try:
            return self._share(type, self._scalar(value, type))
        except BaseException:
            self._restore(mark)
            raise
        finally:
            self._end()

    def parameter(self, type: TensorType) -> Data:
        """A parameter without a value: what a function is traced with."""
        with self.lock:
            self.inputs.append(None)
            return self._share(type, self._leaf("input", type))

    def alias(self, data: Data) -> Data:
        """Another name of a pending value."""
        with self.lock:
            if data.buffer is not None:
                return Data(data.type, data.device, data.buffer)
            return self._share(data.type, data.index)

    def _share(self, type: TensorType, index: int) -> Data:
        data = Data(type, self.device, None, self.epoch, index)
        self._results.append(ref(data))
        return data

    def live(self) -> list[Data]:
        """The pending values that somebody still holds."""
        found = (r() for r in self._results)
        return [data for data in found if data is not None and data.buffer is None]

    def _overflow(self) -> None:
        if not self._warned:
            self._warned = True
            file, line = source_line(locate())
            message = (
                f"{self.operations} operations were recorded without a barrier, the limit "
                f"(tracer.config.recording_limit): the recording was cut at {file}:{line}"
            )
            warnings.warn_explicit(message, RuntimeWarning, file, line)
        self.cut("size limit")

    def cut(self, cause: str, wanted: Data | None = None) -> None:
        """Runs everything live, once. On an error every tensor stays as it was.

        Where the whole can't be compiled or run, `wanted` alone is tried.
        """
        if self.abstract:
            raise TracingError(
                "a value was looked at while its function is traced without running\n"
                f"  at {where()}"
            )
        if not self._begin():
            raise RuntimeError("a destructor or signal handler can't look at what is pending")
        try:
            self._cut(cause, wanted)
        finally:
            self._end()

    def _cut(self, cause: str, wanted: Data | None) -> None:
        live = self.live()
        if live:
            metrics.add_cut(cause)
            try:
                self._run(live, cause)
            except LoweringError:
                if wanted is None or len(live) == 1:
                    raise
                self._run([wanted], cause)
                return
        metrics.add("ops_recorded", self.operations)
        self._clear()

    def _run(self, live: list[Data], cause: str) -> None:
        positions = sorted({data.index for data in live})
        snapshot = Snapshot(self.device, self.log, self.scalars, self.locations, positions)
        run = programs.run if self.operations < config.recording_limit else run_in_pieces
        results = run(snapshot, self.inputs, cause)
        buffers = dict(zip(positions, results, strict=True))
        for data in live:
            data.buffer, data.epoch = buffers[data.index], None

    def _position(self, data: Data) -> int:
        if data.epoch is self.epoch:
            return data.index
        if data.device is not self.device:
            message = f"a value on {self.device} is needed, got one on {data.device}"
            raise at_caller(DeviceError(message))
        materialize(data, "value")
        return self._enter(data)

    def function(self, name: str, returns: Sequence[Data]) -> Function:
        """The recording as a function of its parameters; nothing of it runs.

        Raises DeviceError for a value of another device.
        """
        positions = [self._position(data) for data in returns]
        snapshot = Snapshot(self.device, self.log, self.scalars, self.locations, positions)
        return build(snapshot, frozenset(), name, keep_inputs=True).function


def _settle(name: str, operands: Sequence[Operand], epoch: Epoch) -> None:
    """Runs what is pending elsewhere, outside our lock: its recording has one of its own."""
    check_devices(name, operands)
    for x in operands:
        if isinstance(x, Data) and x.epoch is not epoch:
            materialize(x, "thread")


def check_devices(name: str, operands: Sequence[Operand]) -> None:
    """Raises DeviceError, with the user's file and line, unless values are on one device."""
    found = dict.fromkeys(x.device for x in operands if isinstance(x, Data))
    if len(found) > 1:
        devices = " and ".join(map(repr, found))
        message = f"{name} needs operands on one device, got {devices}; move one with .to(device)"
        raise at_caller(DeviceError(message))


_recordings: WeakSet[Recording] = WeakSet()
metrics.count_pending(lambda: sum(r.operations for r in list(_recordings)))


def current(device: Device) -> Recording:
    """This thread's recording on a device."""
    found = thread.recordings.get(device)
    if found is None:
        found = thread.recordings[device] = Recording(device)
    return found


def swap(device: Device, recording: Recording | None) -> Recording | None:
    """Makes another recording this thread's; the one before."""
    before: Recording | None = thread.recordings.pop(device, None)
    if recording is not None:
        thread.recordings[device] = recording
    return before


def materialize(data: Data, cause: str) -> Buffer:
    """The buffer of a value, its recording cut first where it is pending."""
    if data.buffer is None and data.epoch is not None:
        data.epoch.recording.cut(cause, wanted=data)
    return data.buffer


def alias(data: Data) -> Data:
    """Another name of the same value, unknown to any tape."""
    if data.buffer is None and data.epoch is not None:
        return data.epoch.recording.alias(data)
    return Data(data.type, data.device, data.buffer)


def cut_all(device: Device | None, cause: str) -> list[Data]:
    """Cuts this thread's recordings, on one device or on all; what was live."""
    chosen = [r for d, r in list(thread.recordings.items()) if device is None or d is device]
    live = [data for recording in chosen for data in recording.live()]
    for recording in chosen:
        recording.cut(cause)
    return live
