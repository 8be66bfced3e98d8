"""The stages of a program, each as readable text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lowering import emit
from lowering.mlir import parse_mlir
from runtime import pjrt
from runtime.xla import Program, XlaBackend
from tools.locations import Locations
from tools.terminal import REFUSED, Failure
from tracer.device import Device, Executable
from tracer.errors import LoweringError
from tracer.ir import Function

_ELIDED = 16
"""Constants of more elements than this, not all equal, are left out, as MLIR does."""


@dataclass(frozen=True, slots=True)
class Stages:
    """One program of one device, and how its text shows places.

    `executable`: what the backend made of it, where that is known.
    """

    function: Function
    device: Device
    locations: Locations
    executable: Executable | None = None

    def text(self, stage: str) -> str:
        """The program at a stage. Raises Failure where it does not get there."""
        try:
            return STAGES[stage].text(self)
        except LoweringError as error:
            raise Failure(f"{stage}: {error}", REFUSED) from None

    def trace(self) -> str:
        """As recorded, before the passes."""
        return self._mlir(emit(self.function, self.function.name))

    def stablehlo(self) -> str:
        """After the passes: what XLA is given."""
        return self._mlir(self._lowered())

    def hlo(self) -> str:
        """As XLA reads it, before it optimises."""
        try:
            return self.locations.hlo(pjrt.hlo_text(self._lowered()))
        except pjrt.CompileError as error:
            raise LoweringError(f"XLA could not read the program: {error}") from None

    def optimized(self) -> str:
        """What XLA made of it."""
        device = self.device
        made = self.executable
        if made is None:
            made = device.executor.compile(self.function, device.kind, device.ordinal)
        assert isinstance(made, Program)
        return self.locations.hlo(made.optimized_text())

    def _lowered(self) -> str:
        backend = self.device.executor
        assert isinstance(backend, XlaBackend)
        return backend.lower(self.function, self.device.kind, self.device.ordinal)

    def _mlir(self, text: str) -> str:
        shown = parse_mlir(text).operation.get_asm(
            enable_debug_info=True, use_local_scope=True, large_elements_limit=_ELIDED
        )
        return self.locations.mlir(str(shown))


@dataclass(frozen=True, slots=True)
class Stage:
    """How a program is written at one stage, and what files of it end with."""

    text: Callable[[Stages], str]
    suffix: str


STAGES = {
    "trace": Stage(Stages.trace, ".mlir"),
    "stablehlo": Stage(Stages.stablehlo, ".mlir"),
    "hlo": Stage(Stages.hlo, ".hlo"),
    "optimized": Stage(Stages.optimized, ".hlo"),
}
