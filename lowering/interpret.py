"""Runs a program with the NumPy meaning of its operations: the oracle of the pass tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lowering.chlo import expansion
from tracer.errors import LoweringError, where
from tracer.ir import Block, Function, Module, Operation, TensorType, Value, callee

Array = NDArray[Any]
_Values = dict[Value, Array]


def interpret(program: Function | Module, *arrays: Any) -> tuple[Array, ...]:
    """The results of a function, or of the entry of a module, for these arguments.

    Raises TypeError for arguments of other types than the function's, and LoweringError for an
    operation that is opaque, or whose meaning gives another type than its type rule.
    """
    module = Module.of(program)
    function = module.entry
    if len(arrays) != len(function.arguments):
        raise TypeError(f"{len(function.arguments)} arguments are needed, got {len(arrays)}")
    given = tuple(map(np.asarray, arrays))
    for i, (array, argument) in enumerate(zip(given, function.arguments, strict=True)):
        if _type(array) is not argument.type:
            raise TypeError(f"argument {i} of type {argument.type} is needed, got {_type(array)}")
    return _Run(module).block(function.body, given, {})


def _type(array: Array) -> TensorType:
    return TensorType(array.shape, array.dtype)


class _Run:
    """One run of a module: its functions, and those that are being called."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._open: list[str] = []

    def block(
        self, block: Block, arrays: Sequence[Any], outer: _Values, checked: bool = True
    ) -> tuple[Array, ...]:
        """What a block returns for these arguments."""
        values = {**outer, **dict(zip(block.arguments, map(np.asarray, arrays), strict=True))}
        for operation in block.operations:
            results = self._apply(operation, values)
            if checked:
                _check(operation, results)
            values.update(zip(operation.results, results, strict=True))
        return tuple(values[v] for v in block.returns)

    def _apply(self, operation: Operation, values: _Values) -> tuple[Array, ...]:
        op = operation.op
        operands = [values[v] for v in operation.operands]
        called = callee(operation)
        if called is not None:
            return self._call(called, operands, operation)
        if op.is_opaque:
            body = expansion(operation)
            if body is None:
                raise _error(f"what {op.name} computes is not known", operation)
            return self.block(body, operands, values)
        bodies = op.bodies([self._callable(region, values) for region in operation.regions])
        found = op.numpy(*operands, **op.of_schema(operation.attributes), **bodies)
        return tuple(map(np.asarray, found if isinstance(found, tuple) else (found,)))

    def _call(self, name: str, operands: Sequence[Array], at: Operation) -> tuple[Array, ...]:
        if name in self._open:
            raise _error(f"functions that don't call themselves are needed, got @{name}", at)
        if name not in self._module:
            raise _error(f"the module is needed that holds @{name}, got a function alone", at)
        self._open.append(name)
        results = self.block(self._module[name].body, operands, {})
        self._open.pop()
        return results

    def _callable(self, region: Block, values: _Values) -> Callable[..., Any]:
        """A region as a function of arrays; its result, or a tuple where there are several.

        An op may hand it whole arrays in place of scalars: it is run for each of their elements.
        Narrower dtypes are promoted to those of its arguments.
        """
        types = [v.type for v in region.arguments]

        def body(*given: Any) -> Any:
            arrays = [np.asarray(x, t.dtype) for x, t in zip(given, types, strict=True)]
            if all(x.shape == t.shape for x, t in zip(arrays, types, strict=True)):
                results = self.block(region, arrays, values)
            else:
                results = self._each(region, np.broadcast_arrays(*arrays), values)
            return results[0] if len(results) == 1 else results

        return body

    def _each(self, region: Block, arrays: Sequence[Array], values: _Values) -> tuple[Array, ...]:
        """A region of scalars for each element; all at once where it is elementwise."""
        shape = arrays[0].shape
        if all(map(_is_pointwise, region.operations)):
            results = self.block(region, arrays, values, checked=False)
            return tuple(np.broadcast_to(x, shape) for x in results)
        rows = [self.block(region, [x[at] for x in arrays], values) for at in np.ndindex(shape)]
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
            meant = f"the meaning of {operation.name} gives {_type(array)}"
            raise _error(f"{meant}, its type rule {value.type}", operation)


def _error(message: str, at: Operation) -> LoweringError:
    return LoweringError(f"{message}\n  at {where(at.location)}" if at.location else message)
