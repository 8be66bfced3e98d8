"""Counters: what was recorded, cut, compiled, run and moved. Exact, for the whole process."""

from collections import Counter
from collections.abc import Callable, Iterable
from threading import Lock
from typing import Any

from tracer.counted import Compiles, table_of
from tracer.errors import Location

__all__ = ["difference", "report", "snapshot"]

_lock = Lock()
_counts: Counter[str] = Counter()
_cuts: Counter[str] = Counter()
_pending: list[Callable[[], int]] = []
_compiles = Compiles()

NAMES = (
    "ops_recorded",
    "ops_executed",
    "compiles",
    "cache_hits",
    "disk_hits",
    "bytes_to_device",
    "bytes_to_host",
)
_EAGER = ("eager_compiles", "eager_hits")
"""How many of the compiles, and of the programs found, were of eager operations."""


def add(name: str, amount: int = 1) -> None:
    """Adds to a counter."""
    with _lock:
        _counts[name] += amount


def add_compile(seconds: float, location: Location, cause: str) -> None:
    """Counts one program that was made, or loaded: how long that took, where it was wanted, why."""
    with _lock:
        _counts["compiles"] += 1
        _counts["eager_compiles"] += cause == "eager"
        _compiles.add(seconds, location)


def add_eager_hit(operations: int) -> None:
    """Counts one run of an eager operation's program that was found, and its operations."""
    with _lock:
        _counts["cache_hits"] += 1
        _counts["eager_hits"] += 1
        _counts["ops_executed"] += operations


class Runs:
    """How often a program was found and run, and of how many operations it is.

    `times += 1` is exact without a lock: no other thread comes in between, nothing being called.
    """

    __slots__ = ("operations", "times")

    def __init__(self, operations: int) -> None:
        self.operations = operations
        self.times = 0
        _runs.append(self)


_runs: list[Runs] = []


def add_cut(cause: str) -> None:
    """Counts one cut by its cause."""
    with _lock:
        _cuts[cause] += 1


def count_pending(source: Callable[[], int]) -> None:
    """Names a source of operations that are recorded and not yet added."""
    _pending.append(source)


def snapshot() -> dict[str, Any]:
    """The counters now, as a dict of ints; `cuts` is a dict from cause to int.

    `ops_recorded`: operations recorded on lazy devices. `ops_executed`: operations of the programs
    that ran, eager ones included. `compiles`, `cache_hits`: programs made, and found;
    `disk_hits`: how many of those made came from the disk, already compiled.
    `bytes_to_device`, `bytes_to_host`: bytes moved. The causes of cuts are "barrier", "value",
    "transfer", "mask", "nonzero", "size limit", "thread" and "jit": a pending argument.
    """
    waiting = sum(source() for source in _pending)
    with _lock:
        values: dict[str, Any] = {name: _counts[name] for name in NAMES}
        values["cuts"] = dict(_cuts)
    values["ops_recorded"] += waiting
    values["cache_hits"] += sum(runs.times for runs in _runs)
    values["ops_executed"] += sum(runs.times * runs.operations for runs in _runs)
    return values


def difference(after: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """What was counted between two snapshots."""
    values: dict[str, Any] = {name: after[name] - before[name] for name in NAMES}
    causes: Iterable[str] = after["cuts"]
    cuts = {cause: after["cuts"][cause] - before["cuts"].get(cause, 0) for cause in causes}
    values["cuts"] = {cause: n for cause, n in cuts.items() if n}
    return values


def report() -> str:
    """The counters as a table, the slowest compiles with their lines, and what they suggest."""
    eager = {name: _counts[name] for name in _EAGER}
    return table_of(snapshot() | eager, _compiles)
