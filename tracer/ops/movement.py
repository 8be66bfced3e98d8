"""Operations that make, move, join and cut elements without computing on them."""

from __future__ import annotations

from builtins import slice as _builtin_slice
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tracer.dispatch import splat
from tracer.dtypes import DType
from tracer.ir import Attribute, TensorType
from tracer.ops.bodies import total
from tracer.ops.elementwise import subtract
from tracer.ops.rules import need_axes, need_dtype, need_kind, need_length
from tracer.ops.table import ZERO, Op, Variadic, define
from tracer.values import Data

Array = NDArray[Any]
Ints = tuple[int, ...]

constant = define(
    "constant",
    lambda value: value.type,
    lambda value: value.array,
    ZERO,
    attributes=(Attribute("value", "literal"),),
    traits=("leaf",),
    doc="No operand; the type of the value.",
)


def _iota_type(iota_dimension: int, shape: Ints, dtype: DType) -> TensorType:
    """No operand; the shape and the dtype asked for."""
    need_kind(TensorType(shape, dtype), ("int", "uint", "float", "complex"))
    need_axes((iota_dimension,), len(shape), "iota_dimension")
    return TensorType(shape, dtype)


def _iota(iota_dimension: int, shape: Ints, dtype: DType) -> Array:
    along = [1] * len(shape)
    along[iota_dimension] = shape[iota_dimension]
    values = np.arange(shape[iota_dimension]).astype(dtype).reshape(along)
    return np.broadcast_to(values, shape)


iota = define(
    "iota",
    _iota_type,
    _iota,
    ZERO,
    attributes=(
        Attribute("iota_dimension", "i64"),
        Attribute("shape", "shape"),
        Attribute("dtype", "dtype"),
    ),
    traits=("leaf",),
)


def _reshape_type(x: TensorType, shape: Ints) -> TensorType:
    """An operand; as many elements in the shape asked for."""
    if prod(shape) != x.size or any(n < 0 for n in shape):
        raise ValueError(f"a shape of {x.size} elements is needed for {x}, got {tuple(shape)}")
    return x.with_shape(tuple(shape))


reshape: Op = define(
    "reshape",
    _reshape_type,
    lambda x, shape: x.reshape(shape),
    (lambda g, y, x, shape: reshape(g, shape=x.type.shape),),
    attributes=(Attribute("shape", "shape"),),
)


def _transpose_type(x: TensorType, permutation: Ints) -> TensorType:
    """An operand; its axes in the order asked for."""
    if sorted(permutation) != list(range(x.ndim)):
        raise ValueError(f"a permutation of {x.ndim} axes is needed, got {tuple(permutation)}")
    return x.with_shape(tuple(x.shape[axis] for axis in permutation))


def inverse(permutation: Ints) -> Ints:
    """The permutation that undoes this one."""
    return tuple(sorted(range(len(permutation)), key=permutation.__getitem__))


transpose: Op = define(
    "transpose",
    _transpose_type,
    lambda x, permutation: x.transpose(permutation),
    (lambda g, y, x, permutation: transpose(g, permutation=inverse(permutation)),),
    attributes=(Attribute("permutation", "i64s"),),
)


def _broadcast_type(x: TensorType, broadcast_dimensions: Ints, shape: Ints) -> TensorType:
    """An operand; each of its axes, of the result's length or of 1, is one of the result's."""
    need_length(broadcast_dimensions, x.ndim, "broadcast_dimensions")
    need_axes(broadcast_dimensions, len(shape), "broadcast_dimensions")
    for axis, length in zip(broadcast_dimensions, x.shape, strict=True):
        if length not in (1, shape[axis]):
            raise ValueError(f"{x} can't be broadcast to shape {tuple(shape)}")
    return x.with_shape(tuple(shape))


def _broadcast(x: Array, broadcast_dimensions: Ints, shape: Ints) -> Array:
    order = sorted(range(x.ndim), key=broadcast_dimensions.__getitem__)
    aligned = [1] * len(shape)
    for axis, length in zip(broadcast_dimensions, x.shape, strict=True):
        aligned[axis] = length
    return np.broadcast_to(x.transpose(order).reshape(aligned), shape)


