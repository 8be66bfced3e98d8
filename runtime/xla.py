"""The XLA backend: recordings are lowered through every pass and compiled whole."""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from lowering import compile_options, emit, pipeline_of, run_passes
from lowering.identity import pipeline_identity
from runtime import pjrt
from runtime.cache import Request, cached
from runtime.portable import Portable
from tracer import metrics
from tracer.errors import Location, LoweringError, at_caller, locate, where
from tracer.ir import Function, Module


class XlaBackend(Portable):
    """Operations are recorded; programs run asynchronously."""

    lazy = True
    passes: ClassVar[bool] = True

    def devices(self) -> tuple[tuple[str, int], ...]:
        """Kind and ordinal of every device."""
        return tuple(pjrt.clients())

    def put(self, array: NDArray[Any], kind: str, ordinal: int) -> pjrt.Buffer:
        """Moves an array, which nobody else will change, to a device. Raises LoweringError."""
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
        try:
            array = pjrt.get(buffer)
        except pjrt.CompileError as error:
            raise _failed_later(error, locate(2)) from None
        metrics.add("bytes_to_host", array.nbytes)
        return array

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
        return _Lowering(Module.of(function, function.name), names)

    def compile(self, function: Function, kind: str, ordinal: int) -> Program:
        """A program for one device. Raises LoweringError where XLA refuses it."""
        client = pjrt.clients()[kind, ordinal]
        results = [(v.type.shape, v.type.dtype) for v in function.returns]
        options = compile_options(function, client.platform)
        lowering = self._lowering(function, client)
        try:
            request = Request(client, results, options)
            return Program(cached(request, lowering.source, lowering.text), _about(function))
        except pjrt.CompileError as error:
            message = f"XLA could not compile the program: {error}\n  {_about(function)}"
            raise LoweringError(message) from None


class _Lowering:
    """A recorded program, and what passes of these names make of it once that is wanted."""

    def __init__(self, recorded: Module, names: tuple[str, ...]) -> None:
        self._recorded = recorded
        self._names = names

    @cached_property
    def _module(self) -> Module:
        return run_passes(self._recorded, self._names)

    def text(self) -> str:
        """What XLA is given."""
        return emit(self._module)

    def source(self) -> str:
        """What that follows from, places aside: found without the passes where it can be."""
        identity = pipeline_identity(self._names) if self._names else ""
        if identity is None:
            return emit(self._module, places=False)
        return identity + emit(self._recorded, places=False)


def _about(function: Function) -> str:
    """A program in words: its name, its size, and the lines that recorded its first and last."""
    places = [o.location for o in function.operations if o.location is not None]
    span = " to ".join(dict.fromkeys(map(where, places[:1] + places[-1:])))
    recorded = f", recorded at {span}" if span else ""
    names = [o.op.name for o in function.operations]
    size = names[0] if len(names) == 1 else f"{len(names)} operations"
    return f"@{function.name}: {size}{recorded}"


def _failed_later(error: Exception, location: Location) -> LoweringError:
    """Of a run that had been started: the last one, most likely."""
    message = f"the program failed while it ran: {error}\n  the last one started: {Program.started}"
    return at_caller(LoweringError(message), location)


class Program:
    """An executable whose errors are ours: they say which program it is, and who ran it."""

    started: ClassVar[str] = ""
    """What is known of the last one that was started."""

    def __init__(self, executable: pjrt.Executable, about: str) -> None:
        self._run = executable
        self.start = executable.__call__
        self._about = about

    def __call__(self, inputs: Any) -> list[pjrt.Buffer]:
        Program.started = self._about
        try:
            return self._run(inputs)
        except pjrt.CompileError as error:
            raise self._refused(error, locate(2)) from None

    def fill(self, inputs: Any, results: list[pjrt.Buffer]) -> None:
        """The same, the buffers put into `results`, where they are if a signal handler raises."""
        Program.started = self._about
        try:
            self._run.fill(inputs, results)
        except pjrt.CompileError as error:
            raise self._refused(error, locate(2)) from None

    def _refused(self, error: Exception, place: Location) -> LoweringError:
        message = f"the program could not be run: {error}\n  {self._about}"
        return at_caller(LoweringError(message), place)

    def optimized_text(self) -> str:
        """The HLO that XLA made of it."""
        return self._run.optimized_text()

    def memory_analysis(self) -> Any:
        """What XLA says of the memory: sizes of arguments, results, code and the rest, in bytes."""
        return self._run.loaded.get_compiled_memory_stats()

    def cost_analysis(self) -> dict[str, float]:
        """What XLA estimates of the work, by name: "flops", "bytes accessed", …"""
        return self._run.loaded.cost_analysis()  # type: ignore[no-any-return]


BACKEND = XlaBackend()
