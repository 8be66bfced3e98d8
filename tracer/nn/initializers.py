"""Initial values of parameters: each a function (shape, generator, dtype) -> Tensor."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from tracer.dtypes import float32
from tracer.errors import at_caller
from tracer.functions.creation import full
from tracer.random import Generator
from tracer.tensor import Tensor

Initializer = Callable[[Sequence[int], Generator, Any], Tensor]

# The standard deviation of a normal distribution truncated at two of its own.
_TRUNCATED = 0.87962566103423978


def fans(shape: Sequence[int]) -> tuple[int, int]:
    """Inputs and outputs of a unit: of a matrix (in, out), of a kernel (*window, in, out).

    Raises ValueError for fewer than two axes.
    """
    if len(shape) < 2:
        raise at_caller(ValueError(f"fans need at least 2 axes, got shape {tuple(shape)}"))
    window = math.prod(shape[:-2])
    return window * shape[-2], window * shape[-1]


def zeros(shape: Sequence[int], generator: Generator, dtype: Any = float32) -> Tensor:
    """Zeros."""
    return full(shape, 0, dtype, device=generator.device)


def ones(shape: Sequence[int], generator: Generator, dtype: Any = float32) -> Tensor:
    """Ones."""
    return full(shape, 1, dtype, device=generator.device)


def glorot_uniform(shape: Sequence[int], generator: Generator, dtype: Any = float32) -> Tensor:
    """Uniform within sqrt(6 / (fan_in + fan_out)) (Glorot and Bengio, 2010)."""
    limit = math.sqrt(6 / sum(fans(shape)))
    return generator.uniform(shape, -limit, limit, dtype)


def glorot_normal(shape: Sequence[int], generator: Generator, dtype: Any = float32) -> Tensor:
    """Truncated normal of variance 2 / (fan_in + fan_out) (Glorot and Bengio, 2010)."""
    std = math.sqrt(2 / sum(fans(shape))) / _TRUNCATED
    return generator.truncated_normal(shape, 0.0, std, dtype)


def he_uniform(shape: Sequence[int], generator: Generator, dtype: Any = float32) -> Tensor:
    """Uniform within sqrt(6 / fan_in) (He et al., 2015)."""
    limit = math.sqrt(6 / fans(shape)[0])
    return generator.uniform(shape, -limit, limit, dtype)


def he_normal(shape: Sequence[int], generator: Generator, dtype: Any = float32) -> Tensor:
    """Truncated normal of variance 2 / fan_in (He et al., 2015)."""
    std = math.sqrt(2 / fans(shape)[0]) / _TRUNCATED
    return generator.truncated_normal(shape, 0.0, std, dtype)
