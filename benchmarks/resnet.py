"""The ResNet-18 training step on 32 x 32 images, batch 32, beside JAX and PyTorch."""

from __future__ import annotations

from benchmarks.race import ROUNDS, Contender, race
from benchmarks.results import Row, ratio

STEP = "ResNet-18 training step, 32×32, batch 32"


def rows(rounds: int = ROUNDS) -> list[Row]:
    """Two rows of the table of bars."""
    programs = "benchmarks.programs"
    formats = ("channels-last", "contiguous")
    torch = [
        Contender(f"PyTorch, {f}", f"{programs}.torch_resnet:step", {"memory_format": f}, "torch")
        for f in formats
    ]
    found = race(
        [
            Contender("lazy", f"{programs}.ours_resnet:step"),
            Contender("jax.jit", f"{programs}.jax_resnet:step", {"options": {}}),
            *torch,
        ],
        rounds,
        warm_up=1,
    )
    return [
        ratio(STEP, found["lazy"], found["jax.jit"], 0.8),
        ratio(STEP, found["lazy"], [found[c.name] for c in torch], 1.0),
    ]
