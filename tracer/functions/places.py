"""Indices of elements: of all, of triangles, and from one number to many and back."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np

from tracer.device import Device
from tracer.dtypes import int32, int64, is_integer, kind, result_type
from tracer.errors import at_caller
from tracer.functions.elementwise import clip, floor_divide, remainder
from tracer.functions.manipulation import stack
from tracer.functions.operands import (
    as_dtype,
    data_of,
    need_dtype,
    placed,
    put,
    shape_of,
    unify,
    wrap,
)
from tracer.ops.movement import iota
from tracer.values import Data

if TYPE_CHECKING:
    from tracer.functions.operands import ArrayLike
    from tracer.tensor import Tensor

__all__ = ["indices", "ravel_multi_index", "tril_indices", "triu_indices", "unravel_index"]


def indices(
    dimensions: Sequence[int],
    dtype: Any = int32,
    sparse: bool = False,
    *,
    device: Device | None = None,
) -> Any:
    """(len(dimensions), *dimensions): along axis i, the index into it.

    With sparse, a tuple of them in place of their stack, of length 1 along all other axes.
    """
    shape, found = shape_of("indices", dimensions), need_dtype(dtype)
    place = placed(device)

    def along(axis: int) -> Tensor:
        lengths = tuple(n if i == axis or not sparse else 1 for i, n in enumerate(shape))
        return wrap(iota(iota_dimension=axis, shape=lengths, dtype=found, device=place))

    made = tuple(map(along, range(len(shape))))
    if sparse:
        return made
    return stack(made) if made else wrap(put(np.zeros((0,), found), place))


def tril_indices(
    n: int, k: int = 0, m: int | None = None, *, device: Device | None = None
) -> tuple[Tensor, Tensor]:
    """Rows and columns (int32) of the elements of an n × m matrix on and below diagonal k."""
    return _triangle("tril_indices", np.tril_indices, n, k, m, device)


def triu_indices(
    n: int, k: int = 0, m: int | None = None, *, device: Device | None = None
) -> tuple[Tensor, Tensor]:
    """Rows and columns (int32) of the elements of an n × m matrix on and above diagonal k."""
    return _triangle("triu_indices", np.triu_indices, n, k, m, device)


def _triangle(
    name: str, numpy: Any, n: Any, k: int, m: Any, device: Device | None
) -> tuple[Tensor, Tensor]:
    rows, columns = shape_of(name, (n, n if m is None else m))
    found = [wrap(put(i.astype(int32), placed(device))) for i in numpy(rows, k, columns)]
    return found[0], found[1]


def need_integers(name: str, x: Data) -> Data:
    """The value. Raises TypeError unless its dtype is one of integers."""
    if not is_integer(x.type.dtype):
        raise at_caller(TypeError(f"{name} needs integers, got {x.type}"))
    return x


def need_list(name: str, what: str, given: Any) -> Sequence[Any]:
    """A list or tuple. Raises TypeError where it is neither."""
    if not isinstance(given, (list, tuple)):
        raise at_caller(TypeError(f"{name} needs a list of {what}, got {type(given).__name__}"))
    return given


def held(name: str, index: Tensor, n: int, mode: str) -> Tensor:
    """Within [0, n): the nearest there (mode "clip") or the remainder ("wrap")."""
    if mode not in ("clip", "wrap"):
        raise at_caller(ValueError(f'{name} needs mode "clip" or "wrap", got {mode!r}'))
    wide = index.astype(_wide(index._data, n))
    return clip(wide, 0, max(n - 1, 0)) if mode == "clip" else remainder(wide, n)


def _wide(x: Data, size: int) -> Any:
    """A dtype for indices into so many elements: narrow ones would not hold them."""
    least = int32 if size <= np.iinfo(np.int32).max else int64
    signed = int64 if kind(x.type.dtype) == "uint" and x.type.dtype.itemsize > 2 else x.type.dtype
    return result_type(signed, least)


def unravel_index(indices: ArrayLike, shape: int | Sequence[int]) -> tuple[Tensor, ...]:
    """The index into each axis of a shape, from indices into its elements in row-major order.

    Negative ones count from the end; those out of range count as the nearest in it. Raises
    TypeError unless they are integers.
    """
    data = need_integers("unravel_index", data_of("unravel_index", indices))
    lengths = shape_of("unravel_index", shape)
    size = math.prod(lengths)
    rest = clip(wrap(as_dtype(data, _wide(data, size))), -size, max(size - 1, -size))
    found: list[Tensor] = []
    for n in lengths[::-1]:
        found.append(remainder(rest, n))
        rest = floor_divide(rest, n)
    return tuple(found[::-1])


def ravel_multi_index(
    multi_index: Sequence[ArrayLike], dims: int | Sequence[int], mode: str = "clip"
) -> Tensor:
    """Indices into the elements of a shape in row-major order, from an index into each axis.

    Those out of range count as the nearest in it (mode "clip") or modulo the length ("wrap").
    Raises ValueError unless there is one for each axis, TypeError unless they are integers.
    """
    name = "ravel_multi_index"
    lengths = shape_of(name, dims)
    need_list(name, "indices", multi_index)
    if not lengths or len(multi_index) != len(lengths):
        message = f"{name} needs an index for each of {len(lengths)} axes, got {len(multi_index)}"
        raise at_caller(ValueError(message))
    wide = int32 if math.prod(lengths) <= np.iinfo(np.int32).max else int64
    places = [
        held(name, wrap(need_integers(name, index)), n, mode).astype(wide)
        for index, n in zip(unify(name, *multi_index), lengths, strict=True)
    ]
    pairs = zip(lengths[1:], places[1:], strict=True)
    return reduce(lambda outer, pair: outer * pair[0] + pair[1], pairs, places[0])
