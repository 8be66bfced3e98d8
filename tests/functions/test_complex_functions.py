"""Functions of complex numbers: the standard's special values, accuracy, JAX's derivatives."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import tracer as tr
from tests.functions.oracle import Array, by_jax, check, once

PARTS = (0.0, -0.0, 1.0, -1.5, 0.75, np.inf, -np.inf, np.nan)
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "acos": np.arccos,
    "acosh": np.arccosh,
    "asin": np.arcsin,
    "asinh": np.arcsinh,
    "atan": np.arctan,
    "atanh": np.arctanh,
    **{
        name: getattr(np, name)
        for name in (
            *("cos", "cosh", "exp", "expm1", "log", "log1p", "sin", "sinh", "sqrt", "tan", "tanh"),
            *("abs", "conj", "real", "imag", "angle", "isfinite", "isinf", "isnan", "isreal"),
            *("iscomplex", "round", "sign", "log2", "log10", "nan_to_num"),
        )
    },
}

# What C and the standard leave open: the signs of these parts; and where NumPy is not C.
ANY_SIGN = {"sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "asin", "atan", "atanh", "expm1"}


def grid(dtype: Any) -> Array:
    """Every pair of parts."""
    found = np.empty((len(PARTS), len(PARTS)), dtype)
    found.real, found.imag = np.array(PARTS)[:, None], PARTS
    return found


def ordinary(dtype: Any) -> Array:
    """Finite numbers of many sizes."""
    draw = np.random.default_rng(1)
    parts = draw.normal(size=(2, 40)) * np.exp(draw.uniform(-6, 1, (2, 40)))
    return (parts[0] + 1j * parts[1]).astype(dtype)


def dtype_of(device: tr.Device) -> np.dtype[Any]:
    """Of one width each: XLA composes both of the same operations."""
    return np.dtype(np.complex64 if device.backend == "XLA" else np.complex128)


@cache
def _found(device: tr.Device) -> dict[str, tuple[Array, Array]]:
    """All functions at once: one program."""
    dtype = dtype_of(device)
    special = grid(dtype)
    x = tr.asarray(np.concatenate([special.reshape(-1), ordinary(dtype)]), device=device)
    found = {name: getattr(tr, name)(x) for name in FUNCTIONS}
    return {
        name: (y.numpy()[: special.size].reshape(special.shape), y.numpy()[special.size :])
        for name, y in found.items()
    }


def _expected(name: str, z: Array) -> Array:
    with np.errstate(all="ignore"):
        found = np.asarray(FUNCTIONS[name](z))
    if name == "expm1":  # NumPy gives NaN, and -0, where the standard has 0
        edge = z.imag == 0
        with np.errstate(all="ignore"):
            found[edge] = np.expm1(z.real[edge]) + 0j
            found.imag[edge] = z.imag[edge]
        lowest = (z.real == -np.inf) & ~np.isfinite(z.imag)
        found[lowest] = -1
        highest = (z.real == np.inf) & ~np.isfinite(z.imag)
        found.real[highest] = np.inf
    return found


def _parts(x: Array) -> list[Array]:
    return [x.real, x.imag] if x.dtype.kind == "c" else [x]


def test_special_values(device: tr.Device) -> None:
    dtype = dtype_of(device)
    for name, (found, _) in _found(device).items():
        if name == "sign":
            continue  # NaN where a part is infinite; C has no such function
        expected = _expected(name, grid(dtype))
        near = 8 * float(np.finfo(dtype).eps)
        assert found.dtype == expected.dtype, name
        for mine, right in zip(_parts(found), _parts(expected), strict=True):
            if name in ANY_SIGN:  # of a zero beside NaN, or of an infinity beside NaN
                with np.errstate(invalid="ignore"):
                    loose = np.isnan(expected.real) | np.isnan(expected.imag)
                    loose |= ~np.isfinite(grid(dtype).imag) & ~np.isfinite(grid(dtype).real)
                mine, right = np.where(loose, abs(mine), mine), np.where(loose, abs(right), right)
            np.testing.assert_allclose(mine, right, near, near, err_msg=name)
            if mine.dtype != bool and name != "expm1":
                zero = right == 0
                np.testing.assert_array_equal(
                    np.signbit(mine[zero]), np.signbit(right[zero]), err_msg=name
                )


def test_ordinary_values(device: tr.Device) -> None:
    dtype = dtype_of(device)
    z = ordinary(dtype)
    for name, (_, found) in _found(device).items():
        with np.errstate(all="ignore"):
            expected = np.asarray(FUNCTIONS[name](z.astype(np.complex128)))
        near = 16 * float(np.finfo(dtype).eps)
        np.testing.assert_allclose(found, expected, near, near, err_msg=name)


def test_conjugates_of_roots_are_roots_of_conjugates(device: tr.Device) -> None:
    z = tr.asarray(ordinary(np.complex64))
    for f in (tr.sqrt, tr.log, tr.asin, tr.atanh):
        np.testing.assert_array_equal(f(tr.conj(z)).numpy(), np.conj(f(z).numpy()))


def test_binary_functions(device: tr.Device) -> None:
    z, w = ordinary(np.complex128), ordinary(np.complex128)[::-1].copy()
    x, y = tr.asarray(z), tr.asarray(w)
    check(x * y, z * w)
    check(x / y, z / w, tolerance=1e-11)
    check(x**y, z**w, tolerance=1e-11)
    check(tr.square(x), z * z)
    check(tr.reciprocal(x), 1 / z, tolerance=1e-11)
    check(tr.float_power(x, 2), z**2)
    check(x == y, z == w)
    check(x + 1j, z + 1j)


LOSSES: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "abs": (lambda m, z: m.sum(m.abs(z)), lambda m, z: m.sum(m.real(z) ** 2)),
    "angle": (lambda m, z: m.sum(m.angle(z)), lambda m, z: m.sum(m.imag(z * z))),
    "conj": (lambda m, z: m.sum(m.real(m.conj(z) * m.exp(z))), lambda m, z: m.sum(m.imag(z))),
}
HOLOMORPHIC = ("exp", "expm1", "log", "log1p", "sqrt", "sin", "cos", "tan", "sinh", "cosh", "tanh")
HOLOMORPHIC += ("asinh", "atanh", "asin", "acos", "atan", "log2", "sinc")


def _losses(m: Any, z: Any, grad: Any) -> dict[str, Any]:
    """The derivatives of real losses of complex numbers, by JAX's convention."""
    losses = {f"{name} {i}": f for name, fs in LOSSES.items() for i, f in enumerate(fs)}
    for name in HOLOMORPHIC:
        losses[name] = lambda m, z, n=name: m.sum(m.real(getattr(m, n)(z)) * m.imag(z))
    return {name: grad(lambda z, f=f: f(m, z))(z) for name, f in losses.items()}


