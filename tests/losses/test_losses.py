"""Losses: closed forms, corners, reductions, derivatives against jax.grad."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import tracer as tr
from tests.functions.oracle import BFLOAT16, by_jax, check, jax_gradient, once, random
from tracer import losses

INF, LN2 = np.inf, np.log(2)
LOGITS = np.array([[1, 2, 3, 4], [5, 6, 7, 8]], np.float32)
PROBABILITIES = np.array([[0.1, 0.2, 0.3, 0.4], [0.4, 0.3, 0.2, 0.1]], np.float32)


def test_goldens(device: tr.Device) -> None:
    """Those of Swift for TensorFlow's tests."""
    logits, probabilities = tr.asarray(LOGITS), tr.asarray(PROBABILITIES)
    found = losses.softmax_cross_entropy(logits, probabilities)
    check(found, np.float32((1.44019 + 2.44019) / 2))
    check(losses.mean_squared_error(logits, probabilities), np.float32(23.325))
    x = tr.asarray([-100.0, -2.0, -2.0, 0.0, 2.0, 2.0, 2.0, 100.0])
    y = tr.asarray([0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.5, 1.0])
    check(losses.sigmoid_cross_entropy(x, y), np.float32(0.7909734))


def _jax_classes(x: Any, labels: Any) -> Any:
    return -jnp.take_along_axis(jax.nn.log_softmax(x), labels[..., None], -1)[..., 0]


JAX: dict[str, Callable[..., Any]] = {
    "classes": _jax_classes,
    "probabilities": lambda x, y: -(y * jax.nn.log_softmax(x)).sum(-1),
    "sigmoid": lambda x, y: jax.nn.softplus(x) - x * y,
    "squared": lambda x, y: (x - y) ** 2,
}
OURS: dict[str, Callable[..., tr.Tensor]] = {
    "classes": losses.softmax_cross_entropy,
    "probabilities": losses.softmax_cross_entropy,
    "sigmoid": losses.sigmoid_cross_entropy,
    "squared": losses.mean_squared_error,
}
REDUCTIONS: dict[str, Callable[[Any], Any]] = {
    "mean": lambda v: v.mean(),
    "sum": lambda v: v.sum(),
    "none": lambda v: v,
}


def _targets(name: str, dtype: Any) -> Any:
    if name == "classes":
        return np.array([0, 3, 1], np.int32)
    uniform = np.random.default_rng(5).uniform(0.1, 1, (3, 4))
    return (uniform / uniform.sum(1, keepdims=True)).astype(dtype)


@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.parametrize("name", OURS)
def test_values(name: str, reduction: str, device: tr.Device) -> None:
    x, y = random(3, 4) * 3, _targets(name, np.float32)
    oracle = lambda: by_jax(lambda x, y: REDUCTIONS[reduction](JAX[name](x, y)), x, y)
    expected = once(f"value of {name}, {reduction}", oracle)
    check(OURS[name](tr.asarray(x), tr.asarray(y), reduction=reduction), expected)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, BFLOAT16], ids=str)
@pytest.mark.parametrize("name", OURS)
def test_derivatives(name: str, dtype: Any, device: tr.Device) -> None:
    x, y = (random(3, 4) * 3).astype(dtype), _targets(name, dtype)
    wide = x.astype(np.float64), y.astype(np.float64) if name != "classes" else y
    oracle = lambda: jax_gradient(lambda x, y: JAX[name](x, y).mean(), *wide)
    value, wanted = once(f"derivative of {name}, {dtype}", oracle)
    found, gradient = tr.value_and_grad(OURS[name])(tr.asarray(x), tr.asarray(y))
    check(found, value, dtype)
    check(gradient, wanted, dtype)


@pytest.mark.parametrize("name", OURS)
def test_second_derivatives(name: str, device: tr.Device) -> None:
    x, y = random(3, 4, dtype=np.float64), _targets(name, np.float64)

    def bend(cost: Any, grad: Any, m: Any) -> Any:
        return grad(lambda x, y: m.sum(grad(cost)(x, y) * m.cos(x)))

    oracle = lambda: by_jax(bend(lambda x, y: JAX[name](x, y).sum(), jax.grad, jnp), x, y)
    wanted = once(f"second derivative of {name}", oracle)
    ours = lambda x, y: OURS[name](x, y, reduction="sum")
    check(bend(ours, tr.grad, tr)(tr.asarray(x), tr.asarray(y)), wanted)


@pytest.mark.parametrize("name", ["probabilities", "sigmoid", "squared"])
def test_derivatives_of_targets(name: str, device: tr.Device) -> None:
    x, y = random(3, 4), _targets(name, np.float32)
    _, wanted = jax_gradient(lambda x, y: JAX[name](x, y).mean(), x, y, argnums=1)
    check(tr.grad(OURS[name], 1)(tr.asarray(x), tr.asarray(y)), wanted)


