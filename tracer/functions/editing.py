"""Putting elements in, and taking them out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tracer.errors import at_caller
from tracer.functions.gathering import take
from tracer.functions.manipulation import concatenate, moveaxis, ravel
from tracer.functions.operands import (
    as_operand,
    as_shape,
    axis_of,
    broadcast_shape,
    check_operand,
    data_of,
    wrap,
)
from tracer.ops import movement as ops

if TYPE_CHECKING:
    from tracer.functions.operands import ArrayLike
    from tracer.tensor import Tensor

__all__ = [
    "append",
    "delete",
    "insert",
]


def append(x: ArrayLike, values: ArrayLike, axis: int | None = None) -> Tensor:
    """x and values one after the other; flattened first for axis None."""
    return concatenate([x, values], axis)


def delete(x: ArrayLike, obj: Any, axis: int | None = None) -> Tensor:
    """x without places of an axis: an int, a slice, several ints, or a mask; of all for axis None.

    Raises IndexError for a place that is not there. Tensors are looked at.
    """
    data = data_of("delete", x)
    if axis is None:
        return delete(ravel(wrap(data)), obj, 0)
    place = axis_of("delete", axis, data.type.ndim)
    kept = _edited("delete", np.delete, np.arange(data.type.shape[place]), obj)
    return take(wrap(data), kept, axis=place)


def insert(x: ArrayLike, obj: Any, values: ArrayLike, axis: int | None = None) -> Tensor:
    """x with values before places of an axis: an int or several, counted in x; flattened for None.

    Values are converted to x's dtype and broadcast; before one place, there may be several. Raises
    IndexError for a place that is not there. Tensors of places are looked at.
    """
    data = data_of("insert", x)
    if axis is None:
        return insert(ravel(wrap(data)), obj, values, 0)
    place = axis_of("insert", axis, data.type.ndim)
    check_operand("insert", values)
    new = as_operand("insert", values, data.type.dtype, data.device)
    deep = (1,) * (data.type.ndim - new.type.ndim) + new.type.shape
    new = ops.reshape(new, shape=deep)
    length, places = data.type.shape[place], _places("insert", obj)
    if not places.ndim:
        new = moveaxis(wrap(new), 0, place)._data
        places = np.repeat(places, new.type.shape[place])
    shape = list(data.type.shape)
    shape[place] = places.size
    if broadcast_shape("insert", [new.type.shape, tuple(shape)]) != tuple(shape):
        message = f"insert needs values of shape {tuple(shape)}, got {new.type.shape}"
        raise at_caller(ValueError(message))
    found = wrap(as_shape(new, tuple(shape)))
    order = _edited("insert", np.insert, np.arange(length), places, length + np.arange(places.size))
    return take(concatenate([wrap(data), found], place), order, axis=place)


def _places(name: str, obj: Any) -> Any:
    """Places as an array of ints: of a mask, where it is true. Raises TypeError for others."""
    places = np.asarray(obj)
    if places.dtype == np.bool_:
        return np.flatnonzero(places)
    if places.dtype.kind not in "iu" and places.size:
        raise at_caller(TypeError(f"{name} needs ints as places, got {obj!r}"))
    return places


def _edited(name: str, edit: Any, *arguments: Any) -> Any:
    """What NumPy makes of places; its errors with the user's line."""
    try:
        return edit(*arguments)
    except (IndexError, ValueError) as error:
        raise at_caller(type(error)(f"{name}: {error}")) from None
