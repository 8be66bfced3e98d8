"""Devices, the protocol a backend keeps, and the registry that finds one by name."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Protocol

from numpy.typing import NDArray

from tracer.context import entered, thread
from tracer.errors import DeviceError, at_caller
from tracer.ir import Function, Module, TensorType
from tracer.profiles import Profiler

Buffer = Any
"""Memory on a device; only its backend knows more."""

KINDS = ("TPU", "GPU", "CPU")
_MODULES = {"EAGER": "runtime.eager", "XLA": "runtime.xla"}


@dataclass(frozen=True, slots=True)
class Artifact:
    """A program to keep: text to read, the bytes of a portable artifact, a script that runs it."""

    version: str
    text: str
    data: bytes
    script: str


class Executable(Protocol):
    """A compiled program: buffers in, buffers out, asynchronous."""

    def __call__(self, inputs: Sequence[Buffer]) -> list[Buffer]: ...

    def fill(self, inputs: Sequence[Buffer], results: list[Buffer]) -> None:
        """The same, the buffers put into `results`: all of them, or none was donated.

        They are there even where a signal handler raises meanwhile.
        """

    def fill_watched(self, inputs: Sequence[Buffer], results: list[Buffer]) -> Callable[[], Any]:
        """The same; what waits until the device has run it, and keeps no buffer alive."""

    @property
    def start(self) -> Callable[[Sequence[Buffer]], list[Buffer]]:
        """The same for who calls it often; a RuntimeError is the backend's own."""

    @property
    def source(self) -> str:
        """Where it came from: the "compiler", the "disk", or as an "override"."""

    @property
    def note(self) -> str:
        """What is known of why it is not from the disk, if anything."""

    def optimized_text(self) -> str:
        """The program as its compiler optimised it."""

    def memory_analysis(self) -> Any:
        """What its compiler says of the memory that it takes."""

    def cost_analysis(self) -> dict[str, float]:
        """What its compiler estimates of the work."""


class Backend(Protocol):
    """What a device's backend can do."""

    @property
    def lazy(self) -> bool:
        """Whether operations are recorded (True) or run at once (False)."""

    def devices(self) -> tuple[tuple[str, int], ...]:
        """Kind and ordinal of every device."""

    def put(self, array: NDArray[Any], kind: str, ordinal: int) -> Buffer:
        """Moves an array, which nobody else will change, to a device."""

    def share(self, array: NDArray[Any], kind: str, ordinal: int) -> Buffer | None:
        """A buffer on the array's own memory; None where a device can't use that as it is."""

    def get(self, buffer: Buffer) -> NDArray[Any]:
        """Waits for a buffer; its elements, read-only."""

    def export(self, buffer: Buffer, stream: Any, version: Any, copied: bool) -> Any:
        """A DLPack capsule of a buffer's own memory, of at most this version."""

    def adopt(self, array: Any, kind: str, ordinal: int, copy: bool) -> Buffer:
        """A buffer of what `array.__dlpack__` offers on this device; its memory or a copy.

        Raises BufferError where that can't be.
        """

    def wait(self, buffer: Buffer) -> None:
        """Returns when a buffer is there. Raises LoweringError where its program failed."""

    def lower(self, function: Function, kind: str, ordinal: int) -> str:
        """The text that `compile` gives the device's compiler."""

    def compile(self, function: Function, kind: str, ordinal: int) -> Executable:
        """A program for one device. Raises LoweringError where it can't be made."""

    def stage(self, program: Function | Module, name: str, kind: str, ordinal: int) -> str:
        """The text of a program at a stage, as docs/jit.md lists them; places are in it.

        What only the compiler knows is compiled for it, and kept nowhere. Raises LoweringError for
        what this device or release can't show, ValueError where there is no such stage.
        """

    def fingerprint(self, function: Function, kind: str) -> str:
        """A hash of a program as it was recorded, places aside, and of the kind of its device."""

    def profiler(self) -> Profiler:
        """Starts to look on. Raises RuntimeError where that can't be, as where another does."""

    def artifact(self, function: Function, version: str, custom_calls: Sequence[str]) -> Artifact:
        """A program for other readers of StableHLO, in a version of it or "WEEK_12" and the like.

        Raises ValueError for no such version, LoweringError for what it can't hold: custom calls
        of other targets than those named, most of all.
        """

    def read(self, source: str | bytes, file: str, trusted: bool) -> Module:
        """The module that a text or an artifact holds. Raises LoweringError where it is neither.

        Unless it is trusted, what is wrong with it can't end this process.
        """

    def resolve(self, module: Module, types: Sequence[TensorType], unrolled: bool) -> Function:
        """A module as one function for arguments of these types, without calls, its ops ours.

        Its regions are closed; or, unrolled, loops of a known number of turns are written out, and
        regions may read what is around them. Raises LoweringError where that can't be.
        """


