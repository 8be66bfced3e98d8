"""Running folds, differences and areas against NumPy; derivatives against differences and jax."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import tracer as tr
from tests.functions.gradcheck import check_grads
from tests.functions.oracle import FLOATS, by_jax, check, random

X = random(3, 5)
X[1, 2] = np.nan
X[0, 3], X[2, 1] = np.inf, -np.inf
ORACLES: dict[str, Callable[..., Any]] = {
    "cummax": np.maximum.accumulate,
    "cummin": np.minimum.accumulate,
    "cumlogsumexp": np.logaddexp.accumulate,
}
RUNNING = ("cumsum", "cumprod", "cummax", "cummin", "cumlogsumexp")


def _call(module: Any, name: str, *arguments: Any, **named: Any) -> Any:
    f = ORACLES[name] if module is np and name in ORACLES else getattr(module, name)
    with np.errstate(all="ignore"):
        return f(*arguments, **named)


CASES: dict[str, Callable[[Any, Any], Any]] = {
    **{
        f"{name} {axis}": lambda m, x, name=name, axis=axis: _call(m, name, x, axis)
        for name in RUNNING
        for axis in (0, -1)
    },
    "cumsum of all": lambda m, x: m.cumsum(x),
    "cumprod of all": lambda m, x: m.cumprod(x[:, :2]),
    "cumulative_sum": lambda m, x: m.cumulative_sum(x, axis=1),
    "cumulative_sum, initial": lambda m, x: m.cumulative_sum(x, axis=-2, include_initial=True),
    "cumulative_prod": lambda m, x: m.cumulative_prod(x[0]),
    "cumulative_prod, initial": lambda m, x: m.cumulative_prod(x[0], include_initial=True),
    "diff": lambda m, x: m.diff(x),
    "diff of columns": lambda m, x: m.diff(x, axis=0),
    "diff twice": lambda m, x: m.diff(x, 2),
    "diff to nothing": lambda m, x: m.diff(x, 7),
    "diff not at all": lambda m, x: m.diff(x, 0),
    "diff with edges": lambda m, x: m.diff(x, prepend=x[:, :2], append=x[:, :1]),
    "diff with numbers": lambda m, x: m.diff(x, prepend=0, append=1.5, axis=0),
    "trapezoid": lambda m, x: m.trapezoid(x),
    "trapezoid of columns": lambda m, x: m.trapezoid(x, dx=0.25, axis=0),
    "trapezoid at places": lambda m, x: m.trapezoid(x, x=x[2]),
    "trapezoid at many places": lambda m, x: m.trapezoid(x, x=x, axis=0),
    "trapezoid of one": lambda m, x: m.trapezoid(x[:, :1]),
}


@cache
def _found(device: tr.Device) -> dict[str, tr.Tensor]:
    x = tr.asarray(X, device=device)
    return {name: f(tr, x) for name, f in CASES.items()}


@pytest.mark.parametrize("name", CASES)
def test_values(name: str, device: tr.Device) -> None:
    with np.errstate(all="ignore"):
        expected = CASES[name](np, X)
    check(_found(device)[name], expected, np.float32)


def test_dtypes(device: tr.Device) -> None:
    """Narrow floats add up in float32; narrow integers become 32 bits wide."""
    for dtype in FLOATS:
        x = (1 + random(300, dtype=np.float64) / 10).astype(dtype)
        check(tr.cumsum(tr.asarray(x)), np.cumsum(x.astype(np.float64)), dtype)
    small = np.array([100, 100, 100, 3], np.uint8)
    check(tr.cumsum(tr.asarray(small)), np.array([100, 200, 300, 303], np.uint32))
    check(tr.cumprod(tr.asarray(small)), np.cumprod(small).astype(np.uint32))
    check(tr.cumsum(tr.asarray(small), dtype=tr.uint8), np.cumsum(small, dtype=np.uint8))
    check(tr.cumsum(tr.asarray([True, False, True])), np.array([1, 1, 2], np.int32))
    check(tr.cumsum(tr.asarray(np.array([2**40, 1]))), np.array([2**40, 2**40 + 1]))
    check(tr.cumprod(tr.asarray([1j, 1j, 2])), np.array([1j, -1, -2]), np.complex64)
    check(tr.cummin(tr.asarray(small)), np.minimum.accumulate(small))
    check(tr.diff(tr.asarray(small)), np.diff(small))
    check(tr.diff(tr.asarray([True, True, False])), np.array([False, True]))
    check(tr.trapezoid(tr.asarray([1, 2, 4])), np.float32(4.5))
    check(tr.cumlogsumexp(tr.asarray([0, 0])), np.array([0, np.log(2)], np.float32))


def test_reverse(device: tr.Device) -> None:
    x = tr.asarray(X[0])
    for f in (tr.cummax, tr.cummin, tr.cumlogsumexp):
        check(f(x, reverse=True), f(tr.flip(x)).numpy()[::-1])


def test_nothing_and_numbers(device: tr.Device) -> None:
    for name in RUNNING:
        f = getattr(tr, name)
        for shape, axis in (((0, 3), 0), ((0, 3), 1)):
            check(f(tr.zeros(shape), axis), np.zeros(shape, np.float32))
        check(f(tr.asarray([5.0]), 0), np.array([5], np.float32))
    check(tr.cumsum(tr.asarray(5.0)), np.array([5], np.float32))
    check(tr.cumprod(tr.asarray(5)), np.array([5], np.int32))
    check(tr.cumulative_sum(tr.zeros(0), include_initial=True), np.zeros(1, np.float32))
    check(tr.diff(tr.zeros((2, 0))), np.zeros((2, 0), np.float32))


@pytest.mark.parametrize("length", [2, 3, 7, 12])
def test_lengths(length: int, device: tr.Device) -> None:
    """Products go in pairs: each length has its own ends."""
    x = np.array([[1, 1, 2, 3, 1, -1] * 17, [3, 1, 1, 1, 1, 2] * 17], np.int32)[:, :length]
    check(tr.cumprod(tr.asarray(x), 1), np.cumprod(x, 1, np.int32))


def test_a_million(device: tr.Device) -> None:
    """The work does not grow with the square of the length, nor does the derivative's."""
    x = tr.ones(2**20, tr.int32)
    check(tr.cumsum(x)[-3:], np.array([2**20 - 2, 2**20 - 1, 2**20], np.int32))
    y = tr.ones(2**18)
    found = tr.grad(lambda v: tr.sum(tr.cumsum(v)))(y)
    check(found[:2], np.array([2**18, 2**18 - 1], np.float32))


