"""`dump-hlo`: what a program became, from the recording to XLA's optimised HLO, and why it ran.

This package and its `command` load neither MLIR nor the library: each command does, on its own.
"""

from tools.dump_hlo.command import main

__all__ = ["main"]
