"""Data types, their names in MLIR, and what two of them promote to."""

from collections.abc import Iterable
from functools import cache, reduce
from typing import Any

import ml_dtypes
import numpy as np

from tracer.errors import at_caller

DType = np.dtype[Any]
Scalar = bool | int | float | complex

bool_: DType = np.dtype(np.bool_)
int4: DType = np.dtype(ml_dtypes.int4)
int8: DType = np.dtype(np.int8)
int16: DType = np.dtype(np.int16)
int32: DType = np.dtype(np.int32)
int64: DType = np.dtype(np.int64)
uint4: DType = np.dtype(ml_dtypes.uint4)
uint8: DType = np.dtype(np.uint8)
uint16: DType = np.dtype(np.uint16)
uint32: DType = np.dtype(np.uint32)
uint64: DType = np.dtype(np.uint64)
float8_e3m4: DType = np.dtype(ml_dtypes.float8_e3m4)
float8_e4m3: DType = np.dtype(ml_dtypes.float8_e4m3)
float8_e4m3b11fnuz: DType = np.dtype(ml_dtypes.float8_e4m3b11fnuz)
float8_e4m3fn: DType = np.dtype(ml_dtypes.float8_e4m3fn)
float8_e4m3fnuz: DType = np.dtype(ml_dtypes.float8_e4m3fnuz)
float8_e5m2: DType = np.dtype(ml_dtypes.float8_e5m2)
float8_e5m2fnuz: DType = np.dtype(ml_dtypes.float8_e5m2fnuz)
float16: DType = np.dtype(np.float16)
bfloat16: DType = np.dtype(ml_dtypes.bfloat16)
float32: DType = np.dtype(np.float32)
float64: DType = np.dtype(np.float64)
complex64: DType = np.dtype(np.complex64)
complex128: DType = np.dtype(np.complex128)

MLIR_NAMES: dict[DType, str] = {
    bool_: "i1",
    int4: "i4",
    int8: "i8",
    int16: "i16",
    int32: "i32",
    int64: "i64",
    uint4: "ui4",
    uint8: "ui8",
    uint16: "ui16",
    uint32: "ui32",
    uint64: "ui64",
    float8_e3m4: "f8E3M4",
    float8_e4m3: "f8E4M3",
    float8_e4m3b11fnuz: "f8E4M3B11FNUZ",
    float8_e4m3fn: "f8E4M3FN",
    float8_e4m3fnuz: "f8E4M3FNUZ",
    float8_e5m2: "f8E5M2",
    float8_e5m2fnuz: "f8E5M2FNUZ",
    float16: "f16",
    bfloat16: "bf16",
    float32: "f32",
    float64: "f64",
    complex64: "complex<f32>",
    complex128: "complex<f64>",
}
FROM_MLIR = {name: dtype for dtype, name in MLIR_NAMES.items()}
ALL = tuple(MLIR_NAMES)
FLOAT8 = tuple(dtype for dtype, name in MLIR_NAMES.items() if name.startswith("f8"))
NARROW_INTEGERS = (int4, uint4)
"""Integers of less than a byte, each of which takes a byte in NumPy's arrays."""
_CANONICAL = {dtype: dtype for dtype in ALL}

WHOLE: dict[DType, DType] = {float32: complex64, float64: complex128}
"""The complex dtype of two parts."""
PART = {whole: part for part, whole in WHOLE.items()}
"""The dtype of the parts of a complex one."""

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
    if isinstance(dtype, np.dtype) and dtype in _CANONICAL:
        return _CANONICAL[dtype]
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


_LETTERS = {"i": "int", "u": "uint", "f": "float", "b": "float", "c": "complex"}
_KINDS = {d: "bool" if n == "i1" else _LETTERS[n[0]] for d, n in MLIR_NAMES.items()}


def kind(dtype: DType) -> str:
    """One of "bool", "int", "uint", "float", "complex"."""
    return _KINDS[dtype]


def is_floating(dtype: DType) -> bool:
    """Whether dtype is real floating point."""
    return kind(dtype) == "float"


def is_inexact(dtype: DType) -> bool:
    """Whether dtype is floating point or complex: whether derivatives exist."""
    return kind(dtype) in ("float", "complex")


def has_infinity(dtype: DType) -> bool:
    """Whether a floating dtype has infinities: those of 8 bits with `fn` in their name have not."""
    return "fn" not in dtype.name


def is_integer(dtype: DType) -> bool:
    """Whether dtype is a signed or unsigned integer."""
    return kind(dtype) in ("int", "uint")


def accumulator(dtype: DType) -> DType:
    """What sums of a dtype are of, and what counts in it: at least 32 bits where it is exact."""
    if is_inexact(dtype) or dtype.itemsize >= 4:
        return dtype
    return uint32 if kind(dtype) == "uint" else int32


# JAX's promotion lattice (docs/jep/9407-type-promotion): an edge leads to the next larger types;
# Python's int, float and complex are weak and stand below every type of their kind. The narrow
# types lead nowhere: what is wider than them must be converted to, as in JAX.
_LATTICE: dict[DType | type, tuple[DType | type, ...]] = {
    bool_: (int,),
    int: (uint8, int8, *NARROW_INTEGERS),
    **dict.fromkeys((*NARROW_INTEGERS, *FLOAT8), ()),
    uint8: (int16, uint16),
    uint16: (int32, uint32),
    uint32: (int64, uint64),
    uint64: (float,),
    int8: (int16,),
    int16: (int32,),
    int32: (int64,),
    int64: (float,),
    float: (float16, bfloat16, complex, *FLOAT8),
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
    found = next((node for node in common if common == _above(node)), None)
    if found is None:
        names = " and ".join(
            node.__name__ if isinstance(node, type) else node.name for node in (a, b)
        )
        raise TypeError(f"{names} promote to no dtype; convert one with astype")
    return found


def result_type(*operands: DType | type) -> DType:
    """The dtype that these promote to; Python's bool, int, float and complex are weak.

    Raises TypeError, with the user's line, where there is none: for a dtype of 8 bits or less that
    is no plain integer, and another.

    Source: the array API standard's promotion tables, and JAX's lattice where kinds mix.
    """
    found = _results.get(operands)
    if found is None:
        found = _results[operands] = _result_type(operands)
    return found


_results: dict[tuple[DType | type, ...], DType] = {}


def _result_type(operands: Iterable[DType | type]) -> DType:
    nodes: Iterable[DType | type] = (bool_ if node is bool else node for node in operands)
    try:
        joined = reduce(_join, nodes)
    except TypeError as error:
        raise at_caller(error) from None
    return DEFAULT_FOR_SCALAR[joined] if isinstance(joined, type) else joined
