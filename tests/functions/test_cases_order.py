"""Cases from public bug reports: running products, extrema, NaN and signed zeros in order."""

from __future__ import annotations

import numpy as np
import pytest

import tracer as tr
from tests.functions.oracle import check

NAN, INF = np.nan, np.inf


def test_cumprod_with_a_zero(device: tr.Device) -> None:
    """A19."""
    found = tr.grad(lambda v: tr.sum(tr.cumprod(v) ** 2))(tr.asarray([1.0, 0.0]))
    check(found, np.array([2, 0], np.float32))
    found = tr.grad(lambda v: tr.sum(tr.cumprod(v)))(tr.asarray([0.0]))
    check(found, np.array([1], np.float32))


def test_an_extremum_of_nan_has_a_derivative(device: tr.Device) -> None:
    """A44."""
    for f in (tr.max, tr.min):
        check(tr.grad(f)(tr.asarray([1.0, NAN, 2.0])), np.array([0, 1, 0], np.float32))


def test_nan_wins(device: tr.Device) -> None:
    """B01."""
    x, one, nan = tr.asarray([1.0, NAN]), tr.asarray(1.0), tr.asarray(NAN)
    found = [tr.max(x), tr.min(x)]
    for f in (tr.maximum, tr.minimum):
        found += [f(one, nan), f(nan, one)]
    assert np.isnan([f.item() for f in found]).all()


def test_the_first_nan_is_the_extremum(device: tr.Device) -> None:
    """B02."""
    x = tr.asarray([1.0, NAN, 3.0])
    found = [tr.argmax(x), tr.argmin(x), tr.argmax(tr.asarray([NAN, NAN]))]
    assert [f.item() for f in found] == [1, 1, 0]


def test_sort_knows_no_sign_of_nan_or_zero(device: tr.Device) -> None:
    """B04."""
    x = np.array([NAN, NAN, -INF, INF, -1, 1], np.float32)
    x[0] = np.copysign(x[0], -1)
    check(tr.sort(tr.asarray(x)), np.array([-INF, -1, 1, INF, NAN, NAN], np.float32))
    check(tr.argsort(tr.asarray([0.0, -0.0])), np.array([0, 1], np.int32))


@pytest.mark.parametrize("size", [8192, 8193])
def test_the_largest_of_negative_zeros(size: int, device: tr.Device) -> None:
    """B05."""
    assert tr.max(tr.zeros(size) * -1).item() == 0


def test_reductions_over_nothing(device: tr.Device) -> None:
    """B13."""
    none = tr.zeros((2, 0, 4))
    check(tr.stack([tr.sum(none), tr.prod(none), tr.mean(none)]), np.array([0, 1, NAN], np.float32))
    with pytest.raises(ValueError, match="max of nothing is not defined"):
        tr.max(none)
    check(tr.max(tr.zeros((0, 4)), axis=1), np.zeros(0, np.float32))


def test_no_axis_and_numbers_at_the_edges(device: tr.Device) -> None:
    """B20."""
    joined = tr.concatenate([tr.ones((2, 2)), tr.zeros((1, 1))], axis=None)
    check(joined, np.array([1, 1, 1, 1, 0], np.float32))
    x = np.array([1, 4, 9, 7], np.float32)
    t = tr.asarray(x)
    expected = np.diff(x, prepend=x[0], append=x[-1])
    check(tr.diff(t, prepend=t[0], append=t[-1]), expected)
    check(tr.diff(t, prepend=1.0, append=7), expected)


def test_reductions_of_a_number(device: tr.Device) -> None:
    """B31."""
    x = tr.asarray(5.0)
    check(tr.sum(x, axis=()), np.float32(5))
    for f in (tr.sum, tr.prod, tr.cumsum):
        with pytest.raises(np.exceptions.AxisError):
            f(x, 1)
    check(tr.cumsum(x), np.array([5], np.float32))
