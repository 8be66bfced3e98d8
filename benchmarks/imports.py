"""An import and a first eager operation in a new process, beside JAX."""

from __future__ import annotations

import tempfile

from benchmarks.race import ROUNDS, Contender, race_anew
from benchmarks.results import Row, ratio


def rows(rounds: int = ROUNDS) -> list[Row]:
    """Without caches of compiled programs; then with tracer's."""
    program = "benchmarks.programs.imports"
    with tempfile.TemporaryDirectory() as folder:
        warm = {"TRACER_DISK_CACHE": "1", "TRACER_CACHE_DIRECTORY": folder}
        found = race_anew(
            [
                Contender("tracer", f"{program}:tracer"),
                Contender("tracer, disk cache", f"{program}:tracer", {}, "", warm),
                Contender("import jax", f"{program}:jax"),
            ],
            rounds,
        )
    what = "import tracer, and a first eager operation"
    jax = found["import jax"]
    return [
        ratio(what, found["tracer"], jax, 0.6),
        ratio(f"{what}, disk cache warm", found["tracer, disk cache"], jax, None),
    ]
