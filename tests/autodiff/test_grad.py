"""grad, value_and_grad, vjp, custom_vjp: trees, nesting, models, what stays as it was."""

from __future__ import annotations

import math
from collections import OrderedDict
from typing import Any, NamedTuple

import numpy as np
import pytest

import tracer as tr
from tests.functions.oracle import check
from tracer import nn


class Pair(NamedTuple):
    first: Any
    second: Any


def test_nesting_to_third_order(device: tr.Device) -> None:
    f: Any = lambda x: tr.sin(x) * x
    found = []
    for _ in range(3):
        f = tr.grad(f)
        found.append(f(tr.asarray(np.float64(0.7))).item())
    s, c, x = math.sin(0.7), math.cos(0.7), 0.7
    np.testing.assert_allclose(found, [x * c + s, 2 * c - x * s, -3 * s - x * c], rtol=1e-12)


def test_an_inner_gradient_does_not_see_the_outer_variable(device: tr.Device) -> None:
    def f(x: tr.Tensor) -> tr.Tensor:
        return x * tr.grad(lambda y: x + y)(tr.asarray(1.0))

    assert tr.grad(f)(tr.asarray(1.0)).item() == 1.0
    same = tr.grad(lambda x: tr.grad(lambda y: x * y)(x))(tr.asarray(3.0))
    assert same.item() == 1.0


def test_closing_over_the_argument(device: tr.Device) -> None:
    """What is not an argument is a constant, also where it is the same tensor."""
    x = tr.asarray(3.0)
    assert tr.grad(lambda v: v * x)(x).item() == 3.0
    assert tr.grad(lambda v: v * v)(x).item() == 6.0


def test_structures(device: tr.Device) -> None:
    a, b = tr.asarray([1.0, 2.0]), tr.asarray(3.0)
    cost = lambda t: tr.sum(tr.tree.leaves(t)[0] * tr.tree.leaves(t)[1])
    for argument in ((a, b), [a, b], {"a": a, "b": b}, Pair(a, b), {"x": [a], "y": (b,)}):
        found = tr.grad(cost)(argument)
        assert type(found) is type(argument)
        check(tr.tree.leaves(found)[0], np.array([3, 3], np.float32))
        check(tr.tree.leaves(found)[1], np.float32(3))


def test_dicts_in_any_order(device: tr.Device) -> None:
    for kind in (dict, OrderedDict):
        given = kind([("w", tr.asarray(2.0)), ("b", tr.asarray(5.0))])
        found = tr.grad(lambda p: p["w"] * 3 + p["b"] * 7)(given)
        assert {key: g.item() for key, g in found.items()} == {"w": 3.0, "b": 7.0}
        assert {key: x.item() for key, x in given.items()} == {"w": 2.0, "b": 5.0}


def test_several_arguments(device: tr.Device) -> None:
    f = lambda x, y, scale=1.0: x * y * y * scale
    x, y = tr.asarray(2.0), tr.asarray(3.0)
    assert tr.grad(f, 1)(x, y).item() == 12.0
    assert tr.grad(f, -1)(x, y).item() == 12.0
    assert [g.item() for g in tr.grad(f, (1, 0))(x, y)] == [12.0, 9.0]
    assert [g.item() for g in tr.grad(f, (0,))(x, y, scale=2.0)] == [18.0]
    value, gradient = tr.value_and_grad(f)(x, y)
    assert (value.item(), gradient.item()) == (18.0, 9.0)


def test_floats_and_arrays_as_arguments(device: tr.Device) -> None:
    assert tr.grad(lambda x: x * x)(3.0).item() == 6.0
    check(tr.grad(lambda x: tr.sum(x * x))(np.array([1.0, 2.0])), np.array([2.0, 4.0]))
    assert tr.grad(lambda x: x * x)(np.float64(3)).dtype == tr.float64


def test_auxiliary_results(device: tr.Device) -> None:
    f = lambda x: (x * x, {"twice": x * 2})
    (value, aux), gradient = tr.value_and_grad(f, has_aux=True)(tr.asarray(3.0))
    assert (value.item(), aux["twice"].item(), gradient.item()) == (9.0, 6.0, 6.0)
    gradient, aux = tr.grad(f, has_aux=True)(tr.asarray(3.0))
    assert (aux["twice"].item(), gradient.item()) == (6.0, 6.0)


def test_integers_and_unused_leaves_get_zeros(device: tr.Device) -> None:
    given = {"x": tr.asarray([1.0]), "n": tr.asarray([2, 3]), "unused": tr.ones((2, 2))}
    found = tr.grad(lambda p: tr.sum(p["x"] * p["n"][0]))(given)
    check(found["x"], np.array([2], np.float32))
    check(found["n"], np.array([0, 0], np.int32))
    check(found["unused"], np.zeros((2, 2), np.float32))


