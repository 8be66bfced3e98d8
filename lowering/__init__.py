"""What a program becomes: functions, passes, StableHLO text, and back."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from lowering.emit import emit
from lowering.interpret import interpret
from lowering.options import compile_options
from lowering.passes import PASSES, register_module_pass, register_pass
from lowering.pipeline import PIPELINES, pipeline_of, run_passes
from lowering.rewriting import Rewriter, RuleSet, apply_rules, constant_of, is_splat, splat_of
from lowering.statistics import counting
from tracer.config import quiet_xla

if TYPE_CHECKING:
    from lowering.mlir import print_module, verify
    from lowering.reader import parse

quiet_xla()  # before jaxlib is loaded, by lowering.mlir at the latest

__all__ = [
    "PASSES",
    "PIPELINES",
    "Rewriter",
    "RuleSet",
    "apply_rules",
    "compile_options",
    "constant_of",
    "counting",
    "emit",
    "interpret",
    "is_splat",
    "parse",
    "pipeline_of",
    "print_module",
    "register_module_pass",
    "register_pass",
    "run_passes",
    "splat_of",
    "verify",
]

_OF_MLIR = {
    "parse": "lowering.reader",
    "print_module": "lowering.mlir",
    "verify": "lowering.mlir",
}


def __getattr__(name: str) -> Any:
    """What needs MLIR, which takes 0.15 s to import: running a program need not pay them."""
    if name not in _OF_MLIR:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_OF_MLIR[name]), name)
