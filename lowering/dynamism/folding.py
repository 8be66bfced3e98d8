"""The arithmetic on shapes: small integers, computed at once."""

from __future__ import annotations

import numpy as np

from lowering.rewriting import constant_of
from tracer.dtypes import kind
from tracer.ir import Literal, Operation, TensorType, make_operation
from tracer.ops import OPS

_SIZE = 64
"""Of how many elements a shape, or what one is made of, may be."""
_MOVES = (
    "broadcast_in_dim",
    "concatenate",
    "dynamic_slice",
    "gather",
    "iota",
    "pad",
    "reshape",
    "reverse",
    "slice",
    "transpose",
)


def is_small(type: TensorType) -> bool:
    """Whether a type may be that of a shape: a few integers or bools."""
    return kind(type.dtype) in ("bool", "int", "uint") and type.size <= _SIZE


def computes_length(operation: Operation) -> bool:
    """Whether an operation gives what may be a shape, or part of one, and does nothing else."""
    op = operation.op
    if op.regions or not ("elementwise" in op.traits or op.name in ("constant", *_MOVES)):
        return False
    return is_small(operation.result.type)


def folded(operation: Operation) -> Operation:
    """A constant in the place of arithmetic on constants that may be a shape; else itself."""
    if operation.name == "constant" or not computes_length(operation):
        return operation
    arrays = [constant_of(v) for v in operation.operands]
    if not all(
        a is not None and is_small(v.type) for a, v in zip(arrays, operation.operands, strict=True)
    ):
        return operation
    op = operation.op
    array = np.asarray(op.numpy(*arrays, **op.of_schema(operation.attributes)))
    given = {"value": Literal(array)}
    return make_operation(OPS["constant"], (), given, location=operation.location)
