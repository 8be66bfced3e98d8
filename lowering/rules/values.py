"""Constants: which values are, what operations make of them, and new ones."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lowering.interpret import interpret
from lowering.rewriting import Rewriter, constant_of, splat_of
from lowering.rules.forms import fill
from tracer.dtypes import DType, finfo, has_infinity, iinfo, kind
from tracer.ir import Block, Function, Operation, TensorType, Value, make_operation
from tracer.ops import OPS

Array = NDArray[Any]

LIMIT = 65_536
"""The most bytes that a new constant may come to, unless it is one number broadcast."""


def size_of(value: Value) -> int:
    """The bytes of a value."""
    return value.type.size * value.type.dtype.itemsize


def kind_of(value: Value) -> str:
    """The kind of a value's dtype: "bool", "int", "uint", "float" or "complex"."""
    return kind(value.type.dtype)


def is_exact_kind(value: Value) -> bool:
    """Whether a value is of bools or integers, of which every law of rings holds."""
    return kind_of(value) in ("bool", "int", "uint")


def is_constant(value: Value) -> bool:
    """Whether a value is a constant, or a broadcast of one."""
    match value:
        case Value(Operation("broadcast_in_dim", (inner,))):
            return constant_of(inner) is not None
    return constant_of(value) is not None


def elements_of(value: Value) -> Array:
    """The elements of a constant, or of a broadcast of one."""
    match value:
        case Value(Operation("broadcast_in_dim", (inner,)) as spread):
            return evaluate(spread, {inner: elements_of(inner)})
    array = constant_of(value)
    assert array is not None
    return array


def filled(rewriter: Rewriter, number: Any, type: TensorType) -> Value:
    """A number in every place: a constant of one element, broadcast where that is not enough."""
    array = np.asarray(number).astype(type.dtype)
    if type.size == 1:
        return rewriter.constant(array.reshape(type.shape))
    return fill(rewriter.constant(array), type.shape, rewriter)


def evaluate(operation: Operation, arrays: dict[Value, Array]) -> Array:
    """The only result of an operation, given what its operands are."""
    block = Block(tuple(arrays), (operation,), operation.results)
    (result,) = interpret(Function("constant", block), *arrays.values())
    return result


def computed(rewriter: Rewriter, name: str, *operands: Value) -> Value | None:
    """What an exact elementwise operation makes of constants of one type; else None.

    Of splats it is a splat; of others it is at most as large as constants may be.
    """
    found = [splat_of(value) for value in operands]
    if all(number is not None for number in found):
        result = _applied(name, [np.asarray(number) for number in found])
        return filled(rewriter, result, operands[0].type)
    if not all(map(is_constant, operands)) or size_of(operands[0]) > LIMIT:
        return None
    return rewriter.constant(_applied(name, [elements_of(value) for value in operands]))


def _applied(name: str, arrays: list[Array]) -> Array:
    values = [Value(TensorType(array.shape, array.dtype)) for array in arrays]
    made = make_operation(OPS[name], values)
    return evaluate(made, dict(zip(values, arrays, strict=True)))


def lowest(dtype: DType) -> Any:
    """The least number of a dtype of bools or real numbers."""
    if kind(dtype) == "bool":
        return False
    if kind(dtype) == "float":
        return -np.inf if has_infinity(dtype) else finfo(dtype).min
    return int(iinfo(dtype).min)


def highest(dtype: DType) -> Any:
    """The greatest number of a dtype of bools or real numbers."""
    if kind(dtype) == "bool":
        return True
    if kind(dtype) == "float":
        return np.inf if has_infinity(dtype) else finfo(dtype).max
    return int(iinfo(dtype).max)
