"""What workloads share: how a round is timed, how memory is read. Needs nothing but Python."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

Round = Callable[[], dict[str, float]]


def repeat(step: Callable[[], object], wait: Callable[[], object], count: int) -> Round:
    """A round of so many steps: `seconds` a step. Where they are many, one goes before.

    `wait` returns when the last step is done.
    """

    def run() -> dict[str, float]:
        if count > 1:
            step()
            wait()
        start = time.perf_counter()
        for _ in range(count):
            step()
        wait()
        return {"seconds": (time.perf_counter() - start) / count}

    return run


def resident(field: str = "VmRSS") -> int:
    """The resident memory of this process, in bytes; VmHWM for the most there was."""
    for line in Path("/proc/self/status").read_text().splitlines():
        name, _, rest = line.partition(":")
        if name == field:
            return int(rest.split()[0]) * 1024
    raise ValueError(f"/proc/self/status has no {field}")


def forget_peak() -> None:
    """The most there was becomes what there is."""
    Path("/proc/self/clear_refs").write_text("5")


def peak_of(make: Callable[[], Callable[[], float]]) -> Round:
    """The most `bytes` above what there was before a step is made, in 3 steps after the second.

    By then all programs are compiled: tracer's first step makes the optimizer's zeros itself. The
    last `loss` and the `seconds` of a step come along.
    """

    def run() -> dict[str, float]:
        before = resident()
        step = make()
        step()
        step()
        forget_peak()
        start = time.perf_counter()
        loss = [step() for _ in range(3)][-1]
        seconds = (time.perf_counter() - start) / 3
        return {"bytes": resident("VmHWM") - before, "seconds": seconds, "loss": loss}

    return run
