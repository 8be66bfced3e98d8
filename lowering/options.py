"""The XLA options a program is compiled with, from its form."""

from __future__ import annotations

from typing import Any

from tracer.dtypes import float32, kind
from tracer.ir import Function, OpaqueType, Operation
from tracer.ir.walk import operations

Options = tuple[tuple[str, Any], ...]

MANY = 32
"""Results that the program also reads, from which on fusing it costs more than it brings."""

TINY = 4096
"""Elements of a result, up to which an operation alone is not worth LLVM's optimisations."""

FEW = 64
"""Elements up to which the same holds of a reduction, whose loop is slower without them."""
DRAWN = 65_536
"""Elements up to which it holds of random bits: of 48,000 the program takes 80 ms in place of 340
to compile, and 1.2 ms in place of 0.5 to run."""

CONVOLVING: Options = (
    (
        "xla_cpu_experimental_ynn_fusion_type",
        "LIBRARY_FUSION_TYPE_DOT,LIBRARY_FUSION_TYPE_REDUCE",
    ),
)
"""XNNPACK's successor multiplies and adds up, but does not convolve: a step of two 3 x 3
convolutions of 64 features takes 22 ms in place of 33, on jaxlib 0.10 of 57, and compiles in no
more time."""

LARGE = 1 << 28
"""Bytes of all intermediate results from which on it matters in which order they are made."""
SPARING: Options = (("xla_cpu_scheduler_type", "CPU_SCHEDULER_TYPE_MEMORY_OPTIMIZED"),)
"""The order that takes the least memory, the results being the same: of a transformer block 31 MB
in place of 39, and a fifth less time, for glibc has blocks of more than 32 MiB anew at each run."""

_LEAVES = ("constant", "broadcast_in_dim")
_CONTRACTED = (
    "batch_norm_grad",
    "batch_norm_inference",
    "batch_norm_training",
    "convolution",
    "dot_general",
    "logistic",
    "triangular_solve",
)
"""Operations that XLA makes of products and sums, which LLVM contracts only where it optimises."""


def compile_options(function: Function, platform: str) -> Options:
    """Flags for one program, as (name, value) pairs.

    XLA:CPU fuses a chain of elementwise operations anew into each result along it: 500 results took
    93 s to compile, unfused 0.5 s. One small operation compiles in up to a fifth less time
    unoptimised, with the same bits, unless it has a product to contract with a sum. (The rest of
    the 20 ms that an addition takes is XLA setting itself up; no option was found that spares it.)
    """
    if platform != "cpu" or _is_opaque(function):
        return ()
    convolving = CONVOLVING if _convolves(function) else ()
    return _of_size(function) + convolving + (SPARING if _is_large(function) else ())


def _is_opaque(function: Function) -> bool:
    """Whether it has types that the table does not know, whose sizes nobody here knows either."""
    results = (value for operation in operations(function.body) for value in operation.results)
    return any(isinstance(value.type, OpaqueType) for value in (*function.arguments, *results))


def _is_large(function: Function) -> bool:
    results = (v.type for operation in function.operations for v in operation.results)
    return sum(type.size * type.dtype.itemsize for type in results) >= LARGE


def _convolves(function: Function) -> bool:
    return any(
        operation.name == "convolution" and operation.result.type.dtype == float32
        for operation in operations(function.body)
    )


def _of_size(function: Function) -> Options:
    read = {value for operation in function.operations for value in operation.operands}
    if sum(value in read for value in function.returns) >= MANY:
        return (("xla_disable_hlo_passes", "fusion"),)
    if _is_tiny(function):
        return (("xla_backend_optimization_level", 0),)
    return ()


def _is_tiny(function: Function) -> bool:
    work = [op for op in function.operations if op.op.name not in _LEAVES]
    values = (*function.arguments, *function.returns)
    if len(work) != 1 or any(kind(v.type.dtype) == "complex" for v in values):
        return False
    return max((v.type.size for v in values), default=0) <= _bound(work[0])


def _bound(operation: Operation) -> int:
    """Elements up to which an operation compiles faster, runs as fast and gives the same bits."""
    if operation.name in _CONTRACTED:
        return -1
    if operation.name == "rng_bit_generator":
        return DRAWN
    if operation.name == "reduce":
        return FEW if len(operation.regions[0].operations) == 1 else -1
    return TINY if not operation.regions or operation.name == "sort" else -1
