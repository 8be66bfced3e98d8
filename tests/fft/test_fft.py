"""Fourier transforms against NumPy and JAX: lengths, axes, norms, dtypes, derivatives."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import tracer as tr
from tests.functions.oracle import Array, by_jax, check

NORMS = ("backward", "ortho", "forward")
ONE = ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")
SEVERAL = ("fftn", "ifftn", "rfftn", "irfftn")
REAL = ("rfft", "ihfft", "rfftn")
OPTIONS: list[dict[str, Any]] = [
    *({"norm": norm} for norm in NORMS),
    *({"n": n} for n in (1, 2, 3, 7)),
    {"n": 4, "axis": 0},
    {"axis": 1, "norm": "ortho"},
]
OPTIONS_OF_SEVERAL: list[dict[str, Any]] = [
    *({"norm": norm} for norm in NORMS),
    {"axes": (0,)},
    {"axes": (2, 0)},
    {"s": (3, 5), "axes": (-1, 1)},
    {"s": (1, 2), "axes": (0, 2), "norm": "forward"},
]


def _signal(name: str, dtype: Any = np.complex128, shape: Any = (2, 3, 4)) -> Array:
    draw = np.random.default_rng(0)
    x = (draw.normal(size=shape) + 1j * draw.normal(size=shape)).astype(dtype)
    return x.real.copy() if name in REAL else x


def _calls() -> dict[str, tuple[str, Array, dict[str, Any]]]:
    calls = [(name, _signal(name), o) for name in ONE for o in OPTIONS]
    calls += [(name, _signal(name), o) for name in SEVERAL for o in OPTIONS_OF_SEVERAL]
    calls += [(name, _signal(name, np.complex64), {}) for name in (*ONE, *SEVERAL)]
    five = (2, 1, 3, 2, 3)
    calls += [(name, _signal(name, shape=five), {}) for name in SEVERAL]
    calls += [(name, _signal(name)[:0], {"axis": 2}) for name in ONE]
    calls += [("fft", _signal("rfft"), {}), ("irfft", _signal("rfft"), {})]
    calls += [(f"{way}fftshift", _signal(""), {"axes": a}) for way in ("", "i") for a in (None, 1)]
    return {f"{name}-{x.dtype}-{x.shape}-{o}": (name, x, o) for name, x, o in calls}


CALLS = _calls()


@cache
def found() -> dict[str, Any]:
    """All of them lazily, in one program."""
    with tr.default_device(tr.Device.default_xla()):
        return {key: getattr(tr.fft, name)(x, **o) for key, (name, x, o) in CALLS.items()}


@pytest.mark.parametrize("key", CALLS)
def test_value(key: str) -> None:
    name, x, options = CALLS[key]
    check(found()[key], getattr(np.fft, name)(x, **options))


@pytest.mark.parametrize("name", [*ONE, *SEVERAL])
def test_value_eagerly(name: str) -> None:
    x = _signal(name)
    with tr.default_device(tr.Device.default_eager()):
        check(getattr(tr.fft, name)(x), getattr(np.fft, name)(x))


@pytest.mark.parametrize("name", SEVERAL)
def test_lengths_without_axes_are_of_the_last(name: str) -> None:
    x = _signal(name)
    check(getattr(tr.fft, name)(x, s=(2, 5)), getattr(np.fft, name)(x, s=(2, 5), axes=(1, 2)))


def test_other_dtypes() -> None:
    for dtype in (np.int32, np.bool_, np.float16):
        x = np.asarray([1, 0, 1], dtype)
        check(tr.fft.fft(x), np.fft.fft(x.astype(np.float32)))
        check(tr.fft.rfft(x), np.fft.rfft(x.astype(np.float32)))


def test_what_is_not_a_number_spreads() -> None:
    assert np.isnan(tr.fft.fft(np.asarray([1.0, np.nan, 2.0])).numpy()).all()


@pytest.mark.parametrize("n", [1, 4, 5])
def test_frequencies(n: int) -> None:
    for name in ("fftfreq", "rfftfreq"):
        wanted = getattr(np.fft, name)(n, 0.5)
        check(getattr(tr.fft, name)(n, d=0.5), wanted, np.float32)
        check(getattr(tr.fft, name)(n, d=0.5, dtype=tr.float64), wanted)


def test_shifts_of_numbers() -> None:
    check(tr.fft.fftshift(np.float32(3)), np.float32(3))


DERIVED: dict[str, tuple[str, dict[str, Any]]] = {
    "fft": ("fft", {"n": 5}),
    "ifft": ("ifft", {"n": 3, "norm": "ortho"}),
    "rfft": ("rfft", {}),
    "rfft, odd": ("rfft", {"n": 3}),
    "irfft": ("irfft", {"n": 6}),
    "irfft, odd": ("irfft", {"n": 5}),
    "irfft of one": ("irfft", {"n": 1}),
    "hfft": ("hfft", {}),
    "ihfft": ("ihfft", {"axis": 1}),
    "rfftn": ("rfftn", {}),
    "irfftn": ("irfftn", {}),
    "fftn": ("fftn", {"axes": (2, 0)}),
}


def loss(key: str, xp: Any, x: Any) -> Any:
    """A real number that depends on every part of the transform, to the third power."""
    name, options = DERIVED[key]
    y = getattr(xp.fft, name)(x, **options)
    weights = np.random.default_rng(1).normal(size=y.shape)
    return xp.real(xp.sum(y * y * y * (weights - 0.5j)))


def twice(key: str, xp: Any, grad: Any, x: Any, along: Any) -> Any:
    """The gradient, and that of what it is along a direction."""
    first = grad(partial(loss, key, xp))
    return first(x), grad(lambda a: xp.real(xp.sum(first(a) * along)))(x)


def _points(key: str) -> tuple[Array, Array]:
    x = _signal(DERIVED[key][0])
    return x, np.flip(x).copy()


@cache
def derivatives() -> tuple[dict[str, Any], dict[str, Any]]:
    """Ours and those of JAX, each in one program."""
    with tr.default_device(tr.Device.default_xla()):
        mine = {key: twice(key, tr, tr.grad, *map(tr.asarray, _points(key))) for key in DERIVED}
    points = {key: _points(key) for key in DERIVED}
    theirs = by_jax(
        lambda given: {key: twice(key, jnp, jax.grad, *given[key]) for key in DERIVED}, points
    )
    return mine, theirs


@pytest.mark.parametrize("key", DERIVED)
def test_derivatives(key: str) -> None:
    mine, theirs = derivatives()
    for one, other in zip(mine[key], theirs[key], strict=True):
        check(one, other, tolerance=1e-10)
