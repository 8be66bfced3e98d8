"""Products of vectors and matrices, and diagonals, against NumPy and JAX."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

import tracer as tr
from tests.functions.oracle import Array, check, jax_gradient, random

COMPLEX = random(3, 4, dtype=np.float64) + 1j * random(3, 4, seed=1, dtype=np.float64)
VECTOR, TABLE = random(4, seed=2), random(3, 4, seed=3)
STACK = random(2, 4, 3, seed=4)
BYTES = np.arange(12, dtype=np.uint8).reshape(3, 4)
NONE = np.zeros((0, 4), np.float32)

CASES: dict[str, Callable[[Any], Any]] = {
    "dot of vectors": lambda xp: xp.dot(VECTOR, VECTOR),
    "dot with a vector": lambda xp: xp.dot(TABLE, VECTOR),
    "dot of stacks": lambda xp: xp.dot(TABLE, STACK),
    "dot with a number": lambda xp: xp.dot(np.float32(2), TABLE),
    "dot of nothing": lambda xp: xp.dot(NONE.T, NONE),
    "inner": lambda xp: xp.inner(TABLE, TABLE[:2]),
    "inner of vectors": lambda xp: xp.inner(VECTOR, VECTOR),
    "inner with a number": lambda xp: xp.inner(TABLE, np.float32(2)),
    "vdot": lambda xp: xp.vdot(COMPLEX, COMPLEX[::-1]),
    "vdot of another dtype": lambda xp: xp.vdot(COMPLEX, TABLE),
    "outer": lambda xp: xp.outer(TABLE, VECTOR),
    "outer of integers": lambda xp: xp.outer(BYTES, BYTES[0]),
    "vecdot": lambda xp: xp.vecdot(COMPLEX, VECTOR),
    "vecdot of axis 0": lambda xp: xp.vecdot(TABLE, TABLE[:, :1], axis=0),
    "vecdot of nothing": lambda xp: xp.vecdot(NONE, NONE, axis=0),
    "cross": lambda xp: xp.cross(STACK, STACK[:1, ::-1]),
    "cross of axis 0": lambda xp: xp.cross(TABLE, BYTES, axis=0),
    "kron": lambda xp: xp.kron(TABLE, TABLE[:2]),
    "kron of ranks": lambda xp: xp.kron(STACK, VECTOR),
    "kron of numbers": lambda xp: xp.kron(np.float32(2), np.float32(3)),
    "kron of nothing": lambda xp: xp.kron(NONE, TABLE),
    "diagonal": lambda xp: xp.diagonal(TABLE, 1),
    "diagonal below": lambda xp: xp.diagonal(STACK, -2, 1, 2),
    "diagonal of crossed axes": lambda xp: xp.diagonal(STACK, 1, -1, 0),
    "diagonal outside": lambda xp: xp.diagonal(TABLE, -7),
    "diagonal of nothing": lambda xp: xp.diagonal(NONE),
    "diag": lambda xp: xp.diag(VECTOR),
    "diag above": lambda xp: xp.diag(VECTOR, 2),
    "diag below": lambda xp: xp.diag(VECTOR > 0, -1),
    "diag of a matrix": lambda xp: xp.diag(TABLE, 1),
    "diag of nothing": lambda xp: xp.diag(NONE[:, 0], -2),
    "diag of NaN": lambda xp: xp.diag(np.asarray([np.nan, -0.0, np.inf], np.float32)),
}


@pytest.mark.parametrize("name", CASES)
def test_value(name: str, device: tr.Device) -> None:
    check(CASES[name](tr), CASES[name](np))


DERIVED: dict[str, Callable[[Any, Any], Any]] = {
    "dot": lambda xp, x: xp.dot(x, STACK),
    "inner": lambda xp, x: xp.inner(x, x[:2]),
    "vdot": lambda xp, x: xp.vdot(x, x),
    "outer": lambda xp, x: xp.outer(x, x[0]),
    "vecdot": lambda xp, x: xp.vecdot(x, x[:1]),
    "cross": lambda xp, x: xp.cross(x, x[:, :1], axis=0),
    "kron": lambda xp, x: xp.kron(x, x[:2]),
    "diagonal": lambda xp, x: xp.diagonal(x, 1),
    "diag": lambda xp, x: xp.diag(x[0], -2),
}


@pytest.mark.parametrize("name", DERIVED)
def test_derivative(name: str) -> None:
    def loss(xp: Any, x: Any) -> Any:
        y = DERIVED[name](xp, x)
        weights = np.cos(np.arange(y.size)).reshape(y.shape)
        return xp.sum(y * y * weights)

    at: Array = TABLE.astype(np.float64)
    _, wanted = jax_gradient(lambda x: loss(jnp, x), at)
    check(tr.grad(lambda x: loss(tr, x))(tr.asarray(at)), wanted, tolerance=1e-10)


def test_derivative_of_complex_products() -> None:
    def loss(xp: Any, x: Any) -> Any:
        return xp.real(xp.vdot(x, x * x) + xp.sum(xp.vecdot(x, VECTOR) * 1j))

    _, wanted = jax_gradient(lambda x: loss(jnp, x), COMPLEX)
    check(tr.grad(lambda x: loss(tr, x))(tr.asarray(COMPLEX)), wanted, tolerance=1e-10)
