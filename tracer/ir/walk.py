"""Walks over blocks: free values, substitution. None recurses along a chain."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from tracer.ir.builder import make_operation, with_operands
from tracer.ir.core import Block, Function, Operation, Value


def operations(block: Block) -> Iterator[Operation]:
    """Every operation, those of nested regions after the one that holds them."""
    for operation in block.operations:
        yield operation
        for region in operation.regions:
            yield from operations(region)


def free_values(block: Block) -> set[Value]:
    """The values that a block uses and does not define."""
    defined = set(block.arguments)
    used: set[Value] = set(block.returns)
    for operation in operations(block):
        used.update(operation.operands)
        defined.update(operation.results)
        for region in operation.regions:
            defined.update(region.arguments)
            used.update(region.returns)
    return used - defined


def uses(operation: Operation) -> Iterator[Value]:
    """The values an operation reads, those read by its regions included."""
    yield from operation.operands
    for region in operation.regions:
        yield from free_values(region)


def substitute(operation: Operation, mapping: Mapping[Value, Value]) -> Operation:
    """The operation with its operands, and those of its regions, replaced."""
    if not operation.regions:
        replaced = tuple([mapping.get(v, v) for v in operation.operands])
        return operation if replaced == operation.operands else with_operands(operation, replaced)
    if not any(value in mapping for value in uses(operation)):
        return operation
    operands = [mapping.get(v, v) for v in operation.operands]
    regions = [substitute_block(r, mapping) for r in operation.regions]
    return make_operation(operation.op, operands, operation.attributes, regions, operation.location)


def rebuild(operations: Sequence[Operation], mapping: dict[Value, Value]) -> list[Operation]:
    """The operations with values replaced; `mapping` grows by the results that change."""
    rebuilt = []
    for operation in operations:
        made = substitute(operation, mapping)
        if made is not operation:
            mapping.update(zip(operation.results, made.results, strict=True))
        rebuilt.append(made)
    return rebuilt


def substitute_block(block: Block, mapping: Mapping[Value, Value]) -> Block:
    """The block with values replaced; its arguments stay."""
    grown = dict(mapping)
    body = rebuild(block.operations, grown)
    returns = tuple(grown.get(v, v) for v in block.returns)
    return Block(block.arguments, tuple(body), returns)


def replace_body(
    function: Function, body: Sequence[Operation], returns: Sequence[Value]
) -> Function:
    """The function with other operations and returns."""
    return replace(function, body=Block(function.arguments, tuple(body), tuple(returns)))
