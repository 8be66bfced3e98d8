"""The text of a program at each stage, to be read."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import mhlo

from lowering.mlir import new_context
from runtime.stages import TITLE, Staged, archive
from runtime.xla import XlaBackend
from tools.places.locations import Locations
from tools.stages.table import stage_of
from tools.terminal import REFUSED, Failure, write_bytes, write_file
from tracer.device import Device
from tracer.errors import LoweringError
from tracer.ir import Function, Module

_T = TypeVar("_T")
_ELIDED = 16
"""Constants of more elements than this, not all equal, are left out, as MLIR does."""


@dataclass(frozen=True, slots=True)
class Stages:
    """One program of one device, and how its text shows places."""

    function: Function | Module
    device: Device
    locations: Locations

    def text(self, stage: str) -> str:
        """The program at a stage, to be read. Raises Failure where it does not get there."""
        return shown(self.raw(stage), stage_of(stage).suffix, self.locations)

    def raw(self, stage: str) -> str:
        """The text as the compiler has it. Raises Failure where it does not get there."""
        if not stage_of(stage).is_text:
            raise Failure(f"{stage} is no text: dump-hlo fn --stage {stage} -o FILE writes it")
        return self._failing(stage, lambda staged: staged.text(stage))

    def write(self, stage: str, path: Path) -> None:
        """Writes the file of a stage. Raises Failure."""
        if stage == "obj":
            write_bytes(path, self.archive())
        else:
            write_file(path, self.text(stage))

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


def shown(raw: str, suffix: str, locations: Locations) -> str:
    """The text of a stage with places as comments, large constants left out, under its titles."""
    read = partial(_READERS.get(suffix, _as_is), locations)
    before, *parts = re.split(rf"^({TITLE}.*\n)", raw, flags=re.MULTILINE)
    titled = (title + read(text) for title, text in zip(parts[::2], parts[1::2], strict=True))
    return (read(before) if before.strip() else "") + "".join(titled)


def _mlir(locations: Locations, text: str) -> str:
    if not re.sub("//.*", "", text).strip():  # what says that there is nothing
        return text
    context = new_context()
    mhlo.register_mhlo_dialect(context)
    asm: Any = ir.Module.parse(text, context).operation.get_asm(
        enable_debug_info=True, use_local_scope=True, large_elements_limit=_ELIDED
    )
    return locations.mlir(str(asm))


def _hlo(locations: Locations, text: str) -> str:
    return locations.hlo(text)


def _as_is(_: Locations, text: str) -> str:
    return text


_READERS = {".mlir": _mlir, ".hlo": _hlo}
