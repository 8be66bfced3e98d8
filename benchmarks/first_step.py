"""The first step of LeNet-5 in a new process, imports and the start of the client aside."""

from __future__ import annotations

import tempfile

from benchmarks.race import ROUNDS, Contender, race_anew
from benchmarks.results import Row, absolute, ratio

STEP = "first step of LeNet-5 in a new process"


def rows(rounds: int = ROUNDS) -> list[Row]:
    """Three rows of the table of bars."""
    ours = "benchmarks.programs.ours_lenet:first"
    with tempfile.TemporaryDirectory() as folder:
        warm = {"TRACER_DISK_CACHE": "1", "TRACER_CACHE_DIRECTORY": folder}
        found = race_anew(
            [
                Contender("cold", ours),
                Contender("disk cache warm", ours, {}, "", warm),
                Contender(
                    "jax, trace + lower + compile + step", "benchmarks.programs.jax_lenet:first"
                ),
            ],
            rounds,
        )
    cold, known, jax = found.values()
    return [
        absolute(f"{STEP}, disk cache warm", known, "seconds", 0.15, "s", 1),
        ratio(f"{STEP}, disk cache warm", known, cold, 0.2),
        ratio(f"{STEP}, cold", cold, jax, 1.0),
    ]
