"""The passes a program goes through, as a printable tuple of names per platform."""

from __future__ import annotations

import importlib
from collections.abc import Sequence

from lowering.passes import PASSES
from tracer.config import config
from tracer.errors import LoweringError
from tracer.ir import Function

DEFAULT = ("cse", "dce")
PIPELINES: dict[str, tuple[str, ...]] = {"cpu": DEFAULT, "gpu": DEFAULT, "tpu": DEFAULT}


def run_passes(function: Function, names: Sequence[str], *, verify: bool | None = None) -> Function:
    """The function after the passes of these names, in order.

    `verify` (by default what `config.verify_passes` says): whether MLIR judges what each pass made.
    Raises LoweringError where it is refused, and KeyError for an unknown name.
    """
    for name in names:
        function = PASSES[name](function)
        if config.verify_passes if verify is None else verify:
            _verify(function, name)
    return function


def _verify(function: Function, name: str) -> None:
    mlir = importlib.import_module("lowering.mlir")  # costs 0.15 s, which others need not pay
    try:
        mlir.verify(function)
    except LoweringError as error:
        raise LoweringError(f"the pass {name} made an invalid program:\n{error}") from None
