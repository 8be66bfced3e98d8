"""Whether an operation costs the same in a short and in a very long recording."""

from __future__ import annotations

from benchmarks.race import ROUNDS, Contender, Result, race
from benchmarks.results import Row

LENGTHS = (100, 1_000, 10_000, 100_000)


def rows(rounds: int = ROUNDS) -> list[Row]:
    """Recorded: the bar. Recorded, cut and run: told beside it."""
    contender = Contender("tracer", "benchmarks.programs.ours_recording:lengths")
    (found,) = race([contender], rounds, warm_up=1).values()
    return [
        _slope("a recording of 100 to 100,000 operations", found, "record", 1.2),
        _slope("the same, recorded, cut and run", found, "run", None),
    ]


def _slope(what: str, found: Result, name: str, bar: float | None) -> Row:
    """The largest cost of an operation over the smallest."""
    if not found.figures:
        return Row(what, found.reason, "", None, bar)
    costs = [found.figures[f"{name} {length}"] for length in LENGTHS]
    shown = ", ".join(f"{cost * 1e6:.2f}" for cost in costs)
    return Row(what, f"{shown} µs an operation", "its own length", max(costs) / min(costs), bar)
