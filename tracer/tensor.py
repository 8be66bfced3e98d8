"""Tensor: operators and methods, as sugar over functions."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tracer.config import config
from tracer.device import Device
from tracer.dtypes import DType, canonical
from tracer.errors import at_caller
from tracer.functions import (
    complexes,
    creation,
    cumulative,
    elementwise,
    indexing,
    linalg,
    logic,
    manipulation,
    reductions,
)
from tracer.functions.interchange import dlpack_device, export
from tracer.functions.operands import OPERANDS, Axis, Handle, wrap
from tracer.functions.transfer import to_device
from tracer.inspection import VERSIONS
from tracer.recording import materialize

if TYPE_CHECKING:
    from tracer.functions.operands import ArrayLike


Operator = Callable[["Tensor", "ArrayLike"], "Tensor"]
_ANSWERED = (*OPERANDS, list, tuple)
"""What operators raise of: a sequence would repeat itself, a tensor being an index to it."""


def _operator(function: Callable[[Any, Any], Tensor]) -> Operator:
    """A function of two operands as a method; NotImplemented of what is no operand."""

    def method(self: Tensor, other: ArrayLike, /) -> Tensor:
        try:
            return function(self, other)
        except TypeError:
            if isinstance(other, _ANSWERED):
                raise
            return NotImplemented

    return method


def _reflected(function: Callable[[Any, Any], Tensor]) -> Operator:
    """Likewise for the operand on the right."""

    def method(self: Tensor, other: ArrayLike, /) -> Tensor:
        try:
            return function(other, self)
        except TypeError:
            if isinstance(other, _ANSWERED):
                raise
            return NotImplemented

    return method


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

    @property
    def real(self) -> Tensor:
        """The real part."""
        return complexes.real(self)

    @property
    def imag(self) -> Tensor:
        """The imaginary part."""
        return complexes.imag(self)

    @property
    def at(self) -> indexing.At:
        """Updates that make a new tensor: `x.at[key].add(value)`."""
        return indexing.At(self)

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

    def __dlpack__(
        self,
        *,
        stream: Any = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[Any, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        """The elements as a DLPack capsule, on the tensor's own memory unless copy=True.

        Nobody may write to it: tensors share memory, and it outlives them. DLPack 1 says so to the
        consumer. Raises BufferError for a device or stream that can't be had.
        """
        return export(self._data, stream, max_version, dl_device, copy)

    def __dlpack_device__(self) -> tuple[int, int]:
        """DLPack's kind of the device, and which one."""
        return dlpack_device(self.device)

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

    def to_device(self, device: Device, /, *, stream: None = None) -> Tensor:
        """On a device; itself where it is there. Streams are the runtime's: none can be given."""
        if stream is not None:
            raise at_caller(ValueError(f"to_device needs stream=None, got {stream!r}"))
        return to_device(self, device)

    def __array_namespace__(self, *, api_version: str | None = None) -> Any:
        """The module `tracer`, a namespace of the array API standard of this version or before.

        Raises ValueError for a version that it is not.
        """
        if api_version is not None and api_version not in VERSIONS:
            message = f"__array_namespace__ needs a version of {VERSIONS}, got {api_version!r}"
            raise at_caller(ValueError(message))
        return sys.modules[__package__]

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

    def ravel(self) -> Tensor:
        """The elements in row-major order, as one axis."""
        return manipulation.ravel(self)

    flatten = ravel

    def squeeze(self, axis: Axis = None) -> Tensor:
        """Without these axes of length 1, or without all of them."""
        return manipulation.squeeze(self, axis)

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

    def prod(self, axis: Axis = None, *, dtype: Any = None, keepdims: bool = False) -> Tensor:
        """The product over axes."""
        return reductions.prod(self, axis, dtype=dtype, keepdims=keepdims)

    def cumsum(self, axis: int | None = None, dtype: Any = None) -> Tensor:
        """The sums up to each element."""
        return cumulative.cumsum(self, axis, dtype)

    def clip(self, min: Any = None, max: Any = None) -> Tensor:
        """The elements held between bounds."""
        return elementwise.clip(self, min, max)

    def conj(self) -> Tensor:
        """The complex conjugate."""
        return complexes.conj(self)

    # Operators. In-place ones are these as well: they give the name a new value.

    __add__ = _operator(elementwise.add)
    __radd__ = _reflected(elementwise.add)
    __sub__ = _operator(elementwise.subtract)
    __rsub__ = _reflected(elementwise.subtract)
    __mul__ = _operator(elementwise.multiply)
    __rmul__ = _reflected(elementwise.multiply)
    __truediv__ = _operator(elementwise.divide)
    __rtruediv__ = _reflected(elementwise.divide)
    __floordiv__ = _operator(elementwise.floor_divide)
    __rfloordiv__ = _reflected(elementwise.floor_divide)
    __mod__ = _operator(elementwise.remainder)
    __rmod__ = _reflected(elementwise.remainder)
    __pow__ = _operator(elementwise.power)
    __rpow__ = _reflected(elementwise.power)
    __matmul__ = _operator(linalg.matmul)
    __rmatmul__ = _reflected(linalg.matmul)
    __and__ = _operator(logic.bitwise_and)
    __rand__ = _reflected(logic.bitwise_and)
    __or__ = _operator(logic.bitwise_or)
    __ror__ = _reflected(logic.bitwise_or)
    __xor__ = _operator(logic.bitwise_xor)
    __rxor__ = _reflected(logic.bitwise_xor)
    __lshift__ = _operator(logic.bitwise_left_shift)
    __rlshift__ = _reflected(logic.bitwise_left_shift)
    __rshift__ = _operator(logic.bitwise_right_shift)
    __rrshift__ = _reflected(logic.bitwise_right_shift)
    __eq__ = _operator(logic.equal)  # type: ignore[assignment]
    __ne__ = _operator(logic.not_equal)  # type: ignore[assignment]
    __lt__ = _operator(logic.less)
    __le__ = _operator(logic.less_equal)
    __gt__ = _operator(logic.greater)
    __ge__ = _operator(logic.greater_equal)

    def __neg__(self) -> Tensor:
        return elementwise.negative(self)

    def __pos__(self) -> Tensor:
        return elementwise.positive(self)

    def __abs__(self) -> Tensor:
        return elementwise.abs(self)

    def __invert__(self) -> Tensor:
        return logic.bitwise_invert(self)


def _unpickle(array: NDArray[Any], device: Device) -> Tensor:
    return creation.asarray(array, device=device)
