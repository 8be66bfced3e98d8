"""From what a user passes to values: wrapping, promotion, broadcasting, axes."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tracer.deferred import Number
from tracer.device import Device
from tracer.dispatch import splat
from tracer.dtypes import DType, Scalar, bool_, canonical, iinfo, is_integer, kind, result_type
from tracer.errors import at_caller
from tracer.ir import TensorType
from tracer.ops.elementwise import compare, convert, zeros_like
from tracer.ops.movement import broadcast_in_dim
from tracer.values import Data, Operand

if TYPE_CHECKING:
    from tracer.tensor import Tensor

    ArrayLike: TypeAlias = Tensor | NDArray[Any] | Scalar

SCALARS = (bool, int, float, complex)
Axis = int | Sequence[int] | None


class Handle:
    """What a user holds: a name for a value. `Tensor`, the one subclass, names itself here."""

    __slots__ = ("__weakref__", "_data")
    _data: Data
    tensor: ClassVar[type[Tensor]]

    def __init_subclass__(cls) -> None:
        Handle.tensor = cls  # type: ignore[assignment]


OPERANDS = (Handle, np.ndarray, np.generic, *SCALARS, Number)
"""What functions of tensors take for one."""
_new = object.__new__


def wrap(data: Data) -> Tensor:
    """A new tensor that holds a value."""
    made = _new(Handle.tensor)
    made._data = data
    return made


def put(array: NDArray[Any], device: Device) -> Data:
    """An array of the host, copied to a device. Raises TypeError for a dtype that is not ours."""
    dtype = need_dtype(array.dtype)
    whole = np.ascontiguousarray(array, dtype).reshape(array.shape)
    buffer = device.executor.put(whole, device.kind, device.ordinal)
    return Data(TensorType(array.shape, dtype), device, buffer)


def need_dtype(dtype: Any) -> DType:
    """The dtype that `dtype` names. Raises TypeError, with the user's line, if it is not ours."""
    try:
        return canonical(dtype)
    except TypeError as error:
        raise at_caller(error) from None


def dtype_of(x: Any) -> DType | type:
    """The dtype of a tensor or array; the type of a Python scalar, which is weak."""
    if isinstance(x, Handle):
        return x._data.type.dtype
    if type(x) is Number:
        return x.weak_dtype
    return type(x) if type(x) in SCALARS else need_dtype(np.asarray(x).dtype)


def check_operand(name: str, x: Any) -> None:
    """Raises TypeError unless x is a tensor, a NumPy array or scalar, or a Python scalar."""
    if not isinstance(x, OPERANDS):
        message = f"{name} needs tensors, arrays or numbers, got {type(x).__name__}"
        raise at_caller(TypeError(message))


def placed(device: Device | None) -> Device:
    """The device, or the default. Raises TypeError for what is no device."""
    if device is None:
        return Device.default()
    if not isinstance(device, Device):
        raise at_caller(TypeError(f"a Device was needed, got {device!r}"))
    return device


def device_of(*operands: Any) -> Device:
    """The device of the first tensor among operands, else the default."""
    for x in operands:
        if isinstance(x, Handle):
            return x._data.device
    return Device.default()


def data_of(name: str, x: Any, device: Device | None = None) -> Data:
    """The value of a tensor, array or number."""
    if isinstance(x, Handle):
        return x._data
    check_operand(name, x)
    if type(x) is Number:
        return x.value(name)  # type: ignore[no-any-return]
    device = placed(device)
    if type(x) in SCALARS:
        dtype = result_type(type(x))
        return splat(scalar_for(name, x, dtype), TensorType((), dtype), device)
    return put(np.asarray(x), device)


def scalar_for(name: str, value: Scalar, dtype: DType) -> Scalar:
    """A Python scalar as dtype's kind of Python scalar.

    Raises TypeError for a complex number where the dtype is real, OverflowError for one that an
    integer dtype can't hold.
    """
    found = kind(dtype)
    if found == "complex":
        return complex(value)
    if found == "bool":
        return bool(value)
    if isinstance(value, complex):
        raise at_caller(TypeError(f"{name} needs a real number for {dtype}, got {value}"))
    if found == "float":
        return _finite(name, value)
    limits = iinfo(dtype)
    if not limits.min <= value <= limits.max:
        raise at_caller(OverflowError(f"{name}: {value} does not fit {dtype}"))
    return int(value)


def _finite(name: str, value: float) -> float:
    """As a float. Raises OverflowError for an int beyond all of them."""
    try:
        return float(value)
    except OverflowError:
        message = f"{name}: an integer of {value.bit_length()} bits fits no float"  # type: ignore[attr-defined]
        raise at_caller(OverflowError(message)) from None


def as_dtype(x: Data, dtype: DType) -> Data:
    """The value converted, where it is not of the dtype already."""
    if x.type.dtype == dtype:
        return x
    if dtype == bool_ and kind(x.type.dtype) == "complex":  # convert looks at the real part alone
        return compare(x, zeros_like(x), comparison_direction="NE")
    return convert(x, dtype=dtype)


def as_shape(x: Data, shape: tuple[int, ...]) -> Data:
    """The value broadcast, where it is not of the shape already."""
    if x.type.shape == shape:
        return x
    first = len(shape) - x.type.ndim
    return broadcast_in_dim(
        x, broadcast_dimensions=tuple(range(first, len(shape))), shape=tuple(shape)
    )


