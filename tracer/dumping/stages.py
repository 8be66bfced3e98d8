"""The text of a program at the stages that a bundle is to hold."""

from __future__ import annotations

import re

from tracer.device import Device, Executable
from tracer.ir import Function

_SUFFIXES = {
    "hlo": ".hlo",
    "hlo-opt": ".hlo",
    "xla-pass": ".hlo",
    "buffers": ".txt",
    "memory": ".txt",
    "llvm": ".ll",
}
_OWN = ("trace", "grad", "pass", "lowered", "stablehlo", "hlo")
"""What is known without a compiler."""
_KINDS = (*_OWN, "hlo-opt", "stablehlo-opt", "xla-pass", "buffers", "memory", "llvm")


def is_stage(name: object) -> bool:
    """Whether a stage has a text: `pass:cse`, `hlo-opt`."""
    kind, _, given = name.partition(":") if isinstance(name, str) else ("", "", "")
    return kind in _KINDS and bool(given) == (kind in ("pass", "xla-pass"))


def file_of(stage: str) -> str:
    """The name of a stage's file."""
    kind = stage.partition(":")[0]
    return re.sub(r"[^\w.#-]+", "-", stage) + _SUFFIXES.get(kind, ".mlir")


def is_file_of(name: str) -> bool:
    """Whether this is the name of a stage's file."""
    stem, _, suffix = name.rpartition(".")
    kind = next((k for k in ("xla-pass", "pass") if stem.startswith(f"{k}-")), stem)
    return kind in _KINDS and f".{suffix}" == _SUFFIXES.get(kind, ".mlir")


def text_of(
    stage: str, function: Function, device: Device, executable: Executable | None
) -> tuple[str, bool]:
    """The text, and whether the program was compiled once more for it.

    What a program loaded from the disk was is not what this one is: it has other places.
    Raises LoweringError where it does not get there.
    """
    if stage == "hlo-opt" and executable is not None and executable.source != "disk":
        return executable.optimized_text(), False
    text = device.executor.stage(function, stage, device.kind, device.ordinal)
    return text, stage.partition(":")[0] not in _OWN
