"""Rows of figures beside their bars, and the file they are written to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.race import Result

HEAD = "| what | tracer | beside | found | bar | |\n|---|---|---|---|---|---|"


@dataclass(frozen=True)
class Row:
    """A figure, what it stands beside, and its bar: None where there is none.

    `found` is None where it could not be measured; `beside` then says why.
    """

    what: str
    ours: str
    beside: str
    found: float | None
    bar: float | None
    unit: str = "×"

    @property
    def verdict(self) -> str:
        """Whether the bar is reached."""
        if self.found is None:
            return "not measured"
        if self.bar is None:
            return ""
        return "reached" if self.found <= self.bar else "MISSED"

    def __str__(self) -> str:
        found = "" if self.found is None else f"{self.found:.3g} {self.unit}"
        bar = "" if self.bar is None else f"≤ {self.bar:g} {self.unit}"
        cells = (self.what, self.ours, self.beside, found, bar, self.verdict)
        return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"


def amount(value: float, figure: str = "seconds") -> str:
    """A figure as it is read: bytes in MB, all others are times."""
    if figure == "bytes":
        return f"{value / 1e6:.1f} MB"
    for factor, unit in ((1, "s"), (1e3, "ms")):
        if value * factor >= 1:
            return f"{value * factor:.3g} {unit}"
    return f"{value * 1e6:.3g} µs"


def ratio(
    what: str,
    ours: Result,
    theirs: Result | Sequence[Result],
    bar: float | None,
    figure: str = "seconds",
) -> Row:
    """Ours beside the best of theirs, as a ratio of medians."""
    peers = [theirs] if isinstance(theirs, Result) else list(theirs)
    measured = [peer for peer in peers if figure in peer.figures]
    if figure not in ours.figures:
        return Row(what, ours.reason, peers[0].name, None, bar)
    shown = amount(ours.figures[figure], figure)
    if not measured:
        return Row(what, shown, f"{peers[0].name}: {peers[0].reason}", None, bar)
    best = min(measured, key=lambda peer: peer.figures[figure])
    beside = f"{best.name}: {amount(best.figures[figure], figure)}"
    return Row(what, shown, beside, ours.figures[figure] / best.figures[figure], bar)


def absolute(what: str, ours: Result, figure: str, bar: float, unit: str, scale: float) -> Row:
    """Ours alone, in a unit that is `scale` of the figure's."""
    if figure not in ours.figures:
        return Row(what, ours.reason, "", None, bar, unit)
    value = ours.figures[figure]
    return Row(what, amount(value, figure), "", value * scale, bar, unit)


def document(facts: Sequence[str], rows: Sequence[Row], how: Sequence[str]) -> str:
    """RESULTS.md: where it ran, the table, and how it was measured."""
    bars = [row for row in rows if row.bar is not None]
    reached = sum(row.verdict == "reached" for row in bars)
    unmeasured = sum(row.verdict == "not measured" for row in bars)
    summary = f"{reached} of {len(bars)} bars are reached; {unmeasured} were not measured."
    return "\n".join(
        [
            "# Results of the benchmarks\n",
            "Written by `make bench`. Ratios are tracer's time (or memory) over the other's.\n",
            *(f"- {fact}" for fact in facts),
            f"\n{summary}\n",
            HEAD,
            *map(str, rows),
            "\n## How it was measured\n",
            *(f"- {line}" for line in how),
            "",
        ]
    )
