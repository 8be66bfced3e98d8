"""Convolution and pooling against jax.lax: values and derivatives."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import tracer as tr
from tests.functions.oracle import BFLOAT16, by_jax, check, jax_gradient, once, random

SPATIAL = "HWD"
SAME, VALID = "same", "valid"

# spatial lengths, window, features, filters, and what is not the default
CONVOLUTIONS: list[tuple[Any, ...]] = [
    ((7,), (3,), 2, 3, {}),
    ((7,), (3,), 2, 3, {"strides": 2, "padding": SAME}),
    ((6, 5), (3, 2), 2, 3, {}),
    ((6, 5), (3, 2), 2, 3, {"padding": SAME}),
    ((6, 5), (3, 2), 2, 3, {"strides": (2, 1), "padding": SAME}),
    ((6, 5), (3, 2), 2, 3, {"padding": ((1, 2), (0, 1))}),
    ((6, 5), (2, 2), 2, 3, {"dilations": 2}),
    ((7, 7), (2, 2), 2, 3, {"dilations": (2, 3), "padding": SAME, "strides": 2}),
    ((5, 5), (3, 3), 4, 6, {"groups": 2}),
    ((5, 5), (3, 3), 4, 4, {"groups": 4, "padding": SAME}),
    ((4, 3, 5), (2, 2, 2), 1, 2, {"strides": (1, 1, 2)}),
    ((2, 2), (3, 3), 1, 1, {}),
]


def _jax_conv(x: Any, kernel: Any, **options: Any) -> Any:
    n = x.ndim - 2
    each = lambda v: (v,) * n if isinstance(v, int) else v
    axes = SPATIAL[:n]
    padding = options.get("padding", VALID)
    return lax.conv_general_dilated(
        x,
        kernel,
        each(options.get("strides", 1)),
        padding.upper() if isinstance(padding, str) else padding,
        rhs_dilation=each(options.get("dilations", 1)),
        dimension_numbers=(f"N{axes}C", f"{axes}IO", f"N{axes}C"),
        feature_group_count=options.get("groups", 1),
    )


@pytest.mark.parametrize("case", CONVOLUTIONS, ids=str)
def test_conv(case: tuple[Any, ...], device: tr.Device) -> None:
    lengths, window, features, filters, options = case
    x = random(2, *lengths, features)
    kernel = random(*window, features // options.get("groups", 1), filters, seed=1)

    def cost(conv: Any, x: Any, kernel: Any) -> Any:
        y = conv(x, kernel, **options)
        return (y * y * y).sum()

    oracle = lambda: jax_gradient(lambda *a: cost(_jax_conv, *a), x, kernel, argnums=(0, 1))
    value, wanted = once(str(case), oracle)
    found = tr.value_and_grad(lambda *a: cost(tr.conv, *a), (0, 1))(
        tr.asarray(x), tr.asarray(kernel)
    )
    check(found[0], value, tolerance=1e-4)
    for gradient, expected in zip(found[1], wanted, strict=True):
        check(gradient, expected, tolerance=1e-3)


@pytest.mark.parametrize("dtype", [np.float64, BFLOAT16, np.float16], ids=str)
def test_conv_of_other_dtypes(dtype: Any, device: tr.Device) -> None:
    x, kernel = random(1, 6, 6, 3, dtype=dtype), random(3, 3, 3, 2, seed=1, dtype=dtype)
    expected = by_jax(_jax_conv, x.astype(np.float64), kernel.astype(np.float64))
    wide = 4e-2 if np.dtype(dtype).itemsize == 2 else None  # 27 products rounded one by one
    check(tr.conv(tr.asarray(x), tr.asarray(kernel)), expected, dtype, wide)


def test_conv_promotes(device: tr.Device) -> None:
    x, kernel = np.ones((1, 3, 3, 1), np.float16), tr.ones((2, 2, 1, 1))
    check(tr.conv(tr.asarray(x), kernel), np.full((1, 2, 2, 1), 4, np.float32))


POOLS: list[tuple[Any, ...]] = [
    ((6,), 2, {}),
    ((6, 5), 2, {}),
    ((6, 5), (3, 2), {"strides": (1, 2)}),
    ((6, 5), 3, {"padding": SAME}),
    ((7, 7), 3, {"padding": SAME, "strides": 2}),
    ((6, 5), 2, {"padding": ((1, 0), (1, 1))}),
    ((4, 4, 4), 2, {}),
]


def _jax_pool(kind: str, x: Any, window: Any, strides: Any = None, padding: Any = VALID) -> Any:
    n = x.ndim - 2
    sizes = (1, *((window,) * n if isinstance(window, int) else window), 1)
    steps = sizes
    if strides is not None:
        steps = (1, *((strides,) * n if isinstance(strides, int) else strides), 1)
    pads = padding.upper() if isinstance(padding, str) else ((0, 0), *padding, (0, 0))
    if kind == "max":
        return lax.reduce_window(x, -jnp.inf, lax.max, sizes, steps, pads)
    add = lambda v: lax.reduce_window(v, 0.0, lax.add, sizes, steps, pads)
    return add(x) / add(jnp.ones_like(x))


@pytest.mark.parametrize("kind", ["max", "avg"])
@pytest.mark.parametrize("case", POOLS, ids=str)
def test_pools(case: tuple[Any, ...], kind: str, device: tr.Device) -> None:
    lengths, window, options = case
    x = random(2, *lengths, 2)
    pool = tr.max_pool if kind == "max" else tr.avg_pool

    def cost(f: Any, x: Any) -> Any:
        y = f(x)
        return (y * y * y).sum()

    reference = lambda v: _jax_pool(kind, v, window, **options)
    oracle = lambda: jax_gradient(lambda x: cost(reference, x), x)
    value, wanted = once(f"{kind} {case}", oracle)
    found = tr.value_and_grad(lambda x: cost(lambda v: pool(v, window, **options), x))(
        tr.asarray(x)
    )
    check(found[0], value, tolerance=1e-4)
    check(found[1], wanted, tolerance=1e-4)


def test_padding_never_wins_a_maximum(device: tr.Device) -> None:
    x = tr.arange(1.0, 10.0).reshape(1, 3, 3, 1)
    padded = lambda v: tr.max_pool(v, 2, padding=((1, 1), (1, 1)))
    check(padded(x)[0, :, :, 0], np.array([[1, 3], [7, 9]], np.float32))
    check(padded(x - 10)[0, :, :, 0], np.array([[-9, -7], [-3, -1]], np.float32))
    gradient = tr.grad(lambda v: tr.sum(padded(v)))(x)
    expected = np.zeros((3, 3), np.float32)
    expected[::2, ::2] = 1
    check(gradient[0, :, :, 0], expected)


def test_padding_is_not_counted_in_a_mean(device: tr.Device) -> None:
    x = tr.asarray([[1.0, 2.0], [3.0, 4.0]]).reshape(1, 2, 2, 1)
    found = tr.avg_pool(x, 3, strides=1, padding=((1, 1), (1, 1)))
    assert found[0, 0, 0, 0].item() == 2.5
    same = tr.avg_pool(x, 3, strides=1, padding="same")
    assert same[0, 0, 0, 0].item() == 2.5


def test_a_convolution_and_a_pool_that_pad_negatively_backwards(device: tr.Device) -> None:
    x, kernel = random(1, 16, 16, 1), random(7, 7, 1, 2, seed=1)

    def cost(x: tr.Tensor) -> tr.Tensor:
        y = tr.conv(x, tr.asarray(kernel), strides=2, padding="same")
        return tr.sum(tr.max_pool(y, 3, strides=2, padding="same"))

    gradient = tr.grad(cost)(tr.asarray(x)).numpy()
    assert gradient.shape == x.shape
    assert np.isfinite(gradient).all()


def test_a_window_larger_than_the_input_gives_nothing(device: tr.Device) -> None:
    assert tr.max_pool(tr.zeros((1, 2, 1)), 3).shape == (1, 0, 1)
    assert tr.conv(tr.zeros((0, 4, 4, 1)), tr.ones((2, 2, 1, 3))).shape == (0, 3, 3, 3)
    assert tr.avg_pool(tr.zeros((0, 4, 4, 1)), 2).shape == (0, 2, 2, 1)
