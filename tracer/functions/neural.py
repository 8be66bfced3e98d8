"""Functions of neural networks: activations, softmax, convolution, pooling. Layout NHWC, HWIO."""

from __future__ import annotations

import builtins
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tracer.dispatch import splat
from tracer.dtypes import finfo
from tracer.errors import at_caller
from tracer.functions.elementwise import add, divide, exp, isfinite, log, where
from tracer.functions.operands import (
    Axis,
    accumulated,
    axes_of,
    axis_of,
    data_of,
    floating,
    need_real,
    promoted,
    wrap,
)
from tracer.functions.reductions import extremum, sum
from tracer.ops import elementwise as ops
from tracer.ops.bodies import combiner
from tracer.ops.convolution import conv_numbers, convolution
from tracer.ops.window import dilated, reduce_window
from tracer.recording import Data, alias

if TYPE_CHECKING:
    from tracer.functions.operands import ArrayLike
    from tracer.tensor import Tensor

__all__ = [
    "avg_pool",
    "conv",
    "gelu",
    "log_softmax",
    "logsumexp",
    "max_pool",
    "relu",
    "relu6",
    "sigmoid",
    "silu",
    "softmax",
    "softplus",
    "stop_gradient",
]

Pads = tuple[tuple[int, int], ...]
"""Padding before and after, per spatial axis."""


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


# Convolution and pooling.


def _spatial(name: str, value: int | Sequence[int], n: int) -> tuple[int, ...]:
    found = tuple(value) if isinstance(value, (tuple, list)) else (value,) * n
    if len(found) != n or not all(isinstance(v, int) and v > 0 for v in found):
        message = f"{name} needs a positive int, or {n} of them, got {value!r}"
        raise at_caller(ValueError(message))
    return found  # type: ignore[return-value]


def _pads(
    name: str,
    padding: str | Sequence[Sequence[int]],
    lengths: Sequence[int],
    window: Sequence[int],
    strides: Sequence[int],
) -> Pads:
    """ "valid" pads nothing, "same" as much as keeps ceil(length / stride) places."""
    if isinstance(padding, str) and padding.lower() == "valid":
        return ((0, 0),) * len(lengths)
    if isinstance(padding, str) and padding.lower() == "same":
        needed = [
            builtins.max((-(-n // s) - 1) * s + w - n, 0)
            for n, w, s in zip(lengths, window, strides, strict=True)
        ]
        return tuple((n // 2, n - n // 2) for n in needed)
    if _are_pairs(padding, len(lengths)):
        pairs: Any = padding
        return tuple((low, high) for low, high in pairs)
    message = f'{name} needs padding "valid", "same" or {len(lengths)} pairs, got {padding!r}'
    raise at_caller(ValueError(message))


def _are_pairs(padding: Any, n: int) -> bool:
    """Whether it is n pairs of ints that are not negative."""
    if not isinstance(padding, (list, tuple)) or len(padding) != n:
        return False
    pairs = all(isinstance(p, (list, tuple)) and len(p) == 2 for p in padding)
    return pairs and all(isinstance(v, int) and v >= 0 for p in padding for v in p)


def _need_kernel(shape: tuple[int, ...], window: tuple[int, ...], groups: int) -> None:
    if len(shape) < 3 or len(window) != len(shape):
        found = f"got {shape} and {window}"
        message = f"conv needs x (N, spatial, C) and a kernel of as many axes, {found}"
        raise at_caller(ValueError(message))
    if shape[-1] != window[-2] * groups:
        message = f"conv needs a kernel for {shape[-1]} features, got {window} and {groups} groups"
        raise at_caller(ValueError(message))


def conv(
    x: ArrayLike,
    kernel: ArrayLike,
    *,
    strides: int | Sequence[int] = 1,
    padding: str | Sequence[Sequence[int]] = "valid",
    dilations: int | Sequence[int] = 1,
    groups: int = 1,
) -> Tensor:
    """A convolution in 1, 2 or 3 dimensions.

    x: (batch, *spatial, features); kernel: (*window, features // groups, new features); the result:
    (batch, *spatial, new features). Raises ValueError where shapes, strides or padding don't fit.
    """
    a, b = promoted("conv", x, kernel)
    shape, window = a.type.shape, b.type.shape
    (groups,) = _spatial("conv groups", groups, 1)
    n = len(shape) - 2
    _need_kernel(shape, window, groups)
    steps, rates = _spatial("conv", strides, n), _spatial("conv", dilations, n)
    reach = [dilated(k, d) for k, d in zip(window[:n], rates, strict=True)]
    spatial = tuple(range(1, n + 1))
    numbers = conv_numbers((0, n + 1, *spatial), (n + 1, n, *range(n)), (0, n + 1, *spatial))
    return wrap(
        convolution(
            a,
            b,
            window_strides=steps,
            padding=_pads("conv", padding, shape[1:-1], reach, steps),
            lhs_dilation=(1,) * n,
            rhs_dilation=rates,
            dimension_numbers=numbers,
            feature_group_count=groups,
            batch_group_count=1,
        )
    )


def _pool(
    name: str,
    x: Data,
    window: int | Sequence[int],
    strides: int | Sequence[int] | None,
    padding: str | Sequence[Sequence[int]],
) -> tuple[dict[str, Any], Pads]:
    """The attributes of a window over the spatial axes of (batch, *spatial, features)."""
    shape = x.type.shape
    n = len(shape) - 2
    if n < 1:
        raise at_caller(ValueError(f"{name} needs x (N, spatial, C), got {shape}"))
    need_real(name, x)
    sizes = _spatial(name, window, n)
    steps = _spatial(name, sizes if strides is None else strides, n)
    pads = _pads(name, padding, shape[1:-1], sizes, steps)
    attributes = {
        "window_dimensions": (1, *sizes, 1),
        "window_strides": (1, *steps, 1),
        "base_dilations": (1,) * len(shape),
        "window_dilations": (1,) * len(shape),
        "padding": ((0, 0), *pads, (0, 0)),
    }
    return attributes, pads


def _window(x: Data, body: str, start: float, attributes: dict[str, Any]) -> Data:
    initial = splat(start, x.type.with_shape(()), x.device)
    return reduce_window(x, initial, regions=(combiner(body, x.type.dtype),), **attributes)


def max_pool(
    x: ArrayLike,
    window: int | Sequence[int],
    *,
    strides: int | Sequence[int] | None = None,
    padding: str | Sequence[Sequence[int]] = "valid",
) -> Tensor:
    """The maximum of each window; strides are the window by default, padding never wins.

    x: (batch, *spatial, features). The first maximum of a window gets the derivative.
    """
    data = floating("max_pool", x)
    attributes, _ = _pool("max_pool", data, window, strides, padding)
    return wrap(_window(data, "maximum", -math.inf, attributes))


def avg_pool(
    x: ArrayLike,
    window: int | Sequence[int],
    *,
    strides: int | Sequence[int] | None = None,
    padding: str | Sequence[Sequence[int]] = "valid",
) -> Tensor:
    """The mean of each window; strides are the window by default, padding is not counted.

    x: (batch, *spatial, features).
    """
    data = floating("avg_pool", x)
    attributes, pads = _pool("avg_pool", data, window, strides, padding)

    def averaged(d: Data) -> Data:
        total = _window(d, "add", 0.0, attributes)
        if set(pads) == {(0, 0)}:
            return ops.divide(total, float(math.prod(attributes["window_dimensions"])))
        counts = _window(splat(1.0, d.type, d.device), "add", 0.0, attributes)
        return ops.divide(total, ops.maximum(counts, 1.0))

    return wrap(accumulated(data, averaged))
