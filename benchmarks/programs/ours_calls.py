"""Calls of a small function under tracer's `jit`."""

from __future__ import annotations

import tracer as tr
from benchmarks.programs.ours_lenet import VERSION
from benchmarks.serve import Workload
from benchmarks.workload import repeat


def calls(arrays: int, count: int = 2000) -> Workload:
    """So many arrays of 8 in and out, the results the next arguments: seconds a call."""
    device = tr.Device.default_xla()
    state = [tr.ones(8, device=device) for _ in range(arrays)]
    f = tr.jit(lambda *xs: tuple(x + 1.0 for x in xs))

    def once() -> None:
        state[:] = f(*state)

    return repeat(once, lambda: state[0].numpy(), count), {"version": VERSION}
