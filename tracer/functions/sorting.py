"""Sorting, and what is read off a sorted tensor: the largest, quantiles, places to insert at.

Sorted are integers that have the order of the elements, and the elements along with them: XLA
compares integers much faster than floats, and NaN and the sign of zero need no care in there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tracer.dtypes import iinfo, int32, kind, uint8
from tracer.errors import at_caller
from tracer.functions.cumulative import cumsum
from tracer.functions.operands import (
    as_dtype,
    axis_of,
    data_of,
    need_real,
    promoted,
    shape_of,
    wrap,
)
from tracer.ops import elementwise as ops
from tracer.ops.bits import bitcast_convert
from tracer.ops.bodies import total
from tracer.ops.complex import imag, real
from tracer.ops.movement import broadcast_in_dim, concatenate, iota, reshape
from tracer.ops.scans import part
from tracer.ops.sorting import sort_by
from tracer.values import Data

if TYPE_CHECKING:
    from tracer.functions.operands import ArrayLike
    from tracer.tensor import Tensor

__all__ = [
    "argsort",
    "searchsorted",
    "sort",
    "top_k",
]

_FEW = 32
"""So many elements are compared with all that are searched; more are sorted with them."""


def keys_of(x: Data) -> tuple[Data, ...]:
    """Integers in the order of the elements, several for a complex number: the first decide.

    NaN are equal to each other and larger than all else; 0 and -0 are equal.
    """
    found = kind(x.type.dtype)
    if found == "complex":
        return _complex_keys(x)
    if found == "float":
        return (_float_key(x),)
    return (as_dtype(x, uint8) if found == "bool" else x,)


def _float_key(x: Data) -> Data:
    """The bits, those below the sign inverted in a negative number."""
    signed = np.dtype(f"i{x.type.dtype.itemsize}")
    limits = iinfo(signed)
    bits = bitcast_convert(x, dtype=signed, shape=x.type.shape)
    minus_zero = ops.compare(bits, int(limits.min), comparison_direction="EQ")
    unsigned_zero = ops.masked(ops.not_(minus_zero), bits)
    fill = ops.shift_right_arithmetic(unsigned_zero, limits.bits - 1)
    ordered = ops.xor(unsigned_zero, ops.and_(fill, int(limits.max)))
    return _nan_last(ordered, is_nan(x))


def _nan_last(key: Data, nan: Data) -> Data:
    """The largest key where the element is NaN."""
    largest = ops.add(ops.zeros_like(key), int(iinfo(key.type.dtype).max))
    return ops.select(nan, largest, key)


def is_nan(x: Data) -> Data:
    """Whether an element, or a part of it, is NaN."""
    return ops.compare(x, x, comparison_direction="NE")


def _complex_keys(x: Data) -> tuple[Data, ...]:
    """As NumPy has it: numbers, those with a NaN imaginary part, a NaN real part, both."""
    parts = real(x), imag(x)
    first, second = (as_dtype(is_nan(p), int32) for p in parts)
    nan = ops.add(ops.multiply(first, 2), second)
    return (nan, *map(_float_key, parts))


def _keys(x: Data, descending: bool) -> tuple[Data, ...]:
    """Keys to sort by. NaN stays last in descending order too."""
    keys = keys_of(x)
    if not descending:
        return keys
    if len(keys) > 1:
        nan, *numbers = keys
        return (nan, *map(ops.not_, numbers))
    inverted = ops.not_(keys[0])
    return (inverted if kind(x.type.dtype) != "float" else _nan_last(inverted, is_nan(x)),)


def places(x: Data, axis: int) -> Data:
    """The index of each element along an axis (int32)."""
    return iota(iota_dimension=axis, shape=x.type.shape, dtype=int32, device=x.device)


def _along(name: str, x: Any, axis: int | None) -> tuple[Data, int]:
    """The value and the axis; flattened for None."""
    data = data_of(name, x)
    if axis is None:
        return reshape(data, shape=(data.type.size,)), 0
    return data, axis_of(name, axis, data.type.ndim)


def sort(
    x: ArrayLike, axis: int | None = -1, *, descending: bool = False, stable: bool = True
) -> Tensor:
    """The elements in order along an axis; all of them, flattened, for None.

    NaN are last in either direction, 0 and -0 equal, complex numbers ordered by their real parts,
    then by their imaginary ones. Equal elements keep their order unless stable=False.
    """
    data, place = _along("sort", x, axis)
    return wrap(sort_by(_keys(data, descending), (data,), place, is_stable=stable)[0])


def argsort(
    x: ArrayLike, axis: int | None = -1, *, descending: bool = False, stable: bool = True
) -> Tensor:
    """The indices (int32) that `sort` along the axis."""
    data, place = _along("argsort", x, axis)
    keys = _keys(data, descending)
    return wrap(sort_by(keys, (places(data, place),), place, is_stable=stable)[0])


def top_k(x: ArrayLike, k: int, axis: int = -1) -> tuple[Tensor, Tensor]:
    """The k largest elements along an axis, largest first, and their indices (int32).

    NaN counts as the largest, as in `max`; of equals the first comes first. Raises ValueError
    unless k is between 0 and the axis's length.
    """
    data = need_real("top_k", data_of("top_k", x))
    place = axis_of("top_k", axis, data.type.ndim)
    (count,), length = shape_of("top_k", (k,)), data.type.shape[place]
    if count > length:
        raise at_caller(ValueError(f"top_k needs a k from 0 to {length}, got {count}"))
    keys = tuple(map(ops.not_, keys_of(data)))
    values, indices = sort_by(keys, (data, places(data, place)), place)
    return wrap(part(values, place, 0, count)), wrap(part(indices, place, 0, count))


def searchsorted(
    x1: ArrayLike, x2: ArrayLike, *, side: str = "left", sorter: ArrayLike | None = None
) -> Tensor:
    """How many elements of x1 (1-d) are less than each of x2 (side="left"), or at most (int32).

    Those are the places where x2 would be inserted in sorted x1; x1 itself need not be sorted, so
    `sorter`, indices that sort it, changes nothing. NaN counts as larger than all else.
    """
    if side not in ("left", "right"):
        raise at_caller(ValueError(f'searchsorted needs side "left" or "right", got {side!r}'))
    edges, values = promoted("searchsorted", x1, x2)
    if edges.type.ndim != 1:
        raise at_caller(ValueError(f"searchsorted needs a 1-d x1, got {edges.type}"))
    if sorter is not None:
        _need_sorter(data_of("searchsorted", sorter), edges)
    return wrap(counts_below(edges, values, inclusive=side == "right"))


def _need_sorter(sorter: Data, edges: Data) -> None:
    if sorter.type.shape != edges.type.shape:
        found = f"{edges.type.shape}, got {sorter.type.shape}"
        raise at_caller(ValueError(f"searchsorted needs a sorter of shape {found}"))


def counts_below(edges: Data, values: Data, *, inclusive: bool) -> Data:
    """How many edges (1-d) are less than each value, or at most; in int32."""
    flat = reshape(values, shape=(values.type.size,))
    left, right = keys_of(edges), keys_of(flat)
    few = edges.type.size <= _FEW and len(left) == 1
    found = (_by_comparing if few else _by_sorting)(left, right, inclusive)
    return reshape(found, shape=values.type.shape)


def _by_comparing(edges: tuple[Data, ...], values: tuple[Data, ...], inclusive: bool) -> Data:
    """One pass over the values, which compares each with all edges."""
    shape = (values[0].type.size, edges[0].type.size)
    row = broadcast_in_dim(edges[0], broadcast_dimensions=(1,), shape=shape)
    column = broadcast_in_dim(values[0], broadcast_dimensions=(0,), shape=shape)
    below = ops.compare(row, column, comparison_direction="LE" if inclusive else "LT")
    return total(ops.convert(below, dtype=int32), (1,))


def _by_sorting(edges: tuple[Data, ...], values: tuple[Data, ...], inclusive: bool) -> Data:
    """Sorts both as one, counts the edges up to each place, and puts the counts back."""
    split = edges[0].type.size if inclusive else values[0].type.size
    pairs = zip(edges, values, strict=True) if inclusive else zip(values, edges, strict=True)
    keys = tuple(concatenate(*pair, dimension=0) for pair in pairs)
    (came_from,) = sort_by(keys, (places(keys[0], 0),), 0)
    first = ops.compare(came_from, split, comparison_direction="LT")
    is_edge = first if inclusive else ops.not_(first)
    (counts,) = sort_by((came_from,), (cumsum(wrap(is_edge))._data,), 0)
    size = keys[0].type.size
    return part(counts, 0, split, size) if inclusive else part(counts, 0, 0, split)
