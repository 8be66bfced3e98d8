"""Functions of a float's bits and of integers alone, against NumPy."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from jax import lax

import tracer as tr
from tests.functions.oracle import BFLOAT16, check

VALUES = [0.0, -0.0, 1.0, -1.5, np.inf, -np.inf, np.nan, 3e4, -6e-8, 5.5]


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64], ids=str)
def test_nextafter(dtype: Any, device: tr.Device) -> None:
    """Of the smallest numbers too, which XLA's arithmetic takes for zeros."""
    limits = np.finfo(dtype)
    ends = [limits.max, limits.tiny, limits.smallest_subnormal, -limits.smallest_subnormal]
    with np.errstate(all="ignore"):
        x = np.array([*VALUES, *ends]).astype(dtype)
        expected = np.nextafter(x[:, None], x)
    found = tr.nextafter(tr.asarray(x)[:, None], tr.asarray(x)).numpy()
    np.testing.assert_array_equal(found, expected)
    zeros = (x == 0) & (x[:, None] == 0)  # of which NumPy's float16 gives the first, C the second
    expected = np.where(zeros, x, expected)
    np.testing.assert_array_equal(np.signbit(found), np.signbit(expected) & ~np.isnan(expected))


def test_nextafter_of_narrow_floats(device: tr.Device) -> None:
    for dtype in (BFLOAT16, np.dtype(ml_dtypes.float8_e5m2)):
        x = np.array([1.0, -2.0, 0.5]).astype(dtype)
        up = tr.nextafter(tr.asarray(x), np.array(100.0).astype(dtype))
        expected = np.nextafter(x, np.array(100.0).astype(dtype))
        assert up.dtype == dtype
        np.testing.assert_array_equal(up.numpy().astype("f4"), expected.astype("f4"))


def test_signs_of_nan_and_of_small_numbers(device: tr.Device) -> None:
    x = np.array([np.nan, -np.nan, 1e-45, -1e-45, -0.0], np.float32)
    x[1] = np.copysign(np.float32(np.nan), np.float32(-1))
    check(tr.signbit(tr.asarray(x)), np.signbit(x))
    made = tr.copysign(tr.asarray([1.0]), tr.asarray(x))
    check(made, np.copysign(np.float32(1), x))


def test_ldexp(device: tr.Device) -> None:
    exponents = np.array([0, 1, -1, 120, -120, 270, -270, 100000, -100000], np.int32)
    for dtype in (np.float32, np.float64):
        x = np.array([1.0, -1.5, 0.0, -0.0, np.inf, np.nan, 3e38, 1e-37], dtype)
        with np.errstate(all="ignore"):
            expected = np.ldexp(x[:, None], exponents)
        lost = abs(expected) < np.finfo(dtype).tiny
        expected = np.where(lost, np.copysign(dtype(0), expected), expected)
        found = tr.ldexp(tr.asarray(x)[:, None], tr.asarray(exponents)).numpy()
        np.testing.assert_array_equal(found, expected)
    assert tr.ldexp(2.0, tr.asarray(3)).item() == 16
    assert tr.ldexp(tr.asarray([1], tr.int8), tr.asarray([3], tr.int8)).dtype == tr.float32
    slope = tr.grad(lambda x: tr.ldexp(x, tr.asarray(3)))(tr.asarray(1.5))
    assert slope.item() == 8


def test_nan_to_num(device: tr.Device) -> None:
    x = np.array([np.nan, np.inf, -np.inf, 1.5], np.float32)
    check(tr.nan_to_num(tr.asarray(x)), np.nan_to_num(x))
    chosen = {"nan": 1.0, "posinf": 2.0, "neginf": -3.0}
    check(tr.nan_to_num(tr.asarray(x), **chosen), np.nan_to_num(x, **chosen))
    z = np.array([complex(np.nan, np.inf), complex(-np.inf, 2)], np.complex64)
    check(tr.nan_to_num(tr.asarray(z), **chosen), np.nan_to_num(z, **chosen))
    check(tr.nan_to_num(tr.asarray([1, 2])), np.array([1, 2], np.int32))


def test_reduce_precision(device: tr.Device) -> None:
    x = np.array([1 + 2**-9, 1.1, 7e4, 1e-9, -0.0, np.inf, np.nan, 3 + 2**-6], np.float32)
    for bits in ((8, 7), (5, 10), (4, 3)):
        check(tr.reduce_precision(tr.asarray(x), *bits), np.asarray(lax.reduce_precision(x, *bits)))
    check(
        tr.reduce_precision(tr.asarray(x), 8, 7),
        x.astype(ml_dtypes.bfloat16).astype(np.float32),
    )


NUMBERS = [12, -8, 0, 7, 100, 45, -128, 30]


@pytest.mark.parametrize("dtype", [np.int8, np.int64, np.uint8], ids=str)
def test_divisors_and_bits(dtype: Any, device: tr.Device) -> None:
    x = np.array(NUMBERS).astype(dtype)
    a, b = tr.asarray(x)[:, None], tr.asarray(x)
    check(tr.gcd(a, b), np.gcd(x[:, None], x))
    check(tr.lcm(a, b), np.lcm(x[:, None], x))
    check(tr.bitwise_count(b), np.bitwise_count(x))


def test_divisors_of_nothing_of_one_and_of_scalars(device: tr.Device) -> None:
    check(tr.gcd(tr.zeros((0, 2), tr.int32), 3), np.zeros((0, 2), np.int32))
    check(tr.gcd(tr.asarray(12), 18), np.array(6, np.int32))
    check(tr.lcm(4, tr.asarray([6, 0])), np.array([12, 0], np.int32))
    check(tr.gcd(tr.asarray([12], tr.int8), tr.asarray([18])), np.array([6], np.int32))


def test_logical_xor(device: tr.Device) -> None:
    x, y = np.array([True, True, False, False]), np.array([True, False, True, False])
    check(tr.logical_xor(tr.asarray(x), tr.asarray(y)), np.logical_xor(x, y))
    check(tr.logical_xor(tr.asarray([2.0, 0.0, np.nan]), 1), np.array([False, True, False]))
