"""Layers that make images larger: borders of zeros, repeated elements. Layout NHWC."""

from __future__ import annotations

from collections.abc import Sequence

from tracer.errors import at_caller
from tracer.functions.manipulation import broadcast_to, reshape
from tracer.functions.padding import pad
from tracer.functions.spatial import Each, explicit, positive
from tracer.nn.pooling import Spatial
from tracer.tensor import Tensor


class _ZeroPadding(Spatial):
    def __init__(self, padding: int | Sequence[int] | Sequence[Sequence[int]] = 1) -> None:
        self.padding = explicit(padding, self.spatial)
        if not self.padding:
            message = (
                f"{type(self).__name__} needs an int from 0, or {self.spatial} ints or pairs of "
                f"them, got {padding!r}"
            )
            raise at_caller(ValueError(message))

    def __call__(self, x: Tensor) -> Tensor:
        return pad(self._check(x), ((0, 0), *self.padding, (0, 0)))


class _UpSampling(Spatial):
    def __init__(self, size: Each = 2) -> None:
        self.size = positive(type(self).__name__, size, self.spatial)

    def __call__(self, x: Tensor) -> Tensor:
        batch, *lengths, channels = self._check(x).shape
        pairs = list(zip(lengths, self.size, strict=True))
        apart = reshape(x, (batch, *(m for n, _ in pairs for m in (n, 1)), channels))
        spread = broadcast_to(apart, (batch, *(m for pair in pairs for m in pair), channels))
        return reshape(spread, (batch, *(n * times for n, times in pairs), channels))


class ZeroPadding1D(_ZeroPadding):
    """x (batch, width, channels) with zeros around.

    padding: one int, or for each spatial axis an int or a pair (before, after).
    """

    spatial = 1


class ZeroPadding2D(_ZeroPadding):
    """x (batch, height, width, channels) with zeros around.

    padding: one int, or for each spatial axis an int or a pair (before, after).
    """

    spatial = 2


class ZeroPadding3D(_ZeroPadding):
    """x (batch, depth, height, width, channels) with zeros around.

    padding: one int, or for each spatial axis an int or a pair (before, after).
    """

    spatial = 3


class UpSampling1D(_UpSampling):
    """x (batch, width, channels) with each element repeated `size` times.

    size: one int, or one for each spatial axis.
    """

    spatial = 1


class UpSampling2D(_UpSampling):
    """x (batch, height, width, channels) with each element repeated `size` times.

    size: one int, or one for each spatial axis.
    """

    spatial = 2


class UpSampling3D(_UpSampling):
    """x (batch, depth, height, width, channels) with each element repeated `size` times.

    size: one int, or one for each spatial axis.
    """

    spatial = 3
