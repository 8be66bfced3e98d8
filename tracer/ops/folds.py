"""Derivatives by means of other operations: of a region, a fold, a composition."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import prod
from typing import Any

from tracer.context import thread
from tracer.dispatch import apply, splat
from tracer.errors import at_caller
from tracer.ir import Block, Operation
from tracer.ops.elementwise import add, of_dtype
from tracer.ops.movement import broadcast_in_dim, concatenate, reshape, slice, transpose
from tracer.ops.table import Variadic
from tracer.tape import Tape
from tracer.values import Data


def no_derivative(message: str) -> NotImplementedError:
    """The error to raise, with the place of the operation that has no derivative."""
    return at_caller(NotImplementedError(message), thread.state.place)


def composed(f: Callable[..., tuple[Data, ...]]) -> Variadic:
    """The derivative of an op that does what `f(*operands, **attributes)` does in other ops."""

    def rule(i: int, g: Any, y: Any, *operands: Data, **attributes: Any) -> Data | None:
        """Of each operand."""
        return pull(partial(f, **attributes), i, g, *operands)

    return Variadic(rule)


def pull(f: Callable[..., tuple[Data, ...]], i: int, g: Any, *operands: Data) -> Data | None:
    """The cotangent of operand i of f, given those of its results; in ops, so differentiable."""
    given = list(operands)
    given[i] = reshape(operands[i], shape=operands[i].type.shape)  # a name that is watched once
    with Tape() as tape:
        tape.watch(given[i])
        results = f(*given)
    cotangents = g if isinstance(g, tuple) else (g,)
    pairs = [(y, c) for y, c in zip(results, cotangents, strict=True) if c is not None]
    return tape.cotangents(pairs, [given[i]], add)[0]


def inline(body: Block, *arrays: Data) -> tuple[Data, ...]:
    """A region of scalars on each element of arrays of one shape.

    Raises NotImplementedError where it holds operations that are not elementwise.
    """
    values = dict(zip(body.arguments, arrays, strict=True))
    for operation in body.operations:
        operands = [values[v] for v in operation.operands]
        results = _on_arrays(operation, operands, arrays[0])
        values.update(zip(operation.results, results, strict=True))
    return tuple(values[v] for v in body.returns)


def _on_arrays(operation: Operation, operands: Sequence[Data], like: Data) -> tuple[Data, ...]:
    if operation.op.name == "constant":
        type_ = operation.result.type.with_shape(like.type.shape)
        return (splat(operation.attributes["value"].array.item(), type_, like.device),)
    if "elementwise" not in operation.op.traits:
        raise no_derivative(f"a region with {operation.op.name} has no derivative")
    found = apply(operation.op, operands, tuple(operation.attributes.items()))
    return found if isinstance(found, tuple) else (found,)


def fold(*operands: Data, dimensions: Sequence[int], body: Block) -> tuple[Data, ...]:
    """What `reduce` does, in elementwise operations: neighbours are combined, again and again."""
    inputs, initial = cast(operands, body)
    shape = inputs[0].type.shape
    kept = [axis for axis in range(len(shape)) if axis not in dimensions]
    rest = tuple(shape[axis] for axis in kept)
    count = prod(shape[axis] for axis in dimensions)
    order = (*sorted(dimensions), *kept)
    rows = tuple(reshape(transpose(x, permutation=order), shape=(count, *rest)) for x in inputs)
    starts = tuple(spread(v, rest) for v in initial)
    if not count:
        return starts
    while rows[0].type.shape[0] > 1:
        rows = _halved(body, rows)
    return inline(body, *starts, *(reshape(x, shape=rest) for x in rows))


def _halved(body: Block, rows: tuple[Data, ...]) -> tuple[Data, ...]:
    """The first row combined with the second, the third with the fourth, and so on."""
    count = rows[0].type.shape[0]
    paired = count // 2 * 2
    ahead = (_rows(x, start, paired, 2) for start in (0, 1) for x in rows)
    combined = inline(body, *ahead)
    if paired == count:
        return combined
    last = (_rows(x, paired, count, 1) for x in rows)
    pairs = zip(combined, last, strict=True)
    return tuple(concatenate(x, y, dimension=0) for x, y in pairs)


def _rows(x: Data, start: int, limit: int, stride: int) -> Data:
    rest = x.type.shape[1:]
    ones = (1,) * len(rest)
    return slice(
        x,
        start_indices=(start, *(0 for _ in rest)),
        limit_indices=(limit, *rest),
        strides=(stride, *ones),
    )


def cast(operands: tuple[Data, ...], body: Block) -> tuple[tuple[Data, ...], tuple[Data, ...]]:
    """The inputs and the initial values, of the dtypes that the body combines."""
    types = [v.type for v in body.returns]
    given = [of_dtype(x, t.dtype) for x, t in zip(operands, types * 2, strict=True)]
    return tuple(given[: len(types)]), tuple(given[len(types) :])


def spread(scalar: Data, shape: tuple[int, ...]) -> Data:
    """A 0-d value on each place of a shape."""
    return broadcast_in_dim(scalar, broadcast_dimensions=(), shape=shape)
