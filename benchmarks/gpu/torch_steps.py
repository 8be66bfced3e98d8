"""Training steps in PyTorch on a GPU, products in TF32 as XLA's are; batches come from the host."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from benchmarks.programs import shared, torch_lenet, torch_resnet, torch_transformer
from benchmarks.serve import Workload
from benchmarks.workload import repeat

FORMAT = "channels-last"
MODELS = {
    "lenet": (torch_lenet.lenet, shared.batch, shared.RATE),
    "resnet": (torch_resnet.resnet, shared.pictures, shared.RESNET_RATE),
}


def step(name: str, device: str, count: int, form: Any = None) -> Workload:
    """LeNet-5, ResNet-18, or the transformer of a form."""
    torch.set_float32_matmul_precision("high")
    torch.backends.cudnn.benchmark = True
    if form:
        once = torch_transformer.training("sdpa", form, device, fused=False)
    else:
        once = _convolutional(name, device)
    losses = [once().item() for _ in range(2)]
    wait = torch.cuda.synchronize if device == "cuda" else lambda: None
    return repeat(once, wait, count), {"version": torch_lenet.VERSION, "losses": losses}


def _convolutional(name: str, device: str) -> Callable[[], torch.Tensor]:
    make, batch, rate = MODELS[name]
    trainer = torch_lenet.Trainer(make().to(device), FORMAT, rate)
    pixels, classes = batch()

    def once() -> torch.Tensor:
        images = torch_lenet.images_of(pixels, FORMAT).to(device)
        labels = torch.from_numpy(classes).long().to(device)
        return trainer(images, labels)[1]

    return once
