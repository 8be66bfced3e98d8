"""Activations against jax.nn: values, derivatives and second derivatives, corners among them."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import tracer as tr
from tests.functions.oracle import BFLOAT16, by_jax, check, once, random

JAX: dict[str, Any] = {
    "celu": jax.nn.celu,
    "elu": jax.nn.elu,
    "hard_sigmoid": jax.nn.hard_sigmoid,
    "hard_swish": jax.nn.hard_swish,
    "hard_tanh": jax.nn.hard_tanh,
    "leaky_relu": jax.nn.leaky_relu,
    "log_sigmoid": jax.nn.log_sigmoid,
    "mish": jax.nn.mish,
    "selu": jax.nn.selu,
    "soft_sign": jax.nn.soft_sign,
}
X = np.array([-50, -4, -3, -2.5, -1, -0.3, -0.0, 0, 0.2, 1, 2, 3, 7, 50])
JUMPING = ("celu", "soft_sign")
"""Their second derivatives jump at 0."""
KINKS = {"hard_tanh": 1}
"""Where slopes jump and JAX takes the steep side: docs/derivatives.md has ours."""
FAR = np.array([np.nan, np.inf, -np.inf, 1e4, -1e4, 1e-7, -1e-7], np.float32)


def _three(grad: Any, f: Any, m: Any) -> Any:
    """The values, first and second derivatives."""
    first = grad(lambda x: m.sum(f(x)))
    return lambda x: (f(x), first(x), grad(lambda x: m.sum(first(x)))(x))


@pytest.mark.parametrize("name", JAX)
def test_values_and_derivatives(name: str, device: tr.Device) -> None:
    wanted = once(name, lambda: by_jax(_three(jax.grad, JAX[name], jnp), X))
    found = _three(tr.grad, getattr(tr, name), tr)(tr.asarray(X))
    check(found[0], wanted[0])
    smooth = np.abs(X) != KINKS.get(name)
    check(found[1].numpy()[smooth], wanted[1][smooth])
    asked = X != 0 if name in JUMPING else X == X
    check(found[2].numpy()[asked], wanted[2][asked])


@pytest.mark.parametrize("name", JAX)
def test_far_out(name: str, device: tr.Device) -> None:
    expected = once(f"far {name}", lambda: by_jax(JAX[name], FAR))
    check(getattr(tr, name)(tr.asarray(FAR)), expected)


@pytest.mark.parametrize("dtype", [np.float16, BFLOAT16, np.int32], ids=str)
def test_dtypes(dtype: Any, device: tr.Device) -> None:
    x = np.array([-4, -1, 0, 1, 5]).astype(dtype)
    wanted = once("dtypes", lambda: by_jax(lambda x: [f(x) for f in JAX.values()], x.astype(float)))
    for name, expected in zip(JAX, wanted, strict=True):
        found = getattr(tr, name)(tr.asarray(x))
        check(found, expected, np.float32 if dtype is np.int32 else dtype)
        assert getattr(tr, name)(tr.zeros((0, 2))).shape == (0, 2)


@pytest.mark.parametrize(("name", "value"), [("elu", 0.3), ("celu", 0.3), ("leaky_relu", 0.2)])
def test_slopes_of_ones_own(name: str, value: float, device: tr.Device) -> None:
    expected = by_jax(lambda x: JAX[name](x, value), FAR)
    check(getattr(tr, name)(tr.asarray(FAR), value), expected)


@pytest.mark.parametrize("axis", [-1, 0])
def test_glu(axis: int, device: tr.Device) -> None:
    x = random(4, 6, dtype=np.float64)
    both = lambda f, grad: lambda x: (f(x, axis), grad(lambda x: f(x, axis).sum())(x))
    wanted = once(f"glu {axis}", lambda: by_jax(both(jax.nn.glu, jax.grad), x))
    for found, expected in zip(both(tr.glu, tr.grad)(tr.asarray(x)), wanted, strict=True):
        check(found, expected)
    assert tr.glu(tr.zeros((2, 0))).shape == (2, 0)
