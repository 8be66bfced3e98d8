"""Calls of a small compiled function, beside jax.jit."""

from __future__ import annotations

from benchmarks.race import ROUNDS, Contender, race
from benchmarks.results import Row, ratio

BARS = {2: 1.3, 20: 1.05}


def rows(rounds: int = ROUNDS) -> list[Row]:
    """Two arrays in and out, and twenty."""
    made = []
    for arrays, bar in BARS.items():
        options = {"arrays": arrays}
        found = race(
            [
                Contender("jit", "benchmarks.programs.ours_calls:calls", options),
                Contender("jax.jit", "benchmarks.programs.jax_small:calls", options),
            ],
            rounds,
        )
        what = f"jit call, {arrays} arrays in, {arrays} out"
        made.append(ratio(what, found["jit"], found["jax.jit"], bar))
    return made
