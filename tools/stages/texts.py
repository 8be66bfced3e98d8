"""The text of a program at each stage."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from runtime.stages import Staged, archive
from runtime.xla import XlaBackend
from tools.terminal import REFUSED, Failure
from tracer.device import Device
from tracer.errors import LoweringError
from tracer.ir import Function, Module

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Stages:
    """One program of one device."""

    function: Function | Module
    device: Device

    def raw(self, stage: str) -> str:
        """The text as the compiler has it. Raises Failure where it does not get there."""
        return self._failing(stage, lambda staged: staged.text(stage))

    def archive(self) -> bytes:
        """The object files of the compiled code, as `ar` puts them together. Raises Failure."""
        return self._failing("obj", lambda staged: archive(staged.objects()))

    def _failing(self, stage: str, get: Callable[[Staged], _T]) -> _T:
        try:
            return get(self._staged())
        except (LoweringError, ValueError) as error:
            raise Failure(f"{stage}: {error}", REFUSED) from None

    def _staged(self) -> Staged:
        backend = self.device.executor
        assert isinstance(backend, XlaBackend)
        return backend.staged(self.function, self.device.kind, self.device.ordinal)
