"""Training steps that benchmarks lower: functions of tensors, and the types of their arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import tracer as tr
from tracer import losses, models
from tracer.ir import TensorType

RATE = 0.01
Step = tuple[Callable[..., Any], tuple[Any, ...]]
"""A function, and what it is traced with: trees of types."""


def floats(*shape: int) -> TensorType:
    """The type of a float32 tensor."""
    return TensorType(shape, np.dtype(np.float32))


def training(loss: Callable[..., Any]) -> Callable[..., Any]:
    """loss(parameters, *batch) as a step of gradient descent: the loss and the new parameters."""

    def step(parameters: Any, *batch: Any) -> Any:
        value, gradient = tr.value_and_grad(loss)(parameters, *batch)
        return value, tr.tree.map(lambda w, g: w - RATE * g, parameters, gradient)

    return step


def lenet() -> Step:
    """LeNet-5 on a batch of 128."""
    model = models.LeNet(generator=tr.random.Generator(0))
    labels = TensorType((128,), np.dtype(np.int32))

    def loss(model: Any, images: Any, labels: Any) -> Any:
        return losses.softmax_cross_entropy(model(images), labels)

    return training(loss), (model, floats(128, 28, 28, 1), labels)


def mlp() -> Step:
    """Four dense layers of 256 on a batch of 128."""

    def loss(weights: Any, x: Any) -> Any:
        for w, b in weights:
            x = tr.relu(x @ w + b)
        return tr.mean(x * x)

    weights = [(floats(256, 256), floats(256)) for _ in range(4)]
    return training(loss), (weights, floats(128, 256))


def resnet_block() -> Step:
    """Two 3 x 3 convolutions of 64 channels with normalisation, and a residual, on 32 x 16 x 16."""

    def normalized(x: Any, scale: Any, offset: Any) -> Any:
        centred = x - tr.mean(x, axis=(0, 1, 2), keepdims=True)
        variance = tr.mean(centred * centred, axis=(0, 1, 2), keepdims=True)
        return centred / tr.sqrt(variance + 1e-5) * scale + offset

    def loss(weights: Any, x: Any) -> Any:
        y = x
        for kernel, scale, offset in weights:
            y = tr.relu(normalized(tr.conv(y, kernel, padding="same"), scale, offset))
        return tr.mean((x + y) ** 2)

    weights = [(floats(3, 3, 64, 64), floats(64), floats(64)) for _ in range(2)]
    return training(loss), (weights, floats(32, 16, 16, 64))


def lstm_cell() -> Step:
    """Eight steps of an LSTM cell of width 256 on a batch of 64."""

    def loss(weights: Any, xs: Any) -> Any:
        w, u, b = weights
        h = c = tr.zeros((64, 256))
        for t in range(8):
            i, f, g, o = tr.split(xs[t] @ w + h @ u + b, 4, axis=-1)
            c = tr.sigmoid(f) * c + tr.sigmoid(i) * tr.tanh(g)
            h = tr.sigmoid(o) * tr.tanh(c)
        return tr.mean(h * h)

    weights = (floats(128, 1024), floats(256, 1024), floats(1024))
    return training(loss), (weights, floats(8, 64, 128))


WIDTH, HEADS, LENGTH, BATCH = 256, 8, 128, 8


def attention_weights() -> dict[str, tuple[int, ...]]:
    """The shapes of one transformer layer's weights."""
    norms = {name: (WIDTH,) for name in ("scale1", "offset1", "scale2", "offset2", "down_bias")}
    dense = {"qkv": (WIDTH, 3 * WIDTH), "out": (WIDTH, WIDTH), "up": (WIDTH, 4 * WIDTH)}
    return {**norms, **dense, "down": (4 * WIDTH, WIDTH), "up_bias": (4 * WIDTH,)}


def transformer_loss(np: Any, nn: Any, weights: Any, x: Any) -> Any:
    """Layers of causal attention and a gelu; tracer's namespace, or jax.numpy and jax.nn."""
    for layer in weights:
        x = _layer(np, nn, x, layer)
    return np.mean(x * x)


def _layer(np: Any, nn: Any, x: Any, p: Any) -> Any:
    h = _norm(np, x, p["scale1"], p["offset1"]) @ p["qkv"]
    q, k, v = (_heads(np, part) for part in np.split(h, 3, axis=-1))
    scores = q @ np.matrix_transpose(k) / (WIDTH // HEADS) ** 0.5
    mask = np.tril(np.ones((LENGTH, LENGTH), dtype=bool))
    mixed = nn.softmax(np.where(mask, scores, -1e9), axis=-1) @ v
    x = x + np.reshape(np.permute_dims(mixed, (0, 2, 1, 3)), x.shape) @ p["out"]
    h = _norm(np, x, p["scale2"], p["offset2"]) @ p["up"] + p["up_bias"]
    return x + nn.gelu(h) @ p["down"] + p["down_bias"]


def _heads(np: Any, x: Any) -> Any:
    return np.permute_dims(np.reshape(x, (BATCH, LENGTH, HEADS, -1)), (0, 2, 1, 3))


def _norm(np: Any, x: Any, scale: Any, offset: Any) -> Any:
    mean, variance = np.mean(x, axis=-1, keepdims=True), np.var(x, axis=-1, keepdims=True)
    return (x - mean) / np.sqrt(variance + 1e-5) * scale + offset


def transformer(layers: int) -> Step:
    """Width 256, 8 heads, sequences of 128, a batch of 8."""
    shapes = attention_weights()
    weights = [{name: floats(*shape) for name, shape in shapes.items()} for _ in range(layers)]

    def loss(weights: Any, x: Any) -> Any:
        return transformer_loss(tr, tr, weights, x)

    return training(loss), (weights, floats(BATCH, LENGTH, WIDTH))


STEPS: dict[str, Callable[[], Step]] = {
    "LeNet-5": lenet,
    "MLP": mlp,
    "ResNet block": resnet_block,
    "LSTM cell, 8 steps": lstm_cell,
    "transformer block": lambda: transformer(1),
    "transformer, 8 layers": lambda: transformer(8),
}
