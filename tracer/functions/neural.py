"""Activations of neural networks, softmax and what belongs to it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from tracer.dispatch import splat
from tracer.dtypes import finfo
from tracer.errors import at_caller
from tracer.functions.elementwise import abs, add, clip, divide, exp, expm1, isfinite, log, where
from tracer.functions.hyperbolic import tanh
from tracer.functions.operands import (
    Axis,
    axes_of,
    axis_of,
    data_of,
    floating,
    wrap,
)
from tracer.functions.reductions import extremum, sum
from tracer.ops import elementwise as ops
from tracer.recording import alias

if TYPE_CHECKING:
    from tracer.functions.operands import ArrayLike
    from tracer.tensor import Tensor

__all__ = [
    "celu",
    "elu",
    "gelu",
    "glu",
    "hard_sigmoid",
    "hard_swish",
    "hard_tanh",
    "leaky_relu",
    "log_sigmoid",
    "log_softmax",
    "logsumexp",
    "mish",
    "relu",
    "relu6",
    "selu",
    "sigmoid",
    "silu",
    "soft_sign",
    "softmax",
    "softplus",
    "stop_gradient",
]


def relu(x: ArrayLike) -> Tensor:
    """max(x, 0); its slope at 0 is 0."""
    data = data_of("relu", x)
    zero = ops.zeros_like(data)
    return wrap(ops.select(ops.compare(data, zero, comparison_direction="LE"), zero, data))


def relu6(x: ArrayLike) -> Tensor:
    """min(max(x, 0), 6); its slope at 0 and at 6 is 0."""
    data = relu(x)._data
    six = splat(6.0, data.type, data.device)
    return wrap(ops.select(ops.compare(data, six, comparison_direction="GE"), six, data))


def sigmoid(x: ArrayLike) -> Tensor:
    """1 / (1 + exp(-x))."""
    return wrap(ops.logistic(floating("sigmoid", x)))


def softplus(x: ArrayLike) -> Tensor:
    """log(1 + exp(x)), without overflow; smooth, also at 0."""
    data = floating("softplus", x)
    straight = 2 - math.log(float(finfo(data.type.dtype).eps))  # from here on exp(-x) is lost
    far = ops.compare(data, straight, comparison_direction="GT")
    near = ops.select(far, ops.zeros_like(data), data)
    return wrap(ops.select(far, data, ops.log_plus_one(ops.exponential(near))))


def silu(x: ArrayLike) -> Tensor:
    """x * sigmoid(x), also known as swish."""
    data = floating("silu", x)
    return wrap(ops.multiply(data, ops.logistic(data)))


def gelu(x: ArrayLike) -> Tensor:
    """The tanh approximation of x * Phi(x) (Hendrycks and Gimpel, 2016)."""
    data = floating("gelu", x)
    cube = ops.multiply(ops.multiply(data, data), data)
    inner = ops.multiply(ops.add(data, ops.multiply(cube, 0.044715)), 0.7978845608028654)
    return wrap(ops.multiply(ops.multiply(data, 0.5), ops.add(ops.tanh(inner), 1.0)))


def elu(x: ArrayLike, alpha: ArrayLike = 1.0) -> Tensor:
    """x above 0, else alpha * (exp(x) - 1) (Clevert et al., 2015)."""
    tensor = wrap(floating("elu", x))
    return where(tensor > 0, tensor, expm1(where(tensor > 0, 0.0, tensor)) * alpha)


def selu(x: ArrayLike) -> Tensor:
    """elu, scaled so that mean 0 and variance 1 come back (Klambauer et al., 2017)."""
    return elu(wrap(floating("selu", x)), 1.6732632423543772) * 1.0507009873554805


def celu(x: ArrayLike, alpha: ArrayLike = 1.0) -> Tensor:
    """x above 0, else alpha * (exp(x / alpha) - 1): smooth for any alpha (Barron, 2017)."""
    tensor = wrap(floating("celu", x))
    return where(tensor > 0, tensor, expm1(where(tensor > 0, 0.0, tensor) / alpha) * alpha)


def leaky_relu(x: ArrayLike, negative_slope: ArrayLike = 0.01) -> Tensor:
    """x from 0 on, else negative_slope * x; its slope at 0 is 1."""
    tensor = wrap(floating("leaky_relu", x))
    return where(tensor >= 0, tensor, tensor * negative_slope)


def hard_tanh(x: ArrayLike) -> Tensor:
    """x held within [-1, 1]; its slope at -1 and at 1 is 0, as that of `clip`."""
    return clip(wrap(floating("hard_tanh", x)), -1.0, 1.0)


def hard_sigmoid(x: ArrayLike) -> Tensor:
    """relu6(x + 3) / 6."""
    return relu6(wrap(floating("hard_sigmoid", x)) + 3.0) / 6.0


def hard_swish(x: ArrayLike) -> Tensor:
    """x * relu6(x + 3) / 6 (Howard et al., 2019)."""
    tensor = wrap(floating("hard_swish", x))
    return tensor * hard_sigmoid(tensor)


def mish(x: ArrayLike) -> Tensor:
    """x * tanh(softplus(x)) (Misra, 2019)."""
    tensor = wrap(floating("mish", x))
    return tensor * tanh(softplus(tensor))


def log_sigmoid(x: ArrayLike) -> Tensor:
    """log(sigmoid(x)), without overflow."""
    return -softplus(-wrap(floating("log_sigmoid", x)))


def soft_sign(x: ArrayLike) -> Tensor:
    """x / (1 + |x|)."""
    tensor = wrap(floating("soft_sign", x))
    return tensor / (abs(tensor) + 1.0)


def glu(x: ArrayLike, axis: int = -1) -> Tensor:
    """The first half along an axis times the sigmoid of the second (Dauphin et al., 2016).

    Raises ValueError for an odd length.
    """
    tensor = wrap(floating("glu", x))
    axis = axis_of("glu", axis, tensor.ndim)
    half, rest = divmod(tensor.shape[axis], 2)
    if rest:
        message = f"glu needs an even length along axis {axis}, got shape {tensor.shape}"
        raise at_caller(ValueError(message))
    before = (slice(None),) * axis
    return tensor[(*before, slice(half))] * sigmoid(tensor[(*before, slice(half, None))])


def stop_gradient(x: ArrayLike) -> Tensor:
    """The same value; no derivative flows through it."""
    return wrap(alias(data_of("stop_gradient", x)))


def _finite_max(x: Tensor, axis: Axis) -> Tensor:
    """A shift that no derivative sees; 0 where the maximum is infinite or NaN."""
    axes = axes_of("softmax", axis, x.ndim)
    largest = wrap(extremum(alias(x._data), "maximum", axes, True))
    return where(isfinite(largest), largest, 0.0)


def logsumexp(x: ArrayLike, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
    """log(sum(exp(x))), without overflow; -inf where all are -inf, with derivative 0."""
    tensor = wrap(floating("logsumexp", x))
    axes = axes_of("logsumexp", axis, tensor.ndim)
    shift = _finite_max(tensor, axes)
    total = sum(exp(tensor - shift), axes, keepdims=True)
    empty = wrap(ops.compare(total._data, 0.0, comparison_direction="EQ"))
    found = where(empty, -float("inf"), log(where(empty, 1.0, total)))
    result = add(found, shift)
    shape = tuple(n for axis_, n in enumerate(result.shape) if axis_ not in axes)
    return result if keepdims else result.reshape(shape)


def softmax(x: ArrayLike, axis: int = -1) -> Tensor:
    """exp(x) / sum(exp(x)) along an axis, without overflow."""
    tensor = wrap(floating("softmax", x))
    axis = axis_of("softmax", axis, tensor.ndim)
    powers = exp(tensor - _finite_max(tensor, axis))
    return divide(powers, sum(powers, axis, keepdims=True))


def log_softmax(x: ArrayLike, axis: int = -1) -> Tensor:
    """x - log(sum(exp(x))) along an axis, without overflow."""
    tensor = wrap(floating("log_softmax", x))
    axis = axis_of("log_softmax", axis, tensor.ndim)
    shifted = tensor - _finite_max(tensor, axis)
    return shifted - log(sum(exp(shifted), axis, keepdims=True))
