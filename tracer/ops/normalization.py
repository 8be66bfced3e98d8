"""Batch normalization, and its derivative."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tracer.ir import Attribute, TensorType
from tracer.ops.bodies import total
from tracer.ops.elementwise import add, divide, multiply, sqrt, subtract
from tracer.ops.folds import composed
from tracer.ops.movement import broadcast_in_dim
from tracer.ops.rules import FLOAT, need_axes, need_equal, need_kind
from tracer.ops.table import define
from tracer.values import Data

Array = NDArray[Any]
_ATTRIBUTES = (Attribute("epsilon", "f32"), Attribute("feature_index", "i64"))


def _feature_type(types: Sequence[TensorType], vectors: int, axis: int) -> TensorType:
    """The type of one number a feature. Raises TypeError unless all vectors have it."""
    operand, *others = types
    need_kind(operand, FLOAT)
    need_axes((axis,), operand.ndim, "feature_index")
    if len(others) != vectors:
        raise TypeError(f"{vectors} operands after the first are needed, got {len(others)}")
    wanted = operand.with_shape((operand.shape[axis],))
    for other in others:
        if other is not wanted:
            raise TypeError(f"{wanted}, one number a feature, is needed, got {other}")
    return wanted


def _inference_type(*types: TensorType, epsilon: float, feature_index: int) -> TensorType:
    """A float operand and four vectors of one number a feature; the result is like the operand."""
    _feature_type(types, 4, feature_index)
    return types[0]


def _training_type(
    *types: TensorType, epsilon: float, feature_index: int
) -> tuple[TensorType, ...]:
    """A float operand and two vectors of one number a feature; gives its like and two vectors."""
    feature = _feature_type(types, 2, feature_index)
    return types[0], feature, feature


def _grad_type(*types: TensorType, epsilon: float, feature_index: int) -> tuple[TensorType, ...]:
    """A float operand, three vectors, one number a feature, a cotangent; gives three cotangents."""
    *given, cotangent = types
    feature = _feature_type(given, 3, feature_index)
    need_equal((types[0], cotangent))
    return types[0], feature, feature


def _features_last(meaning: Callable[..., Any]) -> Callable[..., Any]:
    """A meaning of arrays whose last axis is that of the features, for arrays where it is another.

    Computes in 4 bytes or more, and rounds once.
    """

    def moved(*arrays: Array, epsilon: float, feature_index: int) -> tuple[Array, ...]:
        dtype = arrays[0].dtype
        wide = [x if dtype.itemsize >= 4 else x.astype(np.float32) for x in arrays]
        last = [np.moveaxis(x, feature_index, -1) if x.ndim > 1 else x for x in wide]
        with np.errstate(all="ignore"):
            results = meaning(*last, epsilon=np.float32(epsilon))
            return tuple(
                (np.moveaxis(y, -1, feature_index) if y.ndim > 1 else y).astype(dtype)
                for y in results
            )

    return moved


def _sum(x: Array) -> Array:
    return np.asarray(x.sum(axis=tuple(range(x.ndim - 1))))


def _mean(x: Array) -> Array:
    return np.asarray(_sum(x) / np.asarray(prod(x.shape[:-1]), x.dtype))


def _inference(
    x: Array, scale: Array, offset: Array, mean: Array, variance: Array, epsilon: Any
) -> tuple[Array, ...]:
    return (scale * ((x - mean) / np.sqrt(variance + epsilon)) + offset,)


def _training(x: Array, scale: Array, offset: Array, epsilon: Any) -> tuple[Array, ...]:
    mean = _mean(x)
    variance = _mean((x - mean) ** 2)
    return *_inference(x, scale, offset, mean, variance, epsilon), mean, variance


def _grad(
    x: Array, scale: Array, mean: Array, variance: Array, g: Array, epsilon: Any
) -> tuple[Array, ...]:
    """Source: StableHLO spec, batch_norm_grad."""
    deviation = np.sqrt(variance + epsilon)
    normal = (x - mean) / deviation
    inner = g - _mean(g) - normal * _mean(g * normal)
    return scale / deviation * inner, _sum(g * normal), _sum(g)


class _Features:
    """What the compositions do along the axes that are not the features'."""

    def __init__(self, operand: Data, epsilon: float, feature_index: int) -> None:
        self.epsilon = float(np.float32(epsilon))
        self.axis = feature_index
        self.shape = operand.type.shape
        self.others = tuple(i for i in range(len(self.shape)) if i != feature_index)

    def spread(self, vector: Data) -> Data:
        """One number a feature, on the operand's shape."""
        return broadcast_in_dim(vector, broadcast_dimensions=(self.axis,), shape=self.shape)

    def sum(self, x: Data) -> Data:
        """The sum of each feature."""
        return total(x, self.others)

    def mean(self, x: Data) -> Data:
        """The mean of each feature."""
        return divide(self.sum(x), float(prod(self.shape[i] for i in self.others)))

    def normal(self, x: Data, mean: Data, variance: Data) -> Data:
        """x less the mean, over the deviation."""
        deviation = sqrt(add(variance, self.epsilon))
        return divide(subtract(x, self.spread(mean)), self.spread(deviation))


def _compose_inference(
    x: Data, scale: Data, offset: Data, mean: Data, variance: Data, **attributes: Any
) -> tuple[Data, ...]:
    features = _Features(x, **attributes)
    scaled = multiply(features.spread(scale), features.normal(x, mean, variance))
    return (add(scaled, features.spread(offset)),)


def _compose_training(x: Data, scale: Data, offset: Data, **attributes: Any) -> tuple[Data, ...]:
    features = _Features(x, **attributes)
    mean = features.mean(x)
    centered = subtract(x, features.spread(mean))
    variance = features.mean(multiply(centered, centered))
    return *_compose_inference(x, scale, offset, mean, variance, **attributes), mean, variance


def _compose_grad(
    x: Data, scale: Data, mean: Data, variance: Data, g: Data, **attributes: Any
) -> tuple[Data, ...]:
    features = _Features(x, **attributes)
    normal = features.normal(x, mean, variance)
    along = multiply(normal, features.spread(features.mean(multiply(g, normal))))
    inner = subtract(subtract(g, features.spread(features.mean(g))), along)
    factor = divide(scale, sqrt(add(variance, features.epsilon)))
    grad_operand = multiply(features.spread(factor), inner)
    return grad_operand, features.sum(multiply(g, normal)), features.sum(g)


batch_norm_inference = define(
    "batch_norm_inference",
    _inference_type,
    _features_last(_inference),
    composed(_compose_inference),
    attributes=_ATTRIBUTES,
)
batch_norm_training = define(
    "batch_norm_training",
    _training_type,
    _features_last(_training),
    composed(_compose_training),
    attributes=_ATTRIBUTES,
)
batch_norm_grad = define(
    "batch_norm_grad",
    _grad_type,
    _features_last(_grad),
    composed(_compose_grad),
    attributes=_ATTRIBUTES,
)
