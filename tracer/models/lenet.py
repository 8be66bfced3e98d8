"""LeNet-5."""

from __future__ import annotations

from tracer import nn
from tracer.random import Generator
from tracer.tensor import Tensor
from tracer.tree import Module


class LeNet(Module):
    """Images (batch, 28, 28, 1) to 10 logits; 61,706 parameters (LeCun et al., 1998).

    With relu and average pooling, as in Swift for TensorFlow's tutorial.
    """

    def __init__(self, *, generator: Generator | None = None) -> None:
        g = generator or Generator()
        self.conv1 = nn.Conv2D((5, 5, 1, 6), nn.relu, padding="same", generator=g)
        self.pool1 = nn.AvgPool2D(2)
        self.conv2 = nn.Conv2D((5, 5, 6, 16), nn.relu, generator=g)
        self.pool2 = nn.AvgPool2D(2)
        self.flatten = nn.Flatten()
        self.dense1 = nn.Dense(400, 120, nn.relu, generator=g)
        self.dense2 = nn.Dense(120, 84, nn.relu, generator=g)
        self.dense3 = nn.Dense(84, 10, generator=g)

    def __call__(self, images: Tensor) -> Tensor:
        features = self.pool2(self.conv2(self.pool1(self.conv1(images))))
        return self.dense3(self.dense2(self.dense1(self.flatten(features))))
