"""The XLA options a program is compiled with, from its form."""

from __future__ import annotations

from tracer.ir import Function

Options = tuple[tuple[str, str], ...]

MANY = 32
"""Results that the program also reads, from which on fusing it costs more than it brings."""


def compile_options(function: Function, platform: str) -> Options:
    """Flags for one program, as (name, value) pairs.

    XLA:CPU fuses a chain of elementwise operations anew into each result along it: 500 results took
    93 s to compile, unfused 0.5 s.
    """
    read = {value for operation in function.operations for value in operation.operands}
    both = sum(value in read for value in function.returns)
    if platform == "cpu" and both >= MANY:
        return (("xla_disable_hlo_passes", "fusion"),)
    return ()
