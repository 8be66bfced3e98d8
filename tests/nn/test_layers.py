"""Layers against computations written in jax: values and derivatives, dtypes, phases."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import tracer as tr
from tests.functions.oracle import BFLOAT16, Array, check, jax_gradient, once, random
from tracer import nn

DTYPES = [np.float32, np.float64, BFLOAT16]
DIMENSIONS = ("NHWC", "HWIO", "NHWC")


def _jax_conv(p: dict[str, Any], x: Any) -> Any:
    y = lax.conv_general_dilated(x, p["kernel"], (2, 1), "SAME", dimension_numbers=DIMENSIONS)
    return jax.nn.relu(y + p["bias"])


def _jax_norm(p: dict[str, Any], x: Any) -> Any:
    mean, var = x.mean((0, 1, 2)), x.var((0, 1, 2))
    return (x - mean) / jnp.sqrt(var + 0.001) * p["scale"] + p["offset"]


def _jax_pool(x: Any, start: float, op: Any) -> Any:
    return lax.reduce_window(x, start, op, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


# layer, its reference, the phase
LAYERS: dict[str, tuple[Callable[[Any], Any], Callable[[Any, Any], Any], str]] = {
    "Dense": (
        lambda dtype: nn.Dense(3, 5, nn.relu, dtype=dtype),
        lambda p, x: jax.nn.relu(x @ p["weight"] + p["bias"]),
        "inference",
    ),
    "Dense without bias": (
        lambda dtype: nn.Dense(3, 5, use_bias=False, dtype=dtype),
        lambda p, x: x @ p["weight"],
        "training",
    ),
    "Conv2D": (
        lambda dtype: nn.Conv2D((3, 3, 3, 4), nn.relu, strides=(2, 1), padding="same", dtype=dtype),
        _jax_conv,
        "training",
    ),
    "BatchNorm in training": (lambda dtype: nn.BatchNorm(3, dtype=dtype), _jax_norm, "training"),
    "BatchNorm in inference": (
        lambda dtype: nn.BatchNorm(3, dtype=dtype),
        lambda p, x: x / np.sqrt(1.001) * p["scale"] + p["offset"],
        "inference",
    ),
    "AvgPool2D": (
        lambda dtype: nn.AvgPool2D(2),
        lambda p, x: _jax_pool(x, 0.0, lax.add) / 4,
        "training",
    ),
    "MaxPool2D": (
        lambda dtype: nn.MaxPool2D(2),
        lambda p, x: _jax_pool(x, -jnp.inf, lax.max),
        "training",
    ),
    "Flatten": (lambda dtype: nn.Flatten(), lambda p, x: x.reshape(2, -1), "training"),
    "Dropout in inference": (lambda dtype: nn.Dropout(0.5), lambda p, x: x, "inference"),
    "Sequential": (
        lambda dtype: nn.Sequential(nn.MaxPool2D(2), tr.tanh),
        lambda p, x: jnp.tanh(_jax_pool(x, -jnp.inf, lax.max)),
        "training",
    ),
}


def _parameters(model: Any) -> dict[str, Any]:
    names = ("weight", "kernel", "bias", "scale", "offset")
    found = {name: getattr(model, name, None) for name in names}
    return {k: v.numpy().astype(np.float64) for k, v in found.items() if v is not None}


def _some(*shape: int) -> Array:
    """Numbers that every dtype holds exactly, so that one oracle serves all."""
    return random(*shape, seed=len(shape)).astype(BFLOAT16).astype(np.float64)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("name", LAYERS)
def test_layer(name: str, dtype: Any, device: tr.Device) -> None:
    make, reference, phase = LAYERS[name]
    model = tr.tree.update(make(dtype).to(device), lambda w: tr.asarray(_some(*w.shape), dtype))
    x = _some(2, 4, 4, 3)
    cost = lambda y: (y * y * y).mean()
    weights = _parameters(model)
    oracle = lambda: jax_gradient(lambda p, x: cost(reference(p, x)), weights, x, argnums=(0, 1))
    value, wanted = once(name, oracle)
    with tr.learning_phase(phase):
        pair = tr.value_and_grad(lambda m, x: cost(m(x)), (0, 1))(model, tr.asarray(x, dtype))
    near = 0.05 if dtype == BFLOAT16 else 1e-5  # intermediate values have 8 bits, too
    check(pair[0], value, dtype, near)
    check(pair[1][1], wanted[1], dtype, near)
    for key, expected in wanted[0].items():
        check(getattr(pair[1][0], key), expected, dtype, near)


def test_dense_of_any_rank(device: tr.Device) -> None:
    layer = nn.Dense(3, 2)
    for shape in ((3,), (4, 3), (2, 4, 3), (0, 3)):
        assert layer(tr.zeros(shape)).shape == (*shape[:-1], 2)


def test_running_statistics(device: tr.Device) -> None:
    model = nn.BatchNorm(2, momentum=0.9)
    x = random(6, 2) * 2 + 1
    mean, variance = np.zeros(2), np.ones(2)
    for _ in range(3):
        with tr.learning_phase("training"):
            model(tr.asarray(x))
        mean += (x.mean(0) - mean) * 0.1
        variance += (x.var(0) - variance) * 0.1
    check(model.running_mean.value, mean, np.float32)
    check(model.running_variance.value, variance, np.float32)
    before = model.running_mean.value
    found = model(tr.asarray(x))
    check(found, (x - mean) / np.sqrt(variance + 0.001), np.float32)
    assert model.running_mean.value is before


def test_other_axes_and_dtypes_of_features(device: tr.Device) -> None:
    model = nn.BatchNorm(3, axis=1)
    x = random(2, 3, 4, dtype=np.float64)
    with tr.learning_phase("training"):
        found = model(tr.asarray(x))
    centred = x - x.mean((0, 2), keepdims=True)
    check(found, centred / np.sqrt(x.var((0, 2), keepdims=True) + 0.001))
    assert model.running_mean.value.dtype == tr.float32


class TestDropout:
    """What it keeps, and how often."""

    def test_statistics(self, device: tr.Device) -> None:
        layer = nn.Dropout(0.3, generator=tr.random.Generator(1))
        with tr.learning_phase("training"):
            found = layer(tr.ones((100, 100))).numpy()
        assert set(np.unique(found)) == {np.float32(0), np.float32(1 / 0.7)}
        assert abs((found == 0).mean() - 0.3) < 4 * (0.3 * 0.7 / found.size) ** 0.5

    def test_edges(self, device: tr.Device) -> None:
        x = tr.asarray([1.0, np.inf, -2.0])
        with tr.learning_phase("training"):
            assert nn.Dropout(0.0)(x) is x
            value, pull = tr.vjp(nn.Dropout(1.0, generator=tr.random.Generator(2)), x)
        check(value, np.zeros(3, np.float32))
        check(pull(tr.ones(3))[0], np.zeros(3, np.float32))

    def test_the_derivative_passes_where_the_value_does(self, device: tr.Device) -> None:
        layer = nn.Dropout(0.5, generator=tr.random.Generator(3))
        with tr.learning_phase("training"):
            value, pull = tr.vjp(layer, tr.ones(50))
        check(pull(tr.ones(50))[0], value.numpy())

    def test_seeds(self, device: tr.Device) -> None:
        def draws(seed: int) -> list[Any]:
            layer = nn.Dropout(0.5, generator=tr.random.Generator(seed))
            with tr.learning_phase("training"):
                return [layer(tr.ones(40)).tolist() for _ in range(3)]

        assert draws(4) == draws(4)
        assert draws(4) != draws(5)
        first, second, _ = draws(4)
        assert first != second

    def test_no_new_program_each_step(self) -> None:
        with tr.default_device(tr.Device.default_xla()), tr.learning_phase("training"):
            layer, x = nn.Dropout(0.25, generator=tr.random.Generator(6)), tr.ones((3, 13))
            layer(x).numpy()
            layer(x).numpy()
            before = tr.metrics.snapshot()
            for _ in range(5):
                layer(x).numpy()
            assert tr.metrics.difference(tr.metrics.snapshot(), before)["compiles"] == 0

    def test_dtype(self, device: tr.Device) -> None:
        with tr.learning_phase("training"):
            found = nn.Dropout(0.5)(tr.ones(4, tr.bfloat16))
        assert found.dtype == tr.bfloat16


def test_phases() -> None:
    layer = nn.Dropout(1.0)
    x = tr.ones(3)
    assert layer(x) is x
    with tr.learning_phase("training"):
        with tr.learning_phase("inference"):
            assert layer(x) is x
        assert layer(x).tolist() == [0, 0, 0]
    assert layer(x) is x
