"""A transformer block, and 24 layers of it: the training step, beside JAX and PyTorch."""

from __future__ import annotations

from benchmarks import networks
from benchmarks.programs.shared import Form
from benchmarks.race import ROUNDS, Contender, race, race_anew
from benchmarks.results import Row, ratio

OURS, JAX, TORCH = (f"benchmarks.programs.{p}_transformer" for p in ("ours", "jax", "torch"))
DEEP = 24


def form_of(layers: int) -> Form:
    """What a program needs to know of so many layers."""
    return {
        "layers": layers,
        "heads": networks.HEADS,
        "sequences": (networks.BATCH, networks.LENGTH, networks.WIDTH),
        "shapes": networks.attention_weights(),
        "rate": networks.RATE,
    }


def _steps(layers: int, count: int, rounds: int, bars: tuple[float, float]) -> list[Row]:
    options = {"form": form_of(layers), "count": count}
    torch = [
        Contender(f"PyTorch, {kind}", f"{TORCH}:step", {**options, "attention": kind}, "torch")
        for kind in ("sdpa", "plain")
    ]
    steps = (
        Contender("lazy", f"{OURS}:step", options),
        Contender("keep_memory", f"{OURS}:step", options, "", {"TRACER_KEEP_MEMORY": "1"}),
        Contender("jax.jit", f"{JAX}:step", options),
    )
    found = race([*steps, *torch], rounds, warm_up=1)
    what = f"transformer, {layers} {'layers' if layers > 1 else 'layer'}: step"
    return [
        ratio(what, found["lazy"], found["jax.jit"], bars[0]),
        ratio(what, found["lazy"], [found[c.name] for c in torch], bars[1]),
        ratio(f"{what}, keep_memory", found["keep_memory"], [found[c.name] for c in torch], None),
    ]


def _compile() -> Row:
    options = {"form": form_of(DEEP)}
    found = race_anew(
        [
            Contender("lazy", f"{OURS}:compiling", options),
            Contender("jax.jit", f"{JAX}:compiling", options),
        ],
        rounds=3,
        warm_up=0,
    )
    what = f"transformer, {DEEP} layers: compile"
    return ratio(what, found["lazy"], found["jax.jit"], 0.15)


def rows(rounds: int = ROUNDS) -> list[Row]:
    """The block; then the deep one, which JAX compiles for long."""
    block = _steps(1, 10, rounds, (1.0, 1.0))
    return [*block, _compile(), *_steps(DEEP, 1, min(rounds, 7), (0.25, 1.2))]
