"""Functions that change shape, order or dtype, and join tensors."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from tracer.device import Device
from tracer.errors import at_caller
from tracer.functions.operands import (
    Axis,
    Handle,
    as_dtype,
    as_shape,
    axes_of,
    axis_of,
    broadcast_shape,
    data_of,
    device_of,
    need_dtype,
    promoted,
    shape_of,
    wrap,
)
from tracer.functions.transfer import to_device
from tracer.ir import TensorType
from tracer.ops import movement as ops

if TYPE_CHECKING:
    from tracer.functions.operands import ArrayLike
    from tracer.tensor import Tensor

__all__ = [
    "astype",
    "broadcast_arrays",
    "broadcast_shapes",
    "broadcast_to",
    "concat",
    "concatenate",
    "expand_dims",
    "flip",
    "matrix_transpose",
    "moveaxis",
    "permute_dims",
    "ravel",
    "reshape",
    "squeeze",
    "stack",
    "swapaxes",
    "transpose",
]


def astype(x: ArrayLike, dtype: Any, *, copy: bool = True, device: Device | None = None) -> Tensor:
    """x converted, on `device` where one is given. Floats to integers saturate, NaN gives 0; to
    bool is `!= 0`. With copy=False, x itself where there is nothing to do.
    """
    made = wrap(as_dtype(data_of("astype", x, device), need_dtype(dtype)))
    if device is not None:
        made = to_device(made, device)
    return x if isinstance(x, Handle) and made._data is x._data and not copy else made


def reshape(x: ArrayLike, shape: int | Sequence[int], *, copy: bool | None = None) -> Tensor:
    """The elements in row-major order, in another shape; one length may be -1.

    Values never alias, whatever `copy` says. Raises ValueError unless the number of elements stays.
    """
    data = data_of("reshape", x)
    given = shape_of("reshape", shape, free=True)
    return wrap(ops.reshape(data, shape=_reshaped(data.type, given)))


@lru_cache(4096)
def _reshaped(type: TensorType, shape: tuple[int, ...]) -> tuple[int, ...]:
    """The shape with its -1 filled in."""
    given = shape
    if given.count(-1) == 1:
        rest = math.prod(n for n in given if n != -1)
        free = type.size // rest if rest and type.size % rest == 0 else -1
        given = tuple(free if n == -1 else n for n in given)
    if -1 in given or math.prod(given) != type.size:
        message = f"reshape needs a shape of {type.size} elements, got {shape}"
        raise at_caller(ValueError(message))
    return given


def ravel(x: ArrayLike) -> Tensor:
    """The elements in row-major order, as one axis."""
    return reshape(x, -1)


def permute_dims(x: ArrayLike, axes: Sequence[int]) -> Tensor:
    """Axis i of the result is axis axes[i] of x. Raises ValueError unless axes is a permutation."""
    data = data_of("permute_dims", x)
    given = sequence(axes)
    found = tuple(axis_of("permute_dims", a, data.type.ndim) for a in given)
    if sorted(found) != list(range(data.type.ndim)):
        message = f"permute_dims needs a permutation of {data.type.ndim} axes, got {given}"
        raise at_caller(ValueError(message))
    return wrap(ops.transpose(data, permutation=found))


def sequence(axes: int | Sequence[int]) -> tuple[int, ...]:
    """One axis, or several, as a tuple."""
    return tuple(axes) if isinstance(axes, Iterable) else (axes,)


def transpose(x: ArrayLike, axes: Sequence[int] | None = None) -> Tensor:
    """The axes reversed, or in the order given."""
    data = data_of("transpose", x)
    return permute_dims(wrap(data), range(data.type.ndim)[::-1] if axes is None else axes)


def matrix_transpose(x: ArrayLike) -> Tensor:
    """The last two axes exchanged. Raises ValueError for fewer than two."""
    data = data_of("matrix_transpose", x)
    if data.type.ndim < 2:
        message = f"matrix_transpose needs at least 2 dimensions, got {data.type.ndim}"
        raise at_caller(ValueError(message))
    order = list(range(data.type.ndim))
    order[-2], order[-1] = order[-1], order[-2]
    return permute_dims(wrap(data), order)


def moveaxis(x: ArrayLike, source: int | Sequence[int], destination: int | Sequence[int]) -> Tensor:
    """Axes moved to other places, the others in order. Raises ValueError unless they pair up."""
    data = data_of("moveaxis", x)
    ndim = data.type.ndim
    start, end = (
        [axis_of("moveaxis", axis, ndim) for axis in sequence(axes)]
        for axes in (source, destination)
    )
    if len(start) != len(end) or len(set(start)) != len(start) or len(set(end)) != len(end):
        message = f"moveaxis needs as many distinct axes twice, got {source} and {destination}"
        raise at_caller(ValueError(message))
    order = [axis for axis in range(ndim) if axis not in start]
    for place, axis in sorted(zip(end, start, strict=True)):
        order.insert(place, axis)
    return permute_dims(wrap(data), order)


def swapaxes(x: ArrayLike, axis1: int, axis2: int) -> Tensor:
    """Two axes exchanged."""
    data = data_of("swapaxes", x)
    first, second = (axis_of("swapaxes", axis, data.type.ndim) for axis in (axis1, axis2))
    order = list(range(data.type.ndim))
    order[first], order[second] = second, first
    return permute_dims(wrap(data), order)


def expand_dims(x: ArrayLike, axis: int | Sequence[int] = 0) -> Tensor:
    """New axes of length 1, at these places of the result."""
    data = data_of("expand_dims", x)
    given = sequence(axis)
    places = axes_of("expand_dims", given, data.type.ndim + len(given))
    shape = list(data.type.shape)
    for place in places:
        shape.insert(place, 1)
    return wrap(ops.reshape(data, shape=tuple(shape)))


def squeeze(x: ArrayLike, axis: Axis = None) -> Tensor:
    """Without axes of length 1: those given, or all. Raises ValueError for a longer one."""
    data = data_of("squeeze", x)
    shape = data.type.shape
    if axis is None:
        gone: tuple[int, ...] = tuple(a for a, n in enumerate(shape) if n == 1)
    else:
        gone = axes_of("squeeze", axis, data.type.ndim)
    long = [a for a in gone if shape[a] != 1]
    if long:
        message = f"squeeze needs axes of length 1, got axis {long[0]} of shape {shape}"
        raise at_caller(ValueError(message))
    return wrap(ops.reshape(data, shape=tuple(n for a, n in enumerate(shape) if a not in gone)))


def broadcast_to(x: ArrayLike, shape: int | Sequence[int]) -> Tensor:
    """x repeated along axes that are new or of length 1. Raises ValueError where it can't be."""
    data = data_of("broadcast_to", x)
    found = shape_of("broadcast_to", shape)
    if broadcast_shape("broadcast_to", [data.type.shape, found]) != found:
        message = f"broadcast_to can't make shape {found} of {data.type.shape}"
        raise at_caller(ValueError(message))
    return wrap(as_shape(data, found))


