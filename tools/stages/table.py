"""The stages by name: what each shows, and how files of it are called."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Stage:
    """What a stage shows, in a line; what its files end with, and whether XLA has to compile.

    `parameter` is what has to follow a colon.
    """

    shows: str
    suffix: str
    xla: bool = False
    parameter: str = ""

    @property
    def is_text(self) -> bool:
        """Whether it can be read."""
        return self.suffix != ".a"


STAGES = {
    "trace": Stage("as recorded", ".mlir"),
    "grad": Stage("what derivatives added", ".mlir"),
    "pass": Stage("after a pass; * after each, changed where it changed", ".mlir", False, "NAME"),
    "lowered": Stage("after the passes: what XLA is given", ".mlir"),
    "stablehlo": Stage("as a portable artifact holds it", ".mlir"),
    "hlo": Stage("as XLA reads it", ".hlo"),
    "xla-pass": Stage("around XLA's passes of such names", ".hlo", True, "RE"),
    "hlo-opt": Stage("as XLA optimised it", ".hlo", True),
    "stablehlo-opt": Stage("that, as StableHLO", ".mlir", True),
    "buffers": Stage("which memory XLA gives each value", ".txt", True),
    "memory": Stage("how much memory a run takes", ".txt", True),
    "llvm": Stage("LLVM's code, before and after it is optimised", ".ll", True),
    "obj": Stage("the compiled code, an archive of object files", ".a", True),
}


def names() -> list[str]:
    """The stages as they are written on a command line."""
    return [f"{n}:{stage.parameter}" if stage.parameter else n for n, stage in STAGES.items()]


def kind_of(name: str) -> str:
    """The key of a stage in the table: `pass` of `pass:cse`."""
    return name.partition(":")[0]


def stage_of(name: str) -> Stage:
    """A stage as it was written, `pass:cse` among them. Raises KeyError."""
    return STAGES[kind_of(name)]


def file_of(name: str) -> str:
    """How files of a stage end, `_pass-cse.mlir`: without what a file system or shell reads."""
    plain = re.sub(r"[^\w.#-]+", "-", name).strip("-")
    return f"_{plain}{stage_of(name).suffix}"
