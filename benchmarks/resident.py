"""Whether memory stays flat over a thousand training steps."""

from __future__ import annotations

from benchmarks.race import Contender, race_anew
from benchmarks.results import Row


def rows(_: int = 1) -> list[Row]:
    """How much resident memory a process gains or loses in 1,000 steps, once it has settled."""
    contender = Contender("lazy", "benchmarks.programs.ours_lenet:many")
    (found,) = race_anew([contender], rounds=1, warm_up=0).values()
    what = "1,000 steps of LeNet-5 after as many, resident memory"
    if not found.figures:
        return [Row(what, found.reason, "", None, 1.0, "MB")]
    grown = found.figures["bytes"] / 1e6
    return [Row(what, f"{grown:+.2f} MB", "its own start", abs(grown), 1.0, "MB")]
