"""Products against NumPy: ranks, batches, dtypes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tracer as tr
from tests.functions.oracle import FLOATS, check, random

SHAPES = [
    ((3,), (3,)),
    ((2, 3), (3,)),
    ((3,), (3, 4)),
    ((2, 3), (3, 4)),
    ((5, 2, 3), (3, 4)),
    ((5, 2, 3), (3,)),
    ((3,), (5, 3, 4)),
    ((5, 2, 3), (5, 3, 4)),
    ((1, 2, 3), (5, 3, 4)),
    ((5, 1, 2, 3), (6, 3, 4)),
    ((0, 3), (3, 4)),
    ((2, 0), (0, 4)),
    ((0,), (0,)),
]


@pytest.mark.parametrize(("left", "right"), SHAPES, ids=str)
def test_matmul(left: tuple[int, ...], right: tuple[int, ...], device: tr.Device) -> None:
    a, b = random(*left), random(*right, seed=1)
    check(tr.asarray(a) @ tr.asarray(b), a @ b)


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
def test_dtypes(dtype: np.dtype[Any], device: tr.Device) -> None:
    a, b = random(4, 64, dtype=dtype), random(64, 2, seed=1, dtype=dtype)
    expected = a.astype(np.float64) @ b.astype(np.float64)
    check(tr.asarray(a) @ tr.asarray(b), expected, dtype, 5e-2 if dtype.itemsize == 2 else None)


def test_integers_and_arrays(device: tr.Device) -> None:
    check(tr.asarray([[1, 2]]) @ tr.asarray([3, 4]), np.array([11], np.int32))
    check(np.ones((1, 2), np.float32) @ tr.asarray([3.0, 4.0]), np.array([7], np.float32))
    check(tr.asarray([[1, 2]]) @ tr.asarray([0.5, 1]), np.array([2.5], np.float32))


@pytest.mark.parametrize("axes", [0, 1, 2, ([1, 0], [0, 1]), (1, 0), ([-1], [0])], ids=str)
def test_tensordot(axes: Any, device: tr.Device) -> None:
    a, b = random(3, 3), random(3, 3, seed=1)
    check(tr.tensordot(tr.asarray(a), tr.asarray(b), axes), np.tensordot(a, b, axes))
