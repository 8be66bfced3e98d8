"""The XLA backend: recordings are lowered through every pass and compiled whole."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from lowering import compile_options, emit, pipeline_of, run_passes
from runtime import pjrt
from runtime.portable import Portable
from tracer import metrics
from tracer.errors import LoweringError
from tracer.ir import Function, Module


class XlaBackend(Portable):
    """Operations are recorded; programs run asynchronously."""

    lazy = True
    passes: ClassVar[bool] = True

    def devices(self) -> tuple[tuple[str, int], ...]:
        """Kind and ordinal of every device."""
        return tuple(pjrt.clients())

    def put(self, array: NDArray[Any], kind: str, ordinal: int) -> pjrt.Buffer:
        """Moves an array, which nobody else will change, to a device."""
        metrics.add("bytes_to_device", array.nbytes)
        return pjrt.clients()[kind, ordinal].put(array)

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
            raise LoweringError(f"the program failed while it ran: {error}") from None
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
            raise LoweringError(f"the program failed while it ran: {error}") from None

    def lower(self, function: Function, kind: str, ordinal: int) -> str:
        """The text that XLA is given: StableHLO after the passes."""
        module = Module.of(function, function.name)
        if self.passes:
            module = run_passes(module, pipeline_of(pjrt.clients()[kind, ordinal].platform))
        return emit(module)

    def compile(self, function: Function, kind: str, ordinal: int) -> Program:
        """A program for one device. Raises LoweringError where XLA refuses it."""
        client = pjrt.clients()[kind, ordinal]
        results = [(v.type.shape, v.type.dtype) for v in function.returns]
        options = compile_options(function, client.platform)
        try:
            return Program(client.compile(self.lower(function, kind, ordinal), results, options))
        except pjrt.CompileError as error:
            raise LoweringError(f"XLA could not compile the program: {error}") from None


class Program:
    """An executable whose errors are ours."""

    def __init__(self, executable: pjrt.Executable) -> None:
        self._run = executable

    def __call__(self, inputs: Any) -> list[pjrt.Buffer]:
        try:
            return self._run(inputs)
        except pjrt.CompileError as error:
            raise LoweringError(f"the program could not be run: {error}") from None

    def optimized_text(self) -> str:
        """The HLO that XLA made of it."""
        return self._run.optimized_text()


BACKEND = XlaBackend()
