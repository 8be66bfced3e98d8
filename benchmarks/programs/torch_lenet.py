"""LeNet-5 in PyTorch: the training step, eager or through torch_xla, and the epoch of the demo."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from typing import Any

import torch
from torch import nn
from torch.utils.data import BatchSampler, DataLoader, RandomSampler, TensorDataset

from benchmarks.programs import shared
from benchmarks.serve import Workload
from benchmarks.workload import repeat

torch.set_num_threads(os.cpu_count() or 1)
VERSION = f"PyTorch {torch.__version__}"
FORMATS = {"channels-last": torch.channels_last, "contiguous": torch.contiguous_format}


def lenet() -> nn.Sequential:
    """The model, from the weights that all share."""
    model = nn.Sequential(
        nn.Conv2d(1, 6, 5, padding=2), nn.ReLU(), nn.AvgPool2d(2),
        nn.Conv2d(6, 16, 5), nn.ReLU(), nn.AvgPool2d(2), nn.Flatten(),
        nn.Linear(400, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(), nn.Linear(84, 10),
    )  # fmt: skip
    layers = [layer for layer in model if hasattr(layer, "weight")]
    put_kernels(layers, shared.weights(shared.LENET))
    with torch.no_grad():  # features are flattened with channels first here, last elsewhere
        by_place = layers[2].weight.view(120, 5, 5, 16)
        layers[2].weight.copy_(by_place.permute(0, 3, 1, 2).reshape(120, 400))
    return model


def put_kernels(layers: Iterable[Any], kernels: list[Any]) -> None:
    """Gives layers these kernels, HWIO or (in, out), and biases of 0."""
    with torch.no_grad():
        for layer, kernel in zip(layers, map(torch.tensor, kernels), strict=True):
            order = (3, 2, 0, 1) if kernel.ndim == 4 else (1, 0)
            layer.weight.copy_(kernel.permute(order))
            if layer.bias is not None:
                layer.bias.zero_()


def images_of(array: Any, memory_format: str) -> torch.Tensor:
    """NHWC images as NCHW in a memory format; where that is channels-last, without a copy."""
    return (
        torch.from_numpy(array).permute(0, 3, 1, 2).contiguous(memory_format=FORMATS[memory_format])
    )


class Trainer:
    """A model in a memory format, its optimizer, one step on a batch."""

    def __init__(self, model: nn.Module, memory_format: str, rate: float) -> None:
        self.model = model.to(memory_format=FORMATS[memory_format]).train()
        self.optimizer = torch.optim.SGD(self.model.parameters(), rate, fused=True)

    def __call__(self, images: torch.Tensor, labels: torch.Tensor) -> Any:
        """Logits and loss."""
        logits = self.model(images)
        loss = nn.functional.cross_entropy(logits, labels)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        self.optimizer.step()
        return logits, loss


def step(memory_format: str, count: int = 20) -> Workload:
    """The training step, eager: it is done when it returns."""
    trainer = Trainer(lenet(), memory_format, shared.RATE)
    pixels, classes = shared.batch()

    def once() -> float:
        labels = torch.from_numpy(classes).long()
        return trainer(images_of(pixels, memory_format), labels)[1]

    losses = [once().item() for _ in range(3)]
    return repeat(once, lambda: None, count), {"version": VERSION, "losses": losses}


def _examples(part: str) -> TensorDataset:
    images, labels = (torch.tensor(array) for array in shared.digits(part))
    return TensorDataset(images, labels)


def _loader(examples: TensorDataset, workers: int, whole: bool, training: bool) -> DataLoader:
    """Batches by DataLoader's own collation, or fetched whole, by a list of indices each."""
    keep = {"num_workers": workers, "persistent_workers": workers > 0}
    if not whole:
        return DataLoader(examples, shared.BATCH, shuffle=training, drop_last=training, **keep)
    order = RandomSampler(examples) if training else range(len(examples))
    sampler = BatchSampler(order, shared.BATCH, drop_last=training)
    return DataLoader(examples, batch_size=None, sampler=sampler, **keep)


def epoch(memory_format: str, workers: int, whole: bool) -> Workload:
    """The demo's epoch: training, then validation, with losses and hits added up."""
    trainer = Trainer(lenet(), memory_format, shared.RATE)
    loaders = [
        _loader(_examples(part), workers, whole, training)
        for part, training in (("train", True), ("t10k", False))
    ]

    def batches(loader: DataLoader) -> Iterable[Any]:
        for images, labels in loader:
            scaled = images[:, None].contiguous(memory_format=FORMATS[memory_format])
            yield scaled.float() / 255, labels.long()

    def run() -> dict[str, float]:
        start = time.perf_counter()
        _train(trainer, batches(loaders[0]))
        _validate(trainer.model, batches(loaders[1]))
        return {"seconds": time.perf_counter() - start}

    return run, {"version": VERSION}


def _train(trainer: Trainer, batches: Iterable[Any]) -> tuple[float, int]:
    total, hits = torch.zeros(()), torch.zeros((), dtype=torch.long)
    for images, labels in batches:
        logits, loss = trainer(images, labels)
        total += loss.detach()
        hits += (logits.argmax(1) == labels).sum()
    return total.item(), hits.item()


@torch.no_grad()
def _validate(model: nn.Module, batches: Iterable[Any]) -> tuple[float, int]:
    total, hits = torch.zeros(()), torch.zeros((), dtype=torch.long)
    for images, labels in batches:
        logits = model(images)
        total += nn.functional.cross_entropy(logits, labels)
        hits += (logits.argmax(1) == labels).sum()
    return total.item(), hits.item()
