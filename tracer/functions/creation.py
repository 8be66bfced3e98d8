"""Functions that make tensors."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tracer.deferred import Number
from tracer.device import Device
from tracer.dispatch import splat
from tracer.dtypes import (
    DType,
    Scalar,
    accumulator,
    int32,
    is_integer,
    result_type,
)
from tracer.errors import CopyError, at_caller
from tracer.functions.elementwise import add
from tracer.functions.interchange import existing, from_dlpack, shared
from tracer.functions.logic import equal
from tracer.functions.manipulation import astype, stack
from tracer.functions.operands import (
    SCALARS,
    Handle,
    as_dtype,
    as_operand,
    as_shape,
    data_of,
    dtype_of,
    need_dtype,
    placed,
    put,
    scalar_for,
    shape_of,
    wrap,
)
from tracer.ir import TensorType
from tracer.ir.registry import OPS
from tracer.ops.movement import iota
from tracer.values import Data

if TYPE_CHECKING:
    from tracer.functions.operands import ArrayLike
    from tracer.tensor import Tensor

__all__ = [
    "array",
    "asarray",
    "empty",
    "empty_like",
    "eye",
    "full",
    "full_like",
    "one_hot",
    "ones",
    "ones_like",
    "zeros",
    "zeros_like",
]


def asarray(
    obj: Any, dtype: Any = None, *, device: Device | None = None, copy: bool | None = None
) -> Tensor:
    """A tensor of `obj`: a tensor, a number, nested sequences of these, or an array: NumPy's, or
    what has `__dlpack__` or Python's buffer protocol.

    Python floats make float32, ints int32, bools bool, complex complex64; arrays keep their dtype,
    or convert as `astype` does. Arrays are copied, so later changes to them are not seen, unless
    copy=False: then a tensor is returned itself, and memory is shared, which its owner must leave
    alone. A tensor moves to `device` where one is given; sequences that hold tensors go where these
    are; anything else goes to `device` or the default one.

    Raises TypeError for what is no number, ValueError for ragged sequences and where copy=False
    can't be had, OverflowError for an int that the dtype can't hold.
    """
    if type(obj) is Number:
        return existing("asarray", wrap(_number("asarray", obj, dtype)), device, copy)
    if isinstance(obj, Handle):
        tensor = obj if copy is False else wrap(obj._data)
        return _as_dtype(existing("asarray", tensor, device, copy), dtype, copy)  # type: ignore[arg-type]
    if hasattr(obj, "__dlpack__") and not isinstance(obj, np.ndarray):
        return _as_dtype(from_dlpack(obj, device=device, copy=copy), dtype, copy)
    if copy is False:
        return _as_dtype(_shared(obj, placed(device)), dtype, copy)
    inside = _first_tensor(obj)
    if inside is not None:
        place = device or inside._data.device
        made = stack([x if type(x) in SCALARS else asarray(x, device=place) for x in obj])
        return made if dtype is None else astype(made, dtype)
    return wrap(put(_array(obj, dtype), placed(device)))


def _number(name: str, x: Number, dtype: Any) -> Data:
    """A number of a recorded function, 0-d."""
    found = result_type(dtype_of(x)) if dtype is None else need_dtype(dtype)
    return as_operand(name, x, found, Device.default())


def array(obj: Any, dtype: Any = None, *, device: Device | None = None) -> Tensor:
    """`asarray` that always copies."""
    return asarray(obj, dtype, device=device, copy=True)


def _as_dtype(x: Tensor, dtype: Any, copy: bool | None) -> Tensor:
    if dtype is None or need_dtype(dtype) == x.dtype:
        return x
    if copy is False:
        raise at_caller(CopyError(f"asarray needs a copy to convert {x.dtype} to {dtype}"))
    return astype(x, dtype)


def _shared(obj: Any, device: Device) -> Tensor:
    """A tensor on the memory of an array, or of what has Python's buffer protocol."""
    if isinstance(obj, (list, tuple, range, *SCALARS)):
        raise at_caller(CopyError(f"asarray needs a copy of a {type(obj).__name__}"))
    return shared("asarray", np.asarray(_readable(obj)), device)


def _readable(obj: Any) -> Any:
    """Bytes as numbers, which NumPy takes for a text."""
    return memoryview(obj) if isinstance(obj, bytes) else obj


def _first_tensor(obj: Any) -> Handle | None:
    if isinstance(obj, Handle):
        return obj
    if not isinstance(obj, (list, tuple)):
        return None
    return next((found for x in obj if (found := _first_tensor(x)) is not None), None)


def _array(obj: Any, dtype: Any) -> np.ndarray[Any, Any]:
    try:
        array = np.asarray(_readable(obj))
    except (TypeError, ValueError) as error:
        raise at_caller(type(error)(f"asarray: {error}")) from None
    numbers = array.dtype == object and all(type(x) in SCALARS for x in array.flat)
    if not numbers and array.dtype.kind not in "biufcV":
        raise at_caller(TypeError(f"asarray needs numbers, got {_odd_one(array, obj)}"))
    python = numbers or not _holds_numpy(obj)
    if dtype is not None:
        wanted = need_dtype(dtype)
    else:
        wanted = _python_dtype(array) if python else need_dtype(array.dtype)
    if python and is_integer(wanted) and array.size:
        for extreme in (array.min(), array.max()):
            scalar_for("asarray", extreme if numbers else extreme.item(), wanted)
    return array.astype(wanted, copy=False) if numbers else converted(array, wanted)


def _odd_one(array: np.ndarray[Any, Any], obj: Any) -> str:
    """What is no number, in words."""
    odd = next((x for x in array.flat if type(x) not in SCALARS), obj)
    return type(odd).__name__ if array.dtype == object else repr(obj)


