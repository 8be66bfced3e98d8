"""The static form of each operation of dynamic shape, for shapes that are constants."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

from lowering.dynamism.reading import check, dense_integers, failure, raw, read
from lowering.rewriting import constant_of
from lowering.types import is_static, known, refines
from tracer.ir import Block, Operation, Value
from tracer.ops import OPS

Found = Value | Sequence[Value] | None


class Maker(Protocol):
    """What forms are made with: a `Rewriter` is one."""

    def create(
        self, name: str, *operands: Value, regions: Sequence[Block] = (), **attributes: Any
    ) -> Any:
        """The result of an operation of the table; a tuple where there are several."""

    def insert(self, operation: Operation) -> tuple[Value, ...]:
        """The results of an operation made otherwise."""

    def constant(self, array: Any) -> Value:
        """A constant of these elements."""


Form = Callable[[Operation, Maker], Found]
"""Gives what takes the place of an operation, of the same types or finer ones, or None."""

FORMS: dict[str, Form] = {}
"""By the full name of the operation."""


def form(*names: str) -> Callable[[Form], Form]:
    """Adds the static form of operations of these names."""

    def added(function: Form) -> Form:
        FORMS.update(dict.fromkeys(names, function))
        return function

    return added


def static_form(operation: Operation, maker: Maker) -> tuple[Value, ...] | None:
    """What takes the place of an operation of dynamic shape; None while that is not known.

    Raises LoweringError for shapes that don't fit the operands.
    """
    made = FORMS.get(operation.op.name)
    try:
        found = None if made is None else made(operation, maker)
    except (TypeError, ValueError) as error:
        raise failure(operation, f"{operation.op.full_name}: {error}") from None
    if found is None:
        return None
    values = (found,) if isinstance(found, Value) else tuple(found)
    check(operation, values)
    return values


def ints(value: Value) -> tuple[int, ...] | None:
    """The elements of a constant, in one row; None for another value."""
    match value:
        case Value(Operation("shape.const_shape") as said):
            return dense_integers(raw(said)["shape"])
    array = constant_of(value)
    return None if array is None else tuple(np.asarray(array, np.int64).reshape(-1).tolist())


def shape_of(value: Value) -> tuple[int, ...] | None:
    """The elements of a constant that is a shape; None for another value.

    Raises ValueError for negative ones.
    """
    found = ints(value)
    if found is not None and min(found, default=0) < 0:
        raise ValueError(f"a shape of lengths from 0 is needed, got {found}")
    return found


def _lengths(operation: Operation, shape: Value) -> tuple[int, ...] | None:
    """A shape that is a constant, or else that of the result, where its type says it."""
    type, found = operation.result.type, shape_of(shape)
    return type.shape if found is None and is_static(type) else found


def all_ints(values: Sequence[Value]) -> tuple[tuple[int, ...], ...] | None:
    """The elements of each constant; None unless all are."""
    found = [ints(value) for value in values]
    return tuple(row for row in found if row is not None) if None not in found else None


def _attributes(name: str, operation: Operation, **given: Any) -> dict[str, Any] | None:
    texts = raw(operation)
    for hint in ("known_expanding_dimensions", "known_nonexpanding_dimensions"):
        texts.pop(hint, None)
    first = operation.operands[0].type
    return read(name, texts, first.ndim if is_static(first) else 0, **given)


def _made(maker: Maker, name: str, operation: Operation, *operands: Value, **given: Any) -> Found:
    """An operation of the table with the attributes of another one, and those given."""
    if not all(is_static(v.type) for v in operands):
        return None
    said = known(operation.results[-1].type)
    if said is not None and any(a.name == "dtype" for a in OPS[name].attributes):
        given["dtype"] = said[1]
    attributes = _attributes(name, operation, **given)
    if attributes is None:
        return None
    found: Found = maker.create(name, *operands, **attributes)
    return found


@form("stablehlo.dynamic_reshape")
def _reshape(operation: Operation, maker: Maker) -> Found:
    x, shape = operation.operands
    lengths = _lengths(operation, shape)
    return None if lengths is None else _made(maker, "reshape", operation, x, shape=lengths)


@form("stablehlo.dynamic_broadcast_in_dim")
def _broadcast(operation: Operation, maker: Maker) -> Found:
    x, shape = operation.operands
    lengths = _lengths(operation, shape)
    if lengths is None:
        return None
    return _made(maker, "broadcast_in_dim", operation, x, shape=lengths)


@form("stablehlo.dynamic_iota")
def _iota(operation: Operation, maker: Maker) -> Found:
    said, lengths = known(operation.result.type), _lengths(operation, operation.operands[0])
    if said is None or lengths is None:
        return None
    attributes = _attributes("iota", operation, shape=lengths, dtype=said[1])
    return None if attributes is None else maker.create("iota", **attributes)


@form("stablehlo.dynamic_pad")
def _pad(operation: Operation, maker: Maker) -> Found:
    x, padding, *edges = operation.operands
    found = all_ints(edges)
    if found is None:
        return None
    names = ("edge_padding_low", "edge_padding_high", "interior_padding")
    return _made(maker, "pad", operation, x, padding, **dict(zip(names, found, strict=True)))


@form("stablehlo.dynamic_gather")
def _gather(operation: Operation, maker: Maker) -> Found:
    x, starts, sizes = operation.operands
    found = ints(sizes)
    return (
        None if found is None else _made(maker, "gather", operation, x, starts, slice_sizes=found)
    )


@form("stablehlo.dynamic_conv")
def _convolution(operation: Operation, maker: Maker) -> Found:
    x, kernel, edges = operation.operands
    found = ints(edges)
    if found is None:
        return None
    padding = tuple(zip(found[::2], found[1::2], strict=True))
    return _made(maker, "convolution", operation, x, kernel, padding=padding)


@form("stablehlo.real_dynamic_slice")
def _slice(operation: Operation, maker: Maker) -> Found:
    """A slice where all is known; where only the sizes are, one whose place is computed."""
    x, *bounds = operation.operands
    found = all_ints(bounds)
    if found is not None:
        names = ("start_indices", "limit_indices", "strides")
        return _made(maker, "slice", operation, x, **dict(zip(names, found, strict=True)))
    starts, limits, strides = bounds
    sizes = _sizes(starts, limits)
    if sizes is None or ints(strides) != (1,) * len(sizes) or not is_static(x.type):
        return None
    places = [_element(maker, starts, axis) for axis in range(len(sizes))]
    return _made(maker, "dynamic_slice", operation, x, *places, slice_sizes=sizes)


def _sizes(starts: Value, limits: Value) -> tuple[int, ...] | None:
    """What is added to starts to give limits."""
    match limits:
        case Value(Operation("add", (a, b))) if starts in (a, b):
            return ints(b if a is starts else a)
    return None


def _element(maker: Maker, row: Value, axis: int) -> Value:
    one = maker.create("slice", row, start_indices=(axis,), limit_indices=(axis + 1,), strides=(1,))
    found: Value = maker.create("reshape", one, shape=())
    return found


@form("builtin.unrealized_conversion_cast", "tensor.cast")
def _cast(operation: Operation, maker: Maker) -> Found:
    """The operand, whose type says at least as much as that of the result."""
    values = operation.operands
    fits = len(values) == 1 and refines(values[0].type, operation.results[0].type)
    return values[0] if fits else None


@form("stablehlo.get_dimension_size")
def _dimension_size(operation: Operation, maker: Maker) -> Found:
    said = known(operation.operands[0].type)
    axis = int(raw(operation)["dimension"].split()[0])
    length = None if said is None or said[0] is None else said[0][axis]
    return None if length is None else maker.constant(np.int32(length))


@form("stablehlo.set_dimension_size")
def _set_dimension_size(operation: Operation, maker: Maker) -> Found:
    """The operand itself where it has the length asked for."""
    x, size = operation.operands
    axis = int(raw(operation)["dimension"].split()[0])
    found = ints(size)
    return x if is_static(x.type) and found == (x.type.shape[axis],) else None
