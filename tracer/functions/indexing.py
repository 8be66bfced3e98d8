"""NumPy's indexing, for reading and for assignment.

Ints, slices, `...`, None, integer arrays and boolean masks, mixed by NumPy's rules. Ints and arrays
of the host out of range raise IndexError. A tensor of indices is not looked at: negative ones count
from the end, and then those out of range are moved to the nearest place in reading and dropped in
writing, as in JAX. A mask that is a tensor is looked at, for its count is a shape; assignment
of a number by a mask needs no look. What is read is a copy.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tracer.errors import at_caller
from tracer.functions.keys import (
    WHOLE,
    Selection,
    chosen,
    expanded,
    is_mask,
    need_mask,
    parts_of,
    selection,
    width,
)
from tracer.functions.operands import (
    as_operand,
    as_shape,
    broadcast_shape,
    check_operand,
    put,
    wrap,
)
from tracer.functions.picks import gathered, picked_shape, scattered
from tracer.functions.regions import reshaped
from tracer.functions.updates import combined
from tracer.ops.elementwise import select
from tracer.ops.movement import broadcast_in_dim
from tracer.values import Data

if TYPE_CHECKING:
    from tracer.functions.operands import ArrayLike
    from tracer.tensor import Tensor

Ints = tuple[int, ...]


def getitem(x: Tensor, key: Any) -> Tensor:
    """x[key]. A copy: later changes to x are not seen. Raises IndexError."""
    return wrap(read(x._data, parts_of(key)))


def setitem(x: Tensor, key: Any, value: ArrayLike) -> Data:
    """x with x[key] = value, as a new value; readers of the old one keep it."""
    return updated("assignment", x._data, key, value, "set")


def read(x: Data, parts: Sequence[Any]) -> Data:
    """What a key of these parts chooses."""
    found = chosen(x.type.shape, parts)
    there = found.region.read(x)
    if found.picks:
        there = gathered(reshaped(there, found.base), found)
    return reshaped(there, (*found.lead, *picked_shape(found), *found.tail))


def updated(name: str, x: Data, key: Any, value: ArrayLike, how: str) -> Data:
    """x with a value put in where a key says: "set" there, or combined with what stood there.

    The value broadcasts, and is converted to x's dtype. Raises ValueError where it does not fit.
    """
    check_operand(name, value)
    update = as_operand(name, value, x.type.dtype, x.device)
    parts = parts_of(key)
    selected = _updated_by_mask(name, x, parts, update, how)
    if selected is not None:
        return selected
    found = chosen(x.type.shape, parts)
    update = fitted(name, update, (*found.lead, *picked_shape(found), *found.tail))
    return _written(x, found, update, how)


def _written(x: Data, found: Selection, update: Data, how: str) -> Data:
    region = found.region
    if found.picks:
        old = region.read(x)
        new = reshaped(scattered(reshaped(old, found.base), found, update, how), old.type.shape)
    else:
        new = reshaped(update, region.counts)
        new = new if how == "set" else combined(how, region.read(x), new)
    return region.write(x, new)


def _updated_by_mask(
    name: str, x: Data, given: Sequence[Any], update: Data, how: str
) -> Data | None:
    """The same by one mask whose count does not matter, so that it need not be known.

    None where it does, or where the key has other arrays.
    """
    if sum(isinstance(part, (np.ndarray, Data)) for part in given) != 1:
        return None
    parts = expanded(x.type.shape, given)
    at = next(i for i, part in enumerate(parts) if isinstance(part, (np.ndarray, Data)))
    if not is_mask(parts[at]):
        return None
    mask: Any = parts[at]
    axes = width(mask)
    need_mask(mask, x.type.shape, sum(map(width, parts[:at])))
    others = [*parts[:at], *([WHOLE] * axes), *parts[at + 1 :]]
    first = len([p for p in parts[:at] if not isinstance(p, int)])
    found = selection(x.type.shape, others)
    spread = _without_count(update, len(found.lead) - first - axes, axes)
    if spread is None or (update.type.ndim and any(isinstance(p, int) for p in others)):
        return None
    there = mask if isinstance(mask, Data) else put(mask, x.device)
    old = reshaped(found.region.read(x), found.lead)
    new = combined(how, old, fitted(name, spread, found.lead))
    everywhere = broadcast_in_dim(
        there, broadcast_dimensions=tuple(range(first, first + axes)), shape=found.lead
    )
    return found.region.write(x, reshaped(select(everywhere, new, old), found.region.counts))


def _without_count(update: Data, after: int, axes: int) -> Data | None:
    """An update as it broadcasts to the masked axes themselves, `after` others behind them.

    None where it has an element for each that the mask chooses.
    """
    shape = update.type.shape
    at = len(shape) - after - 1
    if at < 0:
        return update
    return (
        reshaped(update, (*shape[:at], *([1] * axes), *shape[at + 1 :])) if shape[at] == 1 else None
    )


def fitted(name: str, update: Data, shape: Ints) -> Data:
    """An update broadcast to a shape; axes of length 1 that are too many in front are let pass."""
    extra = update.type.ndim - len(shape)
    if extra > 0 and set(update.type.shape[:extra]) == {1}:
        update = reshaped(update, update.type.shape[extra:])
    if broadcast_shape(name, [update.type.shape, shape]) != shape:
        message = f"{name} needs a value of shape {shape}, got {update.type.shape}"
        raise at_caller(ValueError(message))
    return as_shape(update, shape)


class At:
    """What `x.at` is: `x.at[key].add(value)` is a new tensor, with the value added there."""

    __slots__ = ("_x",)

    def __init__(self, x: Tensor) -> None:
        self._x = x

    def __getitem__(self, key: Any) -> Place:
        return Place(self._x, key)


class Place:
    """A part of a tensor, to read or to update in a new tensor; keys as in x[key].

    Of several updates of one place, all but "set" combine; which one is set there last depends on
    the device, on the CPU it is the last. What tensors of indices say out of range is dropped.
    """

    __slots__ = ("_key", "_x")

    def __init__(self, x: Tensor, key: Any) -> None:
        self._x = x
        self._key = key

    def get(self) -> Tensor:
        """x[key]."""
        return getitem(self._x, self._key)

    def _updated(self, how: str, value: ArrayLike) -> Tensor:
        return wrap(updated(f"at[...].{how}", self._x._data, self._key, value, how))

    def set(self, value: ArrayLike) -> Tensor:
        """x with x[key] = value."""
        return self._updated("set", value)

    def add(self, value: ArrayLike) -> Tensor:
        """x with the value added; of bools, or."""
        return self._updated("add", value)

    def subtract(self, value: ArrayLike) -> Tensor:
        """x with the value subtracted. Raises TypeError for bools."""
        return self._updated("subtract", value)

    def multiply(self, value: ArrayLike) -> Tensor:
        """x with the value multiplied in; of bools, and.

        By tensors of indices, it has no derivative by the value: they may repeat.
        """
        return self._updated("multiply", value)

    def max(self, value: ArrayLike) -> Tensor:
        """x with the larger of it and the value. Raises TypeError for complex numbers."""
        return self._updated("max", value)

    def min(self, value: ArrayLike) -> Tensor:
        """x with the smaller of it and the value. Raises TypeError for complex numbers."""
        return self._updated("min", value)