def converted(array: np.ndarray[Any, Any], wanted: DType) -> np.ndarray[Any, Any]:
    """As a device converts: floats to integers saturate, NaN gives 0."""
    native = array.astype(need_dtype(array.dtype), copy=False)
    return native if native.dtype == wanted else OPS["convert"].numpy(native, dtype=wanted)


def _holds_numpy(obj: Any) -> bool:
    """Whether the numbers are NumPy's, which keep their dtype, and not Python's."""
    while isinstance(obj, (list, tuple)) and obj:
        obj = obj[0]
    return not isinstance(obj, (list, tuple, range, *SCALARS)) or isinstance(obj, np.generic)


def _python_dtype(array: np.ndarray[Any, Any]) -> DType:
    """Python numbers make 32-bit dtypes."""
    if not array.size:
        return result_type(float)
    return result_type(int if array.dtype == object else type(array.flat[0].item()))


def full(
    shape: int | Sequence[int],
    fill_value: Scalar | np.generic,
    dtype: Any = None,
    *,
    device: Device | None = None,
) -> Tensor:
    """A tensor of one value; its dtype by default that of the number (float32 for a float, …)."""
    return _filled("full", shape, fill_value, dtype, device)


def _filled(name: str, shape: Any, value: Any, dtype: Any, device: Device | None) -> Tensor:
    if type(value) is Number:
        filled = as_shape(_number(name, value, dtype), shape_of(name, shape))
        return existing(name, wrap(filled), device, None)
    number, default = number_of(name, value)
    found = default if dtype is None else need_dtype(dtype)
    number = scalar_for(name, number, found)
    type_ = TensorType(shape_of(name, shape), found)
    return wrap(splat(number, type_, placed(device)))


def number_of(name: str, value: Any) -> tuple[Scalar, DType]:
    """A Python or NumPy number as a Python one, and its dtype."""
    if type(value) in SCALARS:
        return value, result_type(type(value))
    if not isinstance(value, np.generic):
        raise at_caller(TypeError(f"{name} needs a number, got {value!r}"))
    return value.item(), need_dtype(value.dtype)


def zeros(shape: int | Sequence[int], dtype: Any = None, *, device: Device | None = None) -> Tensor:
    """Zeros; float32 by default."""
    return _filled("zeros", shape, 0.0 if dtype is None else 0, dtype, device)


def ones(shape: int | Sequence[int], dtype: Any = None, *, device: Device | None = None) -> Tensor:
    """Ones; float32 by default."""
    return _filled("ones", shape, 1.0 if dtype is None else 1, dtype, device)


def empty(shape: int | Sequence[int], dtype: Any = None, *, device: Device | None = None) -> Tensor:
    """A tensor whose values nobody should rely on; they are zeros."""
    return zeros(shape, dtype, device=device)


def empty_like(x: Tensor, dtype: Any = None, *, device: Device | None = None) -> Tensor:
    """A tensor like x whose values nobody should rely on; they are zeros."""
    return zeros_like(x, dtype, device=device)


def full_like(
    x: Tensor, fill_value: Scalar, dtype: Any = None, *, device: Device | None = None
) -> Tensor:
    """A tensor of one value with the shape, and by default the dtype and device, of x."""
    place = x.device if device is None else device
    return full(x.shape, fill_value, x.dtype if dtype is None else dtype, device=place)


def zeros_like(x: Tensor, dtype: Any = None, *, device: Device | None = None) -> Tensor:
    """Zeros with the shape, and by default the dtype and device, of x."""
    return full_like(x, 0, dtype, device=device)


def ones_like(x: Tensor, dtype: Any = None, *, device: Device | None = None) -> Tensor:
    """Ones with the shape, and by default the dtype and device, of x."""
    return full_like(x, 1, dtype, device=device)


def eye(
    n_rows: int,
    n_cols: int | None = None,
    *,
    k: int = 0,
    dtype: Any = None,
    device: Device | None = None,
) -> Tensor:
    """Ones on diagonal k, zeros elsewhere; float32 by default."""
    shape = shape_of("eye", (n_rows, n_rows if n_cols is None else n_cols))
    rows, columns = diagonals("eye", shape, k, placed(device))
    return astype(equal(rows, columns), result_type(float) if dtype is None else dtype)


def diagonals(name: str, shape: tuple[int, ...], k: Any, device: Device) -> tuple[Tensor, Tensor]:
    """Two matrices that are equal on diagonal k; the first is smaller above it, larger below."""
    try:
        shift = max(-max(shape), min(operator.index(k), max(shape)))
    except TypeError:
        raise at_caller(TypeError(f"{name} needs an int k, got {k!r}")) from None
    rows, columns = (
        wrap(iota(iota_dimension=axis, shape=shape, dtype=int32, device=device)) for axis in (0, 1)
    )
    return add(rows, shift), columns


def one_hot(indices: ArrayLike, depth: int, dtype: Any = None) -> Tensor:
    """(*indices.shape, depth): 1 where the last axis is the index, else 0; float32 by default.

    An index out of range gives a row of zeros. Raises TypeError unless indices are integers.
    """
    data = data_of("one_hot", indices)
    if not is_integer(data.type.dtype):
        raise at_caller(TypeError(f"one_hot needs integers, got {data.type}"))
    wide = as_dtype(data, accumulator(data.type.dtype))  # else a narrow type wraps around
    places = iota(
        iota_dimension=0,
        shape=shape_of("one_hot", (depth,)),
        dtype=wide.type.dtype,
        device=wide.device,
    )
    matches = equal(wrap(wide)[..., None], wrap(places))
    return astype(matches, result_type(float) if dtype is None else dtype)
