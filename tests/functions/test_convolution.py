"""Convolutions against jax.lax: values and derivatives."""

from __future__ import annotations

from functools import partial
from typing import Any

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
    ((5, 4), (2, 3), 1, 2, {"padding": 1}),
    ((5, 4), (2, 3), 1, 2, {"padding": (2, 0), "input_dilations": (2, 1)}),
    ((5, 4), (2, 2), 4, 2, {"padding": 2, "input_dilations": 3, "strides": 2, "groups": 2}),
]


def _jax_conv(x: Any, kernel: Any, **options: Any) -> Any:
    n = x.ndim - 2
    each = lambda v: (v,) * n if isinstance(v, int) else v
    axes = SPATIAL[:n]
    padding = each(options.get("padding", VALID))
    if isinstance(padding, tuple) and isinstance(padding[0], int):
        padding = [(p, p) for p in padding]
    return lax.conv_general_dilated(
        x,
        kernel,
        each(options.get("strides", 1)),
        padding.upper() if isinstance(padding, str) else padding,
        lhs_dilation=each(options.get("input_dilations", 1)),
        rhs_dilation=each(options.get("dilations", 1)),
        dimension_numbers=(f"N{axes}C", f"{axes}IO", f"N{axes}C"),
        feature_group_count=options.get("groups", 1),
    )


def _compare(case: Any, ours: Any, theirs: Any, *arrays: Any) -> None:
    """Values and derivatives of all operands."""

    def cost(f: Any) -> Any:
        return lambda *arrays: (f(*arrays) ** 3).sum()

    argnums = tuple(range(len(arrays)))
    value, wanted = once(str(case), lambda: jax_gradient(cost(theirs), *arrays, argnums=argnums))
    found = tr.value_and_grad(cost(ours), argnums)(*map(tr.asarray, arrays))
    check(found[0], value, tolerance=1e-4)
    for gradient, expected in zip(found[1], wanted, strict=True):
        check(gradient, expected, tolerance=1e-3)


@pytest.mark.parametrize("case", CONVOLUTIONS, ids=str)
def test_conv(case: tuple[Any, ...], device: tr.Device) -> None:
    lengths, window, features, filters, options = case
    x = random(2, *lengths, features)
    kernel = random(*window, features // options.get("groups", 1), filters, seed=1)
    ours, theirs = partial(tr.conv, **options), partial(_jax_conv, **options)
    _compare(case, ours, theirs, x, kernel)


TRANSPOSED: list[tuple[Any, ...]] = [
    ((4,), (3,), {"strides": 2}),
    ((4,), (2,), {"strides": 3, "padding": SAME}),
    ((3, 4), (3, 2), {"strides": (2, 3), "padding": SAME}),
    ((3, 4), (3, 4), {"strides": 2, "transpose_kernel": True}),
    ((3, 4), (4, 3), {"strides": 2, "padding": SAME, "transpose_kernel": True}),
    ((3, 4), (2, 2), {"strides": 2, "padding": ((1, 2), (0, 1)), "dilations": 2}),
    ((2, 3, 2), (2, 2, 2), {"strides": (1, 2, 2)}),
]


@pytest.mark.parametrize("case", TRANSPOSED, ids=str)
def test_conv_transpose(case: tuple[Any, ...], device: tr.Device) -> None:
    lengths, window, options = case
    n = len(lengths)
    last = (4, 2) if options.get("transpose_kernel") else (2, 4)
    x, kernel = random(2, *lengths, 2), random(*window, *last, seed=1)
    each = lambda v: (v,) * n if isinstance(v, int) else v

    def theirs(x: Any, kernel: Any) -> Any:
        padding = options.get("padding", VALID)
        return lax.conv_transpose(
            x,
            kernel,
            each(options.get("strides", 1)),
            padding.upper() if isinstance(padding, str) else padding,
            rhs_dilation=each(options.get("dilations", 1)),
            dimension_numbers=(f"N{SPATIAL[:n]}C", f"{SPATIAL[:n]}IO", f"N{SPATIAL[:n]}C"),
            transpose_kernel=options.get("transpose_kernel", False),
        )

    _compare(case, partial(tr.conv_transpose, **options), theirs, x, kernel)


def test_a_transposed_convolution_is_the_derivative_of_one(device: tr.Device) -> None:
    x, kernel = tr.asarray(random(1, 6, 8, 2)), tr.asarray(random(3, 4, 2, 3, seed=1))
    y, pull = tr.vjp(lambda x: tr.conv(x, kernel, strides=2, padding=SAME), x)
    g = tr.asarray(random(*y.shape, seed=2))
    back = tr.conv_transpose(g, kernel, strides=2, padding=SAME, transpose_kernel=True)
    check(back, pull(g)[0].numpy(), tolerance=1e-4)


@pytest.mark.parametrize("padding", [SAME, VALID, 1])
def test_depthwise_and_separable(padding: Any, device: tr.Device) -> None:
    x, kernel, point = random(2, 5, 6, 3), random(2, 3, 3, 2, seed=1), random(1, 1, 6, 4, seed=2)
    options = {"strides": 2, "padding": padding}

    def theirs(x: Any, kernel: Any) -> Any:
        return _jax_conv(x, kernel.reshape(2, 3, 1, 6), groups=3, **options)

    ours = partial(tr.depthwise_conv, **options)
    _compare(f"depthwise {padding}", ours, theirs, x, kernel)
    both = lambda x, kernel, point: _jax_conv(theirs(x, kernel), point)
    ours = partial(tr.separable_conv, **options)
    _compare(f"separable {padding}", ours, both, x, kernel, point)


def test_same_counts_places_of_a_dilated_input(device: tr.Device) -> None:
    x, kernel = tr.ones((1, 6, 1)), tr.ones((3, 1, 1))
    assert tr.conv(x, kernel, padding=SAME, input_dilations=2, strides=2).shape == (1, 6, 1)


def test_nothing_to_convolve(device: tr.Device) -> None:
    assert tr.conv(tr.zeros((0, 4, 4, 1)), tr.ones((2, 2, 1, 3))).shape == (0, 3, 3, 3)
    assert tr.conv_transpose(tr.zeros((0, 3, 1)), tr.ones((2, 1, 5)), strides=2).shape == (0, 6, 5)
    assert tr.depthwise_conv(tr.zeros((0, 3, 2)), tr.ones((2, 2, 3))).shape == (0, 2, 6)


@pytest.mark.parametrize("dtype", [np.float64, BFLOAT16, np.float16], ids=str)
def test_conv_of_other_dtypes(dtype: Any, device: tr.Device) -> None:
    x, kernel = random(1, 6, 6, 3, dtype=dtype), random(3, 3, 3, 2, seed=1, dtype=dtype)
    expected = by_jax(_jax_conv, x.astype(np.float64), kernel.astype(np.float64))
    wide = 4e-2 if np.dtype(dtype).itemsize == 2 else None  # 27 products rounded one by one
    check(tr.conv(tr.asarray(x), tr.asarray(kernel)), expected, dtype, wide)


def test_conv_promotes(device: tr.Device) -> None:
    x, kernel = np.ones((1, 3, 3, 1), np.float16), tr.ones((2, 2, 1, 1))
    check(tr.conv(tr.asarray(x), kernel), np.full((1, 2, 2, 1), 4, np.float32))
