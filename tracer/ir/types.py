"""The type of a tensor, and a literal: both printed as MLIR prints them."""

from __future__ import annotations

from math import prod
from typing import Any
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from tracer.dtypes import MLIR_NAMES, DType, is_inexact

_interned: WeakValueDictionary[tuple[tuple[int, ...], DType], TensorType] = WeakValueDictionary()
_opaque: WeakValueDictionary[str, OpaqueType] = WeakValueDictionary()


class TensorType:
    """Shape and dtype. Interned: equal types are one object, so `is` compares them."""

    __slots__ = ("__weakref__", "dtype", "inexact", "shape")
    shape: tuple[int, ...]
    dtype: DType
    inexact: bool
    """Whether the elements are floating or complex: what a derivative may be taken of."""

    def __new__(cls, shape: tuple[int, ...], dtype: DType) -> TensorType:
        found = _interned.get((shape, dtype))
        if found is None:
            if prod(shape) * dtype.itemsize >= 2**63:
                raise ValueError(f"shape {shape} of {dtype} is larger than any memory")
            made = super().__new__(cls)
            made.shape, made.dtype, made.inexact = shape, dtype, is_inexact(dtype)
            found = _interned.setdefault((shape, dtype), made)
        return found

    def __reduce__(self) -> tuple[Any, ...]:
        return TensorType, (self.shape, self.dtype)

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        size = 1
        for length in self.shape:
            size *= length
        return size

    def with_shape(self, shape: tuple[int, ...]) -> TensorType:
        """The same dtype with another shape."""
        return TensorType(shape, self.dtype)

    def with_dtype(self, dtype: DType) -> TensorType:
        """The same shape with another dtype."""
        return TensorType(self.shape, dtype)

    def __str__(self) -> str:
        return f"tensor<{''.join(f'{n}x' for n in self.shape)}{MLIR_NAMES[self.dtype]}>"

    __repr__ = __str__


class OpaqueType(TensorType):
    """A type that programs only carry and print: a dynamic shape, a token, a tuple, quantised.

    Interned; it has neither shape nor dtype.
    """

    __slots__ = ("text",)
    text: str

    def __new__(cls, text: str) -> OpaqueType:
        found = _opaque.get(text)
        if found is None:
            made = object.__new__(cls)
            made.text = text
            found = _opaque.setdefault(text, made)
        return found

    def __reduce__(self) -> tuple[Any, ...]:
        return OpaqueType, (self.text,)

    def __str__(self) -> str:
        return self.text

    __repr__ = __str__


class Literal:
    """The elements of a constant; equal when type and bits are (0.0 and -0.0 differ)."""

    __slots__ = ("_bytes", "type")

    def __init__(self, array: NDArray[Any]) -> None:
        self.type = TensorType(array.shape, array.dtype)
        self._bytes = array.tobytes()

    @property
    def array(self) -> NDArray[Any]:
        """The elements, read-only."""
        return np.frombuffer(self._bytes, self.type.dtype).reshape(self.type.shape)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Literal):
            return NotImplemented
        return self.type is other.type and self._bytes == other._bytes

    def __hash__(self) -> int:
        return hash((self.type, self._bytes))

    def __repr__(self) -> str:
        return f"dense<{self.array.tolist()}> : {self.type}"
