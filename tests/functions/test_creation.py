"""Functions that make tensors, against NumPy."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import tracer as tr
from tests.functions.oracle import BFLOAT16, check

PYTHON = [
    (1.5, np.float32),
    (3, np.int32),
    (True, np.bool_),
    (1j, np.complex64),
    ([1, 2], np.int32),
    ([1, 2.5], np.float32),
    ([[True], [False]], np.bool_),
    ([], np.float32),
    ([[], []], np.float32),
    ((1, 2), np.int32),
    (range(3), np.int32),
]


@pytest.mark.parametrize(("value", "dtype"), PYTHON, ids=str)
def test_python_numbers_are_32_bits_wide(value: Any, dtype: Any, device: tr.Device) -> None:
    check(tr.asarray(value), np.asarray(value).astype(dtype))


@pytest.mark.parametrize("dtype", [np.int8, np.int64, np.float64, np.uint64, BFLOAT16, bool])
def test_numpy_arrays_keep_their_dtype(dtype: Any, device: tr.Device) -> None:
    array = np.array([[0, 1, 2]]).astype(dtype)
    check(tr.asarray(array), array)
    check(tr.asarray(array[0, 1]), array[0, 1])
    check(tr.asarray([array[0, 0], array[0, 2]]), array[0, ::2])
    check(tr.asarray(array.astype(np.dtype(dtype).newbyteorder(">"))), array)


def test_arrays_are_copied(device: tr.Device) -> None:
    array = np.arange(6.0).reshape(2, 3)
    x, turned = tr.asarray(array), tr.asarray(array.T)
    array[:] = 0
    check(x, np.arange(6.0).reshape(2, 3))
    check(turned, np.arange(6.0).reshape(2, 3).T)


def test_unaligned_and_strided_arrays(device: tr.Device) -> None:
    raw = np.zeros(17, np.uint8)
    raw[1:] = np.arange(4, dtype=np.float32).view(np.uint8)
    check(tr.asarray(raw[1:].view(np.float32)), np.arange(4, dtype=np.float32))
    check(tr.asarray(np.arange(10, dtype=np.float32)[::-3]), np.array([9, 6, 3, 0], np.float32))


def test_values_are_read_only_copies_or_views(device: tr.Device) -> None:
    x = tr.ones(2)
    with pytest.raises(ValueError, match="read-only"):
        x.numpy()[0] = 5
    np.array(x)[0] = 5
    check(x, np.ones(2, np.float32))


def test_dtypes_on_request(device: tr.Device) -> None:
    check(tr.asarray([1, 2], tr.uint8), np.array([1, 2], np.uint8))
    check(tr.asarray([0, 2], bool), np.array([False, True]))
    check(tr.asarray(0.1, float), np.float32(0.1))
    check(tr.asarray(0.1, np.float64), np.float64(0.1))
    check(tr.asarray(2**63, tr.uint64), np.uint64(2**63))
    check(tr.asarray(np.array([2**40 + 1]), tr.int32), np.array([1], np.int32))
    check(tr.asarray(tr.asarray([1]), "float16"), np.array([1], np.float16))
    for value in (2**31, -(2**31) - 1, [1, 2**40], 2**70):
        with pytest.raises(OverflowError, match="does not fit int32"):
            tr.asarray(value)
    with pytest.raises(OverflowError, match="300 does not fit uint8"):
        tr.asarray([1, 300], tr.uint8)


def test_sequences_of_tensors(device: tr.Device) -> None:
    a, b = tr.asarray(1.0), tr.asarray(np.float16(2))
    check(tr.asarray([a, b, 3]), np.array([1, 2, 3], np.float32))
    check(tr.asarray([[a, 2.0], [3.0, a]]), np.array([[1, 2], [3, 1]], np.float32))
    assert tr.asarray([a, a]).device is device
    other = tr.Device.default_eager()
    assert tr.asarray([a.to(other), 1.0]).device is other


def test_fills(device: tr.Device) -> None:
    check(tr.zeros((2, 3)), np.zeros((2, 3), np.float32))
    check(tr.ones(3, tr.int8), np.ones(3, np.int8))
    check(tr.full((), 7), np.int32(7))
    check(tr.full((2,), 0.5, tr.bfloat16), np.array([0.5, 0.5], ml_dtypes.bfloat16))
    check(tr.full(2, -0.0), np.array([-0.0, -0.0], np.float32))
    assert np.signbit(tr.full(2, -0.0).numpy()).all()
    check(tr.full(1, np.float64(0.1)), np.array([0.1]))
    check(tr.full((0, 2), 1), np.ones((0, 2), np.int32))
    check(tr.empty(np.int64(2)), np.zeros(2, np.float32))
    like = tr.asarray(np.zeros((2, 1), np.float64))
    check(tr.zeros_like(like), np.zeros((2, 1)))
    check(tr.ones_like(like, tr.int32), np.ones((2, 1), np.int32))
    check(tr.full_like(like, 2), np.full((2, 1), 2.0))


RANGES: list[tuple[Any, ...]] = [
    (5,),
    (2, 7),
    (7, 2, -2),
    (0, 1, 0.25),
    (1.5, 4),
    (5, 2),
    (0,),
    (0, 10, 3),
    (-3, 3, 2),
    (3.0,),
]


@pytest.mark.parametrize("arguments", RANGES, ids=str)
def test_ranges(arguments: tuple[Any, ...], device: tr.Device) -> None:
    expected = np.arange(*arguments)
    dtype = np.float32 if expected.dtype == np.float64 else np.int32
    check(tr.arange(*arguments), expected, dtype)


def test_ranges_of_a_dtype(device: tr.Device) -> None:
    check(tr.arange(5, 0, -1, dtype=tr.uint8), np.arange(5, 0, -1, np.uint8))
    check(tr.arange(200, 256, dtype=tr.uint8), np.arange(200, 256, dtype=np.uint8))
    check(tr.arange(3, dtype=tr.bfloat16), np.arange(3).astype(BFLOAT16))
    check(tr.arange(np.int64(3)), np.arange(3))
    check(tr.arange(0, 1, 0.1, dtype=tr.float64), np.arange(0, 1, 0.1))


def test_linspace(device: tr.Device) -> None:
    found = tr.linspace(-2, 1, 1024).numpy()
    assert (len(found), found[0], found[-1]) == (1024, -2, 1)
    check(tr.linspace(0, 1, 5), np.linspace(0, 1, 5), np.float32)
    check(tr.linspace(0, 1, 5, endpoint=False), np.linspace(0, 1, 5, endpoint=False), np.float32)
    check(tr.linspace(0, 1, 0), np.zeros(0, np.float32))
    check(tr.linspace(3, 9, 1), np.array([3], np.float32))


def test_eye_and_one_hot(device: tr.Device) -> None:
    check(tr.eye(3), np.eye(3, dtype=np.float32))
    check(tr.eye(2, 4, k=1, dtype=tr.int32), np.eye(2, 4, 1, dtype=np.int32))
    check(tr.eye(3, 2, k=-1), np.eye(3, 2, -1, dtype=np.float32))
    check(
        tr.one_hot(tr.asarray([0, 2, -1, 3]), 3),
        np.array([[1, 0, 0], [0, 0, 1], [0] * 3, [0] * 3]),
        "f4",
    )
    narrow = tr.one_hot(tr.asarray(np.array([44, 200], np.uint8)), 301, tr.int32)
    assert np.argwhere(narrow.numpy()).tolist() == [[0, 44], [1, 200]]
    assert tr.one_hot(tr.asarray(1), 2).shape == (2,)
