"""`hlo-opt`: passes over StableHLO files, text in and text out.

This package and its `command` load neither MLIR nor the library: that is left to the process that
does the work.
"""

from tools.hlo_opt.command import main

__all__ = ["main"]
