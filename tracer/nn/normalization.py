"""Batch normalisation."""

from __future__ import annotations

from typing import Any

from tracer.context import thread
from tracer.device import Device
from tracer.dtypes import float32
from tracer.errors import at_caller
from tracer.functions.creation import full
from tracer.functions.elementwise import rsqrt
from tracer.functions.neural import stop_gradient
from tracer.functions.reductions import mean, var
from tracer.tensor import Tensor
from tracer.tree import Module, State


class BatchNorm(Module):
    """(x - mean) / sqrt(variance + epsilon) * scale + offset, along one axis of features.

    In training, mean and (population) variance are those of the batch, over all other axes, and
    the running ones move towards them: running += (batch - running) * (1 - momentum). In inference
    the running ones are used (Ioffe and Szegedy, 2015). Raises ValueError for an x with another
    number of features.
    """

    def __init__(
        self,
        feature_count: int,
        axis: int = -1,
        *,
        momentum: float = 0.99,
        epsilon: float = 0.001,
        dtype: Any = float32,
        device: Device | None = None,
    ) -> None:
        self.offset = full(feature_count, 0, dtype, device=device)
        self.scale = full(feature_count, 1, dtype, device=device)
        self.running_mean = State(full(feature_count, 0, dtype, device=device))
        self.running_variance = State(full(feature_count, 1, dtype, device=device))
        self.axis = axis
        self.momentum = momentum
        self.epsilon = epsilon

    def __call__(self, x: Tensor) -> Tensor:
        if not -x.ndim <= self.axis < x.ndim or x.shape[self.axis] != self.scale.size:
            message = (
                f"BatchNorm needs {self.scale.size} features along axis {self.axis}, "
                f"got shape {x.shape}"
            )
            raise at_caller(ValueError(message))
        axis = self.axis % x.ndim
        center, spread = self._moments(x, tuple(a for a in range(x.ndim) if a != axis))
        along = [1] * x.ndim
        along[axis] = x.shape[axis]
        factor = self.scale * rsqrt(spread + self.epsilon)
        return x * factor.reshape(along) + (self.offset - center * factor).reshape(along)

    def _moments(self, x: Tensor, axes: tuple[int, ...]) -> tuple[Tensor, Tensor]:
        if thread.state.phase == "inference":
            return self.running_mean.value, self.running_variance.value
        center, spread = mean(x, axes), var(x, axes)
        for state, batch in ((self.running_mean, center), (self.running_variance, spread)):
            found = stop_gradient(batch).astype(state.value.dtype)
            state.value = state.value + (found - state.value) * (1 - self.momentum)
        return center, spread
