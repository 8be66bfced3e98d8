"""Which operations give the same bits on every backend."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tracer.dtypes import FLOAT8, NARROW_INTEGERS, finfo, kind
from tracer.ir import Operation
from tracer.ops.bodies import combines

Array = NDArray[Any]

_ROUNDED = frozenset(
    (
        "atan2",
        "cbrt",
        "cosine",
        "exponential",
        "exponential_minus_one",
        "log",
        "log_plus_one",
        "logistic",
        "power",
        "rsqrt",
        "sine",
        "tan",
        "tanh",
    )
)
_OF_COMPLEX = frozenset(("add", "compare", "complex", "imag", "negate", "real", "subtract"))
OF_INTEGERS = frozenset(("dot_general", "reduce", "reduce_window"))
_ORDERLESS = ("add", "and", "maximum", "minimum", "multiply", "or", "xor")
CHOSEN = {
    "broadcast_in_dim": slice(1),
    "concatenate": slice(None),
    "dynamic_slice": slice(1),
    "dynamic_update_slice": slice(2),
    "gather": slice(1),
    "pad": slice(2),
    "reshape": slice(1),
    "reverse": slice(1),
    "slice": slice(1),
    "transpose": slice(1),
}
"""Operations that choose among elements, and the operands that they choose from."""


def is_exact(operation: Operation) -> bool:
    """Whether the bits of the results are given by the op's meaning, for ordinary numbers."""
    name, traits = operation.name, operation.op.traits
    kinds = {kind(value.type.dtype) for value in (*operation.operands, *operation.results)}
    if moves(operation):
        return True
    if name in OF_INTEGERS:
        return kinds <= {"bool", "int", "uint"} and _is_orderless(operation)
    if "elementwise" not in traits or name in _ROUNDED:
        return False
    return not _differs(operation) and ("complex" not in kinds or name in _OF_COMPLEX)


def moves(operation: Operation) -> bool:
    """Whether it chooses among elements or their bits, and changes none."""
    return operation.name in CHOSEN or operation.name in ("bitcast_convert", "select")


def _is_orderless(operation: Operation) -> bool:
    """Whether the region, if any, is an operation on its arguments whose order does not matter."""
    names = [combines(region) for region in operation.regions]
    return all(name in _ORDERLESS for name in names)


def _differs(operation: Operation) -> bool:
    """Operations for which XLA and NumPy go different ways."""
    dtype = operation.operands[0].type.dtype
    if operation.name in ("sqrt", "round_nearest_afz"):
        return dtype in FLOAT8
    return operation.name == "popcnt" and dtype in NARROW_INTEGERS


def has_nan(array: Array) -> bool:
    return kind(array.dtype) in ("float", "complex") and bool(np.isnan(array).any())


def has_subnormal(array: Array) -> bool:
    if kind(array.dtype) == "complex":
        return has_subnormal(array.real) or has_subnormal(array.imag)
    if kind(array.dtype) != "float":
        return False
    least: Any = finfo(array.dtype).smallest_normal
    return bool(((array != 0) & (np.abs(array) < least)).any())
