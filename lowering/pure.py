"""A program as a portable artifact holds it: StableHLO alone, for any reader of it.

Imported by name only: MLIR costs 0.15 s, which running a program need not pay.
"""

from __future__ import annotations

from typing import Any

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

from lowering.artifact import readable, serialize
from lowering.emit import emit
from lowering.mlir import new_context, parse_mlir
from lowering.pipeline import run_passes
from tracer.ir import Module

_PASSES = ("expand-chlo", "cse", "dce")
_HIDDEN = ("arg_attrs", "res_attrs")


def pure(module: Module) -> str:
    """The text of a module that went through an artifact of this jaxlib's StableHLO.

    CHLO is expanded, and no attribute of another dialect is left. Raises LoweringError for what
    no artifact can hold.
    """
    plain = parse_mlir(emit(run_passes(module, _PASSES)))
    plain.operation.walk(_strip)
    data = serialize(readable(plain), stablehlo.get_current_version())
    return readable(stablehlo.deserialize_portable_artifact(new_context(), data))


def _strip(operation: Any) -> ir.WalkResult:
    given = operation.attributes
    names = [given[i].name for i in range(len(given))]
    for name in names:
        if "." in name or name in _HIDDEN:
            del given[name]
    return ir.WalkResult.ADVANCE