def broadcast_shape(name: str, shapes: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """The shape that shapes broadcast to. Raises ValueError where they don't."""
    try:
        return _broadcast(*shapes)
    except ValueError:
        found = " and ".join(map(str, shapes))
        message = f"{name} needs shapes that broadcast, got {found}"
        raise at_caller(ValueError(message)) from None


_broadcast = lru_cache(4096)(np.broadcast_shapes)


def promoted(
    name: str, *operands: Any, dtype: DType | None = None, device: Device | None = None
) -> list[Data]:
    """Values of one dtype on one device, by promotion."""
    for x in operands:
        check_operand(name, x)
    found = dtype or result_type(*map(dtype_of, operands))
    place = device or device_of(*operands)
    return [as_operand(name, x, found, place) for x in operands]


def unify(
    name: str, *operands: Any, dtype: DType | None = None, device: Device | None = None
) -> list[Data]:
    """Values of one dtype and one shape, by promotion and broadcasting."""
    values = promoted(name, *operands, dtype=dtype, device=device)
    shape = broadcast_shape(name, [x.type.shape for x in values])
    return [as_shape(x, shape) for x in values]


def as_operand(name: str, x: Any, dtype: DType, device: Device) -> Data:
    """A value of this dtype; of a Python scalar, exactly its value."""
    if type(x) in SCALARS:
        return splat(scalar_for(name, x, dtype), TensorType((), dtype), device)
    if type(x) is Number and x.kind in SCALARS:
        return x.value(name, dtype)  # type: ignore[no-any-return]
    return as_dtype(data_of(name, x, device), dtype)


def pair(name: str, x: Any, y: Any) -> tuple[Operand, Operand]:
    """Two operands ready for an elementwise op; a Python scalar stays one where the types allow."""
    if isinstance(x, Handle):
        a = x._data
        if isinstance(y, Handle) and a.type is y._data.type:
            return a, y._data
        if isinstance(y, Handle) and a.type.dtype is y._data.type.dtype:
            shape = broadcast_shape(name, (a.type.shape, y._data.type.shape))
            return as_shape(a, shape), as_shape(y._data, shape)
        if type(y) in SCALARS:
            a, scalar = _with_scalar(name, a, y)
            return a, scalar
    elif isinstance(y, Handle) and type(x) in SCALARS:
        b, scalar = _with_scalar(name, y._data, x)
        return scalar, b
    a, b = unify(name, x, y)
    return a, b


def _with_scalar(name: str, x: Data, value: Scalar) -> tuple[Data, Scalar]:
    dtype = x.type.dtype
    if type(value) is float and kind(dtype) == "float":
        return x, value
    wanted = result_type(dtype, type(value))
    if wanted != dtype:
        x = convert(x, dtype=wanted)
    return x, scalar_for(name, value, wanted)


def axes_of(name: str, axis: Axis, ndim: int) -> tuple[int, ...]:
    """Axes as a sorted tuple of distinct, non-negative ints; all of them for None.

    Raises numpy.exceptions.AxisError (a ValueError and an IndexError) for one out of range, and
    ValueError for one given twice.
    """
    if axis is None:
        return tuple(range(ndim))
    given = axis if isinstance(axis, (tuple, list)) else (axis,)
    found = tuple(sorted(axis_of(name, a, ndim) for a in given))
    if len(set(found)) != len(found):
        raise at_caller(ValueError(f"{name} needs distinct axes, got {tuple(given)}"))
    return found


def axis_of(name: str, axis: Any, ndim: int) -> int:
    """One axis, non-negative. Raises AxisError where it is out of range, TypeError for no int."""
    try:
        index = int(operator.index(axis))
    except TypeError:
        raise at_caller(TypeError(f"{name} needs an int axis, got {axis!r}")) from None
    if not -ndim <= index < ndim:
        message = f"{name} needs an axis of {ndim} dimensions, got {index}"
        raise at_caller(np.exceptions.AxisError(message))
    return index % ndim


def floating(name: str, x: Any) -> Data:
    """A floating or complex value: booleans and integers become float32."""
    data = data_of(name, x)
    found = kind(data.type.dtype)
    if found in ("float", "complex"):
        return data
    return convert(data, dtype=result_type(data.type.dtype, float))


def shape_of(name: str, shape: Any, *, free: bool = False) -> tuple[int, ...]:
    """A shape from an int or a sequence of ints; with free=True, -1 may stand among them.

    Raises TypeError or ValueError otherwise.
    """
    try:
        given = (shape,) if type(shape) is int or not isinstance(shape, Iterable) else shape
        found = tuple(map(int, map(operator.index, given)))  # int of a bool
    except TypeError:
        raise at_caller(TypeError(f"{name} needs a shape of ints, got {shape!r}")) from None
    if found and min(found) < (-1 if free else 0):
        raise at_caller(ValueError(f"{name} needs lengths that are not negative, got {found}"))
    return found


def need_real(name: str, x: Data) -> Data:
    """The value. Raises TypeError where it is complex, which has no order."""
    if kind(x.type.dtype) == "complex":
        raise at_caller(TypeError(f"{name} needs a real dtype, got {x.type}"))
    return x


def accumulated(x: Data, reduce: Callable[[Data], Data]) -> Data:
    """A reduction of 16-bit floats taken in float32, as NumPy's and XLA's users expect."""
    dtype = x.type.dtype
    if dtype.itemsize > 2 or is_integer(dtype) or kind(dtype) == "bool":
        return reduce(x)
    return convert(reduce(convert(x, dtype=np.dtype(np.float32))), dtype=dtype)
