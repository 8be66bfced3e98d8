"""A thousand small adds, one operation at a time, beside JAX."""

from __future__ import annotations

from benchmarks.race import ROUNDS, Contender, race
from benchmarks.results import Row, ratio


def rows(rounds: int = ROUNDS) -> list[Row]:
    """One row of the table of bars."""
    found = race(
        [
            Contender("eager", "benchmarks.programs.ours_recording:adds"),
            Contender("JAX, op by op", "benchmarks.programs.jax_small:adds"),
        ],
        rounds,
    )
    return [ratio("eager, 1,000 small adds", found["eager"], found["JAX, op by op"], 1.5)]
