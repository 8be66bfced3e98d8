"""The passes: each a pure, idempotent Function -> Function in a file of its own, found by name."""

from lowering.passes.cse import cse
from lowering.passes.dce import dce
from lowering.passes.registry import PASSES, Pass, register_pass

__all__ = ["PASSES", "Pass", "cse", "dce", "register_pass"]