_backends: dict[str, Backend] = {}


def backend(name: str) -> Backend:
    """The backend of this name, loaded on first use.

    Raises ImportError where a module of the user's hides one of ours.
    """
    if name not in _backends:
        for package in ("lowering", "runtime"):
            _check_not_hidden(package)
        _backends[name] = importlib.import_module(_MODULES[name]).BACKEND
    return _backends[name]


def _check_not_hidden(package: str) -> None:
    ours = Path(__file__).resolve().parent.parent / package
    found = importlib.util.find_spec(package)
    origin = Path(found.origin) if found and found.origin else None
    if origin is not None and origin.resolve().parent != ours:
        raise ImportError(
            f"tracer needs its own package {package!r}, but {origin} hides it: rename that file"
        )


class Device:
    """A place where tensors live: kind "CPU", "GPU" or "TPU", an ordinal, a backend.

    On backend "EAGER" each operation runs at once; on "XLA" operations are recorded until a
    barrier, or a look at a value. Equal devices are one object.

    Raises DeviceError for a device that is not there.
    """

    __slots__ = ("backend", "executor", "kind", "lazy", "ordinal")
    kind: str
    ordinal: int
    backend: str
    executor: Backend
    lazy: bool
    """Whether operations on this device are recorded."""
    _made: ClassVar[dict[tuple[str, int, str], Device]] = {}

    def __new__(cls, kind: str, ordinal: int = 0, backend: str = "XLA") -> Device:
        key = (str(kind).upper(), ordinal, str(backend).upper())
        if key not in cls._made:
            cls._made.setdefault(key, cls._find(*key))
        return cls._made[key]

    @classmethod
    def _find(cls, kind: str, ordinal: int, backend_name: str) -> Device:
        if backend_name not in _MODULES:
            raise at_caller(DeviceError(f'a backend is "EAGER" or "XLA", got {backend_name!r}'))
        executor = backend(backend_name)
        if (kind, ordinal) not in executor.devices():
            there = ", ".join(f"{k}:{n}" for k, n in executor.devices())
            raise at_caller(DeviceError(f"no device {kind}:{ordinal} is here; there is {there}"))
        made = super().__new__(cls if executor.lazy else _EagerDevice)
        made.kind, made.ordinal, made.backend = kind, ordinal, backend_name
        made.executor = executor
        if executor.lazy:
            made.lazy = True
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return Device, (self.kind, self.ordinal, self.backend)

    def __repr__(self) -> str:
        return f"Device({self.kind!r}, {self.ordinal}, backend={self.backend!r})"

    @staticmethod
    def default() -> Device:
        """The device that `default_device` set in this thread; else the eager default."""
        chosen: Device | None = thread.state.device
        return chosen or Device.default_eager()

    @staticmethod
    def default_xla() -> Device:
        """The first TPU, else GPU, else CPU, on the XLA backend."""
        return _first("XLA")

    @staticmethod
    def default_eager() -> Device:
        """The first TPU, else GPU, else CPU, on the eager backend."""
        return _first("EAGER")

    @staticmethod
    def all_devices() -> list[Device]:
        """Every device of every backend."""
        return [Device(k, n, name) for name in _MODULES for k, n in backend(name).devices()]


class _EagerDevice(Device):
    """A device that is lazy while this thread records a function for it."""

    __slots__ = ()

    @property
    def lazy(self) -> bool:  # type: ignore[override]
        """Whether operations on this device are recorded."""
        return self in thread.state.recordings


def _first(backend_name: str) -> Device:
    kinds = [kind for kind, _ in backend(backend_name).devices()]
    return Device(next(kind for kind in KINDS if kind in kinds), 0, backend_name)


@contextmanager
def default_device(device: Device) -> Iterator[Device]:
    """Inside, tensors are made on `device` unless told otherwise. Applies to this thread."""
    if not isinstance(device, Device):
        raise at_caller(TypeError(f"default_device needs a Device, got {device!r}"))
    with entered("device", device):
        yield device
