"""The demo's epoch, data included, beside PyTorch with its DataLoader."""

from __future__ import annotations

from benchmarks.race import ROUNDS, Contender, race
from benchmarks.results import Row, ratio

EPOCH = "epoch of the demo, 4,000 + 1,000 digits, data included"


def _torch(memory_format: str, workers: int, whole: bool) -> Contender:
    kind = "whole batches" if whole else "one by one"
    options = {"memory_format": memory_format, "workers": workers, "whole": whole}
    name = f"PyTorch, {memory_format}, {workers} workers, {kind}"
    return Contender(name, "benchmarks.programs.torch_lenet:epoch", options, "torch")


def rows(rounds: int = ROUNDS) -> list[Row]:
    """One row of the table of bars: examples/lenet_mnist.py as it is."""
    torch = [
        *(_torch("channels-last", workers, False) for workers in (0, 2)),
        *(_torch("channels-last", workers, True) for workers in (0, 1)),
        _torch("contiguous", 0, True),
    ]
    found = race([Contender("demo", "benchmarks.programs.ours_epoch:epoch"), *torch], rounds)
    return [ratio(EPOCH, found["demo"], [found[c.name] for c in torch], 0.85)]
