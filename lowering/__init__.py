"""What a program becomes: functions, passes, StableHLO text, and back.

`lowering.parse` and `lowering.mlir` are imported by name: MLIR costs 0.15 s, which running a
program need not pay.
"""

from lowering.emit import emit
from lowering.interpret import interpret
from lowering.options import compile_options
from lowering.passes import PASSES, register_pass
from lowering.pipeline import PIPELINES, run_passes

__all__ = [
    "PASSES",
    "PIPELINES",
    "compile_options",
    "emit",
    "interpret",
    "register_pass",
    "run_passes",
]
