"""LeNet against the same network in jax; modules as trees."""

from __future__ import annotations

import copy
from typing import Any

import jax
import numpy as np
from jax import lax

import tracer as tr
from tests.functions.oracle import check, jax_gradient, once, random
from tracer import losses, models, nn, tree

LABELS = np.array([3, 7], np.int32)


def _jax_lenet(w: dict[str, Any], x: Any) -> Any:
    def conv(x: Any, name: str, padding: str) -> Any:
        dimensions = ("NHWC", "HWIO", "NHWC")
        kernel = w[f"{name}.kernel"]
        y = lax.conv_general_dilated(x, kernel, (1, 1), padding, dimension_numbers=dimensions)
        return jax.nn.relu(y + w[f"{name}.bias"])

    def pool(x: Any) -> Any:
        window = (1, 2, 2, 1)
        return lax.reduce_window(x, 0.0, lax.add, window, window, "VALID") / 4

    dense = lambda x, name: x @ w[f"{name}.weight"] + w[f"{name}.bias"]
    x = pool(conv(pool(conv(x, "conv1", "SAME")), "conv2", "VALID"))
    x = jax.nn.relu(dense(x.reshape(x.shape[0], -1), "dense1"))
    return dense(jax.nn.relu(dense(x, "dense2")), "dense3")


def _jax_cost(w: dict[str, Any], x: Any) -> Any:
    return -jax.nn.log_softmax(_jax_lenet(w, x))[np.arange(2), LABELS].mean()


def test_lenet_is_the_network_it_is_said_to_be(device: tr.Device) -> None:
    with tr.default_device(tr.Device.default_xla()):  # one program for all the weights
        model = models.LeNet(generator=tr.random.Generator(0)).to(device)
    images = random(2, 28, 28, 1)
    weights = dict(zip(tree.paths(model), [x.numpy() for x in tree.leaves(model)], strict=True))
    assert sum(w.size for w in weights.values()) == 61_706
    value, wanted = once("LeNet", lambda: jax_gradient(_jax_cost, weights, images))
    cost = lambda m: losses.softmax_cross_entropy(m(tr.asarray(images)), tr.asarray(LABELS))
    found, gradient = tr.value_and_grad(cost)(model)
    check(found, value)
    for path, slope in zip(tree.paths(gradient), tree.leaves(gradient), strict=True):
        check(slope, wanted[path], tolerance=1e-4)


def test_lenets_shapes() -> None:
    """Nothing runs: a shape is known before a value is."""
    shapes = []
    with tr.default_device(tr.Device.default_xla()):
        model, x = models.LeNet(), tr.zeros((2, 28, 28, 1))
        for name in ("conv1", "pool1", "conv2", "pool2", "flatten", "dense1", "dense2", "dense3"):
            x = getattr(model, name)(x)
            shapes.append(x.shape[1:])
    assert shapes[:4] == [(28, 28, 6), (14, 14, 6), (10, 10, 16), (5, 5, 16)]
    assert shapes[4:] == [(400,), (120,), (84,), (10,)]


def _model() -> nn.Sequential:
    generator = tr.random.Generator(0)
    first = nn.Dense(2, 3, nn.relu, generator=generator)
    return nn.Sequential(first, tr.tanh, nn.BatchNorm(3), nn.Dropout(0.5, generator=generator))


def test_paths() -> None:
    assert tree.paths(_model()) == [
        "layers.0.weight",
        "layers.0.bias",
        "layers.1",
        "layers.2.offset",
        "layers.2.scale",
        "layers.2.running_mean.value",
        "layers.2.running_variance.value",
        "layers.3.generator.state.value",
    ]


def test_maps_make_new_trees(device: tr.Device) -> None:
    model = nn.Dense(2, 1, weight_initializer=nn.ones)
    doubled = tree.map(lambda x: x * 2, model)
    assert type(doubled) is nn.Dense
    check(doubled.weight, np.full((2, 1), 2, np.float32))
    check(model.weight, np.ones((2, 1), np.float32))
    total = tree.map(lambda a, b: a + b, model, doubled)
    check(total.weight, np.full((2, 1), 3, np.float32))
    leaves, spec = tree.flatten(model)
    again = tree.unflatten(spec, leaves)
    assert again.weight is model.weight
    assert again.activation is model.activation


def test_updates_change_in_place(device: tr.Device) -> None:
    layer = nn.Dense(1, 1, weight_initializer=nn.ones)
    given = {"z": [layer, (tr.ones(1), 5)], "a": tr.zeros(1)}
    assert tree.update(given, lambda x: x + 1) is given
    assert given["z"][0] is layer
    found = [layer.weight, layer.bias, given["z"][1][0], given["a"]]
    assert [x.item() for x in found] == [2, 1, 2, 1]
    assert given["z"][1][1] == 5
    order = iter(range(4))
    numbered = tree.update(given, lambda _: tr.asarray(next(order)))
    assert [x.item() for x in tree.leaves(numbered) if isinstance(x, tr.Tensor)] == [0, 1, 2, 3]


def test_states_are_left_alone_unless_asked_for(device: tr.Device) -> None:
    model = nn.BatchNorm(1)
    tree.update(model, lambda x: x + 1)
    assert (model.scale.item(), model.running_mean.value.item()) == (2, 0)
    tree.update(model, lambda x: x + 1, states=True)
    assert (model.scale.item(), model.running_mean.value.item()) == (3, 1)
    assert sum(isinstance(x, nn.State) for x in tree.leaves(model, states=False)) == 2


def test_moving_a_model(device: tr.Device) -> None:
    other = tr.Device.default_eager() if device.lazy else tr.Device.default_xla()
    model = _model()
    assert model.to(other) is model
    tensors = [x for x in tree.leaves(model) if isinstance(x, tr.Tensor)]
    assert len(tensors) == 7
    assert all(x.device is other for x in tensors)


def test_copies_are_apart(device: tr.Device) -> None:
    model = _model()
    twin = copy.deepcopy(model)
    tree.update(twin, lambda x: x * 0 + 9, states=False)
    assert twin[0].weight.tolist() == [[9] * 3] * 2
    assert model[0].weight.tolist() != twin[0].weight.tolist()
    assert twin[2].running_mean is not model[2].running_mean
    draws = [m[3].generator.bits(3).tolist() for m in (model, twin)]
    assert draws[0] == draws[1]


def test_sequences_of_layers(device: tr.Device) -> None:
    model = _model().to(device)
    assert len(model) == 4
    assert [type(layer).__name__ for layer in model][::2] == ["Dense", "BatchNorm"]
    x = random(5, 2)
    by_hand = x
    expected = tr.asarray(by_hand)
    for layer in model:
        expected = layer(expected)
    check(model(tr.asarray(x)), expected.numpy())
    empty = nn.Sequential()
    assert empty(expected) is expected


def test_text_runs_nothing() -> None:
    with tr.default_device(tr.Device.default_xla()):
        model = _model()
        model[0].weight = tr.ones((2, 3)) * 2
        before = tr.metrics.snapshot()
        text = repr(model)
        assert tr.metrics.difference(tr.metrics.snapshot(), before)["ops_executed"] == 0
    assert "Dense(weight=float32[2, 3], bias=float32[3], activation=relu)" in text
    assert "State(float32[3])" in text
