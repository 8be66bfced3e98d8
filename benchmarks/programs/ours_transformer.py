"""Layers of causal attention in tracer: how long the step compiles, and how long it takes."""

from __future__ import annotations

import time
from typing import Any

import tracer as tr
from benchmarks import networks
from benchmarks.programs import shared
from benchmarks.programs.ours_lenet import VERSION
from benchmarks.serve import Workload
from benchmarks.workload import repeat


class Training:
    """Weights, and a step that changes them."""

    def __init__(self, form: shared.Form) -> None:
        self.device = device = tr.Device.default_xla()
        put = lambda array: tr.asarray(array, device=device)
        self.weights: Any = [
            {name: put(array) for name, array in layer.items()}
            for layer in shared.transformer_weights(form)
        ]
        self.x = put(shared.sequences(form["sequences"]))
        self.step, _ = networks.transformer(form["layers"])
        self.loss = self.x

    def __call__(self) -> None:
        """One step, under way."""
        self.record()
        tr.barrier()

    def record(self) -> None:
        """One step, pending."""
        with tr.default_device(self.device):
            self.loss, self.weights = self.step(self.weights, self.x)

    def look(self) -> float:
        """The loss, when the step is done."""
        return self.loss.item()


def step(form: shared.Form, count: int = 10) -> Workload:
    """Forward, backward and update of all layers."""
    training = Training(form)
    losses = []
    for _ in range(2):
        training()
        losses.append(training.look())
    return repeat(training, training.look, count), {"version": VERSION, "losses": losses}


def compiling(form: shared.Form) -> Workload:
    """Seconds from the step recorded to the program compiled and started: passes and XLA."""
    training = Training(form)
    training.x.numpy()

    def run() -> dict[str, float]:
        training.record()
        start = time.perf_counter()
        tr.barrier()
        return {"seconds": time.perf_counter() - start}

    return run, {"version": VERSION}
