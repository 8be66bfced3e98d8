"""Workloads that tests race: they count, and need nothing but Python."""

from __future__ import annotations

import itertools
import sys

from benchmarks.serve import Workload


def counting(start: float, losses: list[float]) -> Workload:
    """A round takes as many seconds as rounds went before, and the start."""
    print("what a library prints is no answer")
    rounds = itertools.count()
    return lambda: {"seconds": start + next(rounds)}, {"version": "stub", "losses": losses}


def failing(at: int) -> Workload:
    """Raises when it is made (at 0), or in a round."""
    rounds = itertools.count(1)

    def run() -> dict[str, float]:
        return {"seconds": 1.0} if next(rounds) < at else sys.exit("out of order")

    if not at:
        raise ValueError("not to be had")
    return run, {}
