"""Layers of convolutions, pools, borders and repetition, against jax: values and derivatives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import tracer as tr
from tests.functions.oracle import BFLOAT16, by_jax, check, jax_gradient, once, random
from tracer import nn

SPATIAL = {3: "W", 4: "HW", 5: "DHW"}


def _conv(x: Any, kernel: Any, strides: int = 1, padding: str = "VALID", **options: Any) -> Any:
    axes = SPATIAL[x.ndim]
    numbers = (f"N{axes}C", f"{axes}IO", f"N{axes}C")
    steps = (strides,) * len(axes)
    return lax.conv_general_dilated(x, kernel, steps, padding, dimension_numbers=numbers, **options)


def _transposed(x: Any, kernel: Any, padding: str) -> Any:
    axes = SPATIAL[x.ndim]
    numbers = (f"N{axes}C", f"{axes}IO", f"N{axes}C")
    steps = (2,) * len(axes)
    return lax.conv_transpose(
        x, kernel, steps, padding, dimension_numbers=numbers, transpose_kernel=True
    )


def _depthwise(x: Any, kernel: Any, **options: Any) -> Any:
    window, (features, times) = kernel.shape[:-2], kernel.shape[-2:]
    grouped = kernel.reshape(*window, 1, features * times)
    return _conv(x, grouped, feature_group_count=features, **options)


def _repeated(x: Any, *times: int) -> Any:
    for axis, n in enumerate(times, 1):
        x = jnp.repeat(x, n, axis)
    return x


Layer = tuple[Callable[[], Any], Callable[[Any, Any], Any], tuple[int, ...]]
# layer, its reference, the shape of x
LAYERS: dict[str, Layer] = {
    "Conv1D": (
        lambda: nn.Conv1D((3, 2, 4), nn.relu, strides=2, padding="same"),
        lambda p, x: jax.nn.relu(_conv(x, p["kernel"], 2, "SAME") + p["bias"]),
        (2, 5, 2),
    ),
    "Conv2D in groups": (
        lambda: nn.Conv2D((2, 3, 2, 6), groups=2, dilations=2, use_bias=False),
        lambda p, x: _conv(x, p["kernel"], feature_group_count=2, rhs_dilation=(2, 2)),
        (1, 5, 6, 4),
    ),
    "Conv3D": (
        lambda: nn.Conv3D((2, 2, 1, 2, 3)),
        lambda p, x: _conv(x, p["kernel"]) + p["bias"],
        (2, 3, 3, 2, 2),
    ),
    "TransposedConv1D": (
        lambda: nn.TransposedConv1D((3, 4, 2), nn.relu, strides=2, padding="same"),
        lambda p, x: jax.nn.relu(_transposed(x, p["kernel"], "SAME") + p["bias"]),
        (2, 5, 2),
    ),
    "TransposedConv2D": (
        lambda: nn.TransposedConv2D((3, 2, 4, 2), strides=2),
        lambda p, x: _transposed(x, p["kernel"], "VALID") + p["bias"],
        (1, 3, 4, 2),
    ),
    "TransposedConv3D": (
        lambda: nn.TransposedConv3D((2, 2, 2, 3, 2), strides=2),
        lambda p, x: _transposed(x, p["kernel"], "VALID") + p["bias"],
        (1, 2, 3, 2, 2),
    ),
    "DepthwiseConv2D": (
        lambda: nn.DepthwiseConv2D((2, 3, 3, 2), strides=2, padding="same"),
        lambda p, x: _depthwise(x, p["kernel"], strides=2, padding="SAME") + p["bias"],
        (2, 4, 5, 3),
    ),
    "SeparableConv1D": (
        lambda: nn.SeparableConv1D((3, 2, 2), 5, nn.relu),
        lambda p, x: jax.nn.relu(
            _conv(_depthwise(x, p["kernel"]), p["pointwise_kernel"]) + p["bias"]
        ),
        (2, 5, 2),
    ),
    "SeparableConv2D": (
        lambda: nn.SeparableConv2D((2, 2, 3, 2), 4, use_bias=False),
        lambda p, x: _conv(_depthwise(x, p["kernel"]), p["pointwise_kernel"]),
        (2, 4, 3, 3),
    ),
    "AvgPool1D": (
        lambda: nn.AvgPool1D(2),
        lambda p, x: x.reshape(2, 3, 2, 2).mean(2),
        (2, 6, 2),
    ),
    "AvgPool3D": (
        lambda: nn.AvgPool3D(2),
        lambda p, x: x.reshape(1, 2, 2, 2, 2, 1, 2, 3).mean((2, 4, 6)),
        (1, 4, 4, 2, 3),
    ),
    "MaxPool1D": (
        lambda: nn.MaxPool1D(3),
        lambda p, x: x.reshape(2, 2, 3, 2).max(2),
        (2, 6, 2),
    ),
    "MaxPool3D": (
        lambda: nn.MaxPool3D((1, 2, 2)),
        lambda p, x: x.reshape(1, 3, 2, 2, 2, 2, 1).max((3, 5)),
        (1, 3, 4, 4, 1),
    ),
    "GlobalAvgPool1D": (lambda: nn.GlobalAvgPool1D(), lambda p, x: x.mean(1), (2, 3, 2)),
    "GlobalAvgPool2D": (lambda: nn.GlobalAvgPool2D(), lambda p, x: x.mean((1, 2)), (2, 3, 2, 2)),
    "GlobalAvgPool3D": (
        lambda: nn.GlobalAvgPool3D(),
        lambda p, x: x.mean((1, 2, 3)),
        (2, 3, 2, 2, 1),
    ),
    "GlobalMaxPool1D": (lambda: nn.GlobalMaxPool1D(), lambda p, x: x.max(1), (2, 3, 2)),
    "GlobalMaxPool2D": (lambda: nn.GlobalMaxPool2D(), lambda p, x: x.max((1, 2)), (2, 3, 2, 2)),
    "GlobalMaxPool3D": (
        lambda: nn.GlobalMaxPool3D(),
        lambda p, x: x.max((1, 2, 3)),
        (2, 3, 2, 2, 1),
    ),
    "ZeroPadding1D": (
        lambda: nn.ZeroPadding1D(((1, 2),)),
        lambda p, x: jnp.pad(x, ((0, 0), (1, 2), (0, 0))),
        (2, 3, 2),
    ),
    "ZeroPadding2D": (
        lambda: nn.ZeroPadding2D((1, 2)),
        lambda p, x: jnp.pad(x, ((0, 0), (1, 1), (2, 2), (0, 0))),
        (1, 2, 3, 2),
    ),
    "ZeroPadding3D": (
        lambda: nn.ZeroPadding3D(1),
        lambda p, x: jnp.pad(x, ((0, 0), (1, 1), (1, 1), (1, 1), (0, 0))),
        (1, 2, 1, 3, 2),
    ),
    "UpSampling1D": (lambda: nn.UpSampling1D(3), lambda p, x: _repeated(x, 3), (2, 3, 2)),
    "UpSampling2D": (
        lambda: nn.UpSampling2D((2, 3)),
        lambda p, x: _repeated(x, 2, 3),
        (1, 3, 2, 2),
    ),
    "UpSampling3D": (
        lambda: nn.UpSampling3D(),
        lambda p, x: _repeated(x, 2, 2, 2),
        (1, 2, 1, 3, 2),
    ),
}


def _parameters(model: Any) -> dict[str, Any]:
    names = ("kernel", "pointwise_kernel", "bias")
    found = {name: getattr(model, name, None) for name in names}
    return {k: v.numpy() for k, v in found.items() if v is not None}


def _made(name: str) -> tuple[Any, Any, Any]:
    """The layer with known weights, these, and an x."""
    make, _, shape = LAYERS[name]
    model = tr.tree.update(make(), lambda w: tr.asarray(random(*w.shape, seed=w.ndim)))
    return model, _parameters(model), random(*shape)


LEARNING = [name for name in LAYERS if "Conv" in name]


@pytest.mark.parametrize("name", LEARNING)
def test_layers_with_weights(name: str, device: tr.Device) -> None:
    model, weights, x = _made(name)
    cost = lambda y: (y * y * y).mean()
    loss = lambda p, x: cost(LAYERS[name][1](p, x))
    value, wanted = once(name, lambda: jax_gradient(loss, weights, x, argnums=(0, 1)))
    found = tr.value_and_grad(lambda m, x: cost(m(x)), (0, 1))(model, tr.asarray(x))
    check(found[0], value, tolerance=1e-4)
    check(found[1][1], wanted[1], tolerance=1e-4)
    for key, expected in wanted[0].items():
        check(getattr(found[1][0], key), expected, tolerance=1e-4)


@pytest.mark.parametrize("name", [name for name in LAYERS if name not in LEARNING])
def test_layers_without_weights(name: str, device: tr.Device) -> None:
    """Their derivatives are those of the functions they call."""
    model, _, x = _made(name)
    expected = once(name, lambda: by_jax(lambda x: LAYERS[name][1]({}, x), x))
    check(model(tr.asarray(x)), expected)


def test_parameters(device: tr.Device) -> None:
    shapes = lambda model: [w.shape for w in tr.tree.leaves(model)]
    assert shapes(nn.Conv1D((3, 2, 4))) == [(3, 2, 4), (4,)]
    assert shapes(nn.TransposedConv2D((3, 2, 4, 2))) == [(3, 2, 4, 2), (4,)]
    assert shapes(nn.DepthwiseConv2D((2, 3, 3, 2))) == [(2, 3, 3, 2), (6,)]
    found = nn.SeparableConv2D((2, 2, 3, 2), 4, dtype=BFLOAT16)
    assert shapes(found) == [(2, 2, 3, 2), (4,), (1, 1, 6, 4)]
    assert {w.dtype for w in tr.tree.leaves(found)} == {BFLOAT16}
    alike = [nn.SeparableConv1D((2, 3, 2), 4, generator=tr.random.Generator(1)) for _ in "ab"]
    np.testing.assert_array_equal(alike[0].pointwise_kernel, alike[1].pointwise_kernel)


def test_no_batch(device: tr.Device) -> None:
    for make, _, (_, *rest) in LAYERS.values():
        make().to(device)(tr.zeros((0, *rest)))
