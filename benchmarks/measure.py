"""How benchmarks measure: side by side, alternating, medians, and the machine they ran on."""

from __future__ import annotations

import os
import platform
import statistics
import sys
import time
from collections.abc import Callable

import jaxlib
import numpy as np


def seconds(f: Callable[[], object]) -> float:
    """The time of one call."""
    start = time.perf_counter()
    f()
    return time.perf_counter() - start


def alternate(contenders: dict[str, Callable[[], object]], rounds: int) -> dict[str, list[float]]:
    """The times of each contender, one call each in turn, for some rounds after two to warm up."""
    times: dict[str, list[float]] = {name: [] for name in contenders}
    for i in range(rounds + 2):
        for name, f in contenders.items():
            taken = seconds(f)
            if i >= 2:
                times[name].append(taken)
    return times


def medians(times: dict[str, list[float]]) -> dict[str, float]:
    """The median of each contender."""
    return {name: statistics.median(taken) for name, taken in times.items()}


def machine() -> str:
    """One line on where this ran."""
    return (
        f"{os.cpu_count()} x {platform.machine()}, Python {sys.version.split()[0]}, "
        f"jaxlib {jaxlib.__version__}, NumPy {np.__version__}"
    )


def report(name: str, found: float, bar: float, unit: str) -> bool:
    """Prints a figure beside its bar; whether it is reached."""
    reached = found <= bar
    print(f"{name:52} {found:8.3f} {unit:12} bar {bar:g}: {'reached' if reached else 'MISSED'}")
    return reached
