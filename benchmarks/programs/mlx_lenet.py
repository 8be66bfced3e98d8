"""LeNet-5 in MLX: the training step, compiled."""

from __future__ import annotations

from functools import partial
from importlib import metadata

import mlx.core as mx
from mlx import nn, optimizers

from benchmarks.programs import shared
from benchmarks.serve import Workload
from benchmarks.workload import repeat


def lenet() -> nn.Sequential:
    """The model, from the weights that all share; MLX keeps kernels as OHWI and (out, in)."""
    model = nn.Sequential(
        nn.Conv2d(1, 6, 5, padding=2), nn.ReLU(), nn.AvgPool2d(2),
        nn.Conv2d(6, 16, 5), nn.ReLU(), nn.AvgPool2d(2), lambda x: x.flatten(1),
        nn.Linear(400, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(), nn.Linear(84, 10),
    )  # fmt: skip
    layers = [layer for layer in model.layers if hasattr(layer, "weight")]
    for layer, kernel in zip(layers, shared.weights(shared.LENET), strict=True):
        order = (3, 0, 1, 2) if kernel.ndim == 4 else (1, 0)
        layer.weight = mx.array(kernel.transpose(order))
        layer.bias = mx.zeros_like(layer.bias)
    return model


def step(count: int = 2) -> Workload:
    """The training step under mx.compile."""
    model = lenet()
    optimizer = optimizers.SGD(shared.RATE)
    pixels, classes = shared.batch()
    state = [model.state, optimizer.state]

    def loss_of(model: nn.Module, images: mx.array, labels: mx.array) -> mx.array:
        return nn.losses.cross_entropy(model(images), labels, reduction="mean")

    @partial(mx.compile, inputs=state, outputs=state)
    def train(images: mx.array, labels: mx.array) -> mx.array:
        loss, gradient = nn.value_and_grad(model, loss_of)(model, images, labels)
        optimizer.update(model, gradient)
        return loss

    def once() -> float:
        loss = train(mx.array(pixels), mx.array(classes))
        mx.eval(loss, state)
        return loss.item()

    facts = {"version": f"MLX {metadata.version('mlx')}", "losses": [once() for _ in range(3)]}
    return repeat(once, lambda: None, count), facts
