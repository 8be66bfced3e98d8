"""Keys by which operations and regions are compared: equal for those that compute the same."""

from __future__ import annotations

from typing import Any

from tracer.ir import Block, Operation, Value


def key_of(operation: Operation, numbers: dict[Value, int]) -> Any:
    """Equal for operations that give equal results; values of the same number are the same."""
    operands = tuple(numbers.get(v, v) for v in operation.operands)
    regions = tuple(_region_key(region, numbers) for region in operation.regions)
    return operation.op, operands, tuple(operation.attributes.items()), regions


def _region_key(block: Block, outer: dict[Value, int]) -> Any:
    """A region by its structure: which objects its own values are does not matter."""
    numbers = dict(outer)
    for value in block.arguments:
        numbers[value] = len(numbers)
    rows = []
    for operation in block.operations:
        rows.append(key_of(operation, numbers))
        for value in operation.results:
            numbers[value] = len(numbers)
    types = tuple(v.type for v in block.arguments)
    return types, tuple(rows), tuple(numbers.get(v, v) for v in block.returns)


def form_of(operation: Operation) -> Any:
    """Equal for operations that do the same to operands of the same types, whichever they are."""
    operands = {v: i for i, v in enumerate(operation.operands)}
    regions = tuple(_region_key(region, operands) for region in operation.regions)
    types = tuple(v.type for v in (*operation.operands, *operation.results))
    return operation.op, tuple(operation.attributes.items()), types, regions