def _broadcast_rule(g: Data, y: Data, x: Data, broadcast_dimensions: Ints, shape: Ints) -> Data:
    """Sums over the axes that are new or were of length 1."""
    pairs = list(zip(broadcast_dimensions, x.type.shape, strict=True))
    kept = [axis for axis, length in pairs if length == shape[axis]]
    summed = total(g, [axis for axis in range(len(shape)) if axis not in kept])
    order = sorted(range(len(kept)), key=lambda i: kept[i])
    if order != list(range(len(kept))):
        summed = transpose(summed, permutation=inverse(tuple(order)))
    return reshape(summed, shape=x.type.shape)


broadcast_in_dim = define(
    "broadcast_in_dim",
    _broadcast_type,
    _broadcast,
    (_broadcast_rule,),
    attributes=(Attribute("broadcast_dimensions", "i64s"), Attribute("shape", "shape")),
)


def _concatenate_type(*xs: TensorType, dimension: int) -> TensorType:
    """Operands of one dtype that differ along one axis alone; along it they follow each other."""
    if not xs:
        raise ValueError("at least one operand is needed, got none")
    need_dtype(xs)
    need_axes((dimension,), xs[0].ndim, "dimension")
    shapes = [[n for axis, n in enumerate(x.shape) if axis != dimension] for x in xs]
    if any(shape != shapes[0] for shape in shapes):
        found = ", ".join(map(str, xs))
        raise ValueError(
            f"operands that differ along axis {dimension} alone are needed, got {found}"
        )
    shape = list(xs[0].shape)
    shape[dimension] = sum(x.shape[dimension] for x in xs)
    return xs[0].with_shape(tuple(shape))


def _concatenate_rule(position: int, g: Data, y: Data, *xs: Data, dimension: int) -> Data:
    """Of each operand."""
    start = sum(x.type.shape[dimension] for x in xs[:position])
    low, high = [0] * g.type.ndim, list(g.type.shape)
    low[dimension], high[dimension] = start, start + xs[position].type.shape[dimension]
    return slice(g, start_indices=tuple(low), limit_indices=tuple(high), strides=(1,) * g.type.ndim)


concatenate = define(
    "concatenate",
    _concatenate_type,
    lambda *xs, dimension: np.concatenate(xs, dimension),
    Variadic(_concatenate_rule),
    attributes=(Attribute("dimension", "i64"),),
)