class Counting(nn.Module):
    """Counts its calls in a State, and keeps a function and a number."""

    def __init__(self) -> None:
        self.weight = tr.asarray(2.0)
        self.calls = nn.State(tr.asarray(0))
        self.activation = tr.tanh
        self.size = 3

    def __call__(self, x: tr.Tensor) -> tr.Tensor:
        self.calls.value = self.calls.value + 1
        if self.calls.value.item() > 2:
            raise RuntimeError("called too often")
        return self.weight * x


def test_models(device: tr.Device) -> None:
    model = Counting()
    weight = model.weight
    gradient = tr.grad(lambda m: m(tr.asarray(3.0)))(model)
    assert isinstance(gradient, Counting)
    assert gradient.weight.item() == 3.0
    assert gradient.calls.value.item() == 0
    assert (gradient.activation, gradient.size) == (tr.tanh, 3)
    assert model.weight is weight
    assert model.calls.value.item() == 1


def test_an_exception_leaves_the_model_as_it_was(device: tr.Device) -> None:
    model = Counting()
    weight, calls = model.weight, model.calls.value
    with pytest.raises(RuntimeError, match="too often"):
        tr.grad(lambda m: m(m(m(tr.asarray(1.0)))))(model)
    assert model.weight is weight
    assert model.calls.value is calls
    with pytest.raises(TypeError, match="0-d"):
        tr.grad(lambda m: m(tr.ones(2)))(model)
    assert model.calls.value is calls
    assert tr.grad(lambda m: m(tr.asarray(1.0)))(model).weight.item() == 1.0


def test_statistics_of_a_batch_move_in_training(device: tr.Device) -> None:
    model = nn.BatchNorm(2)
    x = tr.asarray([[1.0, 2.0], [3.0, 6.0]])
    with tr.learning_phase("training"):
        gradient = tr.grad(lambda m: tr.sum(m(x) ** 2))(model)
    check(model.running_mean.value, np.array([0.02, 0.04]), np.float32)
    check(gradient.running_mean.value, np.zeros(2, np.float32))
    check(gradient.offset, np.zeros(2), np.float32, 1e-4)


def test_shared_layers_get_the_whole_gradient_once(device: tr.Device) -> None:
    layer = nn.Dense(2, 2, weight_initializer=nn.ones)
    model = nn.Sequential(layer, layer)
    x = tr.ones((1, 2))
    found = tr.grad(lambda m: tr.sum(m(x)))(model)
    total = sum(leaf.weight.numpy() for leaf in found.layers)
    expected = tr.grad(lambda w: tr.sum(x @ w @ w))(tr.ones((2, 2)))
    check(total, expected.numpy())
    assert model.layers[0] is layer
    assert layer.weight.shape == (2, 2)


def test_stopped_gradients(device: tr.Device) -> None:
    assert tr.grad(lambda x: x * tr.stop_gradient(x))(tr.asarray(3.0)).item() == 3.0
    assert tr.grad(lambda x: tr.stop_gradient(x))(tr.asarray(3.0)).item() == 0.0


def test_pulling_back(device: tr.Device) -> None:
    value, pull = tr.vjp(lambda x, y: {"p": x * y, "s": x + y}, tr.asarray(2.0), tr.asarray(5.0))
    assert value["p"].item() == 10.0
    for times in (1, 2):
        found = pull({"p": tr.asarray(float(times)), "s": tr.asarray(1.0)})
        assert [g.item() for g in found] == [5.0 * times + 1, 2.0 * times + 1]
    outer = tr.grad(lambda x: tr.vjp(lambda v: v**3, x)[1](tr.asarray(1.0))[0])
    assert outer(tr.asarray(2.0)).item() == 12.0


def test_derivatives_of_your_own(device: tr.Device) -> None:
    cube = tr.custom_vjp(lambda x, n: x**3, lambda g, y, x, n: g * 3 * x * x + n, None)
    x = tr.asarray(2.0)
    assert cube(x, 1.0).item() == 8.0
    assert tr.grad(lambda v: cube(v, 1.0))(x).item() == 13.0
    assert tr.grad(tr.grad(lambda v: cube(v, 1.0)))(x).item() == 12.0
    assert tr.grad(lambda v: cube(x, v))(x).item() == 0.0


def test_devices_of_gradients(device: tr.Device) -> None:
    """They are where their arguments are, whatever the default is."""
    other = tr.Device.default_eager() if device.lazy else tr.Device.default_xla()
    x = tr.asarray([1.0, 2.0], device=other)
    found = tr.grad(lambda v: tr.sum(v * np.array([3.0, 4.0], np.float32)))(x)
    assert found.device is other
    moved = tr.grad(lambda v: tr.sum(v.to(device) * 2))(x)
    assert moved.device is other
    check(moved, np.array([2, 2], np.float32))


def test_looking_at_a_value_inside(device: tr.Device) -> None:
    def f(x: tr.Tensor) -> tr.Tensor:
        y = x * x
        return y * 2 if y.item() > 1 else y

    assert tr.grad(f)(tr.asarray(3.0)).item() == 12.0
