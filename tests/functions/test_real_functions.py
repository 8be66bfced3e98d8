"""Elementwise functions of real floats beside the plain ones, against NumPy and SciPy."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import jax.scipy.special
import numpy as np
import pytest
import scipy.special

import tracer as tr
from tests.functions.oracle import BFLOAT16, Array, by_jax, check, once
from tracer.dtypes import finfo

FLOATS = (np.dtype(np.float16), BFLOAT16, np.dtype(np.float32), np.dtype(np.float64))
SPECIAL = (0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 0.25, 2.5, -2.75, 3.5, 1e-3, -12.0, 1.4375, 2.25)
SPECIAL += (9.5, 40.0, -40.0, np.inf, -np.inf, np.nan)

UNARY: dict[str, Callable[..., Any]] = {
    "acos": np.arccos,
    "acosh": np.arccosh,
    "asin": np.arcsin,
    "asinh": np.arcsinh,
    "atan": np.arctan,
    "atanh": np.arctanh,
    "cosh": np.cosh,
    "sinh": np.sinh,
    "exp2": np.exp2,
    "cbrt": np.cbrt,
    "sinc": np.sinc,
    "fabs": np.fabs,
    "degrees": np.degrees,
    "radians": np.radians,
    "trunc": np.trunc,
    "signbit": np.signbit,
    "isposinf": np.isposinf,
    "isneginf": np.isneginf,
    "isreal": np.isreal,
    "iscomplex": np.iscomplex,
    "conj": np.conj,
    "real": np.real,
    "imag": np.imag,
    "angle": np.angle,
    "erf": scipy.special.erf,
    "erfc": scipy.special.erfc,
    "erf_inv": scipy.special.erfinv,
    "lgamma": lambda x: np.where(x == -np.inf, np.inf, scipy.special.gammaln(x)),  # as C has it
    "digamma": scipy.special.digamma,
    "expit": scipy.special.expit,
    "logit": scipy.special.logit,
    "entr": scipy.special.entr,
}
BINARY: dict[str, Callable[..., Any]] = {
    "copysign": np.copysign,
    "hypot": np.hypot,
    "logaddexp": np.logaddexp,
    "logaddexp2": np.logaddexp2,
    "heaviside": np.heaviside,
    "fmax": np.fmax,
    "fmin": np.fmin,
    "fmod": np.fmod,
    "float_power": np.float_power,
    "logical_xor": np.logical_xor,
    "atan2": np.arctan2,
    "floor_divide": np.floor_divide,
    "remainder": np.remainder,
    "xlogy": scipy.special.xlogy,
    "xlog1py": scipy.special.xlog1py,
}
UNITS = 16
"""How many units in the last place are near enough: XLA's vectorised libm is within a few."""
SIGNED = ("conj", "copysign", "sinh", "asinh", "atan", "asin", "trunc", "real", "remainder", "sinc")
SIGNED += ("floor_divide", "erf", "cbrt", "fmod", "atanh", "entr")
"""Functions whose zeros have signs that are tested."""


def compare(name: str, found: Any, expected: Array, dtype: np.dtype[Any]) -> None:
    """Within a few units in the last place, zeros with their signs."""
    if expected.dtype == bool:
        check(found, expected)
        return
    check(found, expected, dtype, UNITS * float(finfo(dtype).eps))
    if name in SIGNED:
        zero = expected == 0
        mine = np.signbit(np.asarray(found).astype(np.float64)[zero])
        np.testing.assert_array_equal(mine, np.signbit(expected[zero]))


@cache
def _unary(dtype: np.dtype[Any], device: tr.Device) -> dict[str, tr.Tensor]:
    """All functions at once: one program a dtype."""
    x = tr.asarray(np.array(SPECIAL, dtype), device=device)
    return {name: getattr(tr, name)(x) for name in _chosen(UNARY, dtype, device)}


def _chosen(names: Any, dtype: np.dtype[Any], device: tr.Device) -> list[str]:
    """All; of 16 bits few where they are compiled whole, as most are those of float32, rounded."""
    return list(names) if dtype.itemsize > 2 or device.backend == "EAGER" else [*names][::6]


