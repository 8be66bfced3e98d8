"""Dot products whose operands, or whose result, are reshaped."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from lowering.rewriting import Rewriter, RuleSet
from lowering.rules.dot import axes_of, turned
from lowering.rules.forms import Ints, again, groups, reshaped
from lowering.rules.transpose import order_before
from tracer.ir import Operation, Value
from tracer.ops.contraction import DotDimensionNumbers

RULES = RuleSet()


@RULES.rule("reshape")
def reshape_of_dot_of_reshape(operation: Operation, rewriter: Rewriter) -> Value | None:
    """reshape(dot(reshape(x), y)) -> dot(x, y), where the free axes are as they were in x"""
    match operation:
        case Operation("reshape", (Value(Operation("dot_general") as dot) as product,)):
            if not rewriter.has_one_use(product):
                return None
            for sides in ((0,), (1,), (0, 1)):
                made = _unreshaped(dot, sides, operation.result.type.shape)
                if made is not None:
                    operands, numbers = made
                    return again(dot, rewriter, *operands, dot_dimension_numbers=numbers)
    return None


def _unreshaped(
    dot: Operation, sides: Sequence[int], shape: Ints
) -> tuple[list[Value], DotDimensionNumbers] | None:
    """The dot product of operands before they were reshaped, if it has this shape."""
    operands, parts = list(dot.operands), []
    for side in (0, 1):
        batching, contracting, _ = axes_of(dot, side)
        if side in sides:
            found = _before(operands[side], batching, contracting)
            if found is None:
                return None
            operands[side], batching, contracting = found
        parts.append((batching, contracting))
    numbers = DotDimensionNumbers(*chain(*zip(*parts, strict=True)))
    return (operands, numbers) if _shape(operands, numbers) == shape else None


def _before(value: Value, batching: Ints, contracting: Ints) -> tuple[Value, Ints, Ints] | None:
    """What was reshaped, and its batched and contracted axes; None where those are not whole."""
    match value:
        case Value(Operation("reshape", (x,))) if x.type.size:
            pairs = groups(x.type.shape, value.type.shape)
            whole = {b[0]: a[0] for a, b in pairs if len(a) == len(b) == 1}
            if whole.keys() >= {*batching, *contracting}:
                contracted = tuple(whole[axis] for axis in contracting)
                return x, tuple(whole[axis] for axis in batching), contracted
    return None


def _shape(operands: Sequence[Value], numbers: DotDimensionNumbers) -> Ints:
    x, y = (v.type for v in operands)
    left, right = numbers.free(x.ndim, y.ndim)
    batch = (x.shape[axis] for axis in numbers.lhs_batching_dimensions)
    return (*batch, *(x.shape[i] for i in left), *(y.shape[i] for i in right))


@RULES.rule("transpose")
def transpose_of_reshaped_dot(operation: Operation, rewriter: Rewriter) -> Value | None:
    """transpose(reshape(dot(x, y))) -> reshape(dot(y, x)), or with batched axes in another order"""
    match operation:
        case Operation("transpose", (Value(Operation("reshape", (product,))) as inner,)):
            permutation = operation.attributes["permutation"]
            order = order_before(product.type.shape, inner.type.shape, permutation)
            if order is None or not rewriter.has_one_use(inner):
                return None
            made = turned(product, order, rewriter)
            if made is not None:
                return reshaped(made, operation.result.type.shape, rewriter)
    return None


@RULES.rule("dot_general")
def dot_of_joined_axes(operation: Operation, rewriter: Rewriter) -> Value | None:
    """dot(reshape(transpose(x)), y) -> reshape(dot(x, reshape(y))), of axes that were joined"""
    for side, value in enumerate(operation.operands):
        match value:
            case Value(
                Operation("reshape", (Value(Operation("transpose", (x,)) as inner) as between,))
            ):
                order = inner.attributes["permutation"]
                parts = _parts(between.type.shape, value.type.shape, order)
                if parts is not None and _in_order(parts, axes_of(operation, side)):
                    return _apart(operation, side, x, parts, rewriter)
    return None


def _parts(before: Ints, after: Ints, order: Ints) -> dict[int, Ints] | None:
    """Which axes, before a transpose, each longer one was joined from; None if one was split."""
    pairs = groups(before, after)
    if any(len(joined) > 1 for _, joined in pairs):
        return None
    return {joined[0]: tuple(order[axis] for axis in axes) for axes, joined in pairs}


def _in_order(parts: dict[int, Ints], axes: tuple[Ints, Ints, Ints]) -> bool:
    """Whether batched axes are whole, and free ones still in order."""
    batching, contracting, free = axes
    kept = [part for axis in free for part in parts.get(axis, ())]
    whole = all(len(parts.get(axis, ())) == 1 for axis in batching)
    return whole and all(axis in parts for axis in contracting) and kept == sorted(kept)


def _apart(
    operation: Operation, side: int, x: Value, parts: dict[int, Ints], rewriter: Rewriter
) -> Value:
    """The dot product over each of the axes that were joined, in the shape of that over all."""
    batching, contracting, _ = axes_of(operation, side)
    other, others, _ = axes_of(operation, 1 - side)
    pieces = {
        axis: tuple(x.type.shape[part] for part in parts[to])
        for axis, to in zip(others, contracting, strict=True)
    }
    y, places = _cut(operation.operands[1 - side], pieces, rewriter)
    sides = (
        [tuple(chain(*(parts[axis] for axis in axes))) for axes in (batching, contracting)],
        [tuple(chain(*(places[axis] for axis in axes))) for axes in (other, others)],
    )
    left, right = sides if side == 0 else sides[::-1]
    numbers = DotDimensionNumbers(*chain(*zip(left, right, strict=True)))
    operands = (x, y) if side == 0 else (y, x)
    product = again(operation, rewriter, *operands, dot_dimension_numbers=numbers)
    return reshaped(product, operation.result.type.shape, rewriter)


def _cut(
    value: Value, pieces: dict[int, Ints], rewriter: Rewriter
) -> tuple[Value, dict[int, Ints]]:
    """A value with some axes split into pieces, and where the pieces of each axis stand."""
    shape: list[int] = []
    places = {}
    for axis, length in enumerate(value.type.shape):
        lengths = pieces.get(axis, (length,))
        places[axis] = tuple(range(len(shape), len(shape) + len(lengths)))
        shape += lengths
    return reshaped(value, tuple(shape), rewriter), places
