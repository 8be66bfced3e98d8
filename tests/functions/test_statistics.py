"""Covariances and correlations against NumPy; derivatives against jax."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

import tracer as tr
from tests.functions.oracle import check, check_case, jax_gradient, random

Case = tuple[Callable[..., Any], *tuple[Any, ...]]
X, Y, ROW = random(3, 10), random(2, 10, seed=1), random(10, seed=2)
Z = (X + 1j * random(3, 10, seed=3)).astype(np.complex64)
TIMES, WEIGHTS = np.arange(1, 11), np.arange(1, 11, dtype=np.float32) / 3
CASES: dict[str, Case] = {
    "cov": (lambda np, x: np.cov(x), X),
    "cov of one": (lambda np, x: np.cov(x), ROW),
    "cov of two": (lambda np, x, y: np.cov(x, y), X, Y),
    "cov of two rows": (lambda np, x, y: np.cov(x, y), ROW, X[0]),
    "cov of columns": (lambda np, x, y: np.cov(x, y, rowvar=False), X.T.copy(), Y.T.copy()),
    "cov, biased": (lambda np, x: np.cov(x, bias=True), X),
    "cov, ddof": (lambda np, x: np.cov(x, ddof=2), X),
    "cov, times": (lambda np, x, w: np.cov(x, fweights=w), X, TIMES),
    "cov, weights": (lambda np, x, w: np.cov(x, aweights=w), X, WEIGHTS),
    "cov, biased weights": (lambda np, x, w: np.cov(x, aweights=w, bias=True), X, WEIGHTS),
    "cov, both": (lambda np, x, f, a: np.cov(x, fweights=f, aweights=a), X, TIMES, WEIGHTS),
    "cov of complex numbers": (lambda np, x: np.cov(x), Z),
    "cov of integers": (lambda np, x: np.cov(x), np.arange(12).reshape(3, 4)),
    "cov of one observation": (lambda np, x: np.cov(x), X[:, :1]),
    "cov of no observation": (lambda np, x: np.cov(x), X[:, :0]),
    "corrcoef": (lambda np, x: np.corrcoef(x), X),
    "corrcoef of one": (lambda np, x: np.corrcoef(x), ROW),
    "corrcoef of columns": (lambda np, x: np.corrcoef(x, rowvar=False), X),
    "corrcoef of two": (lambda np, x, y: np.corrcoef(x, y), X, Y),
    "corrcoef of complex numbers": (lambda np, x: np.corrcoef(x), Z),
    "corrcoef of a constant": (lambda np, x: np.corrcoef(x), np.stack([ROW, ROW * 0])),
}


@pytest.mark.parametrize("name", CASES)
def test_as_numpy(name: str, device: tr.Device) -> None:
    check_case(CASES, name, device)


def test_derivatives(device: tr.Device) -> None:
    x, w = random(3, 6, dtype=np.float64), np.arange(1.0, 7)

    def cost(m: Any) -> Any:
        weighted = lambda x, w: m.sum(m.cov(x, aweights=w) ** 2)
        return lambda x, w: weighted(x, w) + m.sum(m.corrcoef(x)[0, 1:])

    _, wanted = jax_gradient(cost(jnp), x, w, argnums=(0, 1))
    found = tr.grad(cost(tr), (0, 1))(tr.asarray(x), tr.asarray(w))
    for ours, expected in zip(found, wanted, strict=True):
        check(ours, expected)


def test_dtypes(device: tr.Device) -> None:
    for dtype in (np.float16, np.float64, tr.bfloat16):
        assert tr.cov(tr.asarray(X.astype(dtype))).dtype == dtype
        assert tr.corrcoef(tr.asarray(X.astype(dtype))).dtype == dtype
    assert tr.cov(tr.asarray([[1, 2], [3, 5]])).dtype == tr.float32
