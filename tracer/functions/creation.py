"""Functions that make tensors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tracer.device import Device
from tracer.dispatch import splat
from tracer.dtypes import (
    DType,
    Scalar,
    float32,
    int32,
    int64,
    is_inexact,
    is_integer,
    result_type,
)
from tracer.errors import at_caller
from tracer.functions.elementwise import add, multiply
from tracer.functions.logic import equal
from tracer.functions.manipulation import astype, stack
from tracer.functions.operands import (
    SCALARS,
    Handle,
    as_dtype,
    data_of,
    dtype_of,
    need_dtype,
    placed,
    put,
    scalar_for,
    shape_of,
    wrap,
)
from tracer.functions.transfer import to_device
from tracer.ir import TensorType
from tracer.ir.registry import OPS
from tracer.ops.movement import iota

if TYPE_CHECKING:
    from tracer.functions.operands import ArrayLike
    from tracer.tensor import Tensor

__all__ = [
    "arange",
    "asarray",
    "empty",
    "eye",
    "full",
    "full_like",
    "linspace",
    "one_hot",
    "ones",
    "ones_like",
    "zeros",
    "zeros_like",
]


def asarray(obj: Any, dtype: Any = None, *, device: Device | None = None) -> Tensor:
    """A tensor of `obj`: a tensor, a NumPy array, a number, or nested sequences of them.

    Python floats make float32, ints int32, bools bool, complex complex64; NumPy arrays keep their
    dtype. The array is copied, so later changes to it are not seen. A tensor moves to `device`
    where one is given; sequences that hold tensors go where these are; anything else goes to
    `device` or the default one. Arrays convert as `astype` does.

    Raises TypeError for what is no number, ValueError for ragged sequences, OverflowError for an
    int that the dtype can't hold.
    """
    if isinstance(obj, Handle):
        tensor = wrap(obj._data)
        moved = tensor if device is None else to_device(tensor, device)
        return moved if dtype is None else astype(moved, dtype)
    inside = _first_tensor(obj)
    if inside is not None:
        place = device or inside._data.device
        made = stack([x if type(x) in SCALARS else asarray(x, device=place) for x in obj])
        return made if dtype is None else astype(made, dtype)
    return wrap(put(_array(obj, dtype), placed(device)))


def _first_tensor(obj: Any) -> Handle | None:
    if isinstance(obj, Handle):
        return obj
    if not isinstance(obj, (list, tuple)):
        return None
    return next((found for x in obj if (found := _first_tensor(x)) is not None), None)


def _array(obj: Any, dtype: Any) -> np.ndarray[Any, Any]:
    try:
        array = np.asarray(obj)
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
    return array.astype(wanted, copy=False) if numbers else _converted(array, wanted)


def _odd_one(array: np.ndarray[Any, Any], obj: Any) -> str:
    """What is no number, in words."""
    odd = next((x for x in array.flat if type(x) not in SCALARS), obj)
    return type(odd).__name__ if array.dtype == object else repr(obj)


def _converted(array: np.ndarray[Any, Any], wanted: DType) -> np.ndarray[Any, Any]:
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
    number, default = _number(name, value)
    found = default if dtype is None else need_dtype(dtype)
    number = scalar_for(name, number, found)
    type_ = TensorType(shape_of(name, shape), found)
    return wrap(splat(number, type_, placed(device)))


def _number(name: str, value: Any) -> tuple[Scalar, DType]:
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


def arange(
    start: float,
    stop: float | None = None,
    step: float = 1,
    dtype: Any = None,
    *,
    device: Device | None = None,
) -> Tensor:
    """start, start + step, … below stop; the length is computed on the host.

    int32 for ints, float32 where a float is among the arguments. Raises ValueError for step 0.
    """
    given = (0, start, step) if stop is None else (start, stop, step)
    numbers = [_number("arange", value)[0] for value in given]
    if any(isinstance(number, complex) for number in numbers):
        raise at_caller(TypeError("arange needs real numbers"))
    default = result_type(*(dtype_of(value) for value in given))
    first, last, by = numbers
    if not by:
        raise at_caller(ValueError("arange needs a step other than 0"))
    length = _steps(last - first, by)  # type: ignore[arg-type]
    place = placed(device)
    found = default if dtype is None else need_dtype(dtype)
    wide = _wide(found, first, by)
    counted = wrap(iota(iota_dimension=0, shape=(length,), dtype=wide, device=place))
    scaled = counted if by == 1 else multiply(counted, by)
    return astype(add(scaled, first) if first else scaled, found)


def _steps(span: float, by: float) -> int:
    try:
        whole = isinstance(span, int) and isinstance(by, int)
        return max(-(-span // by) if whole else math.ceil(span / by), 0)  # type: ignore[return-value]
    except (OverflowError, ValueError):
        raise at_caller(ValueError(f"arange needs finite numbers, got {span} / {by}")) from None


def _wide(dtype: DType, first: Any, by: Any) -> DType:
    """In what dtype to count, so that neither narrow types nor unsigned ones spoil a value."""
    if is_integer(dtype) and isinstance(first, int) and isinstance(by, int):
        return dtype if dtype.itemsize == 8 else int64
    return result_type(dtype if is_inexact(dtype) else float, float32)


def linspace(
    start: float,
    stop: float,
    num: int,
    dtype: Any = None,
    *,
    endpoint: bool = True,
    device: Device | None = None,
) -> Tensor:
    """num values from start to stop, both met exactly; float32 by default.

    With endpoint=False stop is left out. Raises ValueError for a negative num.
    """
    found = result_type(float) if dtype is None else need_dtype(dtype)
    (length,) = shape_of("linspace", num)
    for end in (start, stop):
        _number("linspace", end)
    values = np.linspace(start, stop, length, endpoint=endpoint)
    return wrap(put(_converted(values, found), placed(device)))


def eye(
    n_rows: int,
    n_cols: int | None = None,
    *,
    k: int = 0,
    dtype: Any = None,
    device: Device | None = None,
) -> Tensor:
    """Ones on diagonal k, zeros elsewhere; float32 by default."""
    shape = (n_rows, n_rows if n_cols is None else n_cols)
    place = placed(device)
    rows, columns = (
        wrap(iota(iota_dimension=axis, shape=shape, dtype=int32, device=place)) for axis in (0, 1)
    )
    return astype(equal(add(rows, k), columns), result_type(float) if dtype is None else dtype)


def one_hot(indices: ArrayLike, depth: int, dtype: Any = None) -> Tensor:
    """(*indices.shape, depth): 1 where the last axis is the index, else 0; float32 by default.

    An index out of range gives a row of zeros. Raises TypeError unless indices are integers.
    """
    data = data_of("one_hot", indices)
    if not is_integer(data.type.dtype):
        raise at_caller(TypeError(f"one_hot needs integers, got {data.type}"))
    wide = as_dtype(data, result_type(data.type.dtype, int32))  # else a narrow type wraps around
    places = iota(
        iota_dimension=0,
        shape=shape_of("one_hot", (depth,)),
        dtype=wide.type.dtype,
        device=wide.device,
    )
    matches = equal(wrap(wide)[..., None], wrap(places))
    return astype(matches, result_type(float) if dtype is None else dtype)
