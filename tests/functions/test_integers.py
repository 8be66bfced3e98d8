"""Functions of integers and bools against NumPy: wrap-around, division by zero, shifts."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import tracer as tr
from tests.functions.oracle import SIGNED, UNSIGNED, check

INTEGERS = [dtype for dtype in SIGNED + UNSIGNED if dtype.itemsize != 2]  # like the others
BINARY = [
    "add",
    "subtract",
    "multiply",
    "floor_divide",
    "remainder",
    "maximum",
    "minimum",
    "equal",
    "not_equal",
    "less",
    "less_equal",
    "greater",
    "greater_equal",
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "logical_and",
    "logical_or",
]
UNARY = [
    "abs",
    "negative",
    "positive",
    "sign",
    "square",
    "floor",
    "ceil",
    "round",
    "bitwise_invert",
    "logical_not",
]
LOGICAL = [
    "add",
    "multiply",
    "maximum",
    "minimum",
    "equal",
    "less",
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
]


def _values(dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    limits = np.iinfo(dtype)
    return np.array([0, 1, 3, 27, 120, limits.max, limits.min, limits.min + 1], dtype)


@cache
def _found(dtype: np.dtype[Any], device: tr.Device) -> dict[str, tr.Tensor]:
    """All functions at once: one program a dtype."""
    x = tr.asarray(_values(dtype), device=device)
    binary = {name: getattr(tr, name)(x[:, None], x) for name in BINARY}
    return binary | {name: getattr(tr, name)(x) for name in UNARY}


@pytest.mark.parametrize("dtype", INTEGERS, ids=str)
@pytest.mark.parametrize("name", BINARY)
def test_binary(name: str, dtype: np.dtype[Any], device: tr.Device) -> None:
    x = _values(dtype)
    with np.errstate(all="ignore"):
        expected = getattr(np, name)(x[:, None], x)
    check(_found(dtype, device)[name], expected)


@pytest.mark.parametrize("dtype", INTEGERS, ids=str)
@pytest.mark.parametrize("name", UNARY)
def test_unary(name: str, dtype: np.dtype[Any], device: tr.Device) -> None:
    with np.errstate(all="ignore"):
        check(_found(dtype, device)[name], getattr(np, name)(_values(dtype)))


@pytest.mark.parametrize("name", LOGICAL)
def test_bools(name: str, device: tr.Device) -> None:
    x = np.array([False, True])
    check(
        getattr(tr, name)(tr.asarray(x)[:, None], tr.asarray(x)), getattr(np, name)(x[:, None], x)
    )


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.uint32], ids=str)
def test_shifts(dtype: Any, device: tr.Device) -> None:
    x, n = _values(np.dtype(dtype)), np.array([0, 1, 3, 7], dtype)
    check(tr.asarray(x)[:, None] << tr.asarray(n), x[:, None] << n)
    check(tr.asarray(x)[:, None] >> tr.asarray(n), x[:, None] >> n)
    check(1 << tr.asarray(n), np.array(1, dtype) << n)


def test_floor_division_does_not_overflow(device: tr.Device) -> None:
    found = tr.asarray(np.int8(120)) // tr.asarray(np.int8(-27))
    assert found.item() == -5


def test_division_by_zero_is_numpys(device: tr.Device) -> None:
    x, zero = tr.asarray([3, 0, -3]), tr.asarray([0, 0, 0])
    check(x // zero, np.zeros(3, np.int32))
    check(x % zero, np.zeros(3, np.int32))


def test_and_is_bitwise(device: tr.Device) -> None:
    x = tr.asarray([6, 7])
    check(x & 1, np.array([0, 1], np.int32))
    check(x | 1, np.array([7, 7], np.int32))


def test_unsigned_is_not_signed(device: tr.Device) -> None:
    x = tr.asarray(np.array([200], np.uint8))
    check(x > 100, np.array([True]))
    check(x // 3, np.array([66], np.uint8))
    check(x >> 1, np.array([100], np.uint8))
    large = np.array([2**63 + 5, 7], np.uint64)
    check(tr.asarray(large) // 2, large // np.uint64(2))
    check(tr.asarray(large) > 7, np.array([True, False]))


def test_functions_that_need_floats_make_float32(device: tr.Device) -> None:
    x = tr.asarray([1, 4])
    check(tr.sqrt(x), np.array([1, 2], np.float32))
    check(x / 2, np.array([0.5, 2], np.float32))
    check(tr.asarray([True]) / 2, np.array([0.5], np.float32))
    check(tr.exp(tr.asarray([False])), np.array([1], np.float32))
    check(tr.isnan(x), np.array([False, False]))


CONVERSIONS = [
    ([np.nan, np.inf, -np.inf, 3e9, -1], "int32", [0, 2**31 - 1, -(2**31), 2**31 - 1, -1]),
    ([-20, 5e9, 2.7], "uint32", [0, 4294967295, 2]),
    ([300, -300, np.nan, -2.7], "int8", [127, -128, 0, -2]),
    ([np.nan, 0.0, -0.0, 0.5], "bool", [True, False, False, True]),
]


@pytest.mark.parametrize(("values", "dtype", "expected"), CONVERSIONS, ids=lambda x: str(x)[:8])
def test_floats_to_integers_saturate(
    values: list[float], dtype: str, expected: list[Any], device: tr.Device
) -> None:
    array = np.array(values, np.float32)
    check(tr.asarray(array).astype(dtype), np.array(expected, dtype))
    check(tr.asarray(array, dtype), np.array(expected, dtype))


def test_integers_wrap_when_they_narrow(device: tr.Device) -> None:
    check(tr.asarray([300, -1]).astype(tr.uint8), np.array([44, 255], np.uint8))


@pytest.mark.parametrize("dtype", INTEGERS, ids=str)
def test_powers_of_large_exponents(dtype: Any, device: tr.Device) -> None:
    """XLA looks at six bits of an exponent."""
    bases = np.array([3, 2, 1, 0, 5, 7, 3, 1]).astype(dtype)
    exponents = np.array([64, 100, 120, 77, 9, 63, 1, 0]).astype(dtype)
    check(tr.power(tr.asarray(bases), tr.asarray(exponents)), np.power(bases, exponents))
    check(tr.asarray(bases) ** 100, np.power(bases, dtype.type(100)))
    check(3 ** tr.asarray(exponents), np.power(dtype.type(3), exponents))


def test_powers_below_zero(device: tr.Device) -> None:
    found = tr.power(tr.asarray([2, 1, -1, -1]), tr.asarray([-1, -1, -3, -2]))
    assert found.tolist() == [0, 1, -1, 1]
