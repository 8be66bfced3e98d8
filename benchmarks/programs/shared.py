"""What all contenders start from: the same weights and batches, in NumPy alone."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
DIGITS = Path(__file__).parents[2] / "tracer" / "data" / "digits"
BATCH = 128
RATE = 0.1
RESNET_RATE = 0.01
MLP = ((4096, 4096),) * 3
MLP_BATCH = 64
ADAM_RATE = 1e-5
LENET = ((5, 5, 1, 6), (5, 5, 6, 16), (400, 120), (120, 84), (84, 10))
RESNET = tuple(
    (i, o, s)
    for i, o, s in zip(
        (64, 64, 64, 128, 128, 256, 256, 512),
        (64, 64, 128, 128, 256, 256, 512, 512),
        (1, 1, 2, 1, 2, 1, 2, 1),
        strict=True,
    )
)
"""ResNet-18's blocks: channels in and out, stride (He et al., 2016)."""


def digits(part: str) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """The digits inside the package, as stored: images (N, 28, 28) and labels (N,)."""
    images = gzip.decompress((DIGITS / f"{part}-images-idx3-ubyte.gz").read_bytes())
    labels = gzip.decompress((DIGITS / f"{part}-labels-idx1-ubyte.gz").read_bytes())
    pixels = np.frombuffer(images, np.uint8, offset=16).reshape(-1, 28, 28)
    return pixels, np.frombuffer(labels, np.uint8, offset=8)


def batch() -> tuple[Floats, NDArray[np.int32]]:
    """The first digits: images (128, 28, 28, 1) from 0 to 1, and labels."""
    images, labels = digits("train")
    scaled = images[:BATCH, ..., None].astype(np.float32) / np.float32(255)
    return scaled, labels[:BATCH].astype(np.int32)


def weights(shapes: Sequence[Sequence[int]], seed: int = 0) -> list[Floats]:
    """Glorot's uniform kernels of these shapes, HWIO or (in, out)."""
    generator = np.random.default_rng(seed)
    return [_glorot(generator, tuple(shape)) for shape in shapes]


def _glorot(generator: np.random.Generator, shape: tuple[int, ...]) -> Floats:
    field = int(np.prod(shape[:-2], dtype=int))
    limit = (6 / (field * (shape[-2] + shape[-1]))) ** 0.5
    return generator.uniform(-limit, limit, shape).astype(np.float32)


def resnet_shapes() -> list[tuple[int, ...]]:
    """ResNet-18's kernels in order: the stem, two or three a block, the classes."""
    shapes: list[tuple[int, ...]] = [(3, 3, 3, 64)]
    for inputs, outputs, stride in RESNET:
        shapes += [(3, 3, inputs, outputs), (3, 3, outputs, outputs)]
        if stride > 1:
            shapes.append((1, 1, inputs, outputs))
    return [*shapes, (512, 10)]


def pictures() -> tuple[Floats, NDArray[np.int32]]:
    """Noise in the form of CIFAR's images: (32, 32, 32, 3), and labels."""
    generator = np.random.default_rng(1)
    images = generator.standard_normal((32, 32, 32, 3)).astype(np.float32)
    return images, generator.integers(0, 10, 32).astype(np.int32)


Form = dict[str, Any]
"""A transformer: `layers`, `heads`, `sequences` (batch, length, width), `shapes`, `rate`."""


def transformer_weights(form: Form) -> list[dict[str, Floats]]:
    """Kernels, scales of 1, and offsets and biases of 0, of each layer."""
    return [_layer(seed, form["shapes"]) for seed in range(form["layers"])]


def _layer(seed: int, shapes: dict[str, Sequence[int]]) -> dict[str, Floats]:
    kernels = iter(weights([s for s in shapes.values() if len(s) == 2], seed))
    return {
        name: next(kernels) if len(shape) == 2 else _vector(name, shape)
        for name, shape in shapes.items()
    }


def _vector(name: str, shape: Sequence[int]) -> Floats:
    return np.full(tuple(shape), float(name.startswith("scale")), np.float32)


def sequences(shape: Sequence[int]) -> Floats:
    """Noise for the transformer: (batch, length, width)."""
    return np.random.default_rng(2).standard_normal(tuple(shape)).astype(np.float32)
