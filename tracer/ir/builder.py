"""The only maker of operations: checks attributes, runs the type rule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tracer.errors import Location
from tracer.ir.core import (
    Attribute,
    Attributes,
    Block,
    Function,
    OpDef,
    Operation,
    Value,
    is_carried,
)
from tracer.ir.types import TensorType


def check_attributes(op: OpDef, given: Attributes) -> Attributes:
    """The attributes in the schema's order, defaults filled in; then those only carried.

    Raises TypeError for one that is unknown or missing.
    """
    names = [a.name for a in op.attributes]
    others = [name for name in given if name not in names]
    unknown = [name for name in others if not is_carried(name)]
    if unknown:
        known = ", ".join(names) or "none"
        raise TypeError(f"{op.name} has no attribute {unknown[0]!r}; its attributes: {known}")
    checked = {a.name: _value(op, a, given) for a in op.attributes}
    return {**checked, **{name: given[name] for name in others}} if others else checked


def _value(op: OpDef, attribute: Attribute, given: Attributes) -> Any:
    if attribute.name in given:
        return given[attribute.name]
    if attribute.required:
        raise TypeError(f"{op.name} needs the attribute {attribute.name!r}")
    return attribute.default


def infer(
    op: OpDef, types: Sequence[TensorType], attributes: Attributes, regions: Sequence[Block] = ()
) -> tuple[TensorType, ...]:
    """The result types of an application. Raises what the op's type rule raises."""
    found = op.type_rule(*types, **op.of_schema(attributes), **op.bodies(regions))
    return found if isinstance(found, tuple) else (found,)


def make_operation(
    op: OpDef,
    operands: Sequence[Value],
    attributes: Attributes | None = None,
    regions: Sequence[Block] = (),
    location: Location = None,
) -> Operation:
    """One operation, its results typed by the op's rule."""
    checked = check_attributes(op, attributes or {})
    types = infer(op, [v.type for v in operands], checked, regions)
    return _made(op, tuple(operands), checked, tuple(regions), types, location)


def with_operands(operation: Operation, operands: tuple[Value, ...]) -> Operation:
    """The operation on other operands; where those have the same types, its results have too."""
    if operation.regions or any(
        new.type is not old.type for new, old in zip(operands, operation.operands, strict=True)
    ):
        given = operation.attributes
        return make_operation(operation.op, operands, given, operation.regions, operation.location)
    types = tuple(v.type for v in operation.results)
    return _made(operation.op, operands, operation.attributes, (), types, operation.location)


def _made(
    op: OpDef,
    operands: tuple[Value, ...],
    attributes: Attributes,
    regions: tuple[Block, ...],
    types: tuple[TensorType, ...],
    location: Location,
) -> Operation:
    results = tuple([Value(t, None, i) for i, t in enumerate(types)])
    made = Operation(op, operands, attributes, regions, results, location)
    for value in results:
        value.owner = made
    return made


class Builder:
    """Appends arguments and operations, then closes them into a Block or a Function."""

    def __init__(self) -> None:
        self._arguments: list[Value] = []
        self._operations: list[Operation] = []

    def argument(self, type: TensorType, name: str = "") -> Value:
        """One more argument."""
        value = Value(type, index=len(self._arguments), name=name)
        self._arguments.append(value)
        return value

    def create(
        self,
        op: OpDef,
        operands: Sequence[Value],
        attributes: Attributes | None = None,
        regions: Sequence[Block] = (),
        location: Location = None,
    ) -> tuple[Value, ...]:
        """One more operation; its results."""
        return self.append(make_operation(op, operands, attributes, regions, location))

    def append(self, operation: Operation) -> tuple[Value, ...]:
        """An operation that is made already; its results."""
        self._operations.append(operation)
        return operation.results

    def block(self, returns: Sequence[Value]) -> Block:
        """All that was appended, as a block returning these values."""
        made = Block(tuple(self._arguments), tuple(self._operations), tuple(returns))
        for value in made.arguments:
            value.owner = made
        return made

    def function(self, name: str, returns: Sequence[Value]) -> Function:
        """All that was appended, as a function returning these values."""
        return Function(name, self.block(returns))
