"""Promotion as in JAX's lattice, Python scalars weak, the same in every mode."""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import tracer as tr
from tests.functions.oracle import BFLOAT16, FLOATS, SIGNED, UNSIGNED, check

COMPLEX = (np.dtype(np.complex64), np.dtype(np.complex128))
ALL = (np.dtype(bool), *SIGNED, *UNSIGNED, *FLOATS, *COMPLEX)
NARROW = [d for d in ALL if d.itemsize <= 4]


@pytest.mark.parametrize("a", ALL, ids=str)
def test_pairs_promote_as_in_jax(a: np.dtype[Any]) -> None:
    """But for uint64 with a signed integer: Python's float, which is float32 here."""
    with jax.enable_x64(True):
        for b in ALL:
            mixed = {a.kind, b.kind} == {"u", "i"} and np.dtype(np.uint64) in (a, b)
            wanted = np.dtype(np.float32) if mixed else jnp.promote_types(a, b)
            assert tr.result_type(a, b) == wanted


@pytest.mark.parametrize("scalar", [True, 1, 1.0, 1j], ids=repr)
def test_python_scalars_are_weak(scalar: Any) -> None:
    with jax.enable_x64(False):
        for dtype in NARROW:
            wanted = jnp.result_type(jnp.zeros((), dtype), scalar)
            assert tr.result_type(dtype, type(scalar)) == wanted
            assert tr.result_type(np.zeros(2, dtype), scalar) == wanted


def test_operations_promote(device: tr.Device) -> None:
    kinds = [np.dtype(n) for n in ("bool", "uint8", "int8", "int32", "float16", "float64")]
    pairs = list(combinations_with_replacement([*kinds, BFLOAT16], 2))
    sums = [tr.asarray(np.ones(2, a)) + tr.asarray(np.ones(2, b)) for a, b in pairs]
    for (a, b), found in zip(pairs, sums, strict=True):
        expected = np.ones(2) + (0 if a.kind == b.kind == "b" else 1)
        check(found, expected.astype(tr.result_type(a, b)))


def test_scalars_keep_the_dtype_of_the_tensor(device: tr.Device) -> None:
    for dtype in FLOATS:
        x = tr.asarray(np.ones(2, dtype))
        for made in (x * 0.5, 0.5 * x, x + 1, x - True, x / 2, 2 / x, x**2, x**0.5, x % 2, x // 2):
            assert made.dtype == dtype
        assert (x < 0.5).dtype == tr.bool
    assert (tr.asarray([1]) + 1).dtype == tr.int32
    assert (tr.asarray([1]) * 1.5).dtype == tr.float32
    assert (tr.asarray([True]) + 1).dtype == tr.int32
    assert (tr.asarray(np.ones(1, np.int8)) + 1).dtype == tr.int8


def test_numpy_arrays_and_scalars_keep_their_dtype(device: tr.Device) -> None:
    x = tr.asarray([1.0, 2.0])
    check(x + np.ones(2), np.array([2, 3], np.float64))
    check(np.ones(2) + x, np.array([2, 3], np.float64))
    check(np.float64(1) * x, np.array([1, 2], np.float64))
    check(np.ones((2, 1), np.int64) * tr.asarray([1, 2]), np.array([[1, 2], [1, 2]], np.int64))


def test_scalars_are_exact_in_float64(device: tr.Device) -> None:
    x = tr.asarray(np.ones(1))
    assert (x * 0.1).item() == 0.1
    assert tr.maximum(x * 0, 0.1).item() == 0.1
    assert tr.where(x < 0, x, 0.1).item() == 0.1


def test_kinds_of_dtypes() -> None:
    assert tr.isdtype(tr.bfloat16, "real floating")
    assert tr.isdtype(tr.uint8, ("signed integer", "unsigned integer"))
    assert not tr.isdtype(tr.bool, "numeric")
    assert tr.isdtype(tr.int32, tr.int32)
    assert tr.can_cast(tr.int8, tr.int32)
    assert not tr.can_cast(tr.float64, tr.float32)
    assert tr.can_cast(tr.asarray([1.0]), tr.float64)
    assert tr.finfo(tr.bfloat16).eps == 2**-7
    assert tr.iinfo(tr.uint8).max == 255
