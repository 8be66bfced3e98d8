"""Programs without some of their functions, operations, regions, results or arguments."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from tracer.ir import (
    Block,
    Function,
    Literal,
    Module,
    OpaqueType,
    Operation,
    TensorType,
    Value,
    make_operation,
)
from tracer.ir.walk import operations
from tracer.ops import OPS

_T = TypeVar("_T")
_Place = tuple[str, int]
"""A function's name, and the position of one of its results or arguments."""


_Region = tuple[Operation, Block]
"""An operation and one of its regions."""


def all_operations(module: Module) -> list[Operation]:
    """Every operation, those in regions too."""
    return [operation for function in module for operation in operations(function.body)]


def is_constant(operation: Operation) -> bool:
    """Whether an operation is a literal."""
    return operation.op is OPS["constant"]


def functions_of(module: Module) -> list[str]:
    """The names of the functions, the last first."""
    return [function.name for function in reversed(module.functions)]


def without_functions(module: Module, names: Sequence[str]) -> Module:
    """The module without the functions of these names."""
    return replace(module, functions=tuple(f for f in module if f.name not in names))


def results_of(module: Module) -> list[_Place]:
    """The results of each function, the last first."""
    return [(f.name, i) for f in reversed(module.functions) for i in _backwards(f.returns)]


def without_results(module: Module, places: Sequence[_Place]) -> Module:
    """The module whose functions don't return these."""
    return _each(module, places, _without_results)


def arguments_of(module: Module) -> list[_Place]:
    """The arguments that no function needs, the last first."""
    found = []
    for function in reversed(module.functions):
        used = _needed(function.body)
        arguments = function.arguments
        found += [(function.name, i) for i in _backwards(arguments) if arguments[i] not in used]
    return found


def without_arguments(module: Module, places: Sequence[_Place]) -> Module:
    """The module whose functions don't take these."""
    return _each(module, places, _without_arguments)


def operations_of(module: Module) -> list[Operation]:
    """Every operation, the last first."""
    return all_operations(module)[::-1]


def without_operations(module: Module, dropped: Sequence[Operation]) -> Module:
    """The module without these operations; others stand in for what they gave."""
    gone = set(dropped)
    return replace(module, functions=tuple(_Removal(gone, {}).function(f) for f in module))


def regions_of(module: Module) -> list[_Region]:
    """The regions of every operation, the last first."""
    return [(o, r) for o in operations_of(module) for r in reversed(o.regions)]


def with_regions_opened(module: Module, opened: Sequence[_Region]) -> Module:
    """The module with the operations of a region in the place of the one that holds it."""
    regions = dict(opened)
    return replace(module, functions=tuple(_Removal(set(), regions).function(f) for f in module))


def _is_zero(operation: Operation) -> bool:
    return is_constant(operation) and operation.attributes["value"] == _zeros(operation.result.type)


def _zeros(type: TensorType) -> Literal:
    return Literal(np.zeros(type.shape, type.dtype))


def _backwards(values: Sequence[Value]) -> range:
    return range(len(values) - 1, -1, -1)


def _needed(block: Block, gone: Container[Operation] = ()) -> set[Value]:
    """The values that a block reads, where operations that are gone pass theirs on."""
    needed = set(block.returns)
    for operation in reversed(block.operations):
        if operation not in gone or not needed.isdisjoint(operation.results):
            needed.update(operation.operands)
            needed.update(*(_needed(region, gone) for region in operation.regions))
    return needed


def _each(
    module: Module, places: Sequence[_Place], without: Callable[[Function, set[int]], Function]
) -> Module:
    made = []
    for function in module:
        gone = {position for name, position in places if name == function.name}
        made.append(without(function, gone) if gone else function)
    return replace(module, functions=tuple(made))


def _without_results(function: Function, gone: set[int]) -> Function:
    body = replace(function.body, returns=_others(function.returns, gone))
    attributes = _others(function.result_attributes, gone)
    return replace(function, body=body, result_attributes=attributes)


def _without_arguments(function: Function, gone: set[int]) -> Function:
    body = replace(function.body, arguments=_others(function.arguments, gone))
    attributes = _others(function.argument_attributes, gone)
    return replace(function, body=body, argument_attributes=attributes)


