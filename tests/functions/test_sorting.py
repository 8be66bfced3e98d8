"""Sorting, quantiles and searching against NumPy and jax; derivatives against differences."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import jax
import ml_dtypes
import numpy as np
import pytest

import tracer as tr
from tests.functions.gradcheck import check_grads
from tests.functions.oracle import by_jax, check, random

NAN, INF = np.nan, np.inf
X = np.round(random(3, 7) * 2) / 2  # ties
X[1, 2:5] = NAN, -INF, INF
X[0, :2], X[2, 3], X[2, 5] = -0.0, -NAN, NAN
WHOLE = np.random.default_rng(0).integers(-4, 4, (3, 7))
PARTS = [1 + 2j, 2 + NAN * 1j, complex(NAN, 1), complex(NAN, NAN), 1 - 1j, 1 + NAN * 1j, -0.0, 0j]
Z = np.array(PARTS, np.complex64)
AXES = (0, -1, None)


@cache
def _sorted(device: tr.Device) -> dict[tuple[Any, ...], tuple[tr.Tensor, tr.Tensor]]:
    found = {}
    for name, array in (("float", X), ("int", WHOLE)):
        x = tr.asarray(array, device=device)
        for axis in AXES:
            for down in (False, True):
                values = tr.sort(x, axis, descending=down)
                found[name, axis, down] = values, tr.argsort(x, axis, descending=down)
    return found


@pytest.mark.parametrize("down", [False, True])
@pytest.mark.parametrize("axis", AXES)
def test_values(axis: int | None, down: bool, device: tr.Device) -> None:
    """Stable in both directions, NaN last in both."""
    for name, array in (("float", X), ("int", WHOLE)):
        order = np.argsort(-array if down else array, axis, kind="stable")
        flat = array.ravel() if axis is None else array
        values, indices = _sorted(device)[name, axis, down]
        check(values, np.take_along_axis(flat, order, -1 if axis is None else axis))
        check(indices, order.astype(np.int32))


@pytest.mark.parametrize(
    "dtype",
    [np.bool_, np.int8, np.uint8, np.uint64, np.float16, ml_dtypes.bfloat16, np.float64],
    ids=lambda d: np.dtype(d).name,
)
def test_dtypes(dtype: Any, device: tr.Device) -> None:
    x = np.array([3, 0, 1, 0, 100, 2]).astype(dtype)
    t = tr.asarray(x)
    check(tr.sort(t), np.sort(x, kind="stable"))
    check(tr.sort(t, descending=True), np.sort(x)[::-1])
    check(tr.argsort(t), np.argsort(x, kind="stable").astype(np.int32))
    check(tr.sort(t, stable=False), np.sort(x))


def test_complex_numbers_are_ordered_by_their_parts(device: tr.Device) -> None:
    check(tr.sort(tr.asarray(Z)), np.sort(Z))
    check(tr.argsort(tr.asarray(Z)), np.argsort(Z, kind="stable").astype(np.int32))
    down = [2, 1 + 1j, 1, complex(1, NAN)]
    check(tr.sort(tr.asarray(down[::-1]), descending=True), np.array(down, np.complex64))


def test_the_smallest_floats_have_an_order(device: tr.Device) -> None:
    x = np.array([1e-40, -1e-40, 2e-45, 0, -0.0, 1e-38], np.float32)
    check(tr.argsort(tr.asarray(x)), np.argsort(x, kind="stable").astype(np.int32))


def test_nothing_and_numbers(device: tr.Device) -> None:
    for shape, axis in (((0,), 0), ((0, 3), 1), ((2, 0), 1)):
        check(tr.sort(tr.zeros(shape), axis), np.zeros(shape, np.float32))
        check(tr.argsort(tr.zeros(shape), axis), np.zeros(shape, np.int32))
    check(tr.sort(tr.asarray(3.0), None), np.array([3], np.float32))
    with pytest.raises(np.exceptions.AxisError):
        tr.sort(tr.asarray(3.0))


def test_top_k(device: tr.Device) -> None:
    for k in (0, 2, 7):
        found = tr.top_k(tr.asarray(WHOLE), k)
        expected = by_jax(lambda x, k=k: jax.lax.top_k(x, k), WHOLE)
        for one, other in zip(found, expected, strict=True):
            check(one, other)
    values, indices = tr.top_k(tr.asarray([[1.0, 5], [NAN, 2]]), 1, axis=0)
    check(values, np.array([[NAN, 5]], np.float32))
    check(indices, np.array([[1, 0]], np.int32))


QUANTILES: dict[str, Callable[[Any, Any], Any]] = {
    "median": lambda m, x: m.median(x),
    "median, keepdims": lambda m, x: m.median(x, (0, 2), keepdims=True),
    "percentile": lambda m, x: m.percentile(x, [0, 12.5, 50], 1),
    "one quantile": lambda m, x: m.quantile(x, 0.3, -1),
    "quantiles, keepdims": lambda m, x: m.quantile(x, [[0.1], [0.9]], -1, keepdims=True),
}
METHODS = (
    *("linear", "lower", "higher", "midpoint", "nearest", "inverted_cdf", "averaged_inverted_cdf"),
    *("interpolated_inverted_cdf", "hazen", "weibull", "median_unbiased", "normal_unbiased"),
)


def test_quantiles(device: tr.Device) -> None:
    x = random(3, 2, 4)
    x[1, 1, 1] = NAN
    t = tr.asarray(x)
    found = {name: f(tr, t) for name, f in QUANTILES.items()}
    for name, f in QUANTILES.items():
        check(found[name], f(np, x), np.float32)
    check(tr.median(tr.asarray([3, 1, 2, 2])), np.float32(2))
    check(tr.median(tr.asarray([INF, INF])), np.float32(INF))


def test_methods() -> None:
    x, q = random(2, 6, dtype=np.float64), np.linspace(0, 1, 11)
    t = tr.asarray(x)
    found = {method: tr.quantile(t, q, 1, method=method) for method in METHODS}
    for method, values in found.items():
        check(values, np.quantile(x, q, axis=1, method=method))  # type: ignore[call-overload]


def test_searching(device: tr.Device) -> None:
    """Few elements are compared, many are sorted."""
    edges = np.sort(np.append(np.random.default_rng(0).integers(0, 20, 40), [NAN, NAN]))
    values = np.append(np.random.default_rng(1).integers(-3, 25, (3, 5)), [[-0.0] * 4 + [NAN]], 0)
    found = {}
    for size in (42, 9):
        for side in ("left", "right"):
            arguments = tr.asarray(edges[:size]), tr.asarray(values)
            found[size, side] = tr.searchsorted(*arguments, side=side)
    for (size, side), places in found.items():
        expected = np.searchsorted(edges[:size], values, side)  # type: ignore[call-overload]
        check(places, expected.astype(np.int32))
    mixed, order = np.array([3, 1, 2]), np.array([1, 2, 0])
    check(tr.searchsorted(tr.asarray(mixed), 2, sorter=tr.asarray(order)), np.int32(1))
    check(tr.searchsorted(tr.asarray(Z[[6, 4, 0]]), tr.asarray(Z[0])), np.int32(2))


SMOOTH: dict[str, Callable[[tr.Tensor], tr.Tensor]] = {
    "sort": lambda x: tr.sort(x, 0) * tr.sort(x, 1, descending=True),
    "top_k": lambda x: tr.top_k(x, 2)[0],
    "quantile": lambda x: tr.quantile(x, [0.2, 0.7], 1),
}


@pytest.mark.parametrize("name", SMOOTH)
def test_derivatives(name: str) -> None:
    check_grads(lambda x: tr.sum(tr.sin(SMOOTH[name](x))), [random(3, 4, dtype=np.float64)])


def test_each_element_gets_its_own_derivative(device: tr.Device) -> None:
    x, w = tr.asarray([3.0, NAN, 1.0, 3.0, 2.0]), tr.asarray([1.0, 2, 3, 4, 5])
    found = tr.grad(lambda v: tr.sum(tr.where(tr.isnan(v), 0, tr.sort(v) * w)))(x)
    assert found.shape == (5,)
    check(tr.grad(lambda v: tr.sum(tr.sort(v) * w))(x), np.array([3, 5, 1, 4, 2], np.float32))
    check(tr.grad(tr.median)(tr.asarray([4.0, 1.0, 3.0])), np.array([0, 0, 1], np.float32))
