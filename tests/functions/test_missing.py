"""Products, averages and ranges, and reductions that leave NaN out, against NumPy."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

import tracer as tr
from tests.functions.gradcheck import check_grads
from tests.functions.oracle import FLOATS, check, random

X = random(3, 4, 2)
X[0, 1], X[2], X[1, 1, 1] = np.nan, np.nan, np.inf
NAMES = ("nansum", "nanmean", "nanmax", "nanmin", "nanvar", "nanstd")
PLAIN = ("prod", "ptp", "average")
AXES = (None, 0, (1, -1), ())


@cache
def _found(device: tr.Device) -> dict[tuple[Any, ...], tr.Tensor]:
    x, plain = tr.asarray(X, device=device), tr.asarray(random(3, 4, 2), device=device)
    found = {
        (name, axis, keep): getattr(tr, name)(x, axis, keepdims=keep)
        for name in NAMES
        for axis in AXES
        for keep in (False, True)
    }
    return found | {
        (name, axis, True): getattr(tr, name)(plain, axis, keepdims=True)
        for name in PLAIN
        for axis in AXES
    }


@pytest.mark.parametrize("axis", AXES, ids=str)
@pytest.mark.parametrize("name", NAMES)
def test_values(name: str, axis: Any, device: tr.Device) -> None:
    for keep in (False, True):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = getattr(np, name)(X, axis=axis, keepdims=keep)
        check(_found(device)[name, axis, keep], expected)


@pytest.mark.parametrize("axis", AXES, ids=str)
@pytest.mark.parametrize("name", PLAIN)
def test_plain_values(name: str, axis: Any, device: tr.Device) -> None:
    expected = getattr(np, name)(random(3, 4, 2), axis=axis, keepdims=True)
    check(_found(device)[name, axis, True], expected)


def test_dtypes(device: tr.Device) -> None:
    for dtype in FLOATS:
        x = np.array([1, np.nan, 2, 4], dtype)
        for name in NAMES:
            expected = getattr(np, name)(x.astype(np.float64))
            check(getattr(tr, name)(tr.asarray(x)), expected, dtype)
        check(tr.prod(tr.asarray(x)), np.asarray(np.nan, dtype))
    small = tr.asarray(np.array([100, 100], np.int8))
    check(tr.prod(small), np.int32(10000))
    check(tr.prod(small, dtype=tr.float64), np.float64(10000))
    check(tr.nansum(small), np.int32(200))
    check(tr.nanmax(small), np.int8(100))
    check(tr.nanmean(small), np.float32(100))
    check(tr.ptp(small), np.int8(0))
    check(tr.prod(tr.asarray([True, False])), np.int32(0))
    check(tr.prod(tr.asarray([1j, 2j])), np.complex64(-2))


def test_weights(device: tr.Device) -> None:
    x, w = random(3, 4), np.arange(1, 4, dtype=np.float32)
    check(tr.average(tr.asarray(x), 0, tr.asarray(w)), np.average(x, 0, w))
    check(tr.average(tr.asarray(x), weights=tr.asarray(x)), np.average(x, weights=x))
    check(tr.average(tr.asarray([1, 2]), weights=tr.asarray([3, 1])), np.float32(1.25))


def test_correction(device: tr.Device) -> None:
    x = np.array([[1, np.nan, 4], [np.nan, 3, np.nan], [1, 1, 2]], np.float32)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = np.nanvar(x, 1, ddof=2)
    check(tr.nanvar(tr.asarray(x), 1, correction=2), expected)


def test_nothing(device: tr.Device) -> None:
    none = tr.zeros((2, 0))
    check(tr.prod(none), np.float32(1))
    check(tr.prod(none, 1), np.ones(2, np.float32))
    check(tr.prod(none, 0), np.ones(0, np.float32))
    check(tr.nansum(none), np.float32(0))
    check(tr.nanmean(none, 1), np.full(2, np.nan, np.float32))
    check(tr.nanvar(none), np.float32(np.nan))
    check(tr.prod(tr.asarray(3.0)), np.float32(3))


SMOOTH: dict[str, Callable[[tr.Tensor], tr.Tensor]] = {
    "prod": lambda x: tr.prod(x, 0),
    "ptp": lambda x: tr.ptp(x, 1),
    "average": lambda x: tr.average(x, 1, x * x + 1),
    "nanvar": lambda x: tr.nanvar(x, 1),
    "nanmax": lambda x: tr.nanmax(x, 0),
}


@pytest.mark.parametrize("name", SMOOTH)
def test_derivatives(name: str) -> None:
    check_grads(lambda x: tr.sum(SMOOTH[name](x) ** 2), [random(3, 4, dtype=np.float64)])


def test_no_derivative_flows_to_what_is_missing(device: tr.Device) -> None:
    x = tr.asarray([1.0, np.nan, 3.0])
    check(tr.grad(tr.nansum)(x), np.array([1, 0, 1], np.float32))
    check(tr.grad(tr.nanmean)(x), np.array([0.5, 0, 0.5], np.float32))
    check(tr.grad(tr.nanstd)(x), np.array([-0.5, 0, 0.5], np.float32))
    check(tr.grad(tr.nanmax)(x), np.array([0, 0, 1], np.float32))
