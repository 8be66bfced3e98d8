"""Type rules that many operations share. Each raises TypeError or ValueError, naming what came."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from tracer.dtypes import kind
from tracer.ir import TensorType

ANY = ("bool", "int", "uint", "float", "complex")
NUMERIC = ("int", "uint", "float", "complex")
REAL = ("int", "uint", "float")
INEXACT = ("float", "complex")
FLOAT = ("float",)
INTEGRAL = ("int", "uint")
LOGICAL = ("bool", "int", "uint")


def same(*kinds: str) -> Callable[..., TensorType]:
    """Operands of one type, its dtype of one of these kinds; the result has that type."""

    def rule(*types: TensorType) -> TensorType:
        need_equal(types)
        return need_kind(types[0], kinds)

    return rule


def need_equal(types: Sequence[TensorType]) -> None:
    """Raises TypeError unless all types are one."""
    if any(t is not types[0] for t in types):
        raise TypeError(f"operands of one type are needed, got {' and '.join(map(str, types))}")


def need_kind(type: TensorType, kinds: Iterable[str]) -> TensorType:
    """The type. Raises TypeError unless its dtype is of one of these kinds."""
    if kind(type.dtype) not in kinds:
        raise TypeError(f"an operand of {' or '.join(kinds)} dtype is needed, got {type}")
    return type


def need_dtype(types: Sequence[TensorType]) -> None:
    """Raises TypeError unless all dtypes are one."""
    if len({t.dtype for t in types}) > 1:
        raise TypeError(f"operands of one dtype are needed, got {' and '.join(map(str, types))}")


def need_axes(axes: Sequence[int], ndim: int, what: str) -> None:
    """Raises ValueError unless axes are distinct and within ndim."""
    if len(set(axes)) != len(axes) or any(not 0 <= a < ndim for a in axes):
        raise ValueError(f"{what} needs distinct axes below {ndim}, got {tuple(axes)}")


def need_length(values: Sequence[object], ndim: int, what: str) -> None:
    """Raises ValueError unless there is one value an axis."""
    if len(values) != ndim:
        raise ValueError(f"{what} needs one value for each of {ndim} axes, got {tuple(values)}")
