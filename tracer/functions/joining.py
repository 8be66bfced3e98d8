"""Joining tensors along named axes, and taking them apart."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from tracer.errors import at_caller
from tracer.functions.manipulation import concatenate, expand_dims, flip, listed, reshape, swapaxes
from tracer.functions.operands import axes_of, axis_of, data_of, wrap
from tracer.ops import movement as ops

if TYPE_CHECKING:
    from tracer.functions.operands import ArrayLike
    from tracer.tensor import Tensor

__all__ = [
    "array_split",
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "column_stack",
    "dsplit",
    "dstack",
    "fliplr",
    "flipud",
    "hsplit",
    "hstack",
    "rot90",
    "split",
    "unstack",
    "vsplit",
    "vstack",
]


def atleast_1d(x: ArrayLike) -> Tensor:
    """x, a number as a vector of one."""
    return _deeper("atleast_1d", x, {0: (1,)})


def atleast_2d(x: ArrayLike) -> Tensor:
    """x, a vector as a matrix of one row."""
    return _deeper("atleast_2d", x, {0: (1, 1), 1: (1, -1)})


def atleast_3d(x: ArrayLike) -> Tensor:
    """x with three axes at least: (N,) becomes (1, N, 1), (M, N) becomes (M, N, 1)."""
    x = wrap(data_of("atleast_3d", x))
    return _deeper("atleast_3d", x, {0: (1, 1, 1), 1: (1, -1, 1), 2: (*x.shape, 1)})


def _deeper(name: str, x: Any, shapes: dict[int, tuple[int, ...]]) -> Tensor:
    tensor = wrap(data_of(name, x))
    return reshape(tensor, shapes[tensor.ndim]) if tensor.ndim in shapes else tensor


def hstack(tensors: Sequence[ArrayLike]) -> Tensor:
    """Tensors side by side: along axis 1, vectors along axis 0."""
    parts = [atleast_1d(x) for x in listed("hstack", tensors)]
    return concatenate(parts, 0 if parts[0].ndim == 1 else 1)


def vstack(tensors: Sequence[ArrayLike]) -> Tensor:
    """Tensors one below the other: along axis 0, vectors as rows."""
    return concatenate([atleast_2d(x) for x in listed("vstack", tensors)])


def dstack(tensors: Sequence[ArrayLike]) -> Tensor:
    """Tensors one behind the other: along axis 2."""
    return concatenate([atleast_3d(x) for x in listed("dstack", tensors)], 2)


def column_stack(tensors: Sequence[ArrayLike]) -> Tensor:
    """Vectors as the columns of a matrix, beside matrices."""
    parts = [atleast_1d(x) for x in listed("column_stack", tensors)]
    return concatenate([expand_dims(x, 1) if x.ndim == 1 else x for x in parts], 1)


def unstack(x: ArrayLike, *, axis: int = 0) -> tuple[Tensor, ...]:
    """The tensors that x consists of along an axis; what `stack` undoes."""
    data = data_of("unstack", x)
    place = axis_of("unstack", axis, data.type.ndim)
    shape = data.type.shape[:place] + data.type.shape[place + 1 :]
    ends = range(data.type.shape[place] + 1)
    return tuple(reshape(part, shape) for part in _cut(wrap(data), list(ends), place))


def split(x: ArrayLike, indices_or_sections: int | Sequence[int], axis: int = 0) -> list[Tensor]:
    """Parts of x: so many equal ones, or those that end before each index, and the rest.

    Raises ValueError where the axis can't be cut into equal parts; `array_split` can.
    """
    data = data_of("split", x)
    place = axis_of("split", axis, data.type.ndim)
    length = data.type.shape[place]
    if isinstance(indices_or_sections, int) and length % max(indices_or_sections, 1):
        message = f"split needs equal parts, got {indices_or_sections} of a length of {length}"
        raise at_caller(ValueError(message))
    return array_split(wrap(data), indices_or_sections, place)


def array_split(
    x: ArrayLike, indices_or_sections: int | Sequence[int], axis: int = 0
) -> list[Tensor]:
    """`split` into parts that may differ by one: the longer ones come first."""
    data = data_of("array_split", x)
    place = axis_of("array_split", axis, data.type.ndim)
    ends = _ends(indices_or_sections, data.type.shape[place])
    return list(_cut(wrap(data), ends, place))


def _ends(sections: Any, length: int) -> list[int]:
    """Where parts begin and end, 0 and the length among them."""
    if isinstance(sections, Iterable):
        inner = [slice(None, index).indices(length)[1] for index in sections]
        return [0, *inner, length]
    try:
        sections = operator.index(sections)
    except TypeError:
        message = f"split needs a number of parts or their ends, got {sections!r}"
        raise at_caller(TypeError(message)) from None
    if sections < 1:
        raise at_caller(ValueError(f"split needs 1 part or more, got {sections}"))
    sizes = [length // sections + (i < length % sections) for i in range(sections)]
    return [0, *np.cumsum(sizes).tolist()]


def _cut(x: Tensor, ends: list[int], axis: int) -> list[Tensor]:
    """The parts between each end and the next."""
    ones = (1,) * x.ndim
    parts = []
    for start, end in pairwise(ends):
        first, last = [0] * x.ndim, list(x.shape)
        first[axis], last[axis] = start, max(start, end)
        part = ops.slice(
            x._data, start_indices=tuple(first), limit_indices=tuple(last), strides=ones
        )
        parts.append(wrap(part))
    return parts


def hsplit(x: ArrayLike, indices_or_sections: int | Sequence[int]) -> list[Tensor]:
    """`split` along axis 1, vectors along axis 0."""
    data = data_of("hsplit", x)
    return split(wrap(data), indices_or_sections, 0 if data.type.ndim == 1 else 1)


def vsplit(x: ArrayLike, indices_or_sections: int | Sequence[int]) -> list[Tensor]:
    """`split` along axis 0. Raises ValueError for a vector."""
    data = data_of("vsplit", x)
    if data.type.ndim < 2:
        raise at_caller(ValueError(f"vsplit needs two axes or more, got {data.type}"))
    return split(x, indices_or_sections, 0)


def dsplit(x: ArrayLike, indices_or_sections: int | Sequence[int]) -> list[Tensor]:
    """`split` along axis 2."""
    return split(x, indices_or_sections, 2)


def flipud(x: ArrayLike) -> Tensor:
    """The rows in reverse order."""
    return flip(x, 0)


def fliplr(x: ArrayLike) -> Tensor:
    """The columns in reverse order."""
    return flip(x, 1)


def rot90(x: ArrayLike, k: int = 1, axes: tuple[int, int] = (0, 1)) -> Tensor:
    """x turned k times by 90 degrees, from the first of two axes to the second."""
    data = data_of("rot90", x)
    axes_of("rot90", axes, data.type.ndim)
    first, second = axes
    turned = wrap(data)
    if k % 4 in (2, 3):
        turned = flip(turned, (first, second))
    return turned if k % 2 == 0 else swapaxes(flip(turned, second), first, second)
