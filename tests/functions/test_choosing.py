"""Choices, indices and closeness against NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tracer as tr
from tests.functions.oracle import check, check_case, random

Case = tuple[Callable[..., Any], *tuple[Any, ...]]
WHOLE = np.arange(6, dtype=np.int32).reshape(2, 3)
X = random(5)
A, B, C = random(3), random(3, seed=1), random(2, 3, seed=2)
V = np.array([1, np.nan, np.inf, -np.inf, 1e10, 0], np.float32)
W = np.array([1 + 1e-6, np.nan, np.inf, np.inf, 1.00001e10, 1e-9], np.float32)
INDEX = (np.array([0, 1, 5]), np.array([2, -1, 1]), np.array([3, 3, 9]))
TWO = [lambda x: x * 2, lambda x: -x]
CASES: dict[str, Case] = {
    "select": (lambda np, a: np.select([a > 3, a > 1], [a * 10, a * 100], 7), WHOLE),
    "select, promoting": (lambda np, a: np.select([a > 3], [a], 0.5), WHOLE),
    "select, broadcasting": (lambda np, a: np.select([a[0] > 1, a > 3], [a[:, :1], 5], -1), WHOLE),
    "piecewise": (lambda np, x: np.piecewise(x, [x > 0, x > 1], TWO), X),
    "piecewise, otherwise": (lambda np, x: np.piecewise(x, [x > 0, x > 1], [*TWO, 5]), X),
    "piecewise, numbers": (lambda np, x: np.piecewise(x, [x < 4, x < 2], [1, 2.7]), WHOLE),
    "piecewise, one condition": (lambda np, x: np.piecewise(x, x > 0, [1, 2]), X),
    "choose": (lambda np, i, *c: np.choose(i, c, mode="clip"), np.array([0, 2, 5]), A, B, C),
    "choose, negative": (
        lambda np, i, *c: np.choose(i, c, mode="clip"),
        np.int8([-1, 1, 2]),
        A,
        B,
        C,
    ),
    "choose, wrapped": (lambda np, i, *c: np.choose(i, c, mode="wrap"), np.int8([-1, 2, -7]), A, B),
    "choose, unsigned": (
        lambda np, i, *c: np.choose(i, c, mode="clip"),
        np.uint32([0, 9, 1]),
        A,
        B,
    ),
    "isclose": (lambda np, v, w: np.isclose(v, w), V, W),
    "isclose, NaN": (lambda np, v, w: np.isclose(v, w, equal_nan=True), V, W),
    "isclose, wide": (lambda np, v, w: np.isclose(v, w, 0.5, 1.0), A, B),
    "isclose of integers": (lambda np, v: np.isclose(v, v + 1, 0.0, 0.0), np.array([2**24, 5])),
    "isclose of bools": (lambda np, v: np.isclose(v, v[:1]), np.array([True, False])),
    "isclose of complex numbers": (lambda np, v: np.isclose(v, v + 1e-9j), A + 1j * B),
    "isclose to a number": (lambda np, v: np.isclose(v, 1.0), V),
    "allclose": (lambda np, v: np.allclose(v, v), V),
    "allclose, NaN": (lambda np, v: np.allclose(v, v, equal_nan=True), V),
    "allclose of nothing": (lambda np, v: np.allclose(v[:0], v[:1]), V),
    "array_equal": (lambda np, v: np.array_equal(v, v), A),
    "array_equal, NaN": (lambda np, v: np.array_equal(v, v, equal_nan=True), V),
    "array_equal, another": (lambda np, a, b: np.array_equal(a, b), A, B),
    "array_equal, a shape": (lambda np, v: np.array_equal(v, v[:2]), A),
    "unravel_index": (lambda np, i: np.unravel_index(i, (2, 3, 4)), np.array([[0, 5], [22, 23]])),
    "unravel_index of a number": (lambda np, i: np.unravel_index(i, 9), np.array(7)),
    "ravel": (lambda np, *i: np.ravel_multi_index(i, (2, 3, 4), mode="clip"), *INDEX),
    "ravel, wrapped": (lambda np, *i: np.ravel_multi_index(i, (2, 3, 4), mode="wrap"), *INDEX),
    "ravel of one axis": (lambda np, i: np.ravel_multi_index((i,), 9, mode="clip"), INDEX[0]),
}


@pytest.mark.parametrize("name", CASES)
def test_as_numpy(name: str, device: tr.Device) -> None:
    check_case(CASES, name, device)


@pytest.mark.parametrize("n, k, m", [(3, 0, None), (4, -1, 3), (3, 1, 5), (0, 0, None), (2, 9, 3)])
def test_triangles(n: int, k: int, m: int | None, device: tr.Device) -> None:
    for name in ("tril_indices", "triu_indices"):
        found = getattr(tr, name)(n, k, m)
        for ours, numpys in zip(found, getattr(np, name)(n, k, m), strict=True):
            check(ours, numpys, np.int32)
            assert ours.device == device


def test_indices(device: tr.Device) -> None:
    for shape in ((2, 3), (4,), (2, 0), ()):
        check(tr.indices(shape), np.indices(shape), np.int32)
    for ours, numpys in zip(
        tr.indices((2, 3), tr.float32, sparse=True), np.indices((2, 3), sparse=True), strict=True
    ):
        check(ours, numpys, np.float32)


def test_indices_that_are_not_there(device: tr.Device) -> None:
    found = tr.unravel_index(tr.asarray([-1, -24, -30, 40]), (2, 3, 4))
    assert [i.tolist() for i in found] == [[1, 0, 0, 1], [2, 0, 0, 2], [3, 0, 0, 3]]
    wide = tr.unravel_index(tr.asarray(np.int64(2**40 + 5)), (2**20, 2**21))
    assert [i.item() for i in wide] == [2**19, 5]
    assert tr.ravel_multi_index(wide, (2**20, 2**21)).item() == 2**40 + 5


def test_derivatives_of_choices(device: tr.Device) -> None:
    x = tr.asarray([-1.0, 0.5, 2.0])
    either = lambda x: tr.sum(tr.select([x > 1, x > 0], [x**2, x * 3], 7.0))
    check(tr.grad(either)(x), np.array([0, 3, 4], np.float32))
    pieces = lambda x: tr.sum(tr.piecewise(x, [x > 0, x > 1], [lambda x: x * 3, lambda x: x**2]))
    check(tr.grad(pieces)(x), np.array([0, 3, 4], np.float32))
    chosen = lambda x: tr.sum(tr.choose(np.array([1, 0, 1]), [x, x * 2]))
    check(tr.grad(chosen)(x), np.array([2, 1, 2], np.float32))


def test_arrays_beside_a_tensor_of_another_device(device: tr.Device) -> None:
    other = tr.Device.default_xla() if device == tr.Device.default_eager() else None
    x = tr.asarray(A, device=other or tr.Device.default_eager())
    whole = np.array([0, 1, 0])
    found = (
        tr.select([A > 0], [x], B),
        tr.select([x > 0], [A], 1.0),
        tr.piecewise(x, [A > 0], [1, lambda x: x * 2]),
        tr.choose(whole, [A, x]),
        tr.isclose(A, x),
        tr.interp(A, x, A),
        tr.interp(x, np.sort(A), A),
        tr.cov(x, A, aweights=A),
        tr.einsum("i,i", A, x),
        tr.gradient(x, np.sort(A)),
        tr.polyval(A, x),
        tr.convolve(A, x),
    )
    assert {y.device for y in found} == {x.device}