def _slice_type(
    x: TensorType, start_indices: Ints, limit_indices: Ints, strides: Ints
) -> TensorType:
    """An operand; of each axis every stride-th place from start to limit."""
    for values, what in (
        (start_indices, "start_indices"),
        (limit_indices, "limit_indices"),
        (strides, "strides"),
    ):
        need_length(values, x.ndim, what)
    bounds = list(zip(start_indices, limit_indices, strides, x.shape, strict=True))
    if any(not (0 <= a <= b <= n and s > 0) for a, b, s, n in bounds):
        found = [(a, b, s) for a, b, s, _ in bounds]
        raise ValueError(
            f"0 <= start <= limit <= length and stride > 0 are needed for {x}, got {found}"
        )
    return x.with_shape(tuple(-(-(b - a) // s) for a, b, s, _ in bounds))


def _slice_rule(
    g: Data, y: Data, x: Data, start_indices: Ints, limit_indices: Ints, strides: Ints
) -> Data:
    """Zeros around and between."""
    spans = [(n - 1) * s + 1 if n else 0 for n, s in zip(g.type.shape, strides, strict=True)]
    high = tuple(
        n - a - span for n, a, span in zip(x.type.shape, start_indices, spans, strict=True)
    )
    return pad(
        g,
        _scalar_zero(g),
        edge_padding_low=start_indices,
        edge_padding_high=high,
        interior_padding=tuple(s - 1 for s in strides),
    )


def _scalar_zero(like: Data) -> Data:
    return splat(0.0, like.type.with_shape(()), like.device)


slice = define(
    "slice",
    _slice_type,
    lambda x, start_indices, limit_indices, strides: x[
        tuple(map(_builtin_slice, start_indices, limit_indices, strides))
    ],
    (_slice_rule,),
    attributes=(
        Attribute("start_indices", "i64s"),
        Attribute("limit_indices", "i64s"),
        Attribute("strides", "i64s"),
    ),
)


def _pad_type(
    x: TensorType,
    padding_value: TensorType,
    edge_padding_low: Ints,
    edge_padding_high: Ints,
    interior_padding: Ints,
) -> TensorType:
    """An operand and a 0-d value of its dtype; the operand's shape and what is padded."""
    need_dtype((x, padding_value))
    if padding_value.shape:
        raise TypeError(f"a 0-d padding value is needed, got {padding_value}")
    for values in (edge_padding_low, edge_padding_high, interior_padding):
        need_length(values, x.ndim, "padding")
    if any(n < 0 for n in interior_padding):
        raise ValueError(f"interior padding can't be negative, got {tuple(interior_padding)}")
    shape = tuple(
        low + high + n + max(n - 1, 0) * inside
        for n, low, high, inside in zip(
            x.shape, edge_padding_low, edge_padding_high, interior_padding, strict=True
        )
    )
    if any(n < 0 for n in shape):
        raise ValueError(f"padding of {x} leaves a negative length, {shape}")
    return x.with_shape(shape)


def _pad(
    x: Array,
    padding_value: Array,
    edge_padding_low: Ints,
    edge_padding_high: Ints,
    interior_padding: Ints,
) -> Array:
    steps = [n + 1 for n in interior_padding]
    inside = [max((n - 1) * s + 1, 0) if n else 0 for n, s in zip(x.shape, steps, strict=True)]
    edges = list(zip(edge_padding_low, edge_padding_high, strict=True))
    shape = [n + max(a, 0) + max(b, 0) for n, (a, b) in zip(inside, edges, strict=True)]
    result = np.full(shape, padding_value, x.dtype)
    places = zip(inside, steps, edges, strict=True)
    result[tuple(_builtin_slice(max(a, 0), max(a, 0) + n, s) for n, s, (a, _) in places)] = x
    crop = zip(shape, edges, strict=True)
    return result[tuple(_builtin_slice(max(-a, 0), n - max(-b, 0)) for n, (a, b) in crop)]


def _pad_rule(g: Data, y: Data, x: Data, padding_value: Data, **attributes: Ints) -> Data:
    """Undoes the edges (a crop becomes zeros), then takes the elements between the holes."""
    ndim = x.type.ndim
    uncropped = pad(
        g,
        _scalar_zero(g),
        edge_padding_low=tuple(-n for n in attributes["edge_padding_low"]),
        edge_padding_high=tuple(-n for n in attributes["edge_padding_high"]),
        interior_padding=(0,) * ndim,
    )
    return slice(
        uncropped,
        start_indices=(0,) * ndim,
        limit_indices=uncropped.type.shape,
        strides=tuple(n + 1 for n in attributes["interior_padding"]),
    )


def _pad_value_rule(g: Data, y: Data, x: Data, padding_value: Data, **attributes: Ints) -> Data:
    """What of the sum did not come from x."""
    axes = range(x.type.ndim)
    return subtract(total(g, axes), total(_pad_rule(g, y, x, padding_value, **attributes), axes))


pad = define(
    "pad",
    _pad_type,
    _pad,
    (_pad_rule, _pad_value_rule),
    attributes=(
        Attribute("edge_padding_low", "i64s"),
        Attribute("edge_padding_high", "i64s"),
        Attribute("interior_padding", "i64s"),
    ),
)


def _reverse_type(x: TensorType, dimensions: Ints) -> TensorType:
    """An operand; the result has its type."""
    need_axes(dimensions, x.ndim, "dimensions")
    return x


reverse: Op = define(
    "reverse",
    _reverse_type,
    lambda x, dimensions: np.flip(x, dimensions),
    (lambda g, y, x, dimensions: reverse(g, dimensions=dimensions),),
    attributes=(Attribute("dimensions", "i64s"),),
)
