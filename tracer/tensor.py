"""Tensor: operators and methods, as sugar over functions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tracer.config import config
from tracer.device import Device
from tracer.dtypes import DType, canonical
from tracer.errors import at_caller
from tracer.functions import (
    creation,
    elementwise,
    indexing,
    linalg,
    logic,
    manipulation,
    reductions,
)
from tracer.functions.operands import Axis, Handle, wrap
from tracer.functions.transfer import to_device
from tracer.recording import materialize

if TYPE_CHECKING:
    from tracer.functions.operands import ArrayLike


class Tensor(Handle):
    """An array of one dtype on a device.

    Made by `tracer.asarray`, `zeros`, … or by operations. Tensors have value semantics: `x[i] = v`
    and `x += y` give x a new value, and whoever read the old one keeps it; slices never alias. On
    an XLA device a tensor's value may be pending; looking at it (`numpy`, `item`, `float`, `print`,
    a condition) runs what is pending on that device, once.
    """

    __slots__ = ()
    __array_ufunc__ = None  # so that `array + tensor` reaches our __radd__

    def __init__(self, *_: Any) -> None:
        raise at_caller(TypeError("a Tensor is made by tracer.asarray, zeros, … or an operation"))

    # What it is: never runs anything.

    @property
    def device(self) -> Device:
        """Where the tensor lives."""
        return self._data.device

    @property
    def dtype(self) -> DType:
        """The dtype of the elements."""
        return self._data.type.dtype

    @property
    def shape(self) -> tuple[int, ...]:
        """The lengths of the axes."""
        return self._data.type.shape

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return self._data.type.ndim

    @property
    def size(self) -> int:
        """The number of elements."""
        return self._data.type.size

    @property
    def T(self) -> Tensor:
        """The axes reversed."""
        return manipulation.transpose(self)

    @property
    def mT(self) -> Tensor:
        """The last two axes exchanged."""
        return manipulation.matrix_transpose(self)

    # Looking at the value: runs what is pending.

    def numpy(self) -> NDArray[Any]:
        """The elements as a read-only NumPy array; on a CPU without a copy."""
        return self.device.executor.get(materialize(self._data, "value"))

    def item(self) -> Any:
        """The only element as a Python number. Raises ValueError unless there is just one."""
        if self.size != 1:
            message = f"item needs a tensor of one element, got shape {self.shape}"
            raise at_caller(ValueError(message))
        return self.numpy().item()

    def tolist(self) -> Any:
        """The elements as nested lists of Python numbers."""
        return self.numpy().tolist()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        array = self.numpy()
        if copy is False and dtype is not None and np.dtype(dtype) != array.dtype:
            raise ValueError(f"a copy is needed to convert {array.dtype} to {dtype}")
        return np.array(array, dtype) if copy else np.asarray(array, dtype)

    def __bool__(self) -> bool:
        if self.size != 1:
            message = f"a condition needs a tensor of one element, got shape {self.shape}"
            raise at_caller(ValueError(message))
        return bool(self.numpy().item())

    def __float__(self) -> float:
        return float(self.item())

    def __int__(self) -> int:
        return int(self.item())

    def __complex__(self) -> complex:
        return complex(self.item())

    def __index__(self) -> int:
        if self.dtype.kind not in "iu" or self.ndim:
            message = f"an index needs a 0-d integer tensor, got {self._data.type}"
            raise at_caller(TypeError(message))
        return int(self.item())

    def __repr__(self) -> str:
        if config.lazy_repr and self._data.buffer is None:
            return f"Tensor(pending, shape={self.shape}, dtype={self.dtype}, device={self.device})"
        values = np.array2string(self.numpy(), separator=", ", prefix="Tensor(")
        return f"Tensor({values}, dtype={self.dtype}, device={self.device})"

    def __str__(self) -> str:
        return str(self.numpy())

    def __format__(self, spec: str) -> str:
        return format(self.item(), spec) if spec else str(self)

    # As a sequence.

    def __len__(self) -> int:
        if not self.ndim:
            raise at_caller(TypeError("a 0-d tensor has no length"))
        return self.shape[0]

    def __iter__(self) -> Iterator[Tensor]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, key: Any) -> Tensor:
        return indexing.getitem(self, key)

    def __setitem__(self, key: Any, value: ArrayLike) -> None:
        self._data = indexing.setitem(self, key, value)

    __hash__ = object.__hash__

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickle, (np.array(self.numpy()), self.device)

    def __copy__(self) -> Tensor:
        return wrap(self._data)

    def __deepcopy__(self, memo: dict[int, Any]) -> Tensor:
        return wrap(self._data)

    # Elsewhere, or as something else.

    def to(self, target: Any) -> Tensor:
        """On a device, or converted to a dtype. Moving between devices runs what is pending."""
        if isinstance(target, Device):
            return to_device(self, target)
        try:
            return manipulation.astype(self, canonical(target))
        except TypeError:
            message = f"to needs a Device or a dtype, got {target!r}"
            raise at_caller(TypeError(message)) from None

    def astype(self, dtype: Any) -> Tensor:
        """Converted to a dtype."""
        return manipulation.astype(self, dtype)

    def reshape(self, *shape: Any) -> Tensor:
        """In another shape; one length may be -1."""
        given = shape[0] if len(shape) == 1 else shape
        return manipulation.reshape(self, given)

    def transpose(self, *axes: Any) -> Tensor:
        """The axes reversed, or in the order given."""
        given = axes[0] if len(axes) == 1 else axes or None
        return manipulation.transpose(self, given)

    def sum(self, axis: Axis = None, *, dtype: Any = None, keepdims: bool = False) -> Tensor:
        """The sum over axes."""
        return reductions.sum(self, axis, dtype=dtype, keepdims=keepdims)

    def mean(self, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
        """The mean over axes."""
        return reductions.mean(self, axis, keepdims=keepdims)

    def var(self, axis: Axis = None, *, correction: float = 0, keepdims: bool = False) -> Tensor:
        """The variance over axes."""
        return reductions.var(self, axis, correction=correction, keepdims=keepdims)

    def std(self, axis: Axis = None, *, correction: float = 0, keepdims: bool = False) -> Tensor:
        """The standard deviation over axes."""
        return reductions.std(self, axis, correction=correction, keepdims=keepdims)

    def max(self, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
        """The largest element over axes."""
        return reductions.max(self, axis, keepdims=keepdims)

    def min(self, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
        """The smallest element over axes."""
        return reductions.min(self, axis, keepdims=keepdims)

    def argmax(self, axis: int | None = None, *, keepdims: bool = False) -> Tensor:
        """The index of the first largest element."""
        return reductions.argmax(self, axis, keepdims=keepdims)

    def argmin(self, axis: int | None = None, *, keepdims: bool = False) -> Tensor:
        """The index of the first smallest element."""
        return reductions.argmin(self, axis, keepdims=keepdims)

    def all(self, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
        """Whether every element is true."""
        return reductions.all(self, axis, keepdims=keepdims)

    def any(self, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
        """Whether some element is true."""
        return reductions.any(self, axis, keepdims=keepdims)

    # Operators.

    def __add__(self, other: ArrayLike) -> Tensor:
        return elementwise.add(self, other)

    def __radd__(self, other: ArrayLike) -> Tensor:
        return elementwise.add(other, self)

    def __sub__(self, other: ArrayLike) -> Tensor:
        return elementwise.subtract(self, other)

    def __rsub__(self, other: ArrayLike) -> Tensor:
        return elementwise.subtract(other, self)

    def __mul__(self, other: ArrayLike) -> Tensor:
        return elementwise.multiply(self, other)

    def __rmul__(self, other: ArrayLike) -> Tensor:
        return elementwise.multiply(other, self)

    def __truediv__(self, other: ArrayLike) -> Tensor:
        return elementwise.divide(self, other)

    def __rtruediv__(self, other: ArrayLike) -> Tensor:
        return elementwise.divide(other, self)

    def __floordiv__(self, other: ArrayLike) -> Tensor:
        return elementwise.floor_divide(self, other)

    def __rfloordiv__(self, other: ArrayLike) -> Tensor:
        return elementwise.floor_divide(other, self)

    def __mod__(self, other: ArrayLike) -> Tensor:
        return elementwise.remainder(self, other)

    def __rmod__(self, other: ArrayLike) -> Tensor:
        return elementwise.remainder(other, self)

    def __pow__(self, other: ArrayLike) -> Tensor:
        return elementwise.power(self, other)

    def __rpow__(self, other: ArrayLike) -> Tensor:
        return elementwise.power(other, self)

    def __matmul__(self, other: ArrayLike) -> Tensor:
        return linalg.matmul(self, other)

    def __rmatmul__(self, other: ArrayLike) -> Tensor:
        return linalg.matmul(other, self)

    def __neg__(self) -> Tensor:
        return elementwise.negative(self)

    def __pos__(self) -> Tensor:
        return elementwise.positive(self)

    def __abs__(self) -> Tensor:
        return elementwise.abs(self)

    def __invert__(self) -> Tensor:
        return logic.bitwise_invert(self)

    def __and__(self, other: ArrayLike) -> Tensor:
        return logic.bitwise_and(self, other)

    def __rand__(self, other: ArrayLike) -> Tensor:
        return logic.bitwise_and(other, self)

    def __or__(self, other: ArrayLike) -> Tensor:
        return logic.bitwise_or(self, other)

    def __ror__(self, other: ArrayLike) -> Tensor:
        return logic.bitwise_or(other, self)

    def __xor__(self, other: ArrayLike) -> Tensor:
        return logic.bitwise_xor(self, other)

    def __rxor__(self, other: ArrayLike) -> Tensor:
        return logic.bitwise_xor(other, self)

    def __lshift__(self, other: ArrayLike) -> Tensor:
        return logic.bitwise_left_shift(self, other)

    def __rshift__(self, other: ArrayLike) -> Tensor:
        return logic.bitwise_right_shift(self, other)

    def __rlshift__(self, other: ArrayLike) -> Tensor:
        return logic.bitwise_left_shift(other, self)

    def __rrshift__(self, other: ArrayLike) -> Tensor:
        return logic.bitwise_right_shift(other, self)

    def __eq__(self, other: ArrayLike) -> Tensor:  # type: ignore[override]
        return logic.equal(self, other)

    def __ne__(self, other: ArrayLike) -> Tensor:  # type: ignore[override]
        return logic.not_equal(self, other)

    def __lt__(self, other: ArrayLike) -> Tensor:
        return logic.less(self, other)

    def __le__(self, other: ArrayLike) -> Tensor:
        return logic.less_equal(self, other)

    def __gt__(self, other: ArrayLike) -> Tensor:
        return logic.greater(self, other)

    def __ge__(self, other: ArrayLike) -> Tensor:
        return logic.greater_equal(self, other)


def _unpickle(array: NDArray[Any], device: Device) -> Tensor:
    return creation.asarray(array, device=device)
