"""Images of another size."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tracer.dtypes import float64
from tracer.errors import at_caller
from tracer.functions.contraction import einsum
from tracer.functions.gathering import take
from tracer.functions.operands import accumulated, data_of, floating, put, shape_of, wrap
from tracer.values import Data

if TYPE_CHECKING:
    from tracer.functions.operands import ArrayLike
    from tracer.tensor import Tensor

__all__ = ["resize"]

Array = NDArray[Any]


def resize(
    image: ArrayLike, shape: int | Sequence[int], method: str, antialias: bool = True
) -> Tensor:
    """The image with other lengths, by interpolation along each axis whose length changes.

    method: "nearest", "linear" (or "bilinear"), "cubic" (or "bicubic"; Keys, 1981, a = -0.5),
    "lanczos3" or "lanczos5"; all but the first make floats of integers. Half-pixel centers. With
    antialias an image that becomes smaller is filtered first. Source: jax.image.resize.

    Raises ValueError for another method, or another number of axes than the image has.
    """
    data = data_of("resize", image)
    new = shape_of("resize", shape)
    old = data.type.shape
    if len(new) != len(old) or any(n and not m for n, m in zip(new, old, strict=True)):
        message = f"resize needs a length for each axis of {data.type}, got {new}"
        raise at_caller(ValueError(message))
    axes = [axis for axis in range(len(new)) if new[axis] != old[axis]]
    if method == "nearest":
        found = wrap(data)
        for axis in axes:
            found = take(found, _nearest(old[axis], new[axis]), axis)
        return found
    if method not in _KERNELS:
        known = ", ".join(map(repr, ("nearest", *_KERNELS)))
        raise at_caller(ValueError(f"resize needs a method of {known}, got {method!r}"))
    resized = partial(_interpolated, new=new, axes=axes, method=method, antialias=antialias)
    return wrap(accumulated(floating("resize", wrap(data)), resized))


def _nearest(old: int, new: int) -> Array:
    """The place that each new center falls in: floor((i + 1 / 2) * old / new), exactly."""
    return (2 * np.arange(new) + 1) * old // (2 * new)


def _interpolated(
    x: Data, new: Sequence[int], axes: Sequence[int], method: str, antialias: bool
) -> Data:
    ndim = x.type.ndim
    for axis in axes:
        weights = _weights(x.type.shape[axis], new[axis], method, antialias)
        matrix = wrap(put(weights.astype(x.type.dtype), x.device))
        labels = list(range(ndim))
        result = [*labels[:axis], ndim, *labels[axis + 1 :]]
        x = einsum(wrap(x), labels, matrix, [axis, ndim], result)._data
    return x


@lru_cache(64)
def _weights(old: int, new: int, method: str, antialias: bool) -> Array:
    """(old, new): how much each element has of each new one; a new one's parts sum to 1."""
    scale = old / max(new, 1)
    centers = (np.arange(new) + 0.5) * scale - 0.5
    distance = np.abs(centers - np.arange(old)[:, None])
    weights = _KERNELS[method](distance / (max(scale, 1.0) if antialias else 1.0))
    total: Array = weights.sum(0)
    enough = np.abs(total) > 1000 * np.finfo(np.float32).eps
    shares: Array = np.where(enough, weights / np.where(enough, total, 1), 0).astype(float64)
    return shares


def _triangle(x: Array) -> Array:
    found: Array = np.maximum(1 - x, 0)
    return found


def _keys(x: Array) -> Array:
    """Source: Keys, Cubic convolution interpolation for digital image processing, 1981."""
    near = (1.5 * x - 2.5) * x * x + 1
    far = ((-0.5 * x + 2.5) * x - 4) * x + 2
    found: Array = np.where(x >= 2, 0, np.where(x >= 1, far, near))
    return found


def _lanczos(radius: int, x: Array) -> Array:
    found: Array = np.where(x > radius, 0, np.sinc(x) * np.sinc(x / radius))
    return found


_KERNELS: dict[str, Callable[[Array], Array]] = {
    "linear": _triangle,
    "bilinear": _triangle,
    "cubic": _keys,
    "bicubic": _keys,
    "lanczos3": partial(_lanczos, 3),
    "lanczos5": partial(_lanczos, 5),
}
"""The weight of an element by its distance from a new one's center."""