def _others(entries: Sequence[_T], gone: set[int]) -> tuple[_T, ...]:
    return tuple(entry for i, entry in enumerate(entries) if i not in gone)


class _Removal:
    """One walk over a function, which leaves operations out, or opens one of their regions."""

    def __init__(self, gone: set[Operation], opened: dict[Operation, Block]) -> None:
        self._gone = gone
        self._opened = opened
        self._mapping: dict[Value, Value] = {}
        self._zeros: dict[TensorType, Operation] = {}
        self._needed: set[Value] = set()

    def function(self, function: Function) -> Function:
        """The function without them: itself where it has none of them."""
        if not any(o in self._gone or o in self._opened for o in operations(function.body)):
            return function
        known = self._leading_zeros(function.body)
        self._zeros.update(known)
        self._needed = _needed(function.body, self._gone)
        body = self._block(function.body, [])
        used = _needed(body)
        made = [zero for type, zero in self._zeros.items() if type not in known]
        zeros = [zero for zero in made if zero.result in used]
        return replace(function, body=replace(body, operations=(*zeros, *body.operations)))

    def _leading_zeros(self, body: Block) -> dict[TensorType, Operation]:
        """What came in here before."""
        zeros = {}
        for operation in body.operations:
            if operation in self._gone or not _is_zero(operation):
                break
            zeros[operation.result.type] = operation
        return zeros

    def _block(self, block: Block, outer: Sequence[Value]) -> Block:
        visible = [*outer, *block.arguments]
        kept: list[Operation] = []
        for operation in block.operations:
            found = None
            if operation in self._gone:
                found = self._stand_ins(operation.results, operation, visible)
            elif operation in self._opened:
                found = self._open(operation, visible, kept)
            if found is None:
                kept.append(self._kept(operation, visible))
                found = kept[-1].results
                visible += found
            self._mapping.update(zip(operation.results, found, strict=True))
        return Block(block.arguments, tuple(kept), self._mapped(block.returns))

    def _open(
        self, operation: Operation, visible: Sequence[Value], kept: list[Operation]
    ) -> tuple[Value, ...] | None:
        """Appends what a region holds; what stands for the results, None where that can't be."""
        region = self._opened[operation]
        arguments = self._stand_ins(region.arguments, operation, visible)
        results = self._stand_ins(operation.results, operation, visible)
        if arguments is None or results is None:
            return None
        self._mapping.update(zip(region.arguments, arguments, strict=True))
        body = self._block(region, visible)
        kept += body.operations
        same = [v.type for v in body.returns] == [v.type for v in operation.results]
        return body.returns if same else results

    def _mapped(self, values: Sequence[Value]) -> tuple[Value, ...]:
        return tuple(self._mapping.get(v, v) for v in values)

    def _kept(self, operation: Operation, visible: Sequence[Value]) -> Operation:
        operands = self._mapped(operation.operands)
        if operands == operation.operands and not operation.regions:
            return operation
        regions = [self._block(region, visible) for region in operation.regions]
        return make_operation(
            operation.op, operands, operation.attributes, regions, operation.location
        )

    def _stand_ins(
        self, values: Sequence[Value], operation: Operation, visible: Sequence[Value]
    ) -> tuple[Value, ...] | None:
        """Values of the same types: operands, zeros, or any before; None where there is none."""
        operands = self._mapped(operation.operands)
        found = tuple(
            self._stand_in(v.type, operands, visible) if v in self._needed else v for v in values
        )
        return None if None in found else found  # type: ignore[return-value]

    def _stand_in(
        self, type: TensorType, operands: Sequence[Value], visible: Sequence[Value]
    ) -> Value | None:
        for operand in operands:
            if operand.type == type:
                return operand
        if not isinstance(type, OpaqueType):
            return self._zero(type)
        return next((v for v in reversed(visible) if v.type == type), None)

    def _zero(self, type: TensorType) -> Value:
        if type not in self._zeros:
            self._zeros[type] = make_operation(OPS["constant"], (), {"value": _zeros(type)})
        value = self._zeros[type].result
        return self._mapping.get(value, value)
