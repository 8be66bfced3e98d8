"""Products of matrices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tracer.dtypes import bool_
from tracer.errors import at_caller
from tracer.functions.manipulation import sequence
from tracer.functions.operands import (
    as_shape,
    axis_of,
    broadcast_shape,
    promoted,
    wrap,
)
from tracer.ops.contraction import DotDimensionNumbers, dot_general
from tracer.ops.movement import reshape
from tracer.recording import Data

if TYPE_CHECKING:
    from tracer.functions.operands import ArrayLike
    from tracer.tensor import Tensor

__all__ = [
    "matmul",
    "tensordot",
]


def _operands(name: str, x: Any, y: Any) -> tuple[Data, Data]:
    a, b = promoted(name, x, y)
    if a.type.dtype == bool_:
        raise at_caller(TypeError(f"{name} needs numbers, got bool"))
    return a, b


def _dot(a: Data, b: Data, numbers: DotDimensionNumbers) -> Data:
    return dot_general(a, b, dot_dimension_numbers=numbers, dtype=a.type.dtype)


def matmul(x: ArrayLike, y: ArrayLike) -> Tensor:
    """The matrix product of the last two axes, batched and broadcast over those before.

    A 1-d operand is a row on the left, a column on the right, and its axis goes. Raises ValueError
    for 0-d operands and where the inner lengths differ.
    """
    a, b = _operands("matmul", x, y)
    left, right = a.type.shape, b.type.shape
    if not left or not right:
        raise at_caller(ValueError(f"matmul needs at least 1 dimension, got {left} and {right}"))
    inner = right[-2] if len(right) > 1 else right[0]
    if left[-1] != inner:
        raise at_caller(ValueError(f"matmul needs equal inner lengths, got {left} and {right}"))
    batch = broadcast_shape("matmul", [left[:-2], right[:-2]])
    if len(right) <= 2:
        contracting = (max(len(right) - 2, 0),)
        return wrap(_dot(a, b, DotDimensionNumbers((), (), (len(left) - 1,), contracting)))
    row = len(left) == 1
    a = as_shape(reshape(a, shape=(1, *left)) if row else a, (*batch, *((1, *left)[-2:])))
    b = as_shape(b, (*batch, *right[-2:]))
    n = len(batch)
    axes = tuple(range(n))
    product = _dot(a, b, DotDimensionNumbers(axes, axes, (n + 1,), (n,)))
    return wrap(reshape(product, shape=(*batch, right[-1])) if row else product)


def _pairs(axes: Any, ndim: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The axes of x and those of y."""
    if isinstance(axes, int) and 0 <= axes <= ndim:
        return tuple(range(ndim - axes, ndim)), tuple(range(axes))
    if not isinstance(axes, (tuple, list)) or len(axes) != 2:
        message = f"tensordot needs a number of axes, or axes of each operand, got {axes}"
        raise at_caller(ValueError(message))
    return sequence(axes[0]), sequence(axes[1])


def tensordot(x: ArrayLike, y: ArrayLike, axes: int | Sequence[Any] = 2) -> Tensor:
    """The product summed over axes: the last n of x with the first n of y, or given pairs."""
    a, b = _operands("tensordot", x, y)
    first, second = _pairs(axes, a.type.ndim)
    left = [axis_of("tensordot", axis, a.type.ndim) for axis in first]
    right = [axis_of("tensordot", axis, b.type.ndim) for axis in second]
    lengths = [a.type.shape[i] for i in left], [b.type.shape[i] for i in right]
    if lengths[0] != lengths[1]:
        raise at_caller(ValueError(f"tensordot needs axes of equal length, got {lengths}"))
    return wrap(_dot(a, b, DotDimensionNumbers((), (), tuple(left), tuple(right))))
