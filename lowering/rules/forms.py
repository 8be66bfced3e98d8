"""What rules about shapes share: the same operation elsewhere, repeated values, groups of axes."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from lowering.rewriting import Rewriter, splat_of
from tracer.ir import Block, Operation, Value

Ints = tuple[int, ...]


def again(
    operation: Operation,
    rewriter: Rewriter,
    *operands: Value,
    regions: Sequence[Block] | None = None,
    **changes: Any,
) -> Value:
    """The operation on other operands, with attributes changed; how exact it is stays."""
    (made,) = again_all(operation, rewriter, *operands, regions=regions, **changes)
    return made


def again_all(
    operation: Operation,
    rewriter: Rewriter,
    *operands: Value,
    regions: Sequence[Block] | None = None,
    **changes: Any,
) -> tuple[Value, ...]:
    """The same for an operation of any number of results."""
    kept = {name: value for name, value in operation.attributes.items() if "." not in name}
    bodies = operation.regions if regions is None else regions
    return rewriter.create_all(operation.name, *operands, regions=bodies, **{**kept, **changes})


def repeats(value: Value) -> bool:
    """Whether a value is one 0-d value on each of its places."""
    match value:
        case Value(Operation("broadcast_in_dim", (x,))) if not x.type.shape:
            return True
    return splat_of(value) is not None


def scalar(value: Value, rewriter: Rewriter) -> Value:
    """The 0-d value that a value repeats."""
    match value:
        case Value(Operation("broadcast_in_dim", (x,))) if not x.type.shape:
            return x
    return rewriter.constant(splat_of(value))


def fill(value: Value, shape: Ints, rewriter: Rewriter) -> Value:
    """A 0-d value on each place of a shape."""
    if not shape:
        return value
    return rewriter.create("broadcast_in_dim", value, broadcast_dimensions=(), shape=tuple(shape))


def reshaped(value: Value, shape: Ints, rewriter: Rewriter) -> Value:
    """A value in a shape: itself where it has that."""
    if value.type.shape == tuple(shape):
        return value
    return rewriter.create("reshape", value, shape=tuple(shape))


def same_scalar(a: Value, b: Value) -> bool:
    """Whether two 0-d values are known to be the same."""
    if a is b:
        return True
    one, other = splat_of(a), splat_of(b)
    if one is None or other is None:
        return False
    return a.type is b.type and bool(one.tobytes() == other.tobytes())


def long_axes(shape: Ints) -> Ints:
    """The axes that are not of length 1: moving the others moves no element."""
    return tuple(axis for axis, length in enumerate(shape) if length != 1)


def groups(before: Ints, after: Ints) -> list[tuple[Ints, Ints]]:
    """The axes that a reshape of at least one element splits and joins, group by group.

    An axis of length 1 is in no group; one that stays whole is in a group with its image alone.
    """
    left, right = list(long_axes(before)), list(long_axes(after))
    found = []
    while left:
        a, b = [left.pop(0)], [right.pop(0)]
        while (sizes := (prod(before[i] for i in a), prod(after[i] for i in b)))[0] != sizes[1]:
            if sizes[0] < sizes[1]:
                a.append(left.pop(0))
            else:
                b.append(right.pop(0))
        found.append((tuple(a), tuple(b)))
    return found
