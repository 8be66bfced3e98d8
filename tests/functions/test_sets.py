"""Distinct elements, membership and counting against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tracer as tr
from tests.functions.gradcheck import check_grads
from tests.functions.oracle import check, random

NAN = np.nan
WHOLE = np.random.default_rng(0).integers(0, 9, (5, 6))


def _unique(x: np.ndarray[Any, Any]) -> list[np.ndarray[Any, Any]]:
    """By NumPy; indices in 32 bits."""
    values, *places = np.unique(
        x, return_index=True, return_inverse=True, return_counts=True, equal_nan=False
    )
    places[1] = places[1].reshape(x.shape)
    return [values, *(p.astype(np.int32) for p in places)]


ARRAYS: dict[str, np.ndarray[Any, Any]] = {
    "ints": WHOLE,
    "floats": np.array([[3, 1, NAN], [1, -0.0, 0], [NAN, 3, np.inf]], np.float32),
    "bools": np.array([True, False, True]),
    "complex": np.array([1j, 1, 1j, 0], np.complex64),
    "one": np.array([7], np.uint8),
    "a number": np.array(2.5),
    "nothing": np.zeros((0, 2)),
}


@pytest.mark.parametrize("name", ARRAYS)
def test_distinct_elements(name: str, device: tr.Device) -> None:
    """Each NaN is distinct, as the standard has it; 0 and -0 are equal."""
    x = tr.asarray(ARRAYS[name])
    expected = _unique(ARRAYS[name])
    found = tr.unique_all(x)
    for one, other in zip(found, expected, strict=True):
        check(one, other)
    assert found._fields == ("values", "indices", "inverse_indices", "counts")
    check(tr.unique_values(x), expected[0])
    for f in (tr.unique_counts, tr.unique_inverse) if name == "floats" else ():
        some: Any = f(x)
        for field in some._fields:
            check(getattr(some, field), getattr(found, field))


def test_the_recording_is_cut_once() -> None:
    x = tr.asarray(WHOLE, device=tr.Device.default_xla()) * 2
    before = tr.metrics.snapshot()
    values = tr.unique_all(x).values
    assert tr.metrics.difference(tr.metrics.snapshot(), before)["cuts"] == {"value": 1}
    check(values, np.unique(WHOLE * 2))


def test_distinct_elements_have_derivatives() -> None:
    check_grads(
        lambda x: tr.sum(tr.unique_values(tr.concatenate([x, x])) ** 3),
        [random(4, dtype=np.float64)],
    )


@pytest.mark.parametrize("size", [0, 3, 40])
def test_membership(size: int, device: tr.Device) -> None:
    """Few elements are compared, many are sorted."""
    others = np.random.default_rng(1).integers(0, 9, size) * 2
    found = tr.isin(tr.asarray(WHOLE), tr.asarray(others))
    check(found, np.isin(WHOLE, others))
    check(tr.isin(tr.asarray(WHOLE), tr.asarray(others), invert=True), ~np.isin(WHOLE, others))
    x = np.append(others, [NAN, -0.0]).astype(np.float32)
    check(tr.isin(tr.asarray([NAN, 0.0, 2.5]), tr.asarray(x)), np.array([False, True, False]))
    check(tr.isin(tr.asarray(2), tr.asarray([2, 3])), np.True_)


def test_counting_what_is_not_zero(device: tr.Device) -> None:
    x = np.array([[0, -0.0, NAN], [1, 0, np.inf]], np.float32)
    for axis in (None, 0, (0, 1), ()):
        expected = np.asarray(np.count_nonzero(x, axis=axis)).astype(np.int32)
        check(tr.count_nonzero(tr.asarray(x), axis), expected)
    check(tr.count_nonzero(tr.asarray(x), 1, keepdims=True), np.array([[1], [2]], np.int32))
    check(tr.count_nonzero(tr.zeros((0, 2)), 0), np.zeros(2, np.int32))


def test_counting_by_value(device: tr.Device) -> None:
    x, w = WHOLE.ravel(), random(30)
    check(tr.bincount(tr.asarray(x)), np.bincount(x).astype(np.int32))
    check(tr.bincount(tr.asarray(x), minlength=12), np.bincount(x, minlength=12).astype("i4"))
    check(tr.bincount(tr.asarray(x), tr.asarray(w)), np.bincount(x, w), np.float32)
    check(tr.bincount(tr.asarray([0, 5, -1, 1]), length=4), np.array([1, 1, 0, 0], np.int32))
    check(tr.bincount(tr.zeros(0, tr.int32), minlength=2), np.zeros(2, np.int32))
    gradient = tr.grad(lambda v: tr.bincount(tr.asarray([1, 0, 1]), v, length=2)[1] * 2)
    check(gradient(tr.ones(3)), np.array([2, 0, 2], np.float32))


BINS: dict[str, dict[str, Any]] = {
    "ten": {},
    "three": {"bins": 3, "range": (-1, 1)},
    "edges": {"bins": [-1, 0, 0.5, 2]},
    "many edges": {"bins": np.linspace(-2, 2, 50, dtype=np.float32)},
    "a point": {"bins": 2, "range": (0.5, 0.5)},
    "density": {"density": True, "bins": 4},
    "weights": {"weights": random(60), "bins": 4},
}


@pytest.mark.parametrize("name", BINS)
def test_histograms(name: str, device: tr.Device) -> None:
    x, given = random(60, seed=1), BINS[name]
    counts, edges = tr.histogram(tr.asarray(x), **given)
    expected, ends = np.histogram(x, **given)
    check(counts, expected, np.int32 if expected.dtype == np.int64 else np.float32)
    check(edges, ends, np.float32)


def test_histograms_of_what_is_odd(device: tr.Device) -> None:
    check(tr.histogram(tr.asarray([1, 1, 1]), 3)[0], np.array([0, 3, 0], np.int32))
    check(tr.histogram(tr.asarray([NAN, 1.0, 9.0, 2.0]), 2, (0, 2))[0], np.array([0, 2], np.int32))
    check(tr.histogram_bin_edges(tr.zeros(0), 2), np.array([0, 0.5, 1], np.float32))


@pytest.mark.parametrize("right", [False, True])
def test_intervals(right: bool, device: tr.Device) -> None:
    x = np.round(random(40), 1)
    many = np.linspace(-2, 2, 41, dtype=np.float32).round(1)
    for bins in (many[::13], many[::-13], many, many[::-1], many[:1]):
        found = tr.digitize(tr.asarray(x), tr.asarray(np.ascontiguousarray(bins)), right)
        check(found, np.digitize(x, bins, right).astype(np.int32))
