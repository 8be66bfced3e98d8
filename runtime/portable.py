"""What backends share that has to do with no device: artifacts out, other people's programs in."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lowering import emit, run_passes
from lowering.resolving import resolve
from tracer.device import Artifact
from tracer.errors import LoweringError, where
from tracer.ir import Function, Module, TensorType
from tracer.ir.walk import operations

_SCRIPT = Path(__file__).with_name("standalone.py")
_PASSES = ("cse", "dce")
"""What every reader of StableHLO gains by; other passes look at the device."""


class Portable:
    """Programs to keep, and programs from elsewhere."""

    def artifact(self, function: Function, version: str, custom_calls: Sequence[str]) -> Artifact:
        """A program for other readers of StableHLO, in a version of it or "WEEK_12" and the like.

        Raises ValueError for no such version, LoweringError for what it can't hold.
        """
        _check_calls(function, custom_calls)
        artifact, mlir = _mlir("artifact"), _mlir("mlir")
        found = artifact.version_of(version)
        module = run_passes(Module.of(function, function.name), _PASSES)
        text = artifact.readable(mlir.parse_mlir(emit(module)))
        data = artifact.serialize(text, found)
        return Artifact(found, text, data, _SCRIPT.read_text(encoding="utf-8"))

    def read(self, source: str | bytes, file: str, trusted: bool) -> Module:
        """The module that a text or an artifact holds. Raises LoweringError where it is neither."""
        module: Module = _mlir("artifact").read(source, file, trusted)
        return module

    def resolve(self, module: Module, types: Sequence[TensorType], unrolled: bool) -> Function:
        """A module as one function for arguments of these types, without calls, its ops ours.

        Raises LoweringError where that can't be.
        """
        return resolve(module, types, unrolled)


def _mlir(name: str) -> Any:
    """A module that imports MLIR: 0.15 s, which running a program need not pay."""
    return importlib.import_module(f"lowering.{name}")


def _check_calls(function: Function, allowed: Sequence[str]) -> None:
    """Raises LoweringError for a custom call that is not among those allowed."""
    for operation in operations(function.body):
        target = operation.attributes.get("call_target_name")
        if target is not None and target not in allowed:
            raise LoweringError(
                f"a portable artifact needs StableHLO's own operations, got a custom_call of "
                f"{target}, recorded at {where(operation.location)}; "
                f"custom_calls=({target!r},) lets it in"
            )
