"""LeNet-5 in tracer: the training step in three modes, the first step, many steps."""

from __future__ import annotations

import atexit
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np

import tracer as tr
from benchmarks.programs import shared
from benchmarks.serve import Workload
from benchmarks.workload import repeat, resident
from tracer import losses, models, optim

DEVICES = {"lazy": tr.Device.default_xla, "eager": tr.Device.default_eager}
VERSION = f"tracer {tr.__version__}"


def put_kernels(model: Any, kernels: list[Any]) -> None:
    """Gives the model's kernels, in order, these values; the other tensors stay."""
    values = iter(kernels)
    tr.tree.update(model, lambda leaf: tr.asarray(next(values)) if leaf.ndim >= 2 else leaf)


def lenet(device: tr.Device) -> models.LeNet:
    """The model, from the weights that all share."""
    model = models.LeNet(generator=tr.random.Generator(0))
    put_kernels(model, shared.weights(shared.LENET))
    return model.to(device)


def trainer(model: Any, optimizer: optim.SGD, device: tr.Device) -> Callable[..., tr.Tensor]:
    """One step on a batch of NumPy arrays."""

    def train(*batch: Any) -> tr.Tensor:
        images, labels = (tr.asarray(array, device=device) for array in batch)
        loss, gradient = tr.value_and_grad(
            lambda m: losses.softmax_cross_entropy(m(images), labels)
        )(model)
        optimizer.update(model, gradient)
        tr.barrier()
        return loss

    return train


def step(mode: str, count: int = 20) -> Workload:
    """The training step, "lazy" or "eager"."""
    device, batch, loss = DEVICES[mode](), shared.batch(), []
    model = lenet(device)
    train = trainer(model, optim.SGD(model, shared.RATE), device)
    facts = {"version": VERSION, "losses": [train(*batch).item() for _ in range(3)]}

    def once() -> None:
        loss[:] = [train(*batch)]

    return repeat(once, lambda: loss[0].item(), count), facts


def captured(count: int = 20) -> Workload:
    """The lazy step, written into a bundle as it goes."""
    bundle = ExitStack()
    atexit.register(bundle.close)
    directory = bundle.enter_context(tempfile.TemporaryDirectory())
    bundle.enter_context(tr.dump(Path(directory) / "bundle"))
    return step("lazy", count)


def jitted(count: int = 20) -> Workload:
    """The training step as one function under `jit`, in which model and optimizer change."""
    device, batch, loss = DEVICES["lazy"](), shared.batch(), []
    model = lenet(device)
    optimizer = optim.SGD(model, shared.RATE)

    @tr.jit
    def train(model: Any, images: tr.Tensor, labels: tr.Tensor) -> tr.Tensor:
        loss, gradient = tr.value_and_grad(
            lambda m: losses.softmax_cross_entropy(m(images), labels)
        )(model)
        optimizer.update(model, gradient)
        return loss

    def once() -> float:
        loss[:] = [train(model, *(tr.asarray(array, device=device) for array in batch))]

    def look() -> float:
        return loss[0].item()

    found = []
    for _ in range(3):
        once()
        found.append(look())
    return repeat(once, look, count), {"version": VERSION, "losses": found}


def first() -> Workload:
    """The first step of this process, from the client started to the loss on the host."""
    device, batch = DEVICES["lazy"](), shared.batch()
    tr.asarray(np.zeros(1, np.float32), device=device).numpy()
    kernels = shared.weights(shared.LENET)
    model = models.LeNet(generator=tr.random.Generator(0))

    def run() -> dict[str, float]:
        start = time.perf_counter()
        put_kernels(model, kernels)
        model.to(device)
        trainer(model, optim.SGD(model, shared.RATE), device)(*batch).item()
        return {"seconds": time.perf_counter() - start}

    return run, {"version": VERSION}


def many(steps: int = 1000) -> Workload:
    """How much resident memory grows in so many steps, after 1,000 to settle the allocator."""
    device, batch = DEVICES["lazy"](), shared.batch()
    model = lenet(device)
    train = trainer(model, optim.SGD(model, shared.RATE), device)
    for _ in range(1000):  # as below, without waiting: some steps are under way at any time
        loss = train(*batch)
    loss.item()

    def run() -> dict[str, float]:
        before = resident()
        for _ in range(steps):
            loss = train(*batch)
        loss.item()
        return {"bytes": resident() - before}

    return run, {"version": VERSION}
