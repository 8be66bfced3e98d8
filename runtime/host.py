"""What XLA compiles for besides its device: this machine's processor, and how many threads."""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Iterable
from functools import cache
from itertools import takewhile

_CPUINFO = "/proc/cpuinfo"
_TOLD = frozenset(
    (
        *("vendor_id", "cpu family", "model", "model name", "stepping", "flags"),
        *("CPU implementer", "CPU architecture", "CPU variant", "CPU part", "Features"),
        *("isa", "uarch", "cpu", "machine", "features"),
    )
)
"""Which lines of /proc/cpuinfo are about instructions, by architecture; others are about clocks."""
_SYSCTL = ("sysctl", "-n", "machdep.cpu.brand_string", "hw.optional")


@cache
def describe_host() -> tuple[str, ...]:
    """Operating system, architecture, processor with its features, and the number of threads."""
    return platform.system(), platform.machine(), _processor(), str(_threads())


def _threads() -> int:
    """The processors that this process may use, by which XLA splits its loops."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _processor() -> str:
    try:
        if platform.system() == "Darwin":
            return subprocess.run(_SYSCTL, capture_output=True, text=True, check=False).stdout
        with open(_CPUINFO, encoding="utf-8", errors="replace") as file:
            return first_processor(file)
    except OSError:
        return platform.processor()


def first_processor(lines: Iterable[str]) -> str:
    """What the first paragraph of /proc/cpuinfo tells of the instructions there are."""
    paragraph = takewhile(str.strip, lines)
    return "".join(line for line in paragraph if line.partition(":")[0].strip() in _TOLD)
