"""torch_xla: the LeNet-5 training step, and what recording an operation costs."""

from __future__ import annotations

import time
from collections.abc import Callable

import torch
import torch_xla
from torch import nn

from benchmarks.programs import shared, torch_lenet
from benchmarks.serve import Workload
from benchmarks.workload import repeat

VERSION = f"torch_xla {torch_xla.__version__}"


def step(count: int = 10) -> Workload:
    """The training step, recorded and cut once."""
    device = torch_xla.device()
    model = torch_lenet.lenet().to(device)
    optimizer = torch.optim.SGD(model.parameters(), shared.RATE)
    pixels, classes = shared.batch()
    last: list[torch.Tensor] = []

    def once() -> None:
        images = torch_lenet.images_of(pixels, "contiguous").to(device)
        labels = torch.from_numpy(classes).long().to(device)
        optimizer.zero_grad(set_to_none=True)
        loss = nn.functional.cross_entropy(model(images), labels)
        loss.backward()
        optimizer.step()
        torch_xla.sync()
        last[:] = [loss.detach()]

    losses = []
    for _ in range(3):
        once()
        losses.append(last[0].item())
    return repeat(once, lambda: last[0].item(), count), {"version": VERSION, "losses": losses}


def recording(count: int = 2000) -> Workload:
    """Microseconds of recording, and of a cut that finds its program, for each kind of chain."""
    device = torch_xla.device()
    x, y = (torch.tensor(values, device=device) for values in ([1.0, 2.0], [1.0, 1.0]))
    steps: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
        "x + y": lambda v: v + y,
        "x * 0.999": lambda v: v * 0.999,
        "x.reshape(2)": lambda v: v.reshape(2),
        "relu(x)": torch.relu,
    }

    def run() -> dict[str, float]:
        figures = {}
        for name, f in steps.items():
            figures |= _named(name, *_chain(f, x, count), count)
        return figures | _named("grad of x * y", *_gradient(x, y, count // 4), count // 2)

    return run, {"version": VERSION}


def _named(name: str, recorded: float, cut: float, count: int) -> dict[str, float]:
    return {f"record {name}": recorded / count, f"cut {name}": cut / count}


def _chain(f: Callable[[torch.Tensor], torch.Tensor], x: torch.Tensor, count: int) -> list[float]:
    start = time.perf_counter()
    for _ in range(count):
        x = f(x)
    return _cut(start)


def _gradient(x: torch.Tensor, y: torch.Tensor, count: int) -> list[float]:
    leaf = x.clone().requires_grad_()
    start = time.perf_counter()
    v = leaf
    for _ in range(count):
        v = v * y
    (slope,) = torch.autograd.grad(v.sum(), leaf)
    times = _cut(start)
    del slope
    return times


def _cut(start: float) -> list[float]:
    """Seconds since the start, and of a cut now."""
    recorded = time.perf_counter()
    torch_xla.sync()
    times = [recorded - start, time.perf_counter() - recorded]
    torch_xla.sync(wait=True)  # what still runs would slow down the next chain
    return times
