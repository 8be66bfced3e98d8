"""Dot products, of operands and into results that are moved."""

from __future__ import annotations

import numpy as np

from lowering.rewriting import Rewriter, RuleSet
from lowering.rules.forms import Ints, again, fill, long_axes
from tracer.ir import Operation, Value
from tracer.ops.contraction import DotDimensionNumbers

RULES = RuleSet()

_SIDES = ("lhs", "rhs")


def numbers_of(operation: Operation) -> DotDimensionNumbers:
    """The dimension numbers of a dot product."""
    numbers: DotDimensionNumbers = operation.attributes["dot_dimension_numbers"]
    return numbers


def axes_of(operation: Operation, side: int) -> tuple[Ints, Ints, Ints]:
    """The batched, the contracted and the free axes of one operand."""
    numbers, ranks = numbers_of(operation), [v.type.ndim for v in operation.operands]
    free = numbers.free(ranks[0], ranks[1])[side]
    return numbers[side], numbers[2 + side], free


def _with(
    operation: Operation, side: int, batching: Ints, contracting: Ints
) -> DotDimensionNumbers:
    """The numbers with other axes of one operand."""
    name = _SIDES[side]
    return numbers_of(operation)._replace(
        **{f"{name}_batching_dimensions": batching, f"{name}_contracting_dimensions": contracting}
    )


def _on(operation: Operation, side: int, x: Value) -> list[Value]:
    """The operands with another one on one side."""
    return [x if i == side else v for i, v in enumerate(operation.operands)]


@RULES.rule("dot_general")
def dot_of_no_products(operation: Operation, rewriter: Rewriter) -> Value | None:
    """dot(x, y) -> 0, where the contracted axes hold no elements"""
    (x, _), type_ = operation.operands, operation.result.type
    if x.type.size or not type_.size:
        return None
    return fill(rewriter.constant(np.zeros((), type_.dtype)), type_.shape, rewriter)


@RULES.rule("dot_general")
def dot_of_transpose(operation: Operation, rewriter: Rewriter) -> Value | None:
    """dot(transpose(x), y) -> dot(x, y), where the free axes of x stay in order"""
    for side, value in enumerate(operation.operands):
        order = _order(value)
        if order is None:
            continue
        batching, contracting, free = (
            tuple(order[axis] for axis in axes) for axes in axes_of(operation, side)
        )
        if list(free) == sorted(free):
            return _renumbered(operation, side, batching, contracting, rewriter)
    return None


def _renumbered(
    operation: Operation, side: int, batching: Ints, contracting: Ints, rewriter: Rewriter
) -> Value:
    """The dot product of what one operand was moved from."""
    owner = operation.operands[side].owner
    assert isinstance(owner, Operation)
    return again(
        operation,
        rewriter,
        *_on(operation, side, owner.operands[0]),
        dot_dimension_numbers=_with(operation, side, batching, contracting),
    )


def _order(value: Value) -> Ints | None:
    """Which axis each one was before a transpose, or a reshape that moves axes of length 1."""
    match value:
        case Value(Operation("transpose") as owner):
            order: Ints = owner.attributes["permutation"]
            return order
        case Value(Operation("reshape", (x,))) if x.type.ndim == value.type.ndim:
            return _order_of_units(x.type.shape, value.type.shape)
    return None


def _order_of_units(before: Ints, after: Ints) -> Ints | None:
    long, single = (dict(zip(_split(after)[i], _split(before)[i], strict=False)) for i in range(2))
    found = {**long, **single}
    fits = len(found) == len(after) and all(before[found[i]] == n for i, n in enumerate(after))
    return tuple(found[axis] for axis in range(len(after))) if fits else None


def _split(shape: Ints) -> tuple[Ints, Ints]:
    """The axes that are longer than 1, and those of length 1."""
    long = long_axes(shape)
    return long, tuple(axis for axis in range(len(shape)) if axis not in long)


