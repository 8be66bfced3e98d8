"""resize against jax.image.resize: methods, up and down, in 1 to 3 dimensions."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import tracer as tr
from tests.functions.oracle import BFLOAT16, by_jax, check, jax_gradient, once, random

METHODS = ("nearest", "linear", "cubic", "lanczos3", "lanczos5")
SHAPES: list[tuple[tuple[int, ...], tuple[int, ...]]] = [
    ((7,), (19,)),
    ((19,), (7,)),
    ((2, 5, 6, 3), (2, 11, 4, 3)),
    ((4, 3, 5), (3, 7, 2)),
    ((3, 4), (1, 4)),
]


@pytest.mark.parametrize("antialias", [True, False])
@pytest.mark.parametrize("method", METHODS)
def test_as_jax(method: str, antialias: bool, device: tr.Device) -> None:
    images = [random(*old) for old, _ in SHAPES]

    def resized(resize: Any) -> Any:
        pairs = zip(images, SHAPES, strict=True)
        return [resize(x, new, method, antialias) for x, (_, new) in pairs]

    wanted = once(f"{method} {antialias}", lambda: by_jax(lambda: resized(jax.image.resize)))
    for found, expected in zip(resized(tr.resize), wanted, strict=True):
        check(found, expected)


@pytest.mark.parametrize("method", ["nearest", "linear", "lanczos3"])
def test_derivatives(method: str, device: tr.Device) -> None:
    x = random(4, 6, dtype=np.float64)
    cost = lambda m, resize: lambda x: m.sum(resize(x, (6, 3), method) ** 3)
    _, wanted = once(f"d {method}", lambda: jax_gradient(cost(jnp, jax.image.resize), x))
    check(tr.grad(cost(tr, tr.resize))(tr.asarray(x)), wanted, tolerance=1e-6)  # f32 weights there


def test_dtypes(device: tr.Device) -> None:
    x = (np.arange(12) % 7).astype(np.int8).reshape(3, 4)
    for dtype in (np.int8, np.float16, BFLOAT16, np.complex64):
        found = tr.resize(tr.asarray(x.astype(dtype)), (6, 2), "linear")
        wide = by_jax(lambda x: jax.image.resize(x, (6, 2), "linear"), x.astype(np.float64))
        check(found, wide, np.float32 if dtype is np.int8 else dtype)
    check(tr.resize(tr.asarray(x), (6, 2), "nearest"), np.repeat(x, 2, 0)[:, 1::2])


def test_sizes(device: tr.Device) -> None:
    x = tr.asarray(random(3, 4))
    for method in ("nearest", "cubic"):
        check(tr.resize(x, (3, 4), method), x.numpy())
        assert tr.resize(x, (0, 4), method).shape == (0, 4)
        assert tr.resize(tr.zeros((0, 4)), (0, 8), method).shape == (0, 8)
        check(tr.resize(tr.asarray(2.0), (), method), np.float32(2))
    large = np.arange(1000, dtype=np.float32)
    check(tr.resize(large, 3, "nearest"), large[[166, 500, 833]])


def test_a_constant_stays_one(device: tr.Device) -> None:
    for method in (*METHODS, "bilinear", "bicubic"):
        check(tr.resize(tr.ones((5, 7)), (13, 3), method), np.ones((13, 3), np.float32))
