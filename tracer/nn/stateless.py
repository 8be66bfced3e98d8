"""Layers without weights: flattening, dropout."""

from __future__ import annotations

from tracer.context import thread
from tracer.errors import at_caller
from tracer.functions.elementwise import where
from tracer.random import Generator
from tracer.tensor import Tensor
from tracer.tree import Module


class Flatten(Module):
    """x (batch, ...) as (batch, features), row-major."""

    def __call__(self, x: Tensor) -> Tensor:
        if not x.ndim:
            raise at_caller(ValueError("Flatten needs x (N, ...), got a 0-d tensor"))
        features = 1
        for length in x.shape[1:]:
            features *= length
        return x.reshape(x.shape[0], features)


class Dropout(Module):
    """In training, zeroes elements with this probability and scales the rest by 1 / (1 - p).

    In inference, the identity (Srivastava et al., 2014). Raises ValueError for a probability
    outside [0, 1].
    """

    def __init__(self, probability: float, *, generator: Generator | None = None) -> None:
        if not 0 <= probability <= 1:
            message = f"Dropout needs a probability from 0 to 1, got {probability}"
            raise at_caller(ValueError(message))
        self.probability = probability
        self.generator = generator or Generator()

    def __call__(self, x: Tensor) -> Tensor:
        if thread.state.phase == "inference" or self.probability == 0:
            return x
        kept = self.generator.uniform(x.shape) >= self.probability
        scale = 0.0 if self.probability == 1 else 1 / (1 - self.probability)
        return where(kept, x * scale, 0.0)
