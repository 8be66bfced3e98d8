"""The XLA backend: recordings are lowered through every pass and compiled whole."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from lowering import compile_options, emit, pipeline_of, run_passes
from lowering.identity import pipeline_identity
from runtime import pjrt
from runtime.blame import About
from runtime.cache import Found, Request, cached
from runtime.override import overridden, path_of
from runtime.portable import Portable
from runtime.profiling import JaxlibProfiler
from runtime.stages import Staged
from tracer import metrics
from tracer.config import config
from tracer.context import here
from tracer.device import Device
from tracer.errors import FileLine, Location, LoweringError, at_caller, locate
from tracer.events import UNTOLD, Transfer, observers
from tracer.ir import Function, Module

_NOWHERE = FileLine("<unknown>", 0)
"""The place of what a thread of ours does."""


class XlaBackend(Portable):
    """Operations are recorded; programs run asynchronously."""

    lazy = True
    name: ClassVar[str] = "XLA"
    passes: ClassVar[bool] = True
    _last: _Lowering | None = None
    """What was lowered last, kept where observers are likely to ask for it again."""

    def devices(self) -> tuple[tuple[str, int], ...]:
        """Kind and ordinal of every device."""
        return tuple(pjrt.clients())

    def put(self, array: NDArray[Any], kind: str, ordinal: int) -> pjrt.Buffer:
        """Moves an array, which nobody else will change, to a device. Raises LoweringError."""
        moving = self._moving("device", (kind, ordinal), array.nbytes) if observers else UNTOLD
        with moving:
            metrics.add("bytes_to_device", array.nbytes)
            try:
                return pjrt.clients()[kind, ordinal].put(array)
            except pjrt.CompileError as error:
                message = f"{array.nbytes} bytes could not be moved to {kind}:{ordinal}: {error}"
                raise at_caller(LoweringError(message), locate(2)) from None

    def share(self, array: NDArray[Any], kind: str, ordinal: int) -> pjrt.Buffer | None:
        """A buffer on the array's own memory; None where a device can't use that as it is."""
        if kind != "CPU":
            return None
        buffer = pjrt.clients()[kind, ordinal].put(array, share=True)
        return buffer if np.shares_memory(pjrt.get(buffer), array) else None

    def get(self, buffer: pjrt.Buffer) -> NDArray[Any]:
        """Waits for a buffer; its elements, read-only. Raises LoweringError if the run failed."""
        with self._moving("host", pjrt.place_of(buffer)) if observers else UNTOLD as event:
            try:
                array = pjrt.get(buffer)
            except pjrt.CompileError as error:
                raise _failed_later(error, locate(2)) from None
            if event is not None:
                event.bytes = array.nbytes
        metrics.add("bytes_to_host", array.nbytes)
        return array

    def _moving(self, to: str, place: tuple[str, int], size: int = 0) -> Transfer:
        """What tells observers that bytes are moved, at the line that called our caller."""
        device = Device(*place, self.name)
        return Transfer(to=to, bytes=size, device=device, location=locate(3) or _NOWHERE)

    def export(self, buffer: pjrt.Buffer, stream: Any, version: Any, copied: bool) -> Any:
        """A DLPack capsule of a buffer's own memory, of at most this version."""
        self.wait(buffer)
        try:
            return pjrt.to_dlpack(buffer, stream, version, copied)
        except pjrt.CompileError as error:
            raise BufferError(str(error)) from None

    def adopt(self, array: Any, kind: str, ordinal: int, copy: bool) -> pjrt.Buffer:
        """A buffer of what `array.__dlpack__` offers on this device; its memory or a copy.

        Raises BufferError where that can't be.
        """
        try:
            return pjrt.clients()[kind, ordinal].from_dlpack(array, copy)
        except pjrt.CompileError as error:
            raise BufferError(str(error)) from None

    def wait(self, buffer: pjrt.Buffer) -> None:
        """Returns when a buffer is there. Raises LoweringError where its program failed."""
        try:
            buffer.block_until_ready()
        except pjrt.CompileError as error:
            raise _failed_later(error, locate(2)) from None

    def lower(self, function: Function, kind: str, ordinal: int) -> str:
        """The text that XLA is given: StableHLO after the passes."""
        return self._lowering(function, pjrt.clients()[kind, ordinal]).text()

    def _lowering(self, function: Function, client: pjrt.Client) -> _Lowering:
        names = pipeline_of(client.platform) if self.passes else ()
        if self._last is not None and self._last.serves(function, names):
            return self._last
        made = _Lowering(function, names)
        self._last = made if observers else None
        return made

    def _instead(self, function: Function, kind: str) -> str | None:
        """What to compile instead of a program, where somebody asked for that."""
        if not config.override:
            return None
        return overridden(function, path_of(self.fingerprint(function, kind)), here(3))

    def fingerprint(self, function: Function, kind: str) -> str:
        """A hash of a program as it was recorded, places aside, and of the kind of its device."""
        text = emit(Module.of(function, function.name), places=False)
        return hashlib.sha256(f"{kind} {self.name}\n{text}".encode()).hexdigest()

    def profiler(self) -> JaxlibProfiler:
        """A session of jaxlib's profiler. Raises RuntimeError where one is running already."""
        return JaxlibProfiler()

    def stage(self, program: Function | Module, name: str, kind: str, ordinal: int) -> str:
        """The text of a program at a stage; see `runtime.stages`. Raises LoweringError."""
        if name == "lowered" and isinstance(program, Function):
            return self.lower(program, kind, ordinal)
        return self.staged(program, kind, ordinal).text(name)

    def staged(self, program: Function | Module, kind: str, ordinal: int) -> Staged:
        """What tells of a program on a device, at every stage."""
        client = pjrt.clients()[kind, ordinal]
        passes = pipeline_of(client.platform) if self.passes else ()
        return Staged(program, client, passes)

    def compile(self, function: Function, kind: str, ordinal: int) -> Program:
        """A program for one device. Raises LoweringError where XLA refuses it."""
        client = pjrt.clients()[kind, ordinal]
        results = [(v.type.shape, v.type.dtype) for v in function.returns]
        options = compile_options(function, client.platform)
        lowering = self._lowering(function, client)
        instead = self._instead(function, kind)
        request = Request(client, results, options)
        about = About(function)
        try:
            if instead is None:
                found = cached(request, lowering.source, lowering.text)
            else:
                found = Found(client.compile(instead, results, options), "override")
            return Program(found, about)
        except pjrt.CompileError as error:
            told = about.told(error, text=instead or lowering.text())
            raise LoweringError(f"XLA could not compile the program: {told}") from None


