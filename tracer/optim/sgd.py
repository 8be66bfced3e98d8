"""Stochastic gradient descent."""

from __future__ import annotations

from typing import Any

from tracer.optim.optimizer import Optimizer, need_fraction
from tracer.tensor import Tensor


class SGD(Optimizer):
    """v = momentum * v - rate * g; w += v, or w += momentum * v - rate * g with nesterov.

    rate = learning_rate / (1 + decay * step), steps counted from 1 (Sutskever et al., 2013).
    """

    def __init__(
        self,
        model: Any,
        learning_rate: float = 0.01,
        *,
        momentum: float = 0.0,
        decay: float = 0.0,
        nesterov: bool = False,
    ) -> None:
        self.momentum = need_fraction("momentum", momentum)
        self.nesterov = nesterov
        self.slots = ("velocity",) if momentum else ()
        super().__init__(model, learning_rate, decay)

    def apply(self, parameter: Tensor, gradient: Tensor, *slots: Tensor) -> tuple[Tensor, ...]:
        step = gradient * self.rate()
        if not slots:
            return (parameter - step,)
        velocity = slots[0] * self.momentum - step
        if self.nesterov:
            return parameter + (velocity * self.momentum - step), velocity
        return parameter + velocity, velocity
