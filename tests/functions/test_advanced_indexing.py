"""Indexing by arrays and tensors against NumPy: reading, assignment, `at`."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import tracer as tr
from tests.functions.oracle import check
from tracer.tensor import Tensor

X = np.arange(60, dtype=np.float32).reshape(3, 4, 5)
PLACES = np.arange(60).reshape(3, 4, 5)
S = slice
ROWS, COLUMNS = np.asarray([[2, 0], [-1, 1]]), np.asarray([1, -4])
LINE = np.asarray([True, False, True])
FACE = np.arange(12).reshape(3, 4) % 5 == 1
KEYS: list[Any] = [
    [0, 2, 2],
    [],
    range(2),
    ROWS,
    (ROWS, COLUMNS),
    (S(None), COLUMNS),
    (..., [0, -1]),
    (ROWS, S(1, 3)),
    (0, S(None), [1, 2]),
    (S(None), 0, [1, 2]),
    ([1], ..., [2]),
    (None, np.asarray([1, -3]), None, S(None, None, -1)),
    (S(None), None, [3, 1]),
    ([0, 1], S(None, None, 2), [1, 1]),
    (S(2, 0, -1), [[0], [1]], [1, 2]),
    np.asarray(1),
    (np.asarray(-1), S(None), np.asarray(2)),
    (np.asarray(0), [1, 0]),
    np.asarray([], np.int32),
    LINE,
    FACE,
    X > 30,
    (S(None), FACE[0]),
    (LINE, 0),
    (LINE, [1, 1]),
    (FACE, [2] * int(FACE.sum())),
    (S(1, None), ..., np.arange(5) > 2),
    (None, LINE, None),
    True,
    False,
    (False, ..., 0),
    (S(None), True, [1]),
    (np.ones((3, 4, 5), bool), None),
    np.zeros(3, bool),
    (np.asarray([2, 1], np.uint8), np.asarray([-1, 0], np.int8), np.asarray([0, 4], np.uint64)),
]
IDS = [f"{i}" for i in range(len(KEYS))]


def on(device: tr.Device, key: Any, every: int) -> Any:
    """The key with its arrays, or with those at even places, as tensors."""
    parts = key if isinstance(key, tuple) else (key,)
    given = tuple(
        tr.asarray(p, device=device) if isinstance(p, np.ndarray) and i % every == 0 else p
        for i, p in enumerate(parts)
    )
    return given if isinstance(key, tuple) else given[0]


def values(shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    """Other numbers than any in X."""
    return -np.arange(1, np.prod(shape) + 1, dtype=np.float32).reshape(shape)


@cache
def _results(device: tr.Device, every: int) -> list[list[Tensor]]:
    """Of each key what is read and set, of some what is added, all in one program."""
    results = []
    for i, key in enumerate(KEYS):
        given, update = on(device, key, every), values(X[key].shape)
        x, y = tr.asarray(X, device=device), tr.asarray(X, device=device)
        y[given] = update
        results.append([x[given], y, *([x.at[given].add(update)] if i % 4 == 0 else [])])
    return results


@pytest.mark.parametrize("every", [1, 2], ids=["tensors", "mixed"])
@pytest.mark.parametrize("i", range(len(KEYS)), ids=IDS)
def test_as_numpy(i: int, every: int, device: tr.Device) -> None:
    read, written, *added = _results(device, every)[i]
    key = KEYS[i]
    update = values(X[key].shape)
    check(read, X[key])
    expected, total = X.copy(), X.copy().ravel()
    expected[key] = update
    check(written, expected)
    np.add.at(total, PLACES[key].ravel(), update.ravel())
    for each in added:
        check(each, total.reshape(X.shape))


def test_values_broadcast(device: tr.Device) -> None:
    for key, shape in (
        ([0, 2], ()),
        ([0, 2], (5,)),
        ([0, 2], (2, 1, 1)),
        ([0, 2], (1, 1, 2, 4, 5)),
        ((S(None), None, COLUMNS), (4, 1, 1, 5)[1:]),
        (LINE, (4, 5)),
        (LINE, (1, 4, 1)),
        (LINE, (2, 4, 5)),
        ((S(None), FACE[0]), (3, 1, 5)),
        ((0, FACE[0]), ()),
        ((0, FACE[0]), (1, 5)),
    ):
        x, expected, update = tr.asarray(X), X.copy(), values(shape)
        x[on(device, key, 1)] = update
        expected[key] = update
        check(x, expected)


def test_values_that_do_not_fit(device: tr.Device) -> None:
    x = tr.asarray(X)
    for key, shape in (([0, 1], (3, 4, 5)), (LINE, (3, 4, 5)), (LINE, (3, 5)), ([0], (2, 1, 4, 5))):
        with pytest.raises(ValueError, match="assignment needs"):
            x[on(device, key, 1)] = np.zeros(shape, np.float32)
    check(x, X)


def test_a_number_by_a_mask_needs_no_look(device: tr.Device) -> None:
    x = tr.asarray(X)
    before = tr.metrics.snapshot()["cuts"]
    x[x > 30] = 0
    x[1, x[1] < 25] = 7
    x[:, tr.asarray(FACE[0])] = np.arange(5)
    x = x.at[tr.asarray(LINE)].multiply(2)
    x = x.at[tr.asarray(LINE), ..., 0].max(9)
    assert tr.metrics.snapshot()["cuts"] == before
    expected = np.where(X > 30, 0, X)
    expected[1, expected[1] < 25] = 7
    expected[:, FACE[0]] = np.arange(5)
    expected[LINE] *= 2
    expected[LINE, :, 0] = np.maximum(expected[LINE, :, 0], 9)
    check(x, expected)


def test_reading_by_a_mask_looks_at_it(device: tr.Device) -> None:
    mask = tr.asarray(X) > 30
    before = tr.metrics.snapshot()["cuts"].get("mask", 0)
    check(tr.asarray(X)[mask], X[X > 30])
    assert tr.metrics.snapshot()["cuts"].get("mask", 0) == before + device.lazy


UPDATES = {
    "add": np.add,
    "subtract": np.subtract,
    "multiply": np.multiply,
    "max": np.maximum,
    "min": np.minimum,
}


def test_every_way_to_update(device: tr.Device) -> None:
    pairs = []
    value = np.asarray([[1, 7], [2, 3], [4, 1]])
    for dtype, names in ((np.float32, [*UPDATES]), (np.uint8, ["subtract"]), (np.complex64, "add")):
        x = np.arange(6).astype(dtype).reshape(3, 2)
        for name in [names] if isinstance(names, str) else names:
            for key in (np.asarray([1, 0, 1]), S(None, None, -1), LINE):
                expected, update = x.copy(), value[: len(x[key])].astype(dtype)
                UPDATES[name].at(expected, key, update)
                place = tr.asarray(x).at[on(device, key, 1)]
                pairs.append((getattr(place, name)(update), expected))
    for found, expected in pairs:
        check(found, expected)


def test_updates_make_new_tensors(device: tr.Device) -> None:
    x = tr.asarray([0.0, 1.0])
    check(x.at[1].set(5), np.float32([0, 5]))
    check(x.at[1:].get(), np.float32([1]))
    check(x, np.float32([0, 1]))


def test_updates_of_bools(device: tr.Device) -> None:
    x, i = np.asarray([True, False, False]), np.asarray([0, 1, 1])
    value = np.asarray([False, True, False])
    for key in (i, S(None)):
        given = on(device, key, 1)
        for name, ufunc in (("add", "or"), ("max", "or"), ("multiply", "and"), ("min", "and")):
            expected = x.copy()
            getattr(np, f"logical_{ufunc}").at(expected, key, value)
            check(getattr(tr.asarray(x).at[given], name)(value), expected)


def test_tensors_out_of_range_are_clamped_or_dropped(device: tr.Device) -> None:
    x, far = tr.asarray(X), tr.asarray([-9, 1, 7])
    check(x[far], X[[0, 1, 2]])
    check(x[0, far, far], X[0, [0, 1, 3], [0, 1, 4]])
    check(x[tr.asarray(np.int64(2**40))], X[2])
    check(x[tr.asarray(np.uint64(2**63 + 1))], X[2])
    expected = X.copy()
    expected[1] += 1
    check(x.at[far].add(1), expected)
    x[tr.asarray([5, -4])] = 3
    check(x, X)
    nothing = tr.zeros((0, 2))
    nothing[far] = 1
    assert nothing.shape == (0, 2)
    with pytest.raises(IndexError, match="of nothing"):
        nothing[far]
    assert nothing[tr.asarray([], dtype=tr.int32)].shape == (0, 2)


def test_dtypes_keep_their_values(device: tr.Device) -> None:
    i = tr.asarray([2, 0])
    for dtype in (np.bool_, np.uint8, np.int64, np.float16, np.float64, np.complex128):
        x = np.arange(3).astype(dtype)
        y = tr.asarray(x)
        check(y[i], x[[2, 0]])
        y[i] = tr.asarray([0, 1])
        x[[2, 0]] = [0, 1]
        check(y, x)
    special = tr.asarray([np.nan, np.inf, -0.0])
    check(special[i], np.float32([-0.0, np.nan]))
    assert np.signbit(special[i].numpy()[0])


def test_a_point_by_masks(device: tr.Device) -> None:
    x = tr.asarray(2.0)
    check(x[x > 1], np.float32([2]))
    check(x[x > 2], np.zeros(0, np.float32))
    check(x[True, None], np.float32([[2]]))
    x[x > 1] = 5
    x[x > 9] = 7
    check(x, np.float32(5))


def test_indices_of_one_program(device: tr.Device) -> None:
    """Other indices of the same shape compile nothing."""
    x = tr.asarray(X)
    for step in range(3):
        y = x[[step, 0]] + x[tr.asarray([step])]
        y.numpy()
        if step == 1:
            compiled = tr.metrics.snapshot()["compiles"]
    assert tr.metrics.snapshot()["compiles"] == compiled


def test_equal_indices_set_the_last(device: tr.Device) -> None:
    x = tr.asarray([0, 0, 0])
    x[[1, 1, 2]] = tr.asarray([5, 6, 7])
    check(x, np.int32([0, 6, 7]))
    x[tr.asarray([0, 0])] = np.asarray([1, 2])
    check(x, np.int32([2, 6, 7]))


def test_an_earlier_reader_keeps_the_old_value(device: tr.Device) -> None:
    x = tr.asarray([1, 2, 3])
    reader = x[[0, 2]]
    x[[0, 2]] = reader[::-1]
    x[x > 2] = 9
    check(reader, np.int32([1, 3]))
    check(x, np.int32([9, 2, 1]))


@pytest.mark.parametrize(
    "key",
    [
        [3],
        np.asarray([-4]),
        np.asarray([1.0]),
        ([0, 1], [0, 1, 2]),
        np.ones(2, bool),
        np.ones((3, 5), bool),
        np.zeros(0, bool),
        [[0], [1, 2]],
        np.asarray(["a"]),
        [None],
    ],
    ids=str,
)
def test_what_is_no_index(key: Any, device: tr.Device) -> None:
    x = tr.asarray(X)
    with pytest.raises(IndexError):
        x[key]
    with pytest.raises(IndexError):
        x[key] = 1.0
