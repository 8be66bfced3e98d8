"""Data types, their names in MLIR, and what two of them promote to."""

from collections.abc import Iterable
from functools import cache, reduce
from typing import Any

import ml_dtypes
import numpy as np

DType = np.dtype[Any]
Scalar = bool | int | float | complex

bool_: DType = np.dtype(np.bool_)
int8: DType = np.dtype(np.int8)
int16: DType = np.dtype(np.int16)
int32: DType = np.dtype(np.int32)
int64: DType = np.dtype(np.int64)
uint8: DType = np.dtype(np.uint8)
uint16: DType = np.dtype(np.uint16)
uint32: DType = np.dtype(np.uint32)
uint64: DType = np.dtype(np.uint64)
float16: DType = np.dtype(np.float16)
bfloat16: DType = np.dtype(ml_dtypes.bfloat16)
float32: DType = np.dtype(np.float32)
float64: DType = np.dtype(np.float64)
complex64: DType = np.dtype(np.complex64)
complex128: DType = np.dtype(np.complex128)

MLIR_NAMES: dict[DType, str] = {
    bool_: "i1",
    int8: "i8",
    int16: "i16",
    int32: "i32",
    int64: "i64",
    uint8: "ui8",
    uint16: "ui16",
    uint32: "ui32",
    uint64: "ui64",
    float16: "f16",
    bfloat16: "bf16",
    float32: "f32",
    float64: "f64",
    complex64: "complex<f32>",
    complex128: "complex<f64>",
}
FROM_MLIR = {name: dtype for dtype, name in MLIR_NAMES.items()}
ALL = tuple(MLIR_NAMES)
_CANONICAL = {dtype: dtype for dtype in ALL}

DEFAULT_FOR_SCALAR: dict[type, DType] = {
    bool: bool_,
    int: int32,
    float: float32,
    complex: complex64,
}


@cache
def finfo(dtype: Any) -> Any:
    """The limits of a floating dtype: `bits eps max min smallest_normal` and more."""
    return ml_dtypes.finfo(canonical(dtype))  # type: ignore[no-untyped-call]


@cache
def iinfo(dtype: Any) -> Any:
    """The limits of an integer dtype: `bits max min`."""
    return ml_dtypes.iinfo(canonical(dtype))  # type: ignore[no-untyped-call]


def canonical(dtype: Any) -> DType:
    """The dtype that `dtype` names: one of ours, NumPy's or Python's types, or a name.

    Raises TypeError for anything else.
    """
    if isinstance(dtype, type) and dtype in DEFAULT_FOR_SCALAR:
        return DEFAULT_FOR_SCALAR[dtype]
    try:
        found = np.dtype(dtype)
    except TypeError:
        raise TypeError(f"a dtype was needed, got {dtype!r}") from None
    native = _CANONICAL.get(found.newbyteorder("="))
    if native is None:
        names = ", ".join(d.name for d in ALL)
        raise TypeError(f"dtype {found} is not supported; these are: {names}")
    return native


@cache
def kind(dtype: DType) -> str:
    """One of "bool", "int", "uint", "float", "complex"."""
    name = MLIR_NAMES[dtype]
    if name == "i1":
        return "bool"
    return {"i": "int", "u": "uint", "f": "float", "b": "float", "c": "complex"}[name[0]]


def is_floating(dtype: DType) -> bool:
    """Whether dtype is real floating point."""
    return kind(dtype) == "float"


def is_inexact(dtype: DType) -> bool:
    """Whether dtype is floating point or complex: whether derivatives exist."""
    return kind(dtype) in ("float", "complex")


def is_integer(dtype: DType) -> bool:
    """Whether dtype is a signed or unsigned integer."""
    return kind(dtype) in ("int", "uint")


# JAX's promotion lattice (docs/jep/9407-type-promotion): an edge leads to the next larger types;
# Python's int, float and complex are weak and stand below every type of their kind.
_LATTICE: dict[DType | type, tuple[DType | type, ...]] = {
    bool_: (int,),
    int: (uint8, int8),
    uint8: (int16, uint16),
    uint16: (int32, uint32),
    uint32: (int64, uint64),
    uint64: (float,),
    int8: (int16,),
    int16: (int32,),
    int32: (int64,),
    int64: (float,),
    float: (float16, bfloat16, complex),
    float16: (float32,),
    bfloat16: (float32,),
    float32: (float64, complex64),
    float64: (complex128,),
    complex: (complex64,),
    complex64: (complex128,),
    complex128: (),
}


@cache
def _above(node: DType | type) -> frozenset[DType | type]:
    return reduce(frozenset.union, map(_above, _LATTICE[node]), frozenset({node}))


@cache
def _join(a: DType | type, b: DType | type) -> DType | type:
    common = _above(a) & _above(b)
    return next(node for node in common if common == _above(node))


def result_type(*operands: DType | type) -> DType:
    """The dtype that these promote to; Python's bool, int, float and complex are weak.

    Source: the array API standard's promotion tables, and JAX's lattice where kinds mix.
    """
    found = _results.get(operands)
    if found is None:
        found = _results[operands] = _result_type(operands)
    return found


_results: dict[tuple[DType | type, ...], DType] = {}


def _result_type(operands: Iterable[DType | type]) -> DType:
    nodes: Iterable[DType | type] = (bool_ if node is bool else node for node in operands)
    joined = reduce(_join, nodes)
    return DEFAULT_FOR_SCALAR[joined] if isinstance(joined, type) else joined
