"""Derivatives of first and second order, against those of JAX, real and complex."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import tracer as tr
from tests.functions.oracle import Array, by_jax, check

REAL, COMPLEX = np.dtype(np.float64), np.dtype(np.complex128)


def _normal(seed: int, *shape: int, dtype: Any = REAL) -> Array:
    draw = np.random.default_rng(seed)
    found = draw.normal(size=shape)
    return found + 1j * draw.normal(size=shape) if dtype.kind == "c" else found


def weighted(xp: Any, *results: Any) -> Any:
    """A number that every part of every element adds to, by another weight each."""
    total = 0.0
    for seed, x in enumerate(results):
        weights = _normal(seed + 10, *x.shape, dtype=np.dtype(x.dtype.name))
        total = total + xp.real(xp.sum(x * weights))
    return total


def _h(xp: Any, x: Any) -> Any:
    return xp.conj(xp.swapaxes(x, -1, -2))


def _sizes(xp: Any, vectors: Any) -> Any:
    """What no phase of a vector changes."""
    return xp.real(vectors * xp.conj(vectors))


def _svd(xp: Any, a: Any) -> Any:
    u, s, vh = xp.linalg.svd(a, full_matrices=False)
    return weighted(xp, u @ vh, s, _sizes(xp, u), _sizes(xp, vh))


def _eigh(xp: Any, a: Any) -> Any:
    values, vectors = xp.linalg.eigh(a + _h(xp, a))
    return weighted(xp, values, _sizes(xp, vectors))


def _positive(xp: Any, a: Any) -> Any:
    return a @ _h(xp, a) + np.eye(3)


def _expm(xp: Any, a: Any) -> Any:
    return (jax.scipy.linalg if xp is jnp else xp.linalg).expm(a)


B = _normal(1, 3, 2)
FUNCTIONS: dict[str, Callable[[Any, Any], Any]] = {
    "cholesky": lambda xp, a: weighted(xp, xp.linalg.cholesky(_positive(xp, a))),
    "cholesky, upper": lambda xp, a: weighted(xp, xp.linalg.cholesky(_positive(xp, a), upper=True)),
    "det": lambda xp, a: weighted(xp, xp.linalg.det(a)),
    "eigh": _eigh,
    "eigvalsh": lambda xp, a: weighted(xp, xp.linalg.eigvalsh(a + _h(xp, a))),
    "expm": lambda xp, a: weighted(xp, _expm(xp, a)),
    "inv": lambda xp, a: weighted(xp, xp.linalg.inv(a)),
    "matrix_norm, nuc": lambda xp, a: weighted(xp, xp.linalg.matrix_norm(a, ord="nuc")),
    "pinv": lambda xp, a: weighted(xp, xp.linalg.pinv(a[..., :2])),
    "pinv of a wide one": lambda xp, a: weighted(xp, xp.linalg.pinv(a[..., :2, :])),
    "qr": lambda xp, a: weighted(xp, *xp.linalg.qr(a)),
    "qr of a tall one": lambda xp, a: weighted(xp, *xp.linalg.qr(a[..., :2])),
    "qr of a wide one": lambda xp, a: weighted(xp, *xp.linalg.qr(a[..., :2, :])),
    "slogdet": lambda xp, a: weighted(xp, *xp.linalg.slogdet(a)),
    "solve": lambda xp, a: weighted(xp, xp.linalg.solve(a, B)),
    "svd": _svd,
    "svd of a tall one": lambda xp, a: _svd(xp, a[..., :2]),
    "svd of a wide one": lambda xp, a: _svd(xp, a[..., :2, :]),
    "svdvals": lambda xp, a: weighted(xp, xp.linalg.svdvals(a)),
    "vector_norm 3": lambda xp, a: weighted(xp, xp.linalg.vector_norm(a, ord=3, axis=-1)),
}


def _point(dtype: Any) -> Array:
    return _normal(0, 2, 3, 3, dtype=dtype)


FEW = (
    *("cholesky", "det", "eigh", "pinv", "qr of a tall one"),
    *("slogdet", "solve", "svd of a tall one"),
)
"""What is also differentiated in complex matrices, and twice."""
STEP = 1e-5


@cache
def expected(dtype: Any, names: tuple[str, ...]) -> dict[str, Any]:
    """The gradients by JAX, in one program."""
    return by_jax(
        lambda a: {name: jax.grad(partial(FUNCTIONS[name], jnp))(a) for name in names},
        _point(dtype),
    )


def gradients(at: Array, names: tuple[str, ...]) -> dict[str, Array]:
    """Ours, in one program, too."""
    a = tr.asarray(at)
    found = {name: tr.grad(partial(FUNCTIONS[name], tr))(a) for name in names}
    return {name: x.numpy() for name, x in found.items()}


@cache
def found(dtype: Any, names: tuple[str, ...]) -> dict[str, Array]:
    """What we say where JAX is asked."""
    with tr.default_device(tr.Device.default_xla()):
        return gradients(_point(dtype), names)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_gradients(name: str) -> None:
    names = tuple(FUNCTIONS)
    check(found(REAL, names)[name], expected(REAL, names)[name], tolerance=1e-9)


@pytest.mark.parametrize("name", FEW)
def test_gradients_in_complex_matrices(name: str) -> None:
    check(found(COMPLEX, FEW)[name], expected(COMPLEX, FEW)[name], tolerance=1e-9)


@cache
def twice() -> tuple[dict[str, Array], dict[str, Array]]:
    """Gradients along a direction, differentiated; and how the gradients change along it."""
    at, along = _point(REAL), _normal(2, 2, 3, 3)
    with tr.default_device(tr.Device.default_xla()):
        ahead, behind = (gradients(at + h * along, FEW) for h in (STEP, -STEP))
        slopes = {name: (ahead[name] - behind[name]) / (2 * STEP) for name in FEW}
        x = tr.asarray(at)
        second = {name: tr.grad(_along(name, along))(x) for name in FEW}
        return {name: x.numpy() for name, x in second.items()}, slopes


def _along(name: str, along: Array) -> Callable[[tr.Tensor], tr.Tensor]:
    gradient = tr.grad(partial(FUNCTIONS[name], tr))
    return lambda x: tr.sum(gradient(x) * along)


@pytest.mark.parametrize("name", FEW)
def test_second_derivatives(name: str) -> None:
    """The matrix of second derivatives is symmetric: its rows are its columns."""
    mine, slopes = (each[name] for each in twice())
    check(mine, slopes, tolerance=1e-6)  # of a finite difference


@pytest.mark.parametrize("name", ["cholesky", "qr of a tall one"])
def test_gradients_eagerly(name: str) -> None:
    with tr.default_device(tr.Device.default_eager()):
        mine = gradients(_point(REAL), (name,))[name]
    check(mine, expected(REAL, tuple(FUNCTIONS))[name], tolerance=1e-9)
