"""Places that arrays of indices choose, read by gather and written by scatter."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tracer.dtypes import DType, iinfo, int32, int64, kind
from tracer.errors import at_caller
from tracer.functions.keys import Pick, Selection
from tracer.functions.operands import as_dtype, as_shape, broadcast_shape, put
from tracer.functions.regions import index_dtype, reshaped, zeros
from tracer.functions.updates import body_of
from tracer.ops.elementwise import add, compare, minimum, select
from tracer.ops.gather import gather, scatter, updater
from tracer.ops.movement import concatenate
from tracer.ops.numbers import GatherDimensionNumbers, ScatterDimensionNumbers
from tracer.values import Data

Ints = tuple[int, ...]


def picked_shape(found: Selection) -> Ints:
    """The shape that the arrays of indices broadcast to. Raises IndexError where they don't."""
    try:
        return broadcast_shape("indexing", [pick.shape for pick in found.picks])
    except ValueError as error:
        raise IndexError(str(error)) from None


def gathered(x: Data, found: Selection) -> Data:
    """What stands where the arrays say, their axes after the first that no array chooses from."""
    numbers, shape = _numbers(found)
    if 0 in shape:
        return zeros(x.type.with_shape(shape), x.device)
    if 0 in found.base:
        raise at_caller(IndexError(f"indexing of nothing, shape {found.base}, by a tensor"))
    axes = {pick.axis for pick in found.picks}
    return gather(
        x,
        _indices(found, x),
        dimension_numbers=numbers,
        slice_sizes=tuple(1 if axis in axes else n for axis, n in enumerate(found.base)),
        indices_are_sorted=False,
    )


def scattered(x: Data, found: Selection, update: Data, how: str) -> Data:
    """x with updates where the arrays say, of the shape that `gathered` gives but for new axes."""
    numbers, shape = _numbers(found)
    body, update = body_of(how, reshaped(update, shape))
    if 0 in shape or 0 in found.base:
        return x
    return scatter(
        x,
        _indices(found, x),
        update,
        scatter_dimension_numbers=ScatterDimensionNumbers(*numbers),
        indices_are_sorted=False,
        unique_indices=_is_distinct(found),
        regions=(updater(body, x.type.dtype),),
    )


def _numbers(found: Selection) -> tuple[GatherDimensionNumbers, Ints]:
    """The dimension numbers, and the shape of what is gathered."""
    chosen = tuple(pick.axis for pick in found.picks)
    batch = picked_shape(found)
    window = tuple(n for axis, n in enumerate(found.base) if axis not in chosen)
    shape = (*window[: found.before], *batch, *window[found.before :])
    inner = range(found.before, found.before + len(batch))
    offsets = tuple(axis for axis in range(len(shape)) if axis not in inner)
    return GatherDimensionNumbers(offsets, chosen, (), (), chosen, len(batch)), shape


def _is_distinct(found: Selection) -> bool:
    """Whether all places are known to be different ones."""
    if all(pick.distinct for pick in found.picks):
        return True
    arrays = _on_host(found)
    if arrays is None:
        return False
    flat = np.ravel_multi_index(arrays, [found.base[pick.axis] for pick in found.picks])
    return len(np.unique(flat)) == flat.size


def _on_host(found: Selection) -> list[NDArray[np.int64]] | None:
    """The indices, broadcast; None where one is a tensor."""
    arrays = [pick.index for pick in found.picks if not isinstance(pick.index, Data)]
    return np.broadcast_arrays(*arrays) if len(arrays) == len(found.picks) else None  # type: ignore[return-value]


def _indices(found: Selection, x: Data) -> Data:
    """The indices of each axis, broadcast: one after the other along a last axis, if several."""
    arrays = _on_host(found)
    dtype = index_dtype(found.base)
    if arrays is not None:
        whole = np.stack(arrays, -1) if len(arrays) > 1 else arrays[0]
        return put(whole.astype(dtype), x.device)
    values = [_widened(pick, found.base[pick.axis], x) for pick in found.picks]
    dtype = max((v.type.dtype for v in values), key=lambda d: d.itemsize)
    shape = picked_shape(found)
    values = [as_shape(as_dtype(v, dtype), shape) for v in values]
    if len(values) == 1:
        return values[0]
    columns = [reshaped(v, (*shape, 1)) for v in values]
    return concatenate(*columns, dimension=len(shape))


def _widened(pick: Pick, length: int, x: Data) -> Data:
    index = pick.index
    if not isinstance(index, Data):
        return put(index.astype(index_dtype((length,))), x.device)
    return counted(widened(index, length), length)


def widened(index: Data, length: int) -> Data:
    """Indices in a dtype that holds them and the length: narrow ones would wrap around."""
    dtype = index.type.dtype
    if dtype.itemsize == 8 and kind(dtype) == "uint":
        index = minimum(index, iinfo(int64).max)
    narrow = dtype == int32 or dtype.itemsize < int32.itemsize
    wanted: DType = int32 if narrow and index_dtype((length,)) == int32 else int64
    return as_dtype(index, wanted)


def counted(index: Data, length: int) -> Data:
    """Indices with the negative ones counted from the end."""
    negative = compare(index, 0, comparison_direction="LT")
    return select(negative, add(index, length), index)