class _Lowering:
    """A recorded program, and what passes of these names make of it once that is wanted."""

    def __init__(self, function: Function, names: tuple[str, ...]) -> None:
        self._function = function
        self._recorded = Module.of(function, function.name)
        self._names = names

    def serves(self, function: Function, names: tuple[str, ...]) -> bool:
        """Whether this is of that program and those passes."""
        return self._function is function and self._names == names

    @cached_property
    def _module(self) -> Module:
        return run_passes(self._recorded, self._names)

    @cached_property
    def _text(self) -> str:
        return emit(self._module)

    def text(self) -> str:
        """What XLA is given."""
        return self._text

    def source(self) -> str:
        """What that follows from, places aside: found without the passes where it can be."""
        identity = pipeline_identity(self._names) if self._names else ""
        if identity is None:
            return emit(self._module, places=False)
        return identity + emit(self._recorded, places=False)


def _failed_later(error: Exception, location: Location) -> LoweringError:
    """Of a run that had been started: the last one, most likely."""
    last = Program.started
    told = last.told(error, "the last one started: ") if last else error
    return at_caller(LoweringError(f"the program failed while it ran: {told}"), location)


class Program:
    """An executable whose errors are ours: they say which program it is, and who ran it."""

    started: ClassVar[About | None] = None
    """The last one that was started."""

    def __init__(self, found: Found, about: About) -> None:
        self.compiled, self.source, self.note = found
        self.start = self.compiled.__call__
        self._about = about

    def __call__(self, inputs: Any) -> list[pjrt.Buffer]:
        Program.started = self._about
        try:
            return self.compiled(inputs)
        except pjrt.CompileError as error:
            raise self._refused(error, locate(2)) from None

    def fill(self, inputs: Any, results: list[pjrt.Buffer]) -> None:
        """The same, the buffers put into `results`, where they are if a signal handler raises."""
        Program.started = self._about
        try:
            self.compiled.fill(inputs, results)
        except pjrt.CompileError as error:
            raise self._refused(error, locate(2)) from None

    def fill_watched(self, inputs: Any, results: list[pjrt.Buffer]) -> Callable[[], Any]:
        """The same; what waits until the device has run it, and keeps no buffer alive."""
        Program.started = self._about
        try:
            return self.compiled.fill_watched(inputs, results)
        except pjrt.CompileError as error:
            raise self._refused(error, locate(2)) from None

    def _refused(self, error: Exception, place: Location) -> LoweringError:
        message = f"the program could not be run: {self._about.told(error)}"
        return at_caller(LoweringError(message), place)

    def optimized_text(self) -> str:
        """The HLO that XLA made of it."""
        return self.compiled.optimized_text()

    def memory_analysis(self) -> Any:
        """What XLA says of the memory: sizes of arguments, results, code and the rest, in bytes."""
        return self.compiled.loaded.get_compiled_memory_stats()

    def cost_analysis(self) -> dict[str, float]:
        """What XLA estimates of the work, by name: "flops", "bytes accessed", …"""
        return self.compiled.loaded.cost_analysis()  # type: ignore[no-any-return]


BACKEND = XlaBackend()
