"""take, take_along_axis, put_along_axis, nonzero and segment_sum, against NumPy and JAX."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np
import pytest

import tracer as tr
from tests.functions.oracle import by_jax, check, once, random

X = random(3, 4, 5)
ORDER = np.argsort(X, 1)


def both(x: Any) -> list[Any]:
    """An array of indices, as it is and as a tensor."""
    return [x, tr.asarray(x)]


def test_take(device: tr.Device) -> None:
    x = tr.asarray(X)
    pairs = []
    for axis in (0, 1, -1, None):
        for i in (np.asarray([2, 0, -1]), np.asarray([[1, 1], [-2, 0]]), np.asarray(1)):
            pairs += [(tr.take(x, given, axis), np.take(X, i, axis)) for given in both(i)]
    pairs += [
        (tr.take(x, [1, 2], axis=0), X[1:]),
        (tr.take(x, 2, axis=2), X[..., 2]),
        (tr.take(x, [], axis=2), X[..., :0]),
        (tr.take(X, tr.asarray([7]), axis=0), X[2:]),
    ]
    for found, expected in pairs:
        check(found, expected)


def test_take_and_put_along_an_axis(device: tr.Device) -> None:
    x, pairs = tr.asarray(X), []
    cases: list[tuple[Any, int | None]] = [
        (ORDER, 1),
        (ORDER[:, :2], -2),
        (ORDER[:1, :, :1] - 4, 1),
        (ORDER[0, :, :1].reshape(1, 1, 4), 2),
        (np.asarray([[[2]]]), 0),
        (np.asarray([59, -60, 3]), None),
        (np.zeros((3, 0, 5), np.int64), 1),
    ]
    for i, axis in cases:
        taken = np.take_along_axis(X, i, axis)
        put = X.copy()
        np.put_along_axis(put, i, -1, axis)
        for given in both(i):
            pairs.append((tr.take_along_axis(x, given, axis), taken))
            pairs.append((tr.put_along_axis(x, given, -1, axis), put))
    update = random(3, 1, 5, seed=1)
    put = X.copy()
    np.put_along_axis(put, ORDER[:, :2], update, 1)
    pairs.append((tr.put_along_axis(x, tr.asarray(ORDER[:, :2]), update, 1), put))
    row = tr.take_along_axis(tr.asarray(X[:1]), tr.asarray(ORDER), 1)
    pairs.append((row, np.take_along_axis(X[:1], ORDER, 1)))
    for found, expected in pairs:
        check(found, expected)
    check(x, X)


def test_along_an_axis_out_of_range(device: tr.Device) -> None:
    x, far = tr.asarray(X[0]), tr.asarray([[9, -9, 1, 1, 1]])
    check(tr.take_along_axis(x, far, 0), X[0][[[3, 0, 1, 1, 1]], range(5)])
    expected = X[0].copy()
    expected[1, 2:] = 0
    check(tr.put_along_axis(x, far, 0.0, 0), expected)
    nothing = tr.zeros((0, 5))
    check(tr.put_along_axis(nothing, far, 0.0, 0), np.zeros((0, 5), np.float32))
    with pytest.raises(IndexError, match="of nothing"):
        tr.take_along_axis(nothing, far, 0)


def test_nonzero(device: tr.Device) -> None:
    for x in (
        np.float32([[0, np.nan, -0.0], [1, 0, np.inf]]),
        np.asarray([True, False, True]),
        np.zeros((2, 3), np.int8),
        np.zeros((0, 2)),
        np.complex64([1j, 0]),
    ):
        for found, expected in zip(tr.nonzero(tr.asarray(x)), np.nonzero(x), strict=True):
            check(found, expected, np.int32)
        check(tr.argwhere(tr.asarray(x)), np.argwhere(x), np.int32)
        check(tr.flatnonzero(x), np.flatnonzero(x), np.int32)
    check(tr.argwhere(tr.asarray(2)), np.argwhere(2), np.int32)


def test_segment_sum(device: tr.Device) -> None:
    ids = np.asarray([0, 2, 2, 5, -1, 0, 4])
    rows = random(7, 3, seed=2)

    def oracle() -> Any:
        kept = np.where(ids < 0, 99, ids)
        return by_jax(lambda x: jax.ops.segment_sum(x, kept, 5), rows)

    check(tr.segment_sum(tr.asarray(rows), tr.asarray(ids), 5), once("segment_sum", oracle))
    small = ids.astype(np.int8)
    check(tr.segment_sum(rows[:, 0], small, 1), rows[[0, 5], 0].sum(keepdims=True))
    check(tr.segment_sum(np.ones(7, bool), ids, 3), np.int32([2, 0, 2]))
    check(tr.segment_sum(np.full(7, 100, np.uint8), ids, 3), np.uint8([200, 0, 200]))
    many = np.full(3000, 1, np.float16)
    check(tr.segment_sum(many, np.zeros(3000, np.int32), 1), np.float16([3000]))
    check(tr.segment_sum(rows, ids, 0), np.zeros((0, 3), np.float32))
    check(tr.segment_sum(rows[:0], ids[:0], 2), np.zeros((2, 3), np.float32))
    special = np.float32([np.nan, 1, np.inf, 2])
    check(tr.segment_sum(special, np.asarray([0, 1, 2, 1]), 3), np.float32([np.nan, 3, np.inf]))
