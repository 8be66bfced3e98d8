"""Indexing by ints and slices against NumPy: reading, assignment, value semantics."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import tracer as tr
from tests.functions.oracle import check

X = np.arange(60, dtype=np.float32).reshape(3, 4, 5)
S = slice
KEYS: list[Any] = [
    0,
    -1,
    (1, 2, 3),
    (-1, -4, -5),
    ...,
    None,
    (),
    S(None),
    S(1, None),
    S(None, None, -1),
    S(5, 1, -2),
    S(-2, None),
    S(10, None),
    S(2, 1),
    (S(None), S(0, None, 2)),
    (S(None), S(None, None, 3), S(None, None, -2)),
    (..., 1),
    (0, ..., 1),
    (None, 0, None, ...),
    (..., None, 2),
    (S(None, None, -1), 1, None, S(1, 4)),
    (1, S(2, 2)),
    np.int64(1),
    (S(0, 3, 100), S(-100, 100)),
]
IDS = [str(k).replace("slice", "").replace("Ellipsis", "...") for k in KEYS]


@cache
def _read(device: tr.Device) -> list[tr.Tensor]:
    x = tr.asarray(X, device=device)
    return [x[key] for key in KEYS]


@cache
def _written(device: tr.Device) -> list[tr.Tensor]:
    results = []
    for key in KEYS:
        x = tr.asarray(X, device=device)
        x[key] = -x[key] - 1.0
        results.append(x)
    return results


@pytest.mark.parametrize("i", range(len(KEYS)), ids=IDS)
def test_reading(i: int, device: tr.Device) -> None:
    check(_read(device)[i], X[KEYS[i]])


@pytest.mark.parametrize("i", range(len(KEYS)), ids=IDS)
def test_assignment(i: int, device: tr.Device) -> None:
    expected = X.copy()
    expected[KEYS[i]] = -expected[KEYS[i]] - 1
    check(_written(device)[i], expected)


@pytest.mark.parametrize(
    "key", [5, (S(None), 4), S(0, 0, 0), "a", 1.5, [3], (0, 0, 0, 0), (..., ...)]
)
def test_what_is_no_index(key: Any, device: tr.Device) -> None:
    x = tr.asarray(X)
    with pytest.raises((IndexError, ValueError)):
        x[key]
    with pytest.raises((IndexError, ValueError)):
        x[key] = 1.0


def test_values_broadcast_and_convert(device: tr.Device) -> None:
    x = tr.zeros((2, 3))
    x[:, 1:] = tr.asarray([[1], [2]])
    check(x, np.array([[0, 1, 1], [0, 2, 2]], np.float32))
    x[0] = np.ones((1, 3))
    x[1] = True
    check(x, np.ones((2, 3), np.float32))
    whole = tr.asarray([1, 2])
    whole[0] = 2.9
    check(whole, np.array([2, 2], np.int32))
    bools = tr.asarray([True, True])
    bools[1:] = False
    check(bools, np.array([True, False]))


def test_numbers_are_assigned_exactly(device: tr.Device) -> None:
    x = tr.asarray(np.zeros(3))
    x[0], x[1], x[2] = 0.1, 1e300, np.nan
    check(x, np.array([0.1, 1e300, np.nan]))
    small = tr.asarray(np.zeros(1, np.uint8))
    with pytest.raises(OverflowError):
        small[0] = 300


def test_nan_and_infinity_stay_where_they_are_put(device: tr.Device) -> None:
    x = tr.asarray([np.nan, np.inf, 1.0, -0.0])
    x[2] = -np.inf
    check(x, np.array([np.nan, np.inf, -np.inf, -0.0], np.float32))
    assert np.signbit(x.numpy()[3])


def test_an_earlier_reader_keeps_the_old_value(device: tr.Device) -> None:
    x = tr.asarray([1, 2])
    reader = x + 10
    x[:1] = 9
    tr.barrier()
    check(reader, np.array([11, 12], np.int32))
    check(x, np.array([9, 2], np.int32))


def test_equal_constants_share_nothing(device: tr.Device) -> None:
    a, b, c = tr.zeros(1), tr.zeros(1), tr.full(1, 0.0)
    a[0] = 2.0
    assert [t.item() for t in (a, b, c)] == [2.0, 0.0, 0.0]


def test_every_other_column(device: tr.Device) -> None:
    x = tr.ones((3, 4))
    x[:, 0::2] = 2
    check(x, np.tile(np.array([2, 1, 2, 1], np.float32), (3, 1)))


def test_an_overlapping_update_reads_the_old_tensor(device: tr.Device) -> None:
    z = tr.zeros(8)
    z[1:] = 1 + z[:-1]
    check(z, np.array([0] + [1] * 7, np.float32))


def test_updates_in_place_rebind(device: tr.Device) -> None:
    x = y = tr.asarray([1.0, 2.0])
    x += 1
    x *= 3
    check(x, np.array([6, 9], np.float32))
    check(y, np.array([1, 2], np.float32))
    x = tr.asarray([1.0])
    y, e = tr.asarray([2.0]), x + 10
    x = x * 2
    y += x
    assert (x.item(), y.item(), (y + e).item()) == (2.0, 4.0, 15.0)


def test_dtypes_and_nothing(device: tr.Device) -> None:
    assert tr.asarray(np.arange(3, dtype=np.uint8))[1].dtype == tr.uint8
    none = tr.zeros((0, 3))
    assert none[:, 1].shape == (0,)
    assert none[None].shape == (1, 0, 3)
    none[:, 0] = 1.0
    assert none.shape == (0, 3)
    point = tr.asarray(2.0)
    assert point[()].item() == 2.0
    assert point[None].shape == (1,)
    point[...] = 3.0
    assert point.item() == 3.0


def test_assignment_along_a_loop_compiles_two_programs() -> None:
    """The place is a number beside the program: it becomes a parameter when it changes."""
    x = tr.asarray(np.zeros((6, 3)), device=tr.Device.default_xla())
    tr.barrier()  # what others have left pending
    before = tr.metrics.snapshot()["compiles"]
    for i in range(6):
        x[i] = float(i)
        tr.barrier()
    assert tr.metrics.snapshot()["compiles"] == before + 2
    check(x, np.repeat(np.arange(6.0), 3).reshape(6, 3))


def test_iteration(device: tr.Device) -> None:
    assert [row.tolist() for row in tr.asarray([[1, 2], [3, 4]])] == [[1, 2], [3, 4]]
    assert len(tr.zeros((3, 2))) == 3
    with pytest.raises(TypeError, match="0-d"):
        iter(tr.asarray(1.0))
