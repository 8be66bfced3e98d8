"""Convolution, correlation, unwrapping and tapers against NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

import tracer as tr
from tests.functions.oracle import check, check_case, jax_gradient, once, random

Case = tuple[Callable[..., Any], *tuple[Any, ...]]
LONG, SHORT = random(7), random(4, seed=1)
COMPLEX = (random(5) + 1j * random(5, seed=1)).astype(np.complex64)
WHOLE = np.arange(6, dtype=np.int32) - 2
PHASES = np.cumsum(random(20, dtype=np.float64) * 3)
MODES = ("full", "same", "valid")
CASES: dict[str, Case] = {
    **{f"convolve, {m}": (lambda np, a, v, m=m: np.convolve(a, v, m), LONG, SHORT) for m in MODES},
    **{
        f"correlate, {m}": (lambda np, a, v, m=m: np.correlate(a, v, m), LONG, SHORT) for m in MODES
    },
    **{f"turned, {m}": (lambda np, a, v, m=m: np.correlate(v, a, m), LONG, SHORT) for m in MODES},
    "convolve with more": (lambda np, a, v: np.convolve(v, a, "same"), LONG, SHORT),
    "convolve as many": (lambda np, a: np.convolve(a, a, "same"), SHORT),
    "convolve integers": (lambda np, a: np.convolve(a, a), WHOLE),
    "correlate complex numbers": (lambda np, a: np.correlate(a, a * 1j, "full"), COMPLEX),
    "correlate more complex numbers": (lambda np, a: np.correlate(a[:3], a, "full"), COMPLEX),
    "one": (lambda np, a: np.convolve(a, a[:1]), SHORT),
    "unwrap": (lambda np, p: np.unwrap(p), PHASES),
    "unwrap by a period": (lambda np, p: np.unwrap(p, period=4), PHASES),
    "unwrap large steps": (lambda np, p: np.unwrap(p, 4.0), PHASES),
    "unwrap along an axis": (lambda np, p: np.unwrap(p, axis=0), PHASES.reshape(4, 5)),
    "unwrap half a period": (lambda np, p: np.unwrap(p), np.array([0, 2, 4, -2, 0]) * np.pi / 2),
    "unwrap integers": (lambda np, p: np.unwrap(p, period=4), np.array([0, 1, 2, -1, 0], np.int32)),
    "an odd period": (lambda np, p: np.unwrap(p, period=5), np.array([0, 5, 2, -1, 9], np.int32)),
    "unwrap nothing": (lambda np, p: np.unwrap(p), PHASES[:0]),
}


@pytest.mark.parametrize("name", CASES)
def test_as_numpy(name: str, device: tr.Device) -> None:
    check_case(CASES, name, device)


def test_dtypes(device: tr.Device) -> None:
    for dtype in (np.int8, np.uint8, np.int64, np.float16, tr.bfloat16, np.complex128):
        x = np.arange(1, 4).astype(dtype)
        check(tr.convolve(tr.asarray(x), tr.asarray(x)), np.array([1, 4, 10, 12, 9]), dtype)
    check(tr.convolve(WHOLE, tr.asarray([0.5])), WHOLE.astype(np.float32) / 2)


@pytest.mark.parametrize("mode", MODES)
def test_derivatives(mode: str, device: tr.Device) -> None:
    a, v = random(6, dtype=np.float64), random(3, seed=1, dtype=np.float64)
    cost = lambda m: lambda a, v: m.sum(m.convolve(a, v, mode) ** 3 * m.correlate(a, v, mode))
    _, wanted = once(mode, lambda: jax_gradient(cost(jnp), a, v, argnums=(0, 1)))
    for found, expected in zip(
        tr.grad(cost(tr), (0, 1))(tr.asarray(a), tr.asarray(v)), wanted, strict=True
    ):
        check(found, expected)


def test_unwrapping_has_the_slope_of_its_phases(device: tr.Device) -> None:
    found = tr.grad(lambda p: tr.sum(tr.unwrap(p) * tr.asarray(PHASES)))(tr.asarray(PHASES))
    check(found, PHASES)


@pytest.mark.parametrize("name", ["bartlett", "blackman", "hamming", "hanning", "kaiser"])
def test_tapers(name: str, device: tr.Device) -> None:
    given = (5.0,) if name == "kaiser" else ()
    for n in (0, 1, 2, 12):
        check(getattr(tr, name)(n, *given), getattr(np, name)(n, *given), np.float32)
    check(getattr(tr, name)(5, *given, tr.float64), getattr(np, name)(5, *given), np.float64)
    assert getattr(tr, name)(5, *given).device == device