@cache
def _binary(dtype: np.dtype[Any], device: tr.Device) -> dict[str, tr.Tensor]:
    x = tr.asarray(np.array(SPECIAL, dtype), device=device)
    return {name: getattr(tr, name)(x[:, None], x) for name in _chosen(BINARY, dtype, device)}


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
def test_unary(dtype: np.dtype[Any], device: tr.Device) -> None:
    x = np.array(SPECIAL, dtype).astype(np.float64)
    for name, found in _unary(dtype, device).items():
        with np.errstate(all="ignore"):
            expected = np.asarray(UNARY[name](x))
        compare(name, found, expected, dtype)


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
def test_binary(dtype: np.dtype[Any], device: tr.Device) -> None:
    x = np.array(SPECIAL, dtype).astype(np.float64)
    for name, found in _binary(dtype, device).items():
        with np.errstate(all="ignore"):
            expected = np.asarray(BINARY[name](x[:, None], x))
        compare(name, found, expected, dtype)


ALIASES = {
    "absolute": "abs",
    "arccos": "acos",
    "arccosh": "acosh",
    "arcsin": "asin",
    "arcsinh": "asinh",
    "arctan": "atan",
    "arctan2": "atan2",
    "arctanh": "atanh",
    "conjugate": "conj",
    "deg2rad": "radians",
    "expit": "sigmoid",
    "pow": "power",
    "rad2deg": "degrees",
    "true_divide": "divide",
}


def test_other_names_are_of_the_same_functions() -> None:
    for name, other in ALIASES.items():
        assert getattr(tr, name) is getattr(tr, other)


def test_0_d_zero_size_and_integers(device: tr.Device) -> None:
    with tr.default_device(tr.Device.default_xla()):  # where a type costs no compilation
        for name, oracle in UNARY.items():
            f = getattr(tr, name)
            with np.errstate(all="ignore"):
                wanted = np.asarray(oracle(np.float64(1)))
            exact = name in ("trunc", "conj", "real", "imag")
            assert f(tr.zeros((0, 3))).shape == (0, 3)
            assert f(tr.asarray(1)).dtype == (
                wanted.dtype if wanted.dtype == bool else np.int32 if exact else np.float32
            )
        for name in BINARY:
            assert getattr(tr, name)(tr.zeros((0, 3)), 1.0).shape == (0, 3)
    check(tr.erf(tr.asarray(1)), np.float32(scipy.special.erf(1)))
    check(tr.hypot(tr.asarray(3), tr.asarray(4)), np.float32(5))
    check(tr.fmod(tr.asarray([-7, 7, 7]), tr.asarray([3, -3, 0])), np.array([-1, 1, 0], np.int32))
    check(tr.sinh(tr.zeros((0, 3))), np.zeros((0, 3), np.float32))
    check(tr.lgamma(tr.zeros((2, 0))), np.zeros((2, 0), np.float32))


JAX_NAMES = {
    "degrees": jnp.degrees,
    "erf_inv": jax.scipy.special.erfinv,
    "lgamma": jax.scipy.special.gammaln,
    **{n: getattr(jax.scipy.special, n) for n in ("erf", "erfc", "digamma", "logit", "entr")},
}
INSIDE = {
    "acosh": (1.25, 3.0, 40.0),
    **dict.fromkeys(("erf_inv", "atanh", "asin", "acos"), (0.25, -0.5, 0.75)),
    **dict.fromkeys(("logit", "entr"), (0.25, 0.5, 0.9)),
    **dict.fromkeys(("cbrt", "fabs"), (0.5, -1.25, 2.0)),
    "digamma": (0.25, 1.25, 2.75, 12.0, -0.75, -3.25),
    "lgamma": (0.25, 1.25, 2.75, 12.0, -0.75, -3.25),
    "erf": (0.25, -1.25, 2.75, 5.0),
    "erfc": (0.25, -1.25, 2.75, 5.0),
}
SMOOTH = [n for n in UNARY if n not in ("signbit", "isposinf", "isneginf", "isreal", "iscomplex")]
SMOOTH = [n for n in SMOOTH if n not in ("trunc", "imag", "angle", "conj", "real", "expit")]


def _points(name: str) -> Array:
    return np.array(INSIDE.get(name, (0.0, 0.5, -1.25, 2.0)))


def _slopes(f: Callable[..., Any], grad: Callable[..., Any], total: Callable[..., Any]) -> Any:
    """The first and the second derivative, by sums."""
    first = grad(lambda x: total(f(x)))
    return lambda x: (first(x), grad(lambda y: total(first(y)))(x))


