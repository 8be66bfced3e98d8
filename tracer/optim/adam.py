"""Adam."""

from __future__ import annotations

import math
from typing import Any, Self

from tracer.functions.creation import ones_like, zeros
from tracer.functions.elementwise import expm1, sqrt
from tracer.optim.optimizer import Optimizer, need_fraction, need_number, trainable
from tracer.tensor import Tensor


class Adam(Optimizer):
    """Adaptive moments (Kingma and Ba, 2015, Algorithm 1).

    m = beta1 * m + (1 - beta1) * g and v = beta2 * v + (1 - beta2) * g**2, each divided by
    1 - beta**t, since it starts at 0; then w -= rate * m / (sqrt(v) + epsilon). rate as in `SGD`.
    t is kept on the device, so that it never makes a new program.
    """

    slots = ("mean", "mean_square")

    def __init__(
        self,
        model: Any,
        learning_rate: float = 1e-3,
        *,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
        decay: float = 0.0,
    ) -> None:
        self.beta1 = need_fraction("beta1", beta1)
        self.beta2 = need_fraction("beta2", beta2)
        self.epsilon = need_number("epsilon", epsilon, lambda v: 0 < v < math.inf, "above 0")
        super().__init__(model, learning_rate, decay)
        device = trainable(model)[0].device
        self.time = zeros((), device=device)

    def to(self, device: Any) -> Self:
        """Moves the state to a device, in place; returns the optimizer."""
        self.time = self.time.to(device)
        return super().to(device)

    def begin(self) -> None:
        self._next = self.time + 1.0
        self._corrections = [self._correction(beta) for beta in (self.beta1, self.beta2)]

    def end(self) -> None:
        super().end()
        self.time = self._next
        del self._next, self._corrections

    def _correction(self, beta: float) -> Tensor:
        """1 - beta ** t, exact where beta ** t is near 1."""
        return -expm1(self._next * math.log(beta)) if beta else ones_like(self._next)

    def apply(self, parameter: Tensor, gradient: Tensor, *slots: Tensor) -> tuple[Tensor, ...]:
        mean = slots[0] * self.beta1 + gradient * (1 - self.beta1)
        square = slots[1] * self.beta2 + gradient * gradient * (1 - self.beta2)
        first, second = (c.astype(parameter.dtype) for c in self._corrections)
        step = mean / first / (sqrt(square / second) + self.epsilon)
        return parameter - step * self.rate(), mean, square
