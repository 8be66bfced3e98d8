"""The demo's epoch: examples/lenet_mnist.py itself."""

from __future__ import annotations

import statistics

import tracer as tr
from benchmarks.programs.ours_lenet import VERSION
from benchmarks.serve import Workload
from examples import lenet_mnist


def epoch(epochs: int = 2) -> Workload:
    """Seconds of an epoch, training and validation: the median of some."""
    arguments = lenet_mnist.parse(["--mode", "lazy", "--epochs", str(epochs)])
    device = tr.Device.default_xla()

    def run() -> dict[str, float]:
        done = lenet_mnist.run(device, arguments)
        return {"seconds": statistics.median(done.seconds)}

    return run, {"version": VERSION}
