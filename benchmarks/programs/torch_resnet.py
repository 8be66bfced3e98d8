"""ResNet-18 in PyTorch, in the form for 32 x 32 images: the training step."""

from __future__ import annotations

import torch
from torch import nn

from benchmarks.programs import shared
from benchmarks.programs.torch_lenet import VERSION, Trainer, images_of, put_kernels
from benchmarks.serve import Workload
from benchmarks.workload import repeat


class Block(nn.Module):
    """Two 3 x 3 convolutions with normalisation, and a residual, projected where it changes."""

    def __init__(self, inputs: int, outputs: int, stride: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.norm1 = nn.BatchNorm2d(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.norm2 = nn.BatchNorm2d(outputs)
        self.relu = nn.ReLU(inplace=True)
        self.shortcut = nn.Identity()
        if stride > 1:
            projection = nn.Conv2d(inputs, outputs, 1, stride, bias=False)
            self.shortcut = nn.Sequential(projection, nn.BatchNorm2d(outputs))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.relu(self.norm1(self.conv1(x)))
        return self.relu(self.norm2(self.conv2(y)) + self.shortcut(x))


def resnet() -> nn.Sequential:
    """The model, from the weights that all share."""
    model = nn.Sequential(
        nn.Conv2d(3, 64, 3, padding=1, bias=False), nn.BatchNorm2d(64), nn.ReLU(inplace=True),
        *(Block(*block) for block in shared.RESNET),
        nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(512, 10),
    )  # fmt: skip
    layers = [m for m in model.modules() if isinstance(m, nn.Conv2d | nn.Linear)]
    put_kernels(layers, shared.weights(shared.resnet_shapes()))
    return model


def step(memory_format: str, count: int = 1) -> Workload:
    """The training step, eager: it is done when it returns."""
    trainer = Trainer(resnet(), memory_format, shared.RESNET_RATE)
    pixels, classes = shared.pictures()

    def once() -> torch.Tensor:
        labels = torch.from_numpy(classes).long()
        return trainer(images_of(pixels, memory_format), labels)[1]

    losses = [once().item() for _ in range(2)]
    return repeat(once, lambda: None, count), {"version": VERSION, "losses": losses}