def broadcast_shapes(*shapes: Sequence[int]) -> tuple[int, ...]:
    """The shape that shapes broadcast to; () of none. Raises ValueError where they don't."""
    return broadcast_shape("broadcast_shapes", [shape_of("broadcast_shapes", s) for s in shapes])


def broadcast_arrays(*arrays: ArrayLike) -> tuple[Tensor, ...]:
    """Tensors of one shape, each with its dtype. Raises ValueError where shapes don't broadcast."""
    found = [data_of("broadcast_arrays", x, device_of(*arrays)) for x in arrays]
    shape = broadcast_shape("broadcast_arrays", [x.type.shape for x in found])
    return tuple(wrap(as_shape(x, shape)) for x in found)


def listed(name: str, tensors: Sequence[ArrayLike]) -> Sequence[ArrayLike]:
    """The tensors. Raises TypeError unless they are a list, or tuple, of one or more."""
    if not isinstance(tensors, (list, tuple)) or not tensors:
        shown = "nothing" if isinstance(tensors, (list, tuple)) else type(tensors).__name__
        raise at_caller(TypeError(f"{name} needs a list of one tensor or more, got {shown}"))
    return tensors


def concatenate(tensors: Sequence[ArrayLike], axis: int | None = 0) -> Tensor:
    """Tensors one after the other along an axis; flattened first for None.

    Raises ValueError where they differ along another axis, or one has none.
    """
    found = promoted("concatenate", *listed("concatenate", tensors))
    if axis is None:
        found = [ops.reshape(x, shape=(x.type.size,)) for x in found]
    if any(not x.type.ndim for x in found):
        raise at_caller(ValueError("concatenate needs tensors with axes, got a 0-d one; see stack"))
    place = axis_of("concatenate", axis or 0, found[0].type.ndim)
    return wrap(found[0] if len(found) == 1 else ops.concatenate(*found, dimension=place))


concat = concatenate


def stack(tensors: Sequence[ArrayLike], axis: int = 0) -> Tensor:
    """Tensors of one shape along a new axis. Raises ValueError where shapes differ."""
    found = promoted("stack", *listed("stack", tensors))
    shapes = {x.type.shape for x in found}
    if len(shapes) > 1:
        shown = " and ".join(map(str, sorted(shapes)))
        raise at_caller(ValueError(f"stack needs tensors of one shape, got {shown}"))
    return concatenate([expand_dims(wrap(x), axis) for x in found], axis)


def flip(x: ArrayLike, axis: Axis = None) -> Tensor:
    """The elements in reverse order along axes."""
    data = data_of("flip", x)
    return wrap(ops.reverse(data, dimensions=axes_of("flip", axis, data.type.ndim)))
