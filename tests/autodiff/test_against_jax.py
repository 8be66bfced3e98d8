"""Values and first and second derivatives of a few dozen functions, against jax.grad."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import SimpleNamespace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import tracer as tr
from tests.functions.oracle import by_jax, check, random

JAX = SimpleNamespace(
    **{name: getattr(jnp, name) for name in dir(jnp) if not name.startswith("_")},
    rsqrt=jax.lax.rsqrt,
    **{
        name: getattr(jax.nn, name)
        for name in [
            "relu",
            "relu6",
            "sigmoid",
            "softplus",
            "silu",
            "gelu",
            "softmax",
            "log_softmax",
            "logsumexp",
        ]
    },
    stop_gradient=jax.lax.stop_gradient,
)

FUNCTIONS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "polynomial": lambda m, x, y: x**3 * y - 2 * x * y**2 + x / (y**2 + 1),
    "quotient": lambda m, x, y: x / (2 + y * y),
    "exp": lambda m, x, y: m.exp(x * y),
    "expm1": lambda m, x, y: m.expm1(x) * y,
    "log": lambda m, x, y: m.log(x**2 + y**2 + 1),
    "log1p": lambda m, x, y: m.log1p(m.abs(x)) * y,
    "log2": lambda m, x, y: m.log2(2 + x * x) + m.log10(2 + y * y),
    "sin cos tan": lambda m, x, y: m.sin(x) * m.cos(y) + m.tan(x / 4),
    "tanh": lambda m, x, y: m.tanh(x + y),
    "sqrt": lambda m, x, y: m.sqrt(1 + x * x) * m.rsqrt(1 + y * y),
    "power": lambda m, x, y: m.power(1.5 + x * x, y),
    "power of a number": lambda m, x, y: (1 + x * x) ** 1.5 + 2.0**y,
    "negative power": lambda m, x, y: (1 + x * x) ** -2 * y,
    "atan2": lambda m, x, y: m.atan2(x, 2 + y * y),
    "abs": lambda m, x, y: m.abs(x) * y,
    "maximum": lambda m, x, y: m.maximum(x, y) * m.minimum(x, 0.5),
    "clip": lambda m, x, y: m.clip(x, -0.5, 0.7) * y,
    "where": lambda m, x, y: m.where(x > y, x * x, y * x),
    "remainder": lambda m, x, y: m.remainder(x, 0.75) * y + m.floor(x) * x,
    "square": lambda m, x, y: m.square(x) * m.sign(y),
    "relu": lambda m, x, y: m.relu(x) * y + m.relu6(4 * y),
    "sigmoid": lambda m, x, y: m.sigmoid(x) * m.silu(y),
    "softplus": lambda m, x, y: m.softplus(x * y),
    "gelu": lambda m, x, y: m.gelu(x) * y,
    "softmax": lambda m, x, y: m.softmax(x) * y,
    "softmax of columns": lambda m, x, y: m.log_softmax(x, 0) * y,
    "logsumexp": lambda m, x, y: m.logsumexp(x, 1) * y[:, 0] ** 2,
    "sum": lambda m, x, y: m.sum(x, 0) * m.sum(y, 0) ** 2,
    "mean": lambda m, x, y: m.mean(x * y, 1, keepdims=True) * x,
    "var": lambda m, x, y: m.var(x, 1) * m.std(y, 1),
    "max": lambda m, x, y: m.max(x, 0) * m.min(y, 0),
    "max of all": lambda m, x, y: m.max(x * y) * x,
    "matmul": lambda m, x, y: m.matmul(x, y.T) ** 2,
    "vector product": lambda m, x, y: m.matmul(x, y[0]) * m.matmul(y[:, 0], x)[:3].sum(),
    "tensordot": lambda m, x, y: m.tensordot(x, y, 2) * x,
    "reshape": lambda m, x, y: m.reshape(x, (4, 3)) ** 2 * m.transpose(y),
    "broadcast": lambda m, x, y: m.broadcast_to(x[:, None], (3, 2, 4)) * y[:, None] * x[:, None],
    "broadcast by axes": lambda m, x, y: x[:, :1] * y[:1] ** 2,
    "concatenate": lambda m, x, y: m.concatenate([x, y * x], axis=1) ** 2,
    "stack": lambda m, x, y: m.stack([x, y]) * m.stack([y, y]),
    "pad": lambda m, x, y: m.pad(x, ((1, 0), (0, 2))) ** 2 + m.pad(y, ((0, 1), (1, 1))),
    "flip": lambda m, x, y: m.flip(x, 1) * y * x,
    "slices": lambda m, x, y: x[::2, 1:] * y[:2, ::-1][:, :3] ** 2,
    "squeeze": lambda m, x, y: m.squeeze(m.expand_dims(x * y, 1), 1) ** 2,
    "moveaxis": lambda m, x, y: m.moveaxis(x, 0, 1) @ (y * y),
    "conversion": lambda m, x, y: (x > 0).astype(x.dtype) * x * y * y,
    "stopped": lambda m, x, y: m.stop_gradient(x) * x * y * y,
}


def _both(f: Callable[..., Any], m: Any, grad: Callable[..., Any]) -> Callable[..., Any]:
    """The cost, its gradient, and the gradient of what that makes with a fixed direction."""

    def cost(x: Any, y: Any) -> Any:
        return m.sum(f(m, x, y))

    def directed(x: Any, y: Any) -> Any:
        gx, gy = grad(cost, (0, 1))(x, y)
        return m.sum(gx * m.cos(x)) + m.sum(gy * m.sin(y))

    return lambda x, y: (cost(x, y), *grad(cost, (0, 1))(x, y), *grad(directed, (0, 1))(x, y))


def _inputs(dtype: Any) -> tuple[Any, Any]:
    return random(3, 4, seed=3, dtype=dtype), random(3, 4, seed=4, dtype=dtype)


@cache
def _expected(name: str) -> Any:
    return by_jax(_both(FUNCTIONS[name], JAX, jax.grad), *_inputs(np.float64))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_lazily_in_float64(name: str) -> None:
    found = _run(name, np.float64, tr.Device.default_xla())
    for value, expected in zip(found, _expected(name), strict=True):
        check(value, expected, np.float64, 1e-9)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_lazily_in_float32(name: str) -> None:
    """Near the derivatives of the float64 function: second ones amplify the rounding of inputs."""
    found = _run(name, np.float32, tr.Device.default_xla())
    for value, expected in zip(found, _expected(name), strict=True):
        check(value, expected, np.float32, 1e-3)


@pytest.mark.parametrize("name", list(FUNCTIONS)[::5])
def test_eagerly(name: str) -> None:
    found = _run(name, np.float32, tr.Device.default_eager())
    for value, expected in zip(found, _expected(name), strict=True):
        check(value, expected, np.float32, 1e-3)


def _run(name: str, dtype: Any, device: tr.Device) -> tuple[tr.Tensor, ...]:
    x, y = (tr.asarray(v, device=device) for v in _inputs(dtype))
    return _both(FUNCTIONS[name], tr, tr.grad)(x, y)  # type: ignore[no-any-return]
