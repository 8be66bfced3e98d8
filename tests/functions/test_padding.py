"""pad against numpy.pad: modes, widths, options, dtypes; derivatives against jax."""

from __future__ import annotations

from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import tracer as tr
from tests.functions.oracle import by_jax, check, jax_gradient, once, random

MODES = ("constant", "edge", "reflect", "symmetric", "wrap", "linear_ramp", "maximum", "mean")
X = random(3, 4)
CASES: dict[str, tuple[Any, str, dict[str, Any]]] = {
    **{f"{mode} by pairs": (((2, 1), (0, 3)), mode, {}) for mode in (*MODES, "minimum")},
    **{f"{mode}, wide": (((7, 9), (11, 0)), mode, {}) for mode in ("reflect", "symmetric", "wrap")},
    "by 1": (1, "edge", {}),
    "constants": (2, "constant", {"constant_values": ((1, 2), (3, 4))}),
    "a pair of constants": (((1, 2), (0, 1)), "constant", {"constant_values": (5, 6)}),
    "odd reflection": (2, "reflect", {"reflect_type": "odd"}),
    "odd reflection, wide": (((7, 5), (1, 9)), "reflect", {"reflect_type": "odd"}),
    "odd symmetry": (2, "symmetric", {"reflect_type": "odd"}),
    "odd symmetry of the whole": (((3, 3), (4, 4)), "symmetric", {"reflect_type": "odd"}),
    "ends": (3, "linear_ramp", {"end_values": ((1, 2), (-3, 4))}),
    "an end": (((0, 5), (1, 0)), "linear_ramp", {"end_values": 2.5}),
    "some for a maximum": (2, "maximum", {"stat_length": 2}),
    "some for a minimum": (2, "minimum", {"stat_length": ((1, 2), (3, 9))}),
    "some for a mean": (2, "mean", {"stat_length": (1, 2)}),
    "a dict": ({0: 2, -1: (1, 3)}, "edge", {}),
    "numpy's ints": (np.array([[1, 2], [0, 1]]), "reflect", {}),
}


@cache
def _found(device: tr.Device) -> dict[str, tr.Tensor]:
    x = tr.asarray(X, device=device)
    return {name: tr.pad(x, w, mode, **options) for name, (w, mode, options) in CASES.items()}


@pytest.mark.parametrize("name", CASES)
def test_as_numpy(name: str, device: tr.Device) -> None:
    widths, mode, options = CASES[name]
    check(_found(device)[name], np.pad(X, widths, mode, **options))


def test_empty(device: tr.Device) -> None:
    check(tr.pad(tr.ones(2), (1, 0), "empty")[1:], np.ones(2, np.float32))


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.float16], ids=str)
def test_dtypes(dtype: Any, device: tr.Device) -> None:
    x = (np.arange(6) * 7 % 11 * 3).astype(dtype)
    for mode in ("constant", "mean", "maximum", "wrap"):
        check(tr.pad(tr.asarray(x), (2, 3), mode), np.pad(x, (2, 3), mode))
    for n in (3, 7):
        found = tr.pad(tr.asarray(x), n, "linear_ramp", end_values=(100, 3))
        check(found, np.pad(x, n, "linear_ramp", end_values=(100, 3)))


def test_bools_and_complex_numbers(device: tr.Device) -> None:
    for x in (np.array([True, False, True]), np.array([1 + 2j, 3j], np.complex64)):
        for mode in ("constant", "edge", "reflect"):
            check(tr.pad(tr.asarray(x), 5, mode), np.pad(x, 5, mode))


def test_lengths_of_0_and_1(device: tr.Device) -> None:
    one = np.full((1, 2), 3, np.float32)
    widths = ((3, 2), (0, 0))
    for mode in ("reflect", "symmetric"):
        found = tr.pad(tr.asarray(one), widths, mode, reflect_type="odd")
        check(found, np.pad(one, widths, mode, reflect_type="odd"))
    check(tr.pad(tr.asarray(2.0), 3, "mean"), np.float32(2))
    check(tr.pad(tr.zeros((0, 2)), ((1, 2), (0, 0))), np.zeros((3, 2), np.float32))
    check(tr.pad(tr.zeros((0, 2)), ((0, 0), (1, 2)), "edge"), np.zeros((0, 5), np.float32))


def test_not_a_number(device: tr.Device) -> None:
    x = np.array([1, np.nan, -np.inf, 3], np.float32)
    for mode in (*MODES, "minimum"):
        with np.errstate(invalid="ignore"):
            expected = np.pad(x, 3, mode)
        check(tr.pad(tr.asarray(x), 3, mode), expected)


@pytest.mark.parametrize("mode", ["constant", "reflect", "wrap", "linear_ramp", "mean"])
def test_derivatives(mode: str, device: tr.Device) -> None:
    x = random(3, 4, dtype=np.float64)

    def cost(m: Any, x: Any) -> Any:
        y = m.pad(x, ((4, 1), (0, 5)), mode)
        return m.sum(y * y * m.sin(y))

    def bend(m: Any, grad: Any) -> Any:
        return lambda x: m.sum(m.cos(x) * grad(lambda x: cost(m, x))(x))

    _, wanted = once(mode, lambda: jax_gradient(lambda x: cost(jnp, x), x))
    check(tr.grad(lambda x: cost(tr, x))(tr.asarray(x)), wanted, tolerance=1e-10)
    if mode in ("reflect", "mean"):
        oracle = lambda: by_jax(jax.grad(bend(jnp, jax.grad)), x)
        found = tr.grad(bend(tr, tr.grad))(tr.asarray(x))
        check(found, once(f"2 {mode}", oracle), tolerance=1e-9)  # tens of terms each
