"""What passes share: new blocks and operations only where something has changed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from tracer.ir import Block, Function, Operation, Value, make_operation


def with_body(function: Function, rewrite: Callable[[Block], Block]) -> Function:
    """The function with its body rewritten; itself if that changed nothing."""
    body = rewrite(function.body)
    return function if body is function.body else replace(function, body=body)


def with_operations(
    block: Block, body: Sequence[Operation], mapping: Mapping[Value, Value]
) -> Block:
    """The block with other operations and its returns replaced; itself if that changes nothing."""
    returns = tuple(mapping.get(v, v) for v in block.returns)
    if tuple(body) == block.operations and returns == block.returns:
        return block
    return Block(block.arguments, tuple(body), returns)


def with_regions(operation: Operation, rewrite: Callable[[Block], Block]) -> Operation:
    """The operation with its regions rewritten; itself if that changed none of them."""
    if not operation.regions:
        return operation
    regions = tuple(map(rewrite, operation.regions))
    if all(new is old for new, old in zip(regions, operation.regions, strict=True)):
        return operation
    op, attributes = operation.op, operation.attributes
    return make_operation(op, operation.operands, attributes, regions, operation.location)
