"""Products and windows that other libraries got wrong once, each with the answer that is right."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tracer as tr
from tests.functions.oracle import BFLOAT16, check, random


@pytest.mark.parametrize("dtype", [np.float16, BFLOAT16], ids=str)
def test_a_cotangent_has_its_operand_s_dtype(dtype: Any, device: tr.Device) -> None:
    """Sums of 16-bit products in 32 bits, derivatives in 16."""
    x = tr.asarray(np.array([3], dtype))
    wide = lambda x: tr.einsum("i,i->", x, x, preferred_element_type=tr.float32)
    value, gradient = tr.value_and_grad(wide)(x)
    check(value, np.float32(9))
    check(gradient, np.array([6]), dtype)
    image, kernel = tr.ones((1, 4, 4, 1), dtype), tr.ones((2, 2, 1, 1), dtype)
    found = tr.grad(lambda *a: tr.sum(tr.conv(*a).astype(tr.float32)), (0, 1))(image, kernel)
    assert [g.dtype for g in found] == [dtype, dtype]
    check(found[1], np.full((2, 2, 1, 1), 9), dtype)


def test_padding_never_wins_a_maximum(device: tr.Device) -> None:
    x = tr.arange(1.0, 10.0).reshape(1, 3, 3, 1)
    padded = lambda v: tr.max_pool(v, 2, padding=1)
    check(padded(x)[0, :, :, 0], np.array([[1, 3], [7, 9]], np.float32))
    check(padded(x - 10)[0, :, :, 0], np.array([[-9, -7], [-3, -1]], np.float32))
    gradient = tr.grad(lambda v: tr.sum(padded(v)))(x)
    expected = np.zeros((3, 3), np.float32)
    expected[::2, ::2] = 1
    check(gradient[0, :, :, 0], expected)


def test_padding_that_is_negative_backwards(device: tr.Device) -> None:
    x, kernel = random(1, 16, 16, 1), random(7, 7, 1, 2, seed=1)

    def cost(x: tr.Tensor) -> tr.Tensor:
        y = tr.conv(x, tr.asarray(kernel), strides=2, padding="same")
        return tr.sum(tr.max_pool(y, 3, strides=2, padding="same"))

    gradient = tr.grad(cost)(tr.asarray(x)).numpy()
    assert gradient.shape == x.shape
    assert np.isfinite(gradient).all()


def test_padding_counts_in_a_mean_or_not(device: tr.Device) -> None:
    x = tr.asarray([[1.0, 2.0], [3.0, 4.0]]).reshape(1, 2, 2, 1)
    first = lambda **options: tr.avg_pool(x, 3, strides=1, **options)[0, 0, 0, 0]
    check(first(padding=1, count_include_pad=True), np.float32(10 / 9))
    check(first(padding=1), np.float32(2.5))
    check(first(padding="same"), np.float32(2.5))


def test_a_window_larger_than_the_input(device: tr.Device) -> None:
    """Gives nothing, never a negative length."""
    x = tr.zeros((2, 5, 3, 2))
    for pool in (tr.max_pool, tr.min_pool, tr.sum_pool, tr.avg_pool):
        assert pool(x, (3, 1), strides=1, dilations=(3, 1)).shape == (2, 0, 3, 2)
        assert pool(x, (6, 1)).shape == (2, 0, 3, 2)
    assert tr.conv(x, tr.ones((3, 1, 2, 1)), dilations=(3, 1)).shape == (2, 0, 3, 1)
    gradient = tr.grad(lambda x: tr.sum(tr.avg_pool(x, (6, 1))))(x)
    check(gradient, np.zeros(x.shape, np.float32))
