"""The hot path: a flat, append-only log of what was done on a lazy device, and its cut.

The log holds, for each operation, its signature and then the indices of its operands; an index
names a result, counted from the start. The log is its own cache key: signatures are interned, so
two logs are equal just when their contents are. Python scalars and parameters stand beside it.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from sys import getrefcount
from threading import Lock, get_ident
from time import sleep
from typing import Any, TypeVar
from weakref import WeakSet

from tracer import metrics
from tracer.assembly import Program, Snapshot, build, decode, place_of
from tracer.config import config
from tracer.context import here, thread
from tracer.cutting import run_live, telling
from tracer.device import Buffer, Device
from tracer.dtypes import Scalar
from tracer.errors import (
    DeviceError,
    Location,
    TracingError,
    at_caller,
    locate,
    source_line,
    where,
)
from tracer.ir import TensorType
from tracer.signature import Leaf, Signature, leaf
from tracer.values import Data, Epoch, Look, Operand, check_devices

_T = TypeVar("_T")
_new = object.__new__
_HELD = next(getrefcount(x) for x in [object()])
"""What is counted of an element of a list that nobody else holds, by a loop over it."""


class _Foreign(Exception):
    """An operand of another device, or pending elsewhere: in a thread's or a destructor's."""


class Recording:
    """What one thread has done on one device since the last cut.

    Only its thread appends, and says so by being busy; who cuts it, in any thread, holds the lock,
    says that it is closed, and waits until it is not busy. That costs an operation less than a
    lock would.
    """

    def __init__(self, device: Device, abstract: bool = False) -> None:
        self.device = device
        self.abstract = abstract
        self.thread = get_ident()
        self._lock = Lock()
        self._holder = 0  # the thread that has the lock
        self._closed = False
        self._busy = False  # a destructor or signal handler that comes in between records apart
        self._warned = False
        self._clear()
        if not abstract:
            _recordings.add(self)

    def _clear(self) -> None:
        self.epoch = Epoch(self)
        self.log: list[Any] = []
        self.locations: list[Location] = []
        self.fills: dict[int, Location] = {}  # of tensors filled with a scalar, by their index
        self.scalars: list[Scalar] = []
        self.inputs: list[Buffer] = []
        self._count = 0
        self._by_buffer: dict[int, int] = {}
        self._large: list[int] = []  # positions among the inputs
        self._results: list[Data] = []
        self.looks: list[Look] = []

    @property
    def operations(self) -> int:
        """How many operations are recorded."""
        return len(self.locations)

    def record(
        self, made: Signature, operands: Sequence[Operand], place: Location
    ) -> Data | tuple[Data, ...]:
        """Appends one operation; its result, pending, or a tuple of several.

        Raises DeviceError for an operand of another device.
        """
        if self._busy:
            return Recording(self.device).record(made, operands, place)
        mark = -1
        found: Data | tuple[Data, ...] | None = None
        try:
            self._busy = True
            if not self._closed:
                mark = len(self.log)
                self._append(made, operands)
                self.locations.append(place)
                if made.result is not None:
                    found = self._pending(made.result)
                else:
                    found = tuple([self._pending(type_) for type_ in made.results])
        except BaseException as error:  # an interrupt from the keyboard, most likely
            if mark >= 0:
                self._restore(mark)
            if not isinstance(error, _Foreign):
                raise
        finally:
            self._busy = False
        if found is None:
            _settle(made.op.name, operands, self.epoch)
            return self._other().record(made, operands, place)
        if len(self.locations) >= config.recording_limit:
            self._overflow()
        return found

    def _append(self, made: Signature, operands: Sequence[Operand]) -> None:
        """The signature and the indices; of two operands without a loop, for speed."""
        epoch = self.epoch
        if len(operands) == 2:
            x, y = operands
            i = x.index if type(x) is Data and x.epoch is epoch else self._index(x, made)
            j = y.index if type(y) is Data and y.epoch is epoch else self._index(y, made)
            self.log += (made, i, j)
        else:
            self.log += [
                made,
                *[
                    x.index if type(x) is Data and x.epoch is epoch else self._index(x, made)
                    for x in operands
                ],
            ]

    def _pending(self, type: TensorType) -> Data:
        """The next result; spelled out, for that takes a third less time than to call the class."""
        data: Data = _new(Data)
        data.type = type
        data.device = self.device
        data.buffer = None
        data.epoch = self.epoch
        data.index = self._count
        self._count += 1
        self._results.append(data)
        return data

    def _attempt(self, step: Callable[..., _T], *arguments: Any) -> _T | None:
        """What a step appends; None where that can't be done now."""
        if self._busy:
            return None
        try:
            self._busy = True
            return None if self._closed else step(*arguments)
        finally:
            self._busy = False

    def _other(self) -> Recording:
        """Where to go on: here once who cuts is done, apart where this thread does itself."""
        if self._busy or self._holder == get_ident():
            return Recording(self.device)
        with self._lock:
            return self

    def _restore(self, mark: int) -> None:
        """Forgets what the log got after `mark`, and what went beside it."""
        del self.log[mark:]
        entries = decode(self.log)
        kinds = [entry.kind if isinstance(entry, Leaf) else "" for entry, _, _ in entries]
        self._count = sum(len(entry.results) for entry, _, _ in entries)
        self._results = [data for data in self._results if data.index < self._count]
        del self.locations[kinds.count("") :]
        self.fills = {i: place for i, place in self.fills.items() if i < self._count}
        del self.scalars[kinds.count("scalar") :]
        del self.inputs[kinds.count("input") :]
        self._large = [i for i in self._large if i < len(self.inputs)]
        self._by_buffer = {k: index for k, index in self._by_buffer.items() if index < self._count}

    def _leaf(self, made: Leaf) -> int:
        self.log.append(made)
        self._count += 1
        return self._count - 1

    def _index(self, x: Operand, made: Signature) -> int:
        """The index of an operand of an operation."""
        if type(x) is Data:
            return x.index if x.epoch is self.epoch else self._enter(x)
        self.scalars.append(x)  # type: ignore[arg-type]
        return self._leaf(made.fill)  # type: ignore[arg-type]

    def _enter(self, data: Data) -> int:
        """The index of a buffer; entered once, however many tensors share it."""
        if data.buffer is None or data.device is not self.device:
            raise _Foreign
        index = self._by_buffer.get(id(data.buffer))
        if index is None:
            made = leaf("input", data.type)
            if made.large:
                self._large.append(len(self.inputs))
            index = self._leaf(made)
            self._by_buffer[id(data.buffer)] = index
            self.inputs.append(data.buffer)
        return index

    def splat(self, value: Scalar, type: TensorType) -> Data:
        """A pending tensor of this type, every element `value`."""
        found = self._attempt(self._fill, value, type)
        return found or self._other().splat(value, type)

    def _fill(self, value: Scalar, type: TensorType) -> Data:
        mark = len(self.log)
        try:
            self.scalars.append(value)
            index = self._leaf(leaf("scalar", type))
            self.fills[index] = here()
            return self._share(type, index)
        except BaseException:
            self._restore(mark)
            raise

    def parameter(self, type: TensorType) -> Data:
        """A parameter without a value: what a function is traced with."""
        self.inputs.append(None)
        return self._share(type, self._leaf(leaf("input", type)))

    def alias(self, data: Data) -> Data:
        """Another name of a pending value of this recording."""
        found = self._attempt(self._share, data.type, data.index)
        if found is not None and data.buffer is None:
            return found
        if self._other() is not self:
            materialize(data, "value")
        return alias(data)

    def _share(self, type: TensorType, index: int) -> Data:
        data = Data(type, self.device, None, self.epoch, index)
        self._results.append(data)
        return data

    def look(self, look: Look) -> None:
        """Does something with values once this is cut."""
        if self._attempt(self._wait, look) is None:
            look.act(look.values)

    def _wait(self, look: Look) -> Look:
        self.looks.append(look)
        return look

    def place_of(self, data: Data) -> Location:
        """Where a pending value of this recording was made; None for an argument."""
        return place_of(self.log, self.locations, data.index) or self.fills.get(data.index)

    def live(self) -> list[Data]:
        """The pending values that somebody still holds."""
        return [x for x in self._results if getrefcount(x) > _HELD and x.buffer is None]

    def _overflow(self) -> None:
        if self.abstract:
            return
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
        """Runs everything live, once; then come the looks. On an error tensors stay as they were.

        Where the whole can't be compiled or run, `wanted` alone is tried.
        """
        if self.abstract:
            raise TracingError(
                "a value was looked at while its function is traced without running\n"
                f"  at {where()}"
            )
        if get_ident() == (self.thread if self._busy else self._holder):
            raise RuntimeError("a destructor or signal handler can't look at what is pending")
        looks: list[Look] = []
        try:
            self._cut_closed(cause, wanted, looks)
        finally:
            for look in looks:
                look.act(look.values)

    def _cut_closed(self, cause: str, wanted: Data | None, looks: list[Look]) -> None:
        with self._lock:
            self._holder, self._closed = get_ident(), True
            try:
                while self._busy:
                    sleep(0)  # its thread is about to end an operation
                self._cut(cause, wanted, looks)
            finally:
                self._holder, self._closed = 0, False

    def _cut(self, cause: str, wanted: Data | None, looks: list[Look]) -> None:
        live = self.live()
        with telling(self, live, cause, wanted):
            if not run_live(self, live, cause, wanted, self._large):
                return
            metrics.add("ops_recorded", self.operations)
            looks += self.looks
            self._clear()

    def _position(self, data: Data) -> int:
        if data.epoch is self.epoch:
            return data.index
        if data.device is not self.device:
            message = f"a value on {self.device} is needed, got one on {data.device}"
            raise at_caller(DeviceError(message))
        materialize(data, "value")
        return self._enter(data)

    def program(self, name: str, returns: Sequence[Data]) -> Program:
        """The recording as a program of its parameters; nothing of it runs.

        Raises DeviceError for a value of another device.
        """
        positions = [self._position(data) for data in returns]
        places = self.locations, self.fills
        snapshot = Snapshot(self.device, self.log, self.scalars, *places, positions)
        return build(snapshot, frozenset(), name, keep_inputs=True)


