"""The counters as a table, and what they say of a program."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tracer.errors import FileLine, Location, scope_of, source_line
from tracer.tables import duration, plural, size, spot, table

_KEPT = 5
"""How many of the slowest compiles are remembered."""
_MANY = 3
"""From how many on something is no accident."""


@dataclass(slots=True)
class Compiles:
    """How long compiles took: altogether, and the slowest of them with their places."""

    seconds: float = 0.0
    slowest: list[tuple[float, int, FileLine]] = field(default_factory=list)
    _number: int = 0

    def add(self, seconds: float, location: Location) -> None:
        """One more."""
        self.seconds += seconds
        self._number += 1
        file, line = source_line(location)
        entry = (seconds, -self._number, FileLine(file, line, scope=scope_of(location)))
        if len(self.slowest) < _KEPT:
            heapq.heappush(self.slowest, entry)
        else:
            heapq.heappushpop(self.slowest, entry)


def table_of(counts: dict[str, Any], compiles: Compiles) -> str:
    """What `tracer.metrics.report` gives for these counters."""
    rows = [("what", "count", ""), *_rows(counts, compiles)]
    slowest = sorted(compiles.slowest, reverse=True)
    lines = [f"  {duration(seconds):>7}  {spot(place)}" for seconds, _, place in slowest]
    sections = [
        table(rows),
        "\n".join(["slowest compiles:", *lines]) + "\n" if lines else "",
        "".join(f"{line}\n" for line in advice(counts)),
    ]
    return "\n".join(section for section in sections if section)


def _rows(counts: dict[str, Any], compiles: Compiles) -> Iterator[tuple[str, str, str]]:
    made, found = counts["compiles"], counts["cache_hits"]
    loaded = f", {counts['disk_hits']} from the disk" if counts["disk_hits"] else ""
    again = f"{100 * found / (made + found):.1f}% of {plural(made + found, 'run')}" if found else ""
    cuts: dict[str, int] = counts["cuts"]
    yield "operations recorded", str(counts["ops_recorded"]), ""
    yield "operations executed", str(counts["ops_executed"]), ""
    yield "compiles", str(made), f"{duration(compiles.seconds)}{loaded}" if made else ""
    if counts["eager_compiles"]:
        yield "  of eager operations", str(counts["eager_compiles"]), ""
    yield "programs found again", str(found), again
    yield "cuts", str(sum(cuts.values())), ""
    for cause, times in sorted(cuts.items(), key=lambda item: (-item[1], item[0])):
        yield f"  {cause}", str(times), ""
    yield "moved to devices", size(counts["bytes_to_device"]), ""
    yield "moved to the host", size(counts["bytes_to_host"]), ""


def advice(counts: dict[str, Any]) -> Iterator[str]:
    """What the counters suggest: one line for each thing that costs time and need not."""
    cuts: dict[str, int] = counts["cuts"]
    all_cuts, made = sum(cuts.values()), counts["compiles"] - counts["eager_compiles"]
    runs = made + counts["cache_hits"] - counts["eager_hits"]
    looks = cuts.get("value", 0)
    if made >= _MANY and 2 * made > runs:
        during = plural(all_cuts, "cut") if all_cuts else plural(runs, "run")
        yield (
            f"{plural(made, 'compile')} during {during}: most programs are new; "
            "what differs each time? dump-hlo why tells"
        )
    if looks >= _MANY and 2 * looks > all_cuts:
        yield (
            f"{looks} of {plural(all_cuts, 'cut')} are looks at a value, which wait for the "
            "device: look less often, or keep values as tensors"
        )
    if cuts.get("size limit"):
        yield (
            f"{plural(cuts['size limit'], 'cut')} since a recording grew too long: "
            "a tracer.barrier() at the end of each step is missing"
        )
    if cuts.get("thread", 0) >= _MANY:
        yield (
            f"{plural(cuts['thread'], 'cut')} since a tensor was used in another thread than its "
            "own: hand over what is computed already, after a barrier"
        )