def test_derivatives_of_real_losses_are_those_of_jax(device: tr.Device) -> None:
    z = np.array([0.5 + 0.25j, -1.5 + 0.5j, 2 - 1j, -0.25 - 0.75j])
    expected = once("complex losses", lambda: by_jax(lambda z: _losses(jnp, z, jax.grad), z))
    for name, found in _losses(tr, tr.asarray(z), tr.grad).items():
        np.testing.assert_allclose(found.numpy(), expected[name], 1e-9, 1e-11, err_msg=name)


def test_the_derivative_of_acosh(device: tr.Device) -> None:
    """On the side of its cut where JAX 0.10 takes the other root."""
    z = np.array([0.5 + 0.25j, -1.5 + 0.5j, 2 - 1j, -0.25 - 0.75j])
    found = tr.grad(lambda z: tr.sum(tr.real(tr.acosh(z))))(tr.asarray(z))
    check(found, 1 / (np.sqrt(z - 1) * np.sqrt(z + 1)))


def test_a_step_against_the_conjugate_descends(device: tr.Device) -> None:
    def loss(z: tr.Tensor) -> tr.Tensor:
        return tr.abs(z - (2 + 1j)) ** 2

    z = tr.asarray(0j)
    for _ in range(60):
        z = z - 0.2 * tr.conj(tr.grad(loss)(z))
    assert abs(z.item() - (2 + 1j)) < 1e-5


def test_a_number_that_is_not_zero_is_true(device: tr.Device) -> None:
    x = np.array([0, 1j, 1, -0.0, complex(0, np.nan)], np.complex64)
    found = tr.asarray(x, device=device).astype(bool)
    np.testing.assert_array_equal(found.numpy(), x.astype(bool))
