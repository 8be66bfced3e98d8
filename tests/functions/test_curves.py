"""Interpolation, slopes and polynomials against NumPy; derivatives against jax."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

import tracer as tr
from tests.functions.oracle import check, check_case, jax_gradient, random

Case = tuple[Callable[..., Any], *tuple[Any, ...]]
XP = np.array([0, 1, 2.5, 4], np.float32)
FP = random(4)
AT = np.linspace(-1, 5, 23, dtype=np.float32)
F = random(4, 5)
COLUMNS = np.array([0, 1, 4, 9, 10], np.float32)
EDGES = {"edge_order": 2}
CASES: dict[str, Case] = {
    "interp": (lambda np, *a: np.interp(*a), AT, XP, FP),
    "interp, ends": (lambda np, *a: np.interp(*a, left=-9.0, right=9.0), AT, XP, FP),
    "interp, period": (lambda np, *a: np.interp(*a, period=3.0), AT.reshape(1, 23), XP, FP),
    "interp, turned": (lambda np, *a: np.interp(*a, period=-4.5), AT, XP[::-1].copy(), FP),
    "interp of one": (lambda np, *a: np.interp(*a), AT, XP[:1], FP[:1]),
    "interp at points": (lambda np, *a: np.interp(*a), XP, XP, FP),
    "interp far": (lambda np, *a: np.interp(*a), np.array([np.nan, np.inf, -np.inf]), XP, FP),
    "interp with a step": (lambda np, *a: np.interp(*a), AT, np.array([0.0, 1, 1, 2]), FP),
    "interp at a number": (lambda np, xp, fp: np.interp(2.2, xp, fp), XP, FP),
    "interp of integers": (
        lambda np, *a: np.interp(*a),
        np.array([1, 2, 9]),
        np.array([0, 2, 4]),
        np.array([0, 5, 7]),
    ),
    "interp of complex numbers": (
        lambda np, *a: np.interp(*a),
        AT,
        XP,
        (FP + 1j * XP).astype(np.complex64),
    ),
    "interp nowhere": (lambda np, *a: np.interp(*a), AT[:0], XP, FP),
    "polyval": (lambda np, p, x: np.polyval(p, x), FP, F),
    "polyval of integers": (
        lambda np, p, x: np.polyval(p, x),
        np.array([1, 2, 3], np.int32),
        np.array([2, 3], np.int32),
    ),
    "polyval of one": (lambda np, p, x: np.polyval(p, x), FP[:1], F),
    "polyval of none": (lambda np, p, x: np.polyval(p, x), FP[:0], F),
    "polyval at a number": (lambda np, p: np.polyval(p, 2.0), FP),
    "gradient": (lambda np, f: np.gradient(f), F),
    "gradient of a sequence": (lambda np, f: np.gradient(f), FP),
    "gradient of two": (lambda np, f: np.gradient(f), FP[:2]),
    "gradient of integers": (lambda np, f: np.gradient(f), np.arange(5) ** 2),
    "gradient, apart": (lambda np, f: np.gradient(f, 2.0), F),
    "gradient, apart by axis": (lambda np, f: np.gradient(f, 2.0, 3), F),
    "gradient, along one": (lambda np, f: np.gradient(f, 0.5, axis=-1), F),
    "gradient, along a tuple": (lambda np, f: np.gradient(f, axis=(0,)), F),
    "gradient at places": (lambda np, f, x: np.gradient(f, 2.0, x), F, COLUMNS),
    "gradient, axes in order": (lambda np, f, x: np.gradient(f, x, 2.0, axis=(1, 0)), F, COLUMNS),
    "gradient, edges": (lambda np, f: np.gradient(f, **EDGES), F),
    "gradient, edges at places": (lambda np, f, x: np.gradient(f, 1.0, x, **EDGES), F, COLUMNS),
    "gradient of two at places": (lambda np, f, x: np.gradient(f, x), FP[:2], XP[1:3]),
}


@pytest.mark.parametrize("name", CASES)
def test_as_numpy(name: str, device: tr.Device) -> None:
    check_case(CASES, name, device)


def test_derivatives(device: tr.Device) -> None:
    """At x, of places and of values: through the gathered ones."""
    x, xp, fp = AT.astype(np.float64), XP.astype(np.float64), FP.astype(np.float64)

    def cost(m: Any) -> Any:
        return lambda x, xp, fp: (
            m.sum(m.interp(x, xp, fp) ** 3)
            + m.sum(m.gradient(fp, xp) * m.polyval(xp, fp) * m.gradient(m.sin(xp)))
        )

    _, wanted = jax_gradient(cost(jnp), x, xp, fp, argnums=(0, 1, 2))
    found = tr.grad(cost(tr), (0, 1, 2))(*map(tr.asarray, (x, xp, fp)))
    for ours, expected in zip(found, wanted, strict=True):
        check(ours, expected)


def test_dtypes(device: tr.Device) -> None:
    half = tr.asarray(FP.astype(np.float16))
    assert tr.interp(half, half, half).dtype == tr.float16
    assert tr.interp(half, XP, half).dtype == tr.float32
    assert tr.interp(tr.asarray([1]), XP, FP).dtype == tr.float32
    assert tr.polyval(half, 2.0).dtype == tr.float16
    assert tr.gradient(half, XP).dtype == tr.float16
    assert tr.gradient(tr.asarray([1, 2])).dtype == tr.float32
