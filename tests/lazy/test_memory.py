"""A thousand steps take no more memory than the first hundred."""

from __future__ import annotations

import gc
import os

import tracer as tr
from tracer import nn, optim


def resident() -> int:
    """Resident memory of this process, in bytes."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_memory_is_flat(device):
    model = nn.Dense(64, 64, generator=tr.random.Generator(0)).to(device)
    optimizer = optim.Adam(model)
    x = tr.ones((32, 64))

    def train(steps: int) -> int:
        for _ in range(steps):
            loss, gradient = tr.value_and_grad(lambda m: (m(x) ** 2).mean())(model)
            optimizer.update(model, gradient)
            tr.barrier()
        loss.item()
        gc.collect()
        return resident()

    train(200)
    before = train(100)
    assert train(1000) - before < 2_000_000
