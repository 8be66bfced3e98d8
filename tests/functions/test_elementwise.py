"""Elementwise functions of floats against NumPy: special values, dtypes, both modes."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

import tracer as tr
from tests.functions.oracle import FLOATS, Array, check

SPECIAL = (0.0, -0.0, 1.0, -1.0, 0.5, 2.5, -2.5, 3.7, 1e-3, np.inf, -np.inf, np.nan)


def _sigmoid(x: Array) -> Array:
    return 1 / (1 + np.exp(-x))


def _gelu(x: Array) -> Array:
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


UNARY: dict[str, Callable[..., Any]] = {
    name: getattr(np, name)
    for name in [
        "abs",
        "ceil",
        "cos",
        "exp",
        "expm1",
        "floor",
        "isfinite",
        "isinf",
        "isnan",
        "log",
        "log10",
        "log1p",
        "log2",
        "logical_not",
        "negative",
        "positive",
        "reciprocal",
        "round",
        "sign",
        "sin",
        "sqrt",
        "square",
        "tan",
        "tanh",
    ]
} | {
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "relu": lambda x: np.maximum(x, 0),
    "relu6": lambda x: np.clip(x, 0, 6),
    "sigmoid": _sigmoid,
    "softplus": lambda x: np.logaddexp(x, 0),
    "silu": lambda x: x * _sigmoid(x),
    "gelu": _gelu,
}
BINARY = [
    "add",
    "subtract",
    "multiply",
    "divide",
    "floor_divide",
    "remainder",
    "power",
    "maximum",
    "minimum",
    "equal",
    "not_equal",
    "less",
    "less_equal",
    "greater",
    "greater_equal",
    "logical_and",
    "logical_or",
]


@cache
def _unary(dtype: np.dtype[Any], device: tr.Device) -> dict[str, tr.Tensor]:
    """All functions at once: one program a dtype."""
    x = tr.asarray(np.array(SPECIAL, dtype), device=device)
    return {name: getattr(tr, name)(x) for name in UNARY}


@cache
def _binary(dtype: np.dtype[Any], device: tr.Device) -> dict[str, tr.Tensor]:
    x = tr.asarray(np.array(SPECIAL, dtype), device=device)
    return {name: getattr(tr, name)(x[:, None], x) for name in [*BINARY, "atan2"]}


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
@pytest.mark.parametrize("name", UNARY)
def test_unary(name: str, dtype: np.dtype[Any], device: tr.Device) -> None:
    with np.errstate(all="ignore"):
        expected = UNARY[name](np.array(SPECIAL, dtype).astype(np.float64))
    check(_unary(dtype, device)[name], expected, bool if expected.dtype == bool else dtype)


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
@pytest.mark.parametrize("name", [*BINARY, "atan2"])
def test_binary(name: str, dtype: np.dtype[Any], device: tr.Device) -> None:
    x = np.array(SPECIAL, dtype).astype(np.float64)
    oracle = getattr(np, "arctan2" if name == "atan2" else name)
    with np.errstate(all="ignore"):
        expected = oracle(x[:, None], x)
    check(_binary(dtype, device)[name], expected, bool if expected.dtype == bool else dtype)


def test_remainder_has_the_sign_of_the_divisor_also_at_zero(device: tr.Device) -> None:
    found = tr.remainder(tr.asarray([-1.0, -4.0, 0.0, 4.0]), tr.asarray([1.0, 2.0, -3.0, -2.0]))
    check(found, np.zeros(4), np.float32)
    np.testing.assert_array_equal(np.signbit(found.numpy()), [False, False, True, True])


def test_floor_divide_goes_with_the_remainder(device: tr.Device) -> None:
    x, y = np.array([1.0, -1.0, 7.5, -0.0]), np.array([0.1, 0.1, -2.0, 3.0])
    found = tr.floor_divide(tr.asarray(x), tr.asarray(y))
    check(found, np.floor_divide(x, y))
    np.testing.assert_array_equal(np.signbit(found.numpy()), np.signbit(np.floor_divide(x, y)))


def test_rounding_keeps_the_sign_of_zero_and_halves_go_to_even(device: tr.Device) -> None:
    x = np.array([-0.4, 0.5, 1.5, -2.5], np.float32)
    found = tr.round(tr.asarray(x)).numpy()
    np.testing.assert_array_equal(found, [-0.0, 0.0, 2.0, -2.0])
    assert np.signbit(found[0])


def test_nan_wins_in_maximum_and_minimum(device: tr.Device) -> None:
    one, nan = tr.asarray([1.0, np.nan]), tr.asarray([np.nan, 1.0])
    for f in (tr.maximum, tr.minimum):
        assert np.isnan(f(one, nan).numpy()).all()


def test_zero_size_and_0_d(device: tr.Device) -> None:
    none, one = tr.zeros((0, 3)), tr.asarray(2.0)
    sums = [none + one, tr.exp(none), none * tr.ones(3), tr.where(none > 0, none, one)]
    assert all(s.shape == (0, 3) and s.dtype == tr.float32 for s in sums)
    check(one * one, np.float32(4))


@pytest.mark.parametrize("n", range(-3, 11))
def test_integer_powers(n: int, device: tr.Device) -> None:
    x = np.array([-2.0, -1.0, 0.5, 3.0], np.float32)
    check(tr.asarray(x) ** n, x.astype(np.float64) ** n, np.float32)


def test_powers_of_integers_and_bools(device: tr.Device) -> None:
    check(tr.asarray([2, 3]) ** 9, np.array([512, 19683], np.int32))
    check(tr.asarray([True, False]) ** 0, np.array([1, 1], np.int32))
    check(tr.asarray([True, False]) ** 2, np.array([1, 0], np.int32))
    check(tr.asarray([2, 3]) ** 0.5, np.sqrt([2, 3]), np.float32)
    check(2 ** tr.asarray([3, 4]), np.array([8, 16], np.int32))


CLIPS = [(-1, 2), (None, 2), (-1, None), (None, None), (2, -1), (0.5, 1.5)]


@pytest.mark.parametrize("bounds", CLIPS, ids=str)
def test_clip(bounds: tuple[Any, Any], device: tr.Device) -> None:
    x = np.array([-3.0, -1.0, -0.0, 0.7, 2.0, 5.0, np.inf, np.nan], np.float32)
    check(tr.clip(tr.asarray(x), *bounds), np.clip(x, *bounds) if any(bounds) else x)


def test_clip_promotes_and_broadcasts(device: tr.Device) -> None:
    check(tr.clip(tr.asarray([0, 1, 2]), 0.5, 1.5), np.array([0.5, 1, 1.5], np.float32))
    check(tr.clip(tr.asarray([1, 5]), 2), np.array([2, 5], np.int32))
    low = tr.asarray([[0.0], [2.0]])
    check(tr.clip(tr.asarray([1.0, 3.0]), low), np.array([[1, 3], [2, 3]], np.float32))


def test_where(device: tr.Device) -> None:
    condition = tr.asarray([True, False])
    half = np.array([1, 2], np.float16)
    check(tr.where(condition, 1.0, half), np.array([1, 2], np.float16))
    check(tr.where(condition, 1, 2.5), np.array([1, 2.5], np.float32))
    check(tr.where(tr.asarray([3, 0]), tr.zeros((2, 1)), 1.0), np.array([[0, 1], [0, 1]], "f4"))
    check(tr.where(True, tr.asarray([np.nan]), 0.0), np.array([np.nan], np.float32))
    check(tr.where(condition, np.float64(1), 2), np.array([1, 2], np.float64))
