"""The XLA options a program is compiled with, from its form."""

from __future__ import annotations

from typing import Any

from tracer.ir import Function

Options = tuple[tuple[str, Any], ...]

MANY = 32
"""Results that the program also reads, from which on fusing it costs more than it brings."""

TINY = 4096
"""Elements of a result, up to which an operation alone is not worth LLVM's optimisations."""

_LEAVES = ("constant", "broadcast_in_dim")


def compile_options(function: Function, platform: str) -> Options:
    """Flags for one program, as (name, value) pairs.

    XLA:CPU fuses a chain of elementwise operations anew into each result along it: 500 results took
    93 s to compile, unfused 0.5 s. One small operation compiles in a fifth less time unoptimised,
    with the same bits: there is no product to contract with a sum.
    """
    if platform != "cpu":
        return ()
    read = {value for operation in function.operations for value in operation.operands}
    if sum(value in read for value in function.returns) >= MANY:
        return (("xla_disable_hlo_passes", "fusion"),)
    if _is_tiny(function):
        return (("xla_backend_optimization_level", 0),)
    return ()


def _is_tiny(function: Function) -> bool:
    work = [op for op in function.operations if op.op.name not in _LEAVES]
    sizes = [v.type.size for v in (*function.arguments, *function.returns)]
    return len(work) == 1 and not work[0].regions and max(sizes, default=0) <= TINY
