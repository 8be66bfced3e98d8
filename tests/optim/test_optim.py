"""Optimizers: goldens of Swift for TensorFlow, references written out in NumPy, what they keep."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tracer as tr
from tests.functions.oracle import BFLOAT16, Array, check
from tracer import nn, optim

GRADIENT = np.array([-5.0, 0.1, 0.2], np.float32)

# Made from the published values by 1,000 float32 steps; float64 differs by 1e-5.
GOLDENS: dict[str, tuple[Callable[[Any], optim.Optimizer], list[float]]] = {
    "SGD": (lambda m: optim.SGD(m, 1e-3), [5.0000668, -0.10000112, -0.20000224]),
    "Adam": (lambda m: optim.Adam(m, 1e-3, epsilon=1e-7), [0.99999064, -0.9999898, -0.9999905]),
}


@pytest.mark.parametrize("name", GOLDENS)
def test_a_thousand_steps(name: str, device: tr.Device) -> None:
    make, expected = GOLDENS[name]
    model = {"w": tr.zeros(3)}
    optimizer, gradient = make(model), {"w": tr.asarray(GRADIENT)}
    for _ in range(1000):
        optimizer.update(model, gradient)
        tr.barrier()
    check(model["w"], np.array(expected, np.float32))


def _sgd(w: Array, g: Array, state: dict[str, Any], rate: float, m: float, nesterov: bool) -> Array:
    v = state["v"] = m * state.get("v", 0) - rate * g
    return w + (m * v - rate * g if nesterov else v)


def _adam(w: Array, g: Array, state: dict[str, Any], rate: float, t: int) -> Array:
    m = state["m"] = 0.9 * state.get("m", 0) + 0.1 * g
    v = state["v"] = 0.999 * state.get("v", 0) + 0.001 * g * g
    return w - rate * (m / (1 - 0.9**t)) / (np.sqrt(v / (1 - 0.999**t)) + 1e-8)


REFERENCES: dict[str, tuple[Callable[[Any], optim.Optimizer], Callable[..., Array]]] = {
    "SGD": (lambda m: optim.SGD(m, 0.1), lambda w, g, s, t: _sgd(w, g, s, 0.1, 0, False)),
    "momentum": (
        lambda m: optim.SGD(m, 0.05, momentum=0.9),
        lambda w, g, s, t: _sgd(w, g, s, 0.05, 0.9, False),
    ),
    "nesterov": (
        lambda m: optim.SGD(m, 0.05, momentum=0.9, nesterov=True),
        lambda w, g, s, t: _sgd(w, g, s, 0.05, 0.9, True),
    ),
    "decay": (
        lambda m: optim.SGD(m, 0.1, momentum=0.5, decay=0.3),
        lambda w, g, s, t: _sgd(w, g, s, 0.1 / (1 + 0.3 * t), 0.5, False),
    ),
    "Adam": (lambda m: optim.Adam(m, 0.02), lambda w, g, s, t: _adam(w, g, s, 0.02, t)),
    "Adam with decay": (
        lambda m: optim.Adam(m, 0.1, decay=0.2),
        lambda w, g, s, t: _adam(w, g, s, 0.1 / (1 + 0.2 * t), t),
    ),
}


@pytest.mark.parametrize("dtype", [np.float32, np.float64], ids=str)
@pytest.mark.parametrize("name", REFERENCES)
def test_fifty_steps(name: str, dtype: Any, device: tr.Device) -> None:
    """Down a quadratic bowl, from the same start as the reference in float64."""
    make, reference = REFERENCES[name]
    w, state = np.array([1.0, -2.0, 0.5]), {}
    scale = np.array([1.0, 0.3, 2.0])
    model = [tr.asarray(w.astype(dtype))]
    optimizer = make(model)
    for t in range(1, 51):
        w = reference(w, scale * w, state, t)
        optimizer.update(model, [model[0] * scale.astype(dtype)])
        tr.barrier()
    check(model[0], w, dtype, 1e-5 if dtype == np.float32 else 1e-6)


def test_the_first_step_of_adam(device: tr.Device) -> None:
    for gradient, rate, epsilon, step in ((1.0, 0.1, 1e-8, 0.1), (1e-8, 1.0, 1e-8, 0.5)):
        model = [tr.asarray(np.float64(0))]
        optim.Adam(model, rate, epsilon=epsilon).update(model, [tr.asarray(np.float64(gradient))])
        np.testing.assert_allclose(model[0].item(), -step, rtol=1e-6)


def test_nesterovs_steps(device: tr.Device) -> None:
    model = [tr.asarray(0.0)]
    optimizer = optim.SGD(model, 1.0, momentum=0.9, nesterov=True)
    found = []
    for _ in range(2):
        before = model[0].item()
        optimizer.update(model, [tr.asarray(-1.0)])
        found.append(model[0].item() - before)
    np.testing.assert_allclose(found, [1.9, 2.71], rtol=1e-6)


def test_dicts_in_any_order(device: tr.Device) -> None:
    model = {"w": tr.asarray(1.0), "b": tr.asarray(2.0)}
    optim.SGD(model, 1.0).update(model, {"b": tr.asarray(0.25), "w": tr.asarray(0.5)})
    assert {k: v.item() for k, v in model.items()} == {"w": 0.5, "b": 1.75}


def test_the_learning_rate_can_be_set(device: tr.Device) -> None:
    model = [tr.asarray(0.0)]
    optimizer = optim.SGD(model, 1.0)
    optimizer.update(model, [tr.asarray(1.0)])
    optimizer.learning_rate = 0.25
    optimizer.update(model, [tr.asarray(1.0)])
    assert model[0].item() == -1.25
    assert optimizer.learning_rate == 0.25


def _steps(optimizer: optim.Optimizer, model: Any, rates: list[float]) -> int:
    """How many programs some steps compile."""
    before = tr.metrics.snapshot()
    gradient = [tr.asarray(np.full(p.shape, 0.5, np.float32)) for p in model]
    for rate in rates:
        optimizer.learning_rate = rate
        optimizer.update(model, gradient)
        tr.barrier()
    return int(tr.metrics.difference(tr.metrics.snapshot(), before)["compiles"])


@pytest.mark.parametrize("name", ["momentum", "Adam with decay"])
def test_few_programs(name: str) -> None:
    """One, and one more where scalars change; the first step is like the others."""
    with tr.default_device(tr.Device.default_xla()):
        model = [tr.asarray(np.arange(7.0, dtype=np.float32)), tr.asarray([1.0] * 11)]
        optimizer = REFERENCES[name][0](model)
        tr.barrier()
        assert _steps(optimizer, model, [0.1] * 3) <= 3
        assert _steps(optimizer, model, [0.1 / n for n in range(1, 10)]) <= 1
        assert _steps(optimizer, model, [0.3, 0.2, 0.7]) == 0


def test_slots_have_the_shape_of_their_parameter(device: tr.Device) -> None:
    model = {"a": tr.zeros((2, 3)), "b": tr.zeros((0,)), "n": tr.zeros(2, tr.int32)}
    optimizer = optim.SGD(model, momentum=0.9)
    assert [v.shape for v in optimizer.state["velocity"]] == [(2, 3), (0,)]
    optimizer.update(model, {"a": tr.ones((2, 3)), "b": tr.zeros(0), "n": tr.zeros(2, tr.int32)})
    check(model["n"], np.zeros(2, np.int32))


@pytest.mark.parametrize("dtype", [np.float16, BFLOAT16], ids=str)
def test_narrow_parameters(dtype: Any, device: tr.Device) -> None:
    """Where nothing changes nothing is NaN, and small squares survive."""
    model = [tr.asarray(np.array([1.0, 1.0], dtype))]
    optimizer = optim.Adam(model, 0.5)
    optimizer.update(model, [tr.asarray(np.array([0.0, 1e-4], dtype))])
    check(model[0], np.array([1.0, 0.5]), dtype)
    assert optimizer.state["mean_square"][0].dtype == tr.float32


def test_states_are_left_alone(device: tr.Device) -> None:
    model = nn.BatchNorm(2)
    gradient = tr.tree.map(tr.ones_like, model)
    optim.SGD(model, 0.5).update(model, gradient)
    check(model.scale, np.array([0.5, 0.5], np.float32))
    check(model.running_variance.value, np.array([1, 1], np.float32))


def test_moving(device: tr.Device) -> None:
    other = tr.Device.default_eager() if device.lazy else tr.Device.default_xla()
    for make in (lambda m: optim.SGD(m, 0.1, momentum=0.5), optim.Adam):
        model = nn.Dense(2, 2)
        optimizer = make(model).to(other)
        model.to(other)
        gradient = tr.tree.map(tr.ones_like, model)
        optimizer.update(model, gradient)
        assert model.weight.device is other


@pytest.mark.parametrize("make", [optim.SGD, optim.Adam])
def test_nothing_changes_where_a_gradient_does_not_fit(make: Any, device: tr.Device) -> None:
    model = [tr.ones(2)]
    optimizer = make(model)
    for wrong in ([tr.ones(3)], [tr.ones(2), tr.ones(2)], [], tr.asarray([1, 2])):
        with pytest.raises(ValueError, match="needs a gradient of shapes"):
            optimizer.update(model, wrong)
    other = tr.Device.default_eager() if device.lazy else tr.Device.default_xla()
    with pytest.raises(tr.DeviceError):
        optimizer.update(model, [tr.ones(2, device=other)])
    assert optimizer.step == 0
    check(model[0], np.ones(2, np.float32))
    optimizer.update(model, [tr.ones(2)])
    assert optimizer.step == 1