def test_first_and_second_derivatives(device: tr.Device) -> None:
    def oracle() -> Any:
        def every(points: dict[str, Any]) -> Any:
            return {
                name: _slopes(JAX_NAMES.get(name) or getattr(jnp, name), jax.grad, jnp.sum)(x)
                for name, x in points.items()
            }

        return by_jax(every, {name: _points(name) for name in SMOOTH})

    expected = once("real functions", oracle)
    found = {
        name: _slopes(getattr(tr, name), tr.grad, tr.sum)(tr.asarray(_points(name)))
        for name in SMOOTH
    }
    for name in SMOOTH:
        for mine, right in zip(found[name], expected[name], strict=True):
            np.testing.assert_allclose(mine.numpy(), right, rtol=1e-9, atol=1e-11, err_msg=name)


PAIRS = ("hypot", "logaddexp", "logaddexp2", "xlogy", "xlog1py", "fmax", "copysign")


def test_derivatives_of_two(device: tr.Device) -> None:
    x, y = np.array([0.5, 1.25, 2.0, 3.0]), np.array([1.5, 0.75, 2.5, 9.0])

    def jax_function(name: str) -> Any:
        return getattr(jnp, name, None) or getattr(jax.scipy.special, name)

    def both(f: Any, grad: Any, total: Any) -> Any:
        first = grad(lambda a, b: total(f(a, b)), (0, 1))
        mixed = grad(lambda a, b: total(first(a, b)[0]) + total(first(a, b)[1]), (0, 1))
        return lambda a, b: (*first(a, b), *mixed(a, b))

    def oracle() -> Any:
        return by_jax(
            lambda a, b: {n: both(jax_function(n), jax.grad, jnp.sum)(a, b) for n in PAIRS}, x, y
        )

    expected = once("pairs of real functions", oracle)
    for name in PAIRS:
        found = both(getattr(tr, name), tr.grad, tr.sum)(tr.asarray(x), tr.asarray(y))
        for mine, right in zip(found, expected[name], strict=True):
            np.testing.assert_allclose(mine.numpy(), right, rtol=1e-9, atol=1e-11, err_msg=name)


def test_betaln_and_its_slope(device: tr.Device) -> None:
    """Against SciPy: JAX's digamma has 6 digits."""
    a = np.array([0.5, 1.25, 2.0, 3.0, 0.25, 20.0, 1e-3, 0.0, -1.5])
    b = np.array([1.5, 0.75, 2.5, 9.0, 20.0, 40.0, 1e-3, 1.0, np.nan])
    x, y = tr.asarray(a), tr.asarray(b)
    check(tr.betaln(x, y), scipy.special.betaln(a, b), tolerance=1e-13)
    slope = tr.grad(lambda z: tr.sum(tr.betaln(z, y[:7])))(x[:7])
    expected = scipy.special.digamma(a) - scipy.special.digamma(a + b)
    check(slope, expected[:7], tolerance=1e-11)


CORNERS: dict[str, tuple[Callable[..., Any], float, float]] = {
    "logaddexp of equal numbers": (lambda x: tr.logaddexp(x, 0.0), 0.0, 0.5),
    "logaddexp of two infinities": (lambda x: tr.logaddexp(x, -np.inf), -np.inf, 0.5),
    "hypot at the origin": (lambda x: tr.hypot(x, 0.0), 0.0, 0.0),
    "xlogy at 0 and 0": (lambda x: tr.xlogy(0.0, x), 0.0, 0.0),
    "asinh far out": (tr.asinh, 1e30, 1e-30),
    "sinc at 0": (tr.sinc, 0.0, 0.0),
    "sinh of a subnormal result": (tr.sinh, 0.0, 1.0),
    "nextafter is flat": (lambda x: tr.nextafter(x, 2.0) + x, 1.0, 1.0),
    "nan_to_num stops at NaN": (tr.nan_to_num, np.nan, 0.0),
}


def test_slopes_at_corners(device: tr.Device) -> None:
    for name, (f, x, expected) in CORNERS.items():
        slope = tr.grad(f)(tr.asarray(x, tr.float32)).item()
        assert slope == pytest.approx(expected, rel=1e-6), name
