"""How far two arrays are apart: NumPy says so too."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from tools.execution.comparing import Tolerance, compare

EXACT = Tolerance(rtol=0, atol=0)


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16, np.float32, np.float64])
def test_units_in_the_last_place(dtype: Any) -> None:
    """Of the number that is so many steps of numpy.nextafter away."""
    start = np.asarray([1.0, -1.0, 0.0, 1e-3, -3e4], dtype)
    moved = start
    for _ in range(5):
        moved = np.nextafter(moved, np.asarray(np.inf, dtype))
    found = compare(moved, start, Tolerance(ulp=5))
    assert (found.ulps, found.ok) == (5, True)
    assert compare(moved, start, Tolerance(ulp=4)).differing == 5


def test_across_zero() -> None:
    tiny = np.finfo(np.float64).smallest_subnormal
    assert compare(np.array([tiny]), np.array([-tiny]), EXACT).ulps == 2
    zeros = compare(np.array([0.0]), np.array([-0.0]), EXACT)
    assert (zeros.ok, zeros.ulps) == (True, 0)
    far = compare(np.array([1.7e308]), np.array([-1.7e308]), EXACT)
    assert far.ulps > 1e19
    assert far.absolute == np.inf


def test_errors_and_where() -> None:
    expected = np.array([[1.0, 2.0], [4.0, 0.0]])
    found = compare(np.array([[1.0, 2.0], [5.0, 0.5]]), expected, EXACT)
    assert (found.absolute, found.at, found.found, found.expected) == (1, (1, 0), 5, 4)
    assert (found.relative, found.differing, found.elements) == (np.inf, 2, 4)
    assert str(found).startswith("2 of 4 differ: abs 1, rel inf, ulp ")
    assert str(found).endswith("; worst at [1, 0]: 5.0 where 4.0 is expected")


@pytest.mark.parametrize(
    ("found", "expected", "ok"),
    [
        (np.nan, np.nan, True),
        (np.nan, 1.0, False),
        (1.0, np.nan, False),
        (np.inf, np.inf, True),
        (np.inf, -np.inf, False),
        (np.inf, 1e308, False),
        (complex(1, np.nan), complex(1, np.nan), True),
        (complex(1, 2), complex(1, 3), False),
    ],
)
def test_what_is_no_number(found: complex, expected: complex, ok: bool) -> None:
    for tolerance in (EXACT, Tolerance(), Tolerance(ulp=1e9)):
        assert compare(np.array([found]), np.array([expected]), tolerance).ok is ok


def test_nan_in_both_is_counted() -> None:
    parts = np.array([complex(1, np.nan), complex(np.nan, 1), np.nan, 2])
    assert str(compare(parts, parts, EXACT)) == "equal (3 of 4 are NaN in both)"
    found, expected = np.array([np.nan, np.nan, 1.5]), np.array([np.nan, 0, 1])
    assert (near := compare(found[::2], expected[::2], Tolerance(atol=1))).ok
    assert str(near) == (
        "equal within tolerance: abs 0.5, rel 0.5, ulp 2251799813685248 (1 of 2 is NaN in both)"
    )
    assert compare(found, expected, EXACT).nans == 1
    assert compare(np.arange(3), np.arange(3), EXACT).nans == 0


@pytest.mark.parametrize(
    ("found", "expected", "ok"),
    [
        (np.int64(2**63 - 1), np.int64(2**63 - 2), False),
        (np.uint64(2**64 - 1), np.uint64(2**64 - 1), True),
        (np.int8(-128), np.int8(127), False),
        (np.bool_(True), np.bool_(False), False),
        (ml_dtypes.int4(-8), ml_dtypes.int4(-8), True),
    ],
)
def test_integers_are_exact(found: Any, expected: Any, ok: bool) -> None:
    assert compare(np.asarray(found), np.asarray(expected), Tolerance()).ok is ok


def test_by_default_rounding_is_no_difference() -> None:
    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal((64, 64)).astype(np.float32) for _ in range(2))
    exact = (a.astype(np.float64) @ b.astype(np.float64)).astype(np.float32)
    assert compare(a @ b, exact, Tolerance()).ok
    assert not compare(a @ b, exact + np.float32(0.01), Tolerance()).ok
    small = np.float32(1e-20) * exact
    assert not compare(small, 2 * small, Tolerance()).ok, "it goes by the largest magnitude"


@pytest.mark.parametrize(
    ("dtype", "factor"),
    [
        (ml_dtypes.float8_e5m2, 1),
        (ml_dtypes.float8_e4m3fn, 1),
        (ml_dtypes.bfloat16, 4),
        (np.float16, 4),
        (np.float32, 128),
        (np.complex64, 128),
        (np.float64, 128),
    ],
)
def test_so_many_epsilons_are_rounding(dtype: Any, factor: int) -> None:
    """Of 8 bits one: two of e5m2 would be all of the number."""
    one, eps = np.ones(1, dtype), float(ml_dtypes.finfo(dtype).eps)
    for apart, ok in ((factor, True), (2 * factor + 1, False)):
        assert compare((one + dtype(apart * eps)).astype(dtype), one, Tolerance()).ok is ok
    assert not compare(np.zeros(1, dtype), one, Tolerance()).ok


def test_nothing_to_compare() -> None:
    empty = np.empty((0, 3), np.float32)
    found = compare(empty, empty, Tolerance())
    assert (found.ok, found.at, found.found, str(found)) == (True, (), None, "equal")
