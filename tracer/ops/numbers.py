"""The dimension numbers of gather and scatter: their constraints, and the places they choose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tracer.ir import TensorType
from tracer.ops.rules import INTEGRAL, need_axes, need_kind

Array = NDArray[Any]
Ints = tuple[int, ...]


class GatherDimensionNumbers(NamedTuple):
    """Which axes of a gather's operand, indices and result belong together."""

    offset_dims: Ints
    collapsed_slice_dims: Ints
    operand_batching_dims: Ints
    start_indices_batching_dims: Ints
    start_index_map: Ints
    index_vector_dim: int


class ScatterDimensionNumbers(NamedTuple):
    """The same of a scatter, field by field: what gather reads there, scatter writes."""

    update_window_dims: Ints
    inserted_window_dims: Ints
    input_batching_dims: Ints
    scatter_indices_batching_dims: Ints
    scatter_dims_to_operand_dims: Ints
    index_vector_dim: int


Numbers = GatherDimensionNumbers | ScatterDimensionNumbers


def batch_shape(numbers: Numbers, indices: Ints) -> Ints:
    """One length for each axis of the indices but that of the index vectors."""
    return tuple(n for axis, n in enumerate(indices) if axis != numbers.index_vector_dim)


def window_axes(numbers: Numbers, ndim: int) -> Ints:
    """The operand's axes that windows reach over: the others are of length 1 in a window."""
    single = {*numbers[1], *numbers[2]}
    return tuple(axis for axis in range(ndim) if axis not in single)


def combined(numbers: Numbers, batch: Ints, window: Ints) -> Ints:
    """The lengths of a window where the numbers have it, those of the batch around it."""
    within = dict(zip(numbers[0], window, strict=True))
    rest = iter(batch)
    axes = range(len(batch) + len(window))
    return tuple(within[axis] if axis in within else next(rest) for axis in axes)


def need_numbers(numbers: Numbers, operand: TensorType, indices: TensorType) -> None:
    """Raises ValueError or TypeError unless the numbers fit.

    Source: StableHLO spec, gather (C1-C19) and scatter (C2-C22), which ask the same of both.
    """
    need_kind(indices, INTEGRAL)
    names = numbers._fields
    window, dropped, batching, indices_batching, mapped, vector = numbers
    if not 0 <= vector <= indices.ndim:
        raise ValueError(f"index_vector_dim needs an int from 0 to {indices.ndim}, got {vector}")
    _need_sorted(window, len(batch_shape(numbers, indices.shape)) + len(window), names[0])
    _need_sorted(dropped, operand.ndim, names[1])
    _need_sorted(batching, operand.ndim, names[2])
    need_axes(dropped + batching, operand.ndim, f"{names[1]} with {names[2]}")
    need_axes(mapped + batching, operand.ndim, f"{names[4]} with {names[2]}")
    need_axes(indices_batching, indices.ndim, names[3])
    need_axes((*indices_batching, vector), indices.ndim + 1, f"{names[3]} with {names[5]}")
    _need_counts(numbers, operand, indices)


def _need_sorted(axes: Ints, ndim: int, what: str) -> None:
    need_axes(axes, ndim, what)
    if list(axes) != sorted(axes):
        raise ValueError(f"{what} needs axes in order, got {axes}")


def _need_counts(numbers: Numbers, operand: TensorType, indices: TensorType) -> None:
    names = numbers._fields
    window, dropped, batching, indices_batching, mapped, vector = numbers
    if len(window) + len(dropped) + len(batching) != operand.ndim:
        found = ", ".join(f"{names[i]} {numbers[i]}" for i in range(3))
        raise ValueError(f"each axis of {operand} needs one place, got {found}")
    length = indices.shape[vector] if vector < indices.ndim else 1
    if len(mapped) != length:
        raise ValueError(f"{names[4]} needs {length} axes for indices {indices}, got {mapped}")
    left = [operand.shape[axis] for axis in batching]
    right = [indices.shape[axis] for axis in indices_batching]
    if left != right:
        raise ValueError(
            f"batching axes of equal lengths are needed, got {left} of {operand} and "
            f"{right} of {indices}"
        )


def starts(numbers: Numbers, indices: Array, ndim: int) -> list[Array]:
    """For each axis of the operand, where the windows start, of the shape of the batch.

    Batching axes are counted; an axis that no index chooses starts at 0.
    """
    _, _, batching, indices_batching, mapped, vector = numbers
    vectors = np.moveaxis(indices[..., None] if vector == indices.ndim else indices, vector, 0)
    batch = vectors.shape[1:]
    found: list[Array] = [np.zeros(batch, np.int64)] * ndim
    for axis, chosen in zip(mapped, vectors, strict=True):
        found[axis] = wide(chosen)
    for axis, counted in zip(batching, indices_batching, strict=True):
        found[axis] = np.indices(batch)[counted - (counted > vector)]
    return found


def wide(indices: Array) -> Array:
    """As int64; what is larger than that, the largest."""
    found = indices.astype(np.int64)
    return np.where((found < 0) & (indices > 0), np.iinfo(np.int64).max, found)


def places(numbers: Numbers, starts: Sequence[Array], window: Ints) -> list[Array]:
    """For each axis of the operand, the index of each element of all windows."""
    offsets = dict(zip(window_axes(numbers, len(starts)), np.indices(window), strict=True))
    ndim = starts[0].ndim + len(window) if starts else 0
    around = tuple(axis for axis in range(ndim) if axis not in numbers[0])
    found = []
    for axis, start in enumerate(starts):
        place = np.expand_dims(start, numbers[0])
        if axis in offsets:
            place = place + np.expand_dims(offsets[axis], around)
        found.append(place)
    return found
