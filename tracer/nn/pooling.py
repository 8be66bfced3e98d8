"""Pooling layers, over windows and over everything. Layout NHWC."""

from __future__ import annotations

from typing import ClassVar

from tracer.errors import at_caller
from tracer.functions.pooling import avg_pool, global_avg_pool, global_max_pool, max_pool
from tracer.functions.spatial import Each, Padding
from tracer.tensor import Tensor
from tracer.tree import Module

AXES = "W", "H, W", "D, H, W"
"""The names of 1, 2 and 3 spatial axes."""


class Spatial(Module):
    """A layer of x (batch, spatial axes, channels). Raises ValueError for an x of another rank."""

    spatial: ClassVar[int]

    def _check(self, x: Tensor) -> Tensor:
        if x.ndim != self.spatial + 2:
            needed = f"(N, {AXES[self.spatial - 1]}, C)"
            message = f"{type(self).__name__} needs x {needed}, got shape {x.shape}"
            raise at_caller(ValueError(message))
        return x


class _Pool(Spatial):
    def __init__(
        self,
        pool_size: Each = 2,
        strides: Each | None = None,
        padding: Padding = "valid",
    ) -> None:
        self.pool_size = pool_size
        self.strides = strides
        self.padding = padding


class _AvgPool(_Pool):
    def __call__(self, x: Tensor) -> Tensor:
        return avg_pool(self._check(x), self.pool_size, strides=self.strides, padding=self.padding)


class _MaxPool(_Pool):
    def __call__(self, x: Tensor) -> Tensor:
        return max_pool(self._check(x), self.pool_size, strides=self.strides, padding=self.padding)


class _GlobalAvgPool(Spatial):
    def __call__(self, x: Tensor) -> Tensor:
        return global_avg_pool(self._check(x))


class _GlobalMaxPool(Spatial):
    def __call__(self, x: Tensor) -> Tensor:
        return global_max_pool(self._check(x))


class AvgPool1D(_AvgPool):
    """The mean of each window of x (batch, width, channels); padding is not counted.

    strides are pool_size by default.
    """

    spatial = 1


class AvgPool2D(_AvgPool):
    """The mean of each window of x (batch, height, width, channels); padding is not counted.

    strides are pool_size by default.
    """

    spatial = 2


class AvgPool3D(_AvgPool):
    """The mean of each window of x (batch, depth, height, width, channels); padding is not counted.

    strides are pool_size by default.
    """

    spatial = 3


class MaxPool1D(_MaxPool):
    """The maximum of each window of x (batch, width, channels).

    strides are pool_size by default.
    """

    spatial = 1


class MaxPool2D(_MaxPool):
    """The maximum of each window of x (batch, height, width, channels).

    strides are pool_size by default.
    """

    spatial = 2


class MaxPool3D(_MaxPool):
    """The maximum of each window of x (batch, depth, height, width, channels).

    strides are pool_size by default.
    """

    spatial = 3


class GlobalAvgPool1D(_GlobalAvgPool):
    """The mean of each channel of x (batch, width, channels).

    The result is (batch, channels).
    """

    spatial = 1


class GlobalAvgPool2D(_GlobalAvgPool):
    """The mean of each channel of x (batch, height, width, channels).

    The result is (batch, channels).
    """

    spatial = 2


class GlobalAvgPool3D(_GlobalAvgPool):
    """The mean of each channel of x (batch, depth, height, width, channels).

    The result is (batch, channels).
    """

    spatial = 3


class GlobalMaxPool1D(_GlobalMaxPool):
    """The maximum of each channel of x (batch, width, channels).

    The result is (batch, channels).
    """

    spatial = 1


class GlobalMaxPool2D(_GlobalMaxPool):
    """The maximum of each channel of x (batch, height, width, channels).

    The result is (batch, channels).
    """

    spatial = 2


class GlobalMaxPool3D(_GlobalMaxPool):
    """The maximum of each channel of x (batch, depth, height, width, channels).

    The result is (batch, channels).
    """

    spatial = 3
