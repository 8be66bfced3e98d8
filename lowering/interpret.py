"""Runs a Function with the NumPy meaning of its operations: the oracle of the pass tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tracer.errors import LoweringError, where
from tracer.ir import Block, Function, Operation, TensorType, Value

Array = NDArray[Any]
_Values = dict[Value, Array]


def interpret(function: Function, *arrays: Any) -> tuple[Array, ...]:
    """The results for these arguments.

    Raises TypeError for arguments of other types than the function's, and LoweringError for an
    operation whose meaning gives another type than its type rule.
    """
    if len(arrays) != len(function.arguments):
        raise TypeError(f"{len(function.arguments)} arguments are needed, got {len(arrays)}")
    given = tuple(map(np.asarray, arrays))
    for i, (array, argument) in enumerate(zip(given, function.arguments, strict=True)):
        if _type(array) is not argument.type:
            raise TypeError(f"argument {i} of type {argument.type} is needed, got {_type(array)}")
    return _run(function.body, given, {})


def _type(array: Array) -> TensorType:
    return TensorType(array.shape, array.dtype)


def _run(
    block: Block, arrays: Sequence[Any], outer: _Values, checked: bool = True
) -> tuple[Array, ...]:
    values = {**outer, **dict(zip(block.arguments, map(np.asarray, arrays), strict=True))}
    for operation in block.operations:
        results = _apply(operation, values)
        if checked:
            _check(operation, results)
        values.update(zip(operation.results, results, strict=True))
    return tuple(values[v] for v in block.returns)


def _apply(operation: Operation, values: _Values) -> tuple[Array, ...]:
    op = operation.op
    bodies = op.bodies([_callable(region, values) for region in operation.regions])
    operands = (values[v] for v in operation.operands)
    found = op.numpy(*operands, **operation.attributes, **bodies)
    return tuple(map(np.asarray, found if isinstance(found, tuple) else (found,)))


def _callable(region: Block, values: _Values) -> Callable[..., Any]:
    """A region as a function of arrays; its result, or a tuple where there are several.

    An op may hand it whole arrays in place of scalars: it is run for each of their elements.
    Narrower dtypes are promoted to those of its arguments.
    """
    types = [v.type for v in region.arguments]

    def body(*given: Any) -> Any:
        arrays = [np.asarray(x, t.dtype) for x, t in zip(given, types, strict=True)]
        if all(x.shape == t.shape for x, t in zip(arrays, types, strict=True)):
            results = _run(region, arrays, values)
        else:
            results = _each(region, np.broadcast_arrays(*arrays), values)
        return results[0] if len(results) == 1 else results

    return body


def _each(region: Block, arrays: Sequence[Array], values: _Values) -> tuple[Array, ...]:
    """A region of scalars for each element; all at once where its operations are elementwise."""
    shape = arrays[0].shape
    if all(map(_is_pointwise, region.operations)):
        results = _run(region, arrays, values, checked=False)
        return tuple(np.broadcast_to(x, shape) for x in results)
    rows = [_run(region, [x[at] for x in arrays], values) for at in np.ndindex(shape)]
    return tuple(
        np.asarray([row[i] for row in rows], v.type.dtype).reshape(shape)
        for i, v in enumerate(region.returns)
    )


def _is_pointwise(operation: Operation) -> bool:
    """Whether an operation on scalars means the same of arrays, element by element."""
    known = "elementwise" in operation.op.traits or operation.op.name == "constant"
    return known and all(v.type.shape == () for v in (*operation.operands, *operation.results))


def _check(operation: Operation, results: Sequence[Array]) -> None:
    for array, value in zip(results, operation.results, strict=True):
        if _type(array) is not value.type:
            raise LoweringError(
                f"the meaning of {operation.op.name} gives {_type(array)}, its type rule "
                f"{value.type}\n  at {where(operation.location)}"
            )
