"""The passes a program goes through, as a printable tuple of names per platform."""

from __future__ import annotations

import importlib
from collections.abc import Sequence

from lowering.passes.registry import find_pass
from tracer.config import config
from tracer.errors import LoweringError
from tracer.ir import Function, Module

_SIMPLIFY = (
    "canonicalize",
    "fold-constants",
    "canonicalize",
    "simplify-arithmetic",
    "merge-dots",
    "simplify-slices",
    "simplify-shapes",
    "simplify-reductions",
    "simplify-loops",
    "hoist-loop-invariants",
    "cse",
    "dce",
    "mark-donation",
)
_ACCELERATOR = ("inline", "cse", *_SIMPLIFY)

PIPELINES: dict[str, tuple[str, ...]] = {
    "cpu": (
        *("inline", "outline", "cse"),
        *("convolution-patches", "convolution-forms", "pooling-forms"),
        *_SIMPLIFY,
        "dot-forms",
    ),
    "gpu": _ACCELERATOR,
    "tpu": _ACCELERATOR,
}
"""Outlining comes first: the rest then works on one layer of many. That calls are not inlined, and
how a convolution or a dot product is best written, holds for XLA on the CPU."""


def pipeline_of(platform: str) -> tuple[str, ...]:
    """The names of the passes of a platform, without those that `config.disabled_passes` names.

    Raises ValueError where that names what is no pass.
    """
    disabled = [name.strip() for name in config.disabled_passes.split(",") if name.strip()]
    for name in disabled:
        find_pass(name)
    return tuple(name for name in PIPELINES[platform] if name not in disabled)


def run_passes(
    program: Function | Module, names: Sequence[str], *, verify: bool | None = None
) -> Module:
    """The module after the passes of these names, in order; a function alone is its @main.

    `verify` (by default what `config.verify_passes` says): whether MLIR judges what each pass made.
    Raises LoweringError where it is refused, and ValueError for an unknown name.
    """
    module = Module.of(program)
    for name in names:
        module = find_pass(name).run(module)
        if not isinstance(module, Module):
            raise LoweringError(f"the pass {name} must give a Module, got {module!r}")
        if config.verify_passes if verify is None else verify:
            _verify(module, name)
    return module


def _verify(module: Module, name: str) -> None:
    mlir = importlib.import_module("lowering.mlir")  # costs 0.15 s, which others need not pay
    try:
        mlir.verify(module)
    except LoweringError as error:
        raise LoweringError(f"the pass {name} made an invalid program:\n{error}") from None
