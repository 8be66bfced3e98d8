"""Debugging: where a NaN was made, values inside recorded code, and what must not happen."""

from tracer.debug.guards import (
    ImplicitCutError,
    UnexpectedCompileError,
    no_compiles,
    no_implicit_cuts,
)
from tracer.debug.looks import CheckError, check, print
from tracer.debug.nans import nans

__all__ = [
    "CheckError",
    "ImplicitCutError",
    "UnexpectedCompileError",
    "check",
    "nans",
    "no_compiles",
    "no_implicit_cuts",
    "print",
]