def _settle(name: str, operands: Sequence[Operand], epoch: Epoch) -> None:
    """Runs what is pending elsewhere, outside our lock: its recording has one of its own."""
    check_devices(name, operands)
    for x in operands:
        if isinstance(x, Data) and x.epoch is not epoch:
            materialize(x, "thread")


_recordings: WeakSet[Recording] = WeakSet()
metrics.count_pending(lambda: sum(r.operations for r in list(_recordings)))


def current(device: Device) -> Recording:
    """This thread's recording on a device."""
    found = thread.state.recordings.get(device)
    if found is None:
        found = thread.state.recordings[device] = Recording(device)
    return found


def swap(device: Device, recording: Recording | None) -> Recording | None:
    """Makes another recording this thread's; the one before."""
    before: Recording | None = thread.state.recordings.pop(device, None)
    if recording is not None:
        thread.state.recordings[device] = recording
    return before


def materialize(data: Data, cause: str) -> Buffer:
    """The buffer of a value, its recording cut first where it is pending."""
    if data.buffer is None and data.epoch is not None:
        data.epoch.recording.cut(cause, wanted=data)
    return data.buffer


def alias(data: Data) -> Data:
    """Another name of the same value, unknown to any tape."""
    if data.buffer is None and data.epoch is not None:
        recording = data.epoch.recording
        if recording.thread == get_ident():
            return recording.alias(data)
        materialize(data, "thread")
    return Data(data.type, data.device, data.buffer)


def cut_all(device: Device | None, cause: str) -> list[Data]:
    """Cuts this thread's recordings, on one device or on all; what was live."""
    chosen = [r for d, r in list(thread.state.recordings.items()) if device is None or d is device]
    live = [data for recording in chosen for data in recording.live()]
    for recording in chosen:
        recording.cut(cause)
    return live
