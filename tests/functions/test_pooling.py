"""Pools against jax.lax.reduce_window: values and derivatives."""

from __future__ import annotations

from functools import partial
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import tracer as tr
from tests.functions.oracle import BFLOAT16, by_jax, check, jax_gradient, once, random

SAME, VALID = "same", "valid"
POOLS: list[tuple[Any, ...]] = [
    ((6,), 2, {}),
    ((6, 5), (3, 2), {"strides": (1, 2)}),
    ((7, 6), 3, {"padding": SAME, "strides": 2}),
    ((6, 7), 3, {"padding": ((1, 0), (1, 1)), "strides": 2}),
    ((4, 4, 4), 2, {}),
]
KINDS = ("max", "min", "sum", "avg", "avg with padding")
PAIRS = [
    (kind, case)
    for case in POOLS
    for kind in KINDS
    if kind in ("max", "avg") or "padding" in case[2]
]


def _each(value: Any, n: int) -> tuple[Any, ...]:
    return (value,) * n if isinstance(value, int) else tuple(value)


def _jax_pool(kind: str, x: Any, window: Any, **options: Any) -> Any:
    n = x.ndim - 2
    sizes = (1, *_each(window, n), 1)
    steps = (1, *_each(options.get("strides", window), n), 1)
    rates = (1, *_each(options.get("dilations", 1), n), 1)
    padding = options.get("padding", VALID)
    if isinstance(padding, str):
        pads: Any = padding.upper()
    else:
        pads = ((0, 0), *(_each(p, 2) for p in _each(padding, n)), (0, 0))

    def reduced(v: Any, start: float, op: Any) -> Any:
        return lax.reduce_window(v, start, op, sizes, steps, pads, window_dilation=rates)

    if kind in ("max", "min"):
        return reduced(x, *((-jnp.inf, lax.max) if kind == "max" else (jnp.inf, lax.min)))
    total = reduced(x, 0.0, lax.add)
    if kind == "sum":
        return total
    counts = reduced(jnp.ones_like(x), 0.0, lax.add) if kind == "avg" else np.prod(sizes)
    return total / counts


def _pool(kind: str, x: tr.Tensor, window: Any, **options: Any) -> tr.Tensor:
    if kind == "avg with padding":
        return tr.avg_pool(x, window, count_include_pad=True, **options)
    pools = {"max": tr.max_pool, "min": tr.min_pool, "sum": tr.sum_pool, "avg": tr.avg_pool}
    return pools[kind](x, window, **options)


@pytest.mark.parametrize(("kind", "case"), PAIRS, ids=str)
def test_pools(kind: str, case: tuple[Any, ...], device: tr.Device) -> None:
    lengths, window, options = case
    x = random(2, *lengths, 2)
    cost = lambda f: lambda x: (f(kind, x, window, **options) ** 3).sum()
    value, wanted = once(f"{kind} {case}", lambda: jax_gradient(cost(_jax_pool), x))
    found = tr.value_and_grad(cost(_pool))(tr.asarray(x))
    check(found[0], value, tolerance=1e-4)
    check(found[1], wanted, tolerance=1e-4)


@pytest.mark.parametrize("kind", KINDS)
def test_dilated_windows(kind: str, device: tr.Device) -> None:
    x, options = random(2, 7, 8, 2), {"dilations": (2, 3), "strides": 1, "padding": SAME}
    found = _pool(kind, tr.asarray(x), 2, **options)
    check(
        found,
        once(f"dilated {kind}", lambda: by_jax(partial(_jax_pool, kind, window=2, **options), x)),
    )
    if kind == "sum":
        cost = lambda f: lambda x: (f(kind, x, 2, **options) ** 2).sum()
        _, wanted = jax_gradient(cost(_jax_pool), x)
        check(tr.grad(cost(_pool))(tr.asarray(x)), wanted, tolerance=1e-4)


def test_the_first_of_equals_in_a_dilated_window(device: tr.Device) -> None:
    """jax has no such derivative."""
    for pool in (tr.max_pool, tr.min_pool):
        found = tr.grad(lambda x, pool=pool: tr.sum(pool(x, 2, dilations=2)))(tr.ones((1, 5, 1)))
        check(found[0, :, 0], np.array([1, 0, 1, 0, 0], np.float32))


@pytest.mark.parametrize("dtype", [np.float16, BFLOAT16, np.float64], ids=str)
def test_dtypes(dtype: Any, device: tr.Device) -> None:
    """Sums of 16-bit floats are taken in 32 bits."""
    x = (np.arange(1, 1025) / 256).astype(dtype).reshape(1, 1024, 1)
    wide = x.astype(np.float64)
    check(tr.avg_pool(tr.asarray(x), 1024), wide.mean(keepdims=True), dtype)
    check(tr.sum_pool(tr.asarray(x), 1024), wide.sum(keepdims=True), dtype)
    check(tr.min_pool(tr.asarray(x), 512), wide.reshape(1, 2, 512, 1).min(2), dtype)
    check(tr.global_avg_pool(tr.asarray(x)), wide.mean(1), dtype)
    check(tr.max_pool(tr.asarray(np.array([[[3], [5]]], np.int8)), 2)[0, 0], np.float32([5]))


def test_global_pools(device: tr.Device) -> None:
    for shape in ((2, 5, 3), (2, 3, 4, 3), (2, 2, 3, 2, 1)):
        x = random(*shape)
        axes = tuple(range(1, len(shape) - 1))
        check(tr.global_avg_pool(tr.asarray(x)), x.mean(axes))
        check(tr.global_max_pool(tr.asarray(x)), x.max(axes))
    _, wanted = jax_gradient(
        lambda x: (x.max((1, 2)) ** 3 + x.mean((1, 2)) ** 2).sum(), random(2, 3, 4, 2)
    )
    cost = lambda x: tr.sum(tr.global_max_pool(x) ** 3 + tr.global_avg_pool(x) ** 2)
    check(tr.grad(cost)(tr.asarray(random(2, 3, 4, 2))), wanted)


def test_no_batch_and_not_a_number(device: tr.Device) -> None:
    for pool in (tr.max_pool, tr.min_pool, tr.avg_pool, tr.sum_pool):
        assert pool(tr.zeros((0, 4, 4, 1)), 2).shape == (0, 2, 2, 1)
        found = pool(tr.asarray(np.array([[[1], [np.nan], [3], [4]]], np.float32)), 2)
        assert np.isnan(found.numpy()).ravel().tolist() == [True, False]
    assert tr.global_avg_pool(tr.zeros((0, 4, 1))).shape == (0, 1)
