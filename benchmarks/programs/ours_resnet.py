"""ResNet-18 in tracer, in the form for 32 x 32 images: the training step."""

from __future__ import annotations

import tracer as tr
from benchmarks.programs import shared
from benchmarks.programs.ours_lenet import VERSION, put_kernels, trainer
from benchmarks.serve import Workload
from benchmarks.workload import repeat
from tracer import nn, optim


def _conv(size: int, inputs: int, outputs: int, stride: int = 1) -> nn.Conv2D:
    shape = (size, size, inputs, outputs)
    padding = size // 2
    return nn.Conv2D(
        shape, strides=stride, padding=[(padding, padding)] * 2, use_bias=False,
        filter_initializer=nn.initializers.zeros,
    )  # fmt: skip


def _norm(features: int) -> nn.BatchNorm:
    return nn.BatchNorm(features, momentum=0.9, epsilon=1e-5)


class Block(tr.tree.Module):
    """Two 3 x 3 convolutions with normalisation, and a residual, projected where it changes."""

    def __init__(self, inputs: int, outputs: int, stride: int) -> None:
        self.conv1 = _conv(3, inputs, outputs, stride)
        self.norm1 = _norm(outputs)
        self.conv2 = _conv(3, outputs, outputs)
        self.norm2 = _norm(outputs)
        self.projection = _conv(1, inputs, outputs, stride) if stride > 1 else None
        self.norm3 = _norm(outputs) if stride > 1 else None

    def __call__(self, x: tr.Tensor) -> tr.Tensor:
        y = tr.relu(self.norm1(self.conv1(x)))
        shortcut = x if self.projection is None else self.norm3(self.projection(x))
        return tr.relu(self.norm2(self.conv2(y)) + shortcut)


class ResNet(tr.tree.Module):
    """Images (batch, 32, 32, 3) to 10 logits."""

    def __init__(self) -> None:
        self.stem = _conv(3, 3, 64)
        self.norm = _norm(64)
        self.blocks = [Block(*block) for block in shared.RESNET]
        self.classes = nn.Dense(512, 10)

    def __call__(self, x: tr.Tensor) -> tr.Tensor:
        x = tr.relu(self.norm(self.stem(x)))
        for block in self.blocks:
            x = block(x)
        return self.classes(x.mean((1, 2)))


def step(count: int = 1) -> Workload:
    """The training step, lazy."""
    device, batch, loss = tr.Device.default_xla(), shared.pictures(), []
    model = ResNet()
    put_kernels(model, shared.weights(shared.resnet_shapes()))
    model.to(device)
    train = trainer(model, optim.SGD(model, shared.RESNET_RATE), device)

    def once() -> None:
        with tr.learning_phase("training"):
            loss[:] = [train(*batch)]

    def look() -> float:
        return loss[0].item()

    losses = []
    for _ in range(2):
        once()
        losses.append(look())
    return repeat(once, look, count), {"version": VERSION, "losses": losses}