LOGISTIC = [
    (0.0, 0.0, LN2, 0.5),
    (-100.0, 0.0, 0.0, 0.0),
    (-100.0, 1.0, 100.0, -1.0),
    (50.0, 0.0, 50.0, 1.0),
    (100.0, 1.0, 0.0, 0.0),
    (-INF, 0.9, INF, -0.9),
    (-INF, 0.0, 0.0, 0.0),
    (INF, 1.0, 0.0, 0.0),
]


def test_logits_far_out(device: tr.Device) -> None:
    x, y, value, slope = (np.array(c, np.float32) for c in zip(*LOGISTIC, strict=True))
    one_by_one = lambda x: losses.sigmoid_cross_entropy(x, tr.asarray(y), reduction="none")
    check(one_by_one(tr.asarray(x)), value)
    check(tr.vjp(one_by_one, tr.asarray(x))[1](np.ones(len(x)))[0], slope)


def test_an_impossible_class_that_nothing_asks_for(device: tr.Device) -> None:
    logits = tr.asarray([[-INF, 0.0, 0.0]])
    for labels in (tr.asarray([[0.0, 1.0, 0.0]]), tr.asarray([1])):
        value, gradient = tr.value_and_grad(losses.softmax_cross_entropy)(logits, labels)
        check(value, np.float32(LN2))
        check(gradient, np.array([[0, -0.5, 0.5]], np.float32))
    assert losses.softmax_cross_entropy(logits, tr.asarray([0])).item() == INF


@pytest.mark.parametrize(
    ("p", "q", "divergence"),
    [
        ([1.0, 0.0], [0.5, 0.5], LN2),
        ([0.5, 0.5, 0.0], [0.5, 0.5, 0.0], 0.0),
        ([0.3, 0.3, 0.4], [0.5, 0.5, 0.0], INF),
    ],
)
def test_probabilities_of_0(
    p: list[float], q: list[float], divergence: float, device: tr.Device
) -> None:
    """The divergence is the cross-entropy less the entropy of p."""
    some = np.array([v for v in p if v])
    logits = tr.log(tr.asarray([q]))
    value, gradient = tr.value_and_grad(losses.softmax_cross_entropy)(logits, tr.asarray([p]))
    check(value, np.float32(divergence - (some * np.log(some)).sum()))
    assert np.isfinite(gradient.numpy()).all()


@pytest.mark.parametrize("label", [-1, 4, 1000])
def test_a_class_that_is_not_there(label: int, device: tr.Device) -> None:
    labels = tr.asarray([0, label])
    each = lambda x: losses.softmax_cross_entropy(x, labels, reduction="none")
    value, pull = tr.vjp(each, tr.asarray(LOGITS))
    assert np.isnan(value.numpy()).tolist() == [False, True]
    assert np.isnan(pull(tr.ones(2))[0].numpy()).all(1).tolist() == [False, True]


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.int64])
def test_labels_of_other_dtypes(dtype: Any, device: tr.Device) -> None:
    """A narrow one also where there are more classes than it can count."""
    x = random(2, 300)
    labels = np.array([3, 120], dtype)
    expected = by_jax(lambda x, y: _jax_classes(x, y).mean(), x, labels.astype(np.int32))
    check(losses.softmax_cross_entropy(tr.asarray(x), tr.asarray(labels)), expected)


def test_shapes(device: tr.Device) -> None:
    x, labels = random(2, 3, 4), np.array([[0, 1, 2], [3, 2, 1]], np.int32)
    expected = by_jax(_jax_classes, x, labels)
    found = losses.softmax_cross_entropy(tr.asarray(x), tr.asarray(labels), reduction="none")
    check(found, expected)
    one = losses.softmax_cross_entropy(tr.asarray(x[0, 0]), tr.asarray(0))
    check(one, expected[0, 0])


def test_no_examples(device: tr.Device) -> None:
    for f, targets in (
        (losses.softmax_cross_entropy, tr.zeros(0, tr.int32)),
        (losses.softmax_cross_entropy, tr.zeros((0, 4))),
        (losses.sigmoid_cross_entropy, tr.zeros((0, 4))),
        (losses.mean_squared_error, tr.zeros((0, 4))),
    ):
        x = tr.zeros((0, 4))
        assert np.isnan(f(x, targets).item())
        assert f(x, targets, reduction="sum").item() == 0
        assert tr.grad(lambda x, f=f, t=targets: f(x, t, reduction="sum"))(x).shape == (0, 4)


def test_arrays_and_dtypes_mix(device: tr.Device) -> None:
    x = tr.asarray(LOGITS)
    check(losses.softmax_cross_entropy(x, np.array([3, 3])), np.float32(0.44019))
    check(losses.mean_squared_error(x, LOGITS.astype(np.float64)), np.float64(0))
    gradient = tr.grad(losses.sigmoid_cross_entropy)(x, PROBABILITIES.astype(np.float64))
    assert gradient.dtype == tr.float32
    check(losses.sigmoid_cross_entropy(tr.asarray([0.0]), tr.asarray([1])), np.float32(LN2))
