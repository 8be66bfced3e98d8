"""Products of vectors and matrices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tracer.dtypes import bool_
from tracer.errors import at_caller
from tracer.functions.elementwise import multiply, subtract
from tracer.functions.manipulation import concatenate, moveaxis, sequence
from tracer.functions.operands import (
    as_shape,
    axis_of,
    broadcast_shape,
    promoted,
    wrap,
)
from tracer.ops.contraction import DotDimensionNumbers, dot_general
from tracer.ops.factorizations import conjugate
from tracer.ops.movement import reshape
from tracer.values import Data

if TYPE_CHECKING:
    from tracer.functions.operands import ArrayLike
    from tracer.tensor import Tensor

__all__ = [
    "cross",
    "dot",
    "inner",
    "kron",
    "matmul",
    "outer",
    "tensordot",
    "vdot",
    "vecdot",
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


def dot(a: ArrayLike, b: ArrayLike) -> Tensor:
    """numpy.dot: the last axis of a against the last but one of b, or its only one.

    A product where either is 0-d. Raises ValueError where the lengths differ.
    """
    x, y = _operands("dot", a, b)
    if not x.type.ndim or not y.type.ndim:
        return multiply(wrap(x), wrap(y))
    return _contracted("dot", x, y, max(y.type.ndim - 2, 0))


def inner(a: ArrayLike, b: ArrayLike) -> Tensor:
    """The sum over the last axes of a and b; a product where either is 0-d.

    Raises ValueError where the lengths differ.
    """
    x, y = _operands("inner", a, b)
    if not x.type.ndim or not y.type.ndim:
        return multiply(wrap(x), wrap(y))
    return _contracted("inner", x, y, y.type.ndim - 1)


def _contracted(name: str, x: Data, y: Data, axis: int) -> Tensor:
    """The sum over the last axis of x and one of y."""
    lengths = x.type.shape[-1], y.type.shape[axis]
    if lengths[0] != lengths[1]:
        shapes = f"{x.type.shape} and {y.type.shape}"
        raise at_caller(ValueError(f"{name} needs equal inner lengths, got {shapes}"))
    return wrap(_dot(x, y, DotDimensionNumbers((), (), (x.type.ndim - 1,), (axis,))))


def vdot(a: ArrayLike, b: ArrayLike) -> Tensor:
    """The sum of conj(a) * b over all elements. Raises ValueError where their numbers differ."""
    x, y = (reshape(data, shape=(data.type.size,)) for data in _operands("vdot", a, b))
    return _contracted("vdot", conjugate(x), y, 0)


def outer(a: ArrayLike, b: ArrayLike) -> Tensor:
    """(M, N): the products of all elements of a with all of b, both flattened."""
    x, y = (reshape(data, shape=(data.type.size,)) for data in _operands("outer", a, b))
    return wrap(_dot(x, y, DotDimensionNumbers((), (), (), ())))


def vecdot(x1: ArrayLike, x2: ArrayLike, *, axis: int = -1) -> Tensor:
    """The sum of conj(x1) * x2 over an axis, the others broadcast.

    The axis is counted in each operand. Raises ValueError where its lengths differ.
    """
    a, b = _operands("vecdot", x1, x2)
    x, y = (moveaxis(wrap(d), axis_of("vecdot", axis, d.type.ndim), -1)._data for d in (a, b))
    if x.type.shape[-1] != y.type.shape[-1]:
        shapes = f"{a.type.shape} and {b.type.shape}"
        raise at_caller(ValueError(f"vecdot needs axes of equal length, got {shapes}"))
    shape = broadcast_shape("vecdot", [x.type.shape, y.type.shape])
    n = len(shape) - 1
    numbers = DotDimensionNumbers(tuple(range(n)), tuple(range(n)), (n,), (n,))
    return wrap(_dot(conjugate(as_shape(x, shape)), as_shape(y, shape), numbers))


def cross(x1: ArrayLike, x2: ArrayLike, *, axis: int = -1) -> Tensor:
    """The cross product of vectors of 3 along an axis, the others broadcast.

    Raises ValueError for vectors of another length.
    """
    a, b = _operands("cross", x1, x2)
    for data in (a, b):
        if data.type.shape[axis_of("cross", axis, data.type.ndim)] != 3:
            message = f"cross needs vectors of length 3 along axis {axis}, got {data.type.shape}"
            raise at_caller(ValueError(message))
    x, y = (moveaxis(wrap(data), axis, -1) for data in (a, b))
    product = subtract(
        multiply(_turned(x, 1), _turned(y, 2)), multiply(_turned(x, 2), _turned(y, 1))
    )
    return moveaxis(product, -1, axis)


def _turned(x: Tensor, by: int) -> Tensor:
    """Vectors with their elements moved towards the front; the first ones come last."""
    return concatenate([x[..., by:], x[..., :by]], -1)


def kron(a: ArrayLike, b: ArrayLike) -> Tensor:
    """The Kronecker product: each element of a times all of b, axis by axis."""
    x, y = _operands("kron", a, b)
    ndim = max(x.type.ndim, y.type.ndim)
    left, right = ((1,) * (ndim - d.type.ndim) + d.type.shape for d in (x, y))
    spread = [
        reshape(d, shape=tuple(n for pair in pairs for n in pair))
        for d, pairs in ((x, [(n, 1) for n in left]), (y, [(1, n) for n in right]))
    ]
    product = multiply(*map(wrap, spread))
    shape = tuple(m * n for m, n in zip(left, right, strict=True))
    return wrap(reshape(product._data, shape=shape))
