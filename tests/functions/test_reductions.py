"""Reductions against NumPy: axes, keepdims, nothing, NaN, narrow dtypes."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import tracer as tr
from tests.functions.oracle import FLOATS, check, random

NAMES = ["sum", "mean", "var", "std", "max", "min", "all", "any"]
AXES = [None, 0, -1, (0, 2), (), (2, 0, 1)]
X = random(2, 3, 4)


@cache
def _found(device: tr.Device) -> dict[tuple[Any, ...], tr.Tensor]:
    x = tr.asarray(X, device=device)
    return {
        (name, axis, keep): getattr(tr, name)(x, axis, keepdims=keep)
        for name in NAMES
        for axis in AXES
        for keep in (False, True)
    }


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("axis", AXES, ids=str)
@pytest.mark.parametrize("name", NAMES)
def test_axes(name: str, axis: Any, keepdims: bool, device: tr.Device) -> None:
    expected = getattr(np, name)(X, axis=axis, keepdims=keepdims)
    check(_found(device)[name, axis, keepdims], expected)


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
def test_dtypes(dtype: np.dtype[Any], device: tr.Device) -> None:
    """Also narrow ones, whose sums would lose every term after 256 (2,048)."""
    x = (1 + random(5000, dtype=np.float64) / 10).astype(dtype)
    tensor = tr.asarray(x)
    for name in ("sum", "mean", "var", "std", "max"):
        check(getattr(tr, name)(tensor), getattr(np, name)(x.astype(np.float64)), dtype)


def test_integers(device: tr.Device) -> None:
    small = np.array([[200, 100], [3, 4]], np.uint8)
    check(tr.sum(tr.asarray(small), 0), np.array([203, 104], np.uint32))
    check(tr.sum(tr.asarray([True, True])), np.int32(2))
    check(tr.sum(tr.asarray(np.array([100, 100], np.int8))), np.int32(200))
    check(tr.sum(tr.asarray(np.array([2**40, 1]))), np.int64(2**40 + 1))
    check(tr.sum(tr.asarray(small), dtype=tr.float32), np.float32(307))
    check(tr.mean(tr.asarray([1, 2])), np.float32(1.5))
    for name in ("max", "min", "all", "any"):
        check(getattr(tr, name)(tr.asarray(small), 1), getattr(np, name)(small, axis=1))
    check(tr.max(tr.asarray([True, False])), np.True_)


def test_nothing(device: tr.Device) -> None:
    none = tr.zeros((2, 0, 4))
    check(tr.sum(none), np.float32(0))
    check(tr.sum(none, 1), np.zeros((2, 4), np.float32))
    check(tr.mean(none), np.float32(np.nan))
    check(tr.var(none, 1), np.full((2, 4), np.nan, np.float32))
    assert tr.all(none).item() is True
    assert tr.any(none).item() is False
    check(tr.max(tr.zeros((0, 4)), axis=1), np.zeros(0, np.float32))
    check(tr.argmax(tr.zeros((0, 4)), axis=1), np.zeros(0, np.int32))
    for f in (tr.max, tr.min, tr.argmax, tr.argmin):
        with pytest.raises(ValueError, match=rf"{f.__name__} of nothing"):
            f(none)


def test_correction(device: tr.Device) -> None:
    x = tr.asarray(X)
    check(tr.var(x, 1, correction=1), np.var(X, axis=1, ddof=1))
    check(x.std(correction=1), np.std(X, ddof=1))
    check(tr.var(tr.asarray([1.0]), correction=1), np.float32(np.nan))


def test_0_d(device: tr.Device) -> None:
    x = tr.asarray(5.0)
    for name in NAMES[:6]:
        check(getattr(tr, name)(x, ()), np.float32(getattr(np, name)(np.float32(5))))
        with pytest.raises(np.exceptions.AxisError):
            getattr(tr, name)(x, 0)
    assert tr.argmax(x).item() == 0


def test_nan_wins(device: tr.Device) -> None:
    x = tr.asarray([1.0, np.nan, 3.0])
    assert np.isnan(tr.max(x).item())
    assert np.isnan(tr.min(x).item())
    found = [tr.argmax(x), tr.argmin(x), tr.argmax(tr.asarray([np.nan, np.nan]))]
    assert [f.item() for f in found] == [1, 1, 0]
    assert tr.any(tr.asarray([np.nan])).item() is True


def test_zeros_with_a_sign_are_numbers(device: tr.Device) -> None:
    found = tr.max(tr.zeros(8193) * -1)
    assert found.item() == 0


@pytest.mark.parametrize("name", ["argmax", "argmin"])
@pytest.mark.parametrize("axis", [None, 0, -1])
def test_places(name: str, axis: int | None, device: tr.Device) -> None:
    x = np.array([[3, 1, 3], [-np.inf, 7, 7]], np.float32)
    for keepdims in (False, True):
        found = getattr(tr, name)(tr.asarray(x), axis, keepdims=keepdims)
        check(found, getattr(np, name)(x, axis=axis, keepdims=keepdims).astype(np.int32))
    check(getattr(tr.asarray([[5, 2]]), name)(1), getattr(np, name)([[5, 2]], 1).astype("i4"))
    check(getattr(tr, name)(tr.asarray([-np.inf, -np.inf])), np.int32(0))


def test_the_logarithm_of_a_sum_of_exponentials(device: tr.Device) -> None:
    inf = np.inf
    x = tr.asarray([[1000.0, 1000.0], [-inf, -inf], [inf, 0.0], [-inf, 1.0], [np.nan, 0.0]])
    check(tr.logsumexp(x, 1), np.array([1000 + np.log(2), -inf, inf, 1, np.nan]), np.float32)
    check(tr.logsumexp(x[:2], (0, 1), keepdims=True), np.full((1, 1), 1000 + np.log(2)), "f4")
    check(tr.logsumexp(tr.zeros((2, 0)), 1), np.full(2, -inf, np.float32))


def test_softmax(device: tr.Device) -> None:
    x = np.array([[1e4, 1e4 - 1, -np.inf], [0, 1, 2]], np.float32)
    powers = np.exp(x.astype(np.float64) - x.max(1, keepdims=True))
    expected = powers / powers.sum(1, keepdims=True)
    with np.errstate(divide="ignore"):
        logarithms = np.log(expected)
    check(tr.softmax(tr.asarray(x)), expected, np.float32)
    check(tr.softmax(tr.asarray(x.T), 0), expected.T, np.float32)
    check(tr.log_softmax(tr.asarray(x)), logarithms, np.float32)
    check(tr.softmax(tr.zeros((2, 0))), np.zeros((2, 0), np.float32))
    check(tr.log_softmax(tr.zeros((0, 3))), np.zeros((0, 3), np.float32))


@pytest.mark.parametrize("f", [tr.sum, tr.prod, tr.cumsum, tr.cumprod])
def test_bools_asked_for_add_as_or_and_multiply_as_and(f: Any, device: tr.Device) -> None:
    for row in ([True, True], [True, False], [False, False]):
        expected = getattr(np, f.__name__)(np.array(row), dtype=bool)
        check(f(tr.asarray(row), dtype=tr.bool), expected)
