"""Derivatives against central differences, first and second order, along random directions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import tracer as tr

STEP = 1e-5
"""Its square is the error of a central difference, which rounding then exceeds: 1e-16 / STEP."""
NEAR = 1e-6

Arrays = Sequence[np.ndarray[Any, Any]]
Function = Callable[..., tr.Tensor]


def check_grads(f: Function, arrays: Arrays, seed: int = 0) -> None:
    """Raises AssertionError unless f's first and second derivatives at float64 arrays are right.

    f gives a 0-d tensor. Derivatives are taken along two random directions, in all arguments.
    """
    rng = np.random.default_rng(seed)
    u, v = ([np.asarray(rng.standard_normal(x.shape)) for x in arrays] for _ in range(2))
    _check(f, arrays, u)
    _check(along(f, u), arrays, v)


def along(f: Function, direction: Arrays) -> Function:
    """The derivative of f along a direction."""

    def slope(*xs: tr.Tensor) -> tr.Tensor:
        gradients = tr.grad(f, tuple(range(len(xs))))(*xs)
        return total(g * u for g, u in zip(gradients, direction, strict=True))

    return slope


def total(terms: Any) -> tr.Tensor:
    """The sum of all elements of all tensors."""
    result = tr.asarray(np.float64(0))
    for term in terms:
        result = result + tr.sum(term)
    return result


def _check(f: Function, arrays: Arrays, direction: Arrays) -> None:
    def at(step: float) -> float:
        moved = [x + step * u for x, u in zip(arrays, direction, strict=True)]
        return f(*map(tr.asarray, moved)).item()  # type: ignore[no-any-return]

    expected = (at(STEP) - at(-STEP)) / (2 * STEP)
    found = along(f, direction)(*map(tr.asarray, arrays)).item()
    np.testing.assert_allclose(found, expected, rtol=NEAR, atol=NEAR)
