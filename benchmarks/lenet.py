"""The LeNet-5 training step, batch 128, float32, beside PyTorch, JAX, torch_xla and ourselves."""

from __future__ import annotations

import tracer as tr
from benchmarks import networks
from benchmarks.race import ROUNDS, Contender, race
from benchmarks.results import Row, ratio
from lowering import compile_options

STEP = "LeNet-5 training step"


def options() -> dict[str, object]:
    """The XLA options that tracer compiles the step with."""
    function, types = networks.lenet()
    return dict(compile_options(tr.trace(function, *types), "cpu"))


def contenders() -> list[Contender]:
    """Ours first: the others' losses must agree with it."""
    ours, jax, torch = (f"benchmarks.programs.{name}_lenet" for name in ("ours", "jax", "torch"))
    return [
        Contender("lazy", f"{ours}:step", {"mode": "lazy"}),
        Contender("eager", f"{ours}:step", {"mode": "eager"}),
        Contender("jit", f"{ours}:jitted"),
        Contender("captured", f"{ours}:captured"),
        Contender("jax.jit", f"{jax}:step", {"options": {}}),
        Contender("jax.jit, our options", f"{jax}:step", {"options": options()}),
        *(
            Contender(f"PyTorch, {kind}", f"{torch}:step", {"memory_format": kind}, "torch")
            for kind in ("channels-last", "contiguous")
        ),
        Contender("torch_xla", "benchmarks.programs.xla_lenet:step", {}, "torch_xla"),
        Contender("MLX", "benchmarks.programs.mlx_lenet:step", {}, "mlx"),
    ]


def rows(rounds: int = ROUNDS) -> list[Row]:
    """The rows of the table of bars, then tracer's jit, MLX, and what a bundle costs."""
    found = race(contenders(), rounds)
    ours = found["lazy"]
    torch = [found["PyTorch, channels-last"], found["PyTorch, contiguous"]]
    return [
        ratio(STEP, ours, torch, 0.85),
        ratio(STEP, ours, found["jax.jit"], 0.55),
        ratio(STEP, ours, found["jax.jit, our options"], 0.9),
        ratio(STEP, ours, found["torch_xla"], 0.25),
        ratio(STEP, ours, found["eager"], 0.7),
        ratio(f"{STEP}, jit", found["jit"], torch, None),
        ratio(STEP, ours, found["MLX"], None),
        ratio(f"{STEP}, written into a bundle", found["captured"], ours, 1.05),
    ]