SMOOTH: dict[str, Callable[[tr.Tensor], tr.Tensor]] = {
    "cumsum": lambda x: tr.cumsum(x, 1),
    "cummax": lambda x: tr.cummax(x, 1),
    "cumlogsumexp": lambda x: tr.cumlogsumexp(x, 1, reverse=True),
    "cumulative_prod": lambda x: tr.cumulative_prod(x, axis=0, include_initial=True),
    "diff": lambda x: tr.diff(x, 2, prepend=1.0),
    "trapezoid": lambda x: tr.trapezoid(x, x=x * x),
}


@pytest.mark.parametrize("name", SMOOTH)
def test_derivatives(name: str) -> None:
    check_grads(lambda x: tr.sum(SMOOTH[name](x) ** 2), [random(2, 4, dtype=np.float64)])


def test_derivatives_of_products_at_zeros() -> None:
    x = np.array([[1.0, 0.0, 2.0], [0.0, 3.0, 0.0], [0.0, 0.0, 0.0]])
    check_grads(lambda x: tr.sum(tr.cumprod(x, 1) ** 2), [x])
    check_grads(lambda x: tr.sum(tr.prod(x, 1) ** 2) + tr.prod(x + 1), [x])


def test_derivatives_are_those_of_jax(device: tr.Device) -> None:
    x = random(3, 4)
    pairs = [(tr.cumsum, jnp.cumsum), (tr.cumprod, jnp.cumprod), (tr.cummax, jax.lax.cummax)]
    ours = [tr.grad(lambda v, f=f: tr.sum(tr.sin(f(v, 1))))(tr.asarray(x)) for f, _ in pairs]
    theirs = by_jax(
        lambda v: [jax.grad(lambda w, f=f: jnp.sum(jnp.sin(f(w, 1))))(v) for _, f in pairs], x
    )
    for found, expected in zip(ours, theirs, strict=True):
        check(found, expected)