@RULES.rule("dot_general")
def dot_of_broadcast(operation: Operation, rewriter: Rewriter) -> Value | None:
    """dot(x, broadcast(y)) -> dot(x, y), where only the last batched axes are new"""
    for side, value in enumerate(operation.operands):
        match value:
            case Value(Operation("broadcast_in_dim") as inner):
                kept = _kept(operation, side, inner)
                if kept is not None:
                    return _unbatched(operation, side, inner, kept, rewriter)
    return None


def _kept(operation: Operation, side: int, inner: Operation) -> int | None:
    """How many batched axes are left without a broadcast; None where it does more, or too little.

    The axes that one operand no longer has are the first free ones of the other.
    """
    x, value = inner.operands[0], inner.result
    places = inner.attributes["broadcast_dimensions"]
    batching, _, free = axes_of(operation, side)
    other_batching, _, other_free = axes_of(operation, 1 - side)
    kept = x.type.ndim - (value.type.ndim - len(batching))
    order = [*other_batching[max(kept, 0) :], *other_free]
    plain = set(places) == {*range(value.type.ndim)} - {*batching[max(kept, 0) :]}
    whole = all(n == value.type.shape[i] for n, i in zip(x.type.shape, places, strict=True))
    sorted_ = list(places) == sorted(places) and order == sorted(order)
    fits = 0 <= kept < len(batching) and plain and whole and sorted_
    return kept if fits and (side == 1 or not free) else None


def _unbatched(
    operation: Operation, side: int, inner: Operation, kept: int, rewriter: Rewriter
) -> Value:
    """The dot product of what was broadcast."""
    batching, contracting, _ = axes_of(operation, side)
    at = {to: axis for axis, to in enumerate(inner.attributes["broadcast_dimensions"])}
    numbers = _with(
        operation,
        side,
        tuple(at[axis] for axis in batching[:kept]),
        tuple(at[axis] for axis in contracting),
    )
    other = f"{_SIDES[1 - side]}_batching_dimensions"
    numbers = numbers._replace(**{other: getattr(numbers, other)[:kept]})
    operands = _on(operation, side, inner.operands[0])
    return again(operation, rewriter, *operands, dot_dimension_numbers=numbers)


@RULES.rule("transpose")
def transpose_of_dot(operation: Operation, rewriter: Rewriter) -> Value | None:
    """transpose(dot(x, y)) -> dot(y, x), or the batched axes in another order"""
    (x,) = operation.operands
    return turned(x, operation.attributes["permutation"], rewriter)


def turned(product: Value, permutation: Ints, rewriter: Rewriter) -> Value | None:
    """A dot product with its axes permuted, if it can give them so and is needed no more as it is.

    Only batched axes may change places, and all free axes of one side with those of the other.
    """
    match product:
        case Value(Operation("dot_general", (x, y)) as dot) if rewriter.has_one_use(product):
            count, left = len(numbers_of(dot)[0]), len(axes_of(dot, 0)[2])
            batch, rest = permutation[:count], permutation[count:]
            sides = [*range(count, count + left)], [*range(count + left, product.type.ndim)]
            swapped = [*rest] == sides[1] + sides[0]
            fits = [*rest] == sides[0] + sides[1] or (swapped and is_symmetric(dot))
            if sorted(batch) != list(range(count)) or not fits:
                return None
            numbers = _reordered(numbers_of(dot), batch, swapped)
            operands = (y, x) if swapped else (x, y)
            return again(dot, rewriter, *operands, dot_dimension_numbers=numbers)
    return None


def is_symmetric(dot: Operation) -> bool:
    """Whether both operands are to be multiplied as exactly."""
    config = dot.attributes.get("precision_config")
    return config is None or len(set(config.strip("[]").split(", "))) == 1


def _reordered(numbers: DotDimensionNumbers, batch: Ints, swapped: bool) -> DotDimensionNumbers:
    left, right, *contracting = numbers
    batching = [tuple(axes[i] for i in batch) for axes in (left, right)]
    step = -1 if swapped else 1
    return DotDimensionNumbers(*batching[::step], *contracting[::step])
