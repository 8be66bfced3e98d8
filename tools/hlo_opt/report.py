"""What the passes took and did: the tables of `--time` and `--stats`."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from lowering.statistics import Rewrites
from tools.dump_hlo.report import to_json
from tools.hlo_opt.reduce import Smallest
from tools.hlo_opt.removal import all_operations
from tracer.ir import Module

_SCHEMA = "dump-hlo/opt/1"


class Clock:
    """Seconds by what they were spent on, in the order of their first."""

    def __init__(self) -> None:
        self.seconds: Counter[str] = Counter()

    @contextmanager
    def spent_on(self, name: str) -> Iterator[None]:
        """Adds the time that passes inside."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] += time.perf_counter() - start  # type: ignore[assignment]

    def table(self) -> str:
        """A row each, and the sum."""
        total = sum(self.seconds.values())
        rows = "".join(
            f"{1e3 * spent:12.3f} {spent / total:8.1%}  {name}\n"
            for name, spent in self.seconds.items()
        )
        return f"// ----- time in ms\n{rows}{1e3 * total:12.3f} {1:8.1%}  in all\n"


def counts_table(counts: Mapping[str, int]) -> str:
    """A row for each rule and pass that changed something, the most frequent first."""
    ordered = sorted(counts.items(), key=lambda row: (-row[1], row[0]))
    rows = "".join(f"{count:12}  {name}\n" for name, count in ordered)
    return f"// ----- rewrites\n{rows}{sum(counts.values()):12}  in all\n"


def bisect_line(total: int, limit: int, last: str) -> str:
    """What a limit on rewrites cut off."""
    if total < limit:
        return f"rewrites made: {total}, fewer than the {limit} allowed"
    return f"rewrites made: {total}; the last one: {last or 'none'}"


def reduced_line(program: Module, found: Smallest) -> str:
    """How much smaller a program has become."""
    before, after = (len(all_operations(p)) for p in (program, found.program))
    return f"{before} operations reduced to {after} in {found.runs} runs of the command"


def session_json(
    file: str, passes: Sequence[str], rewrites: Rewrites, programs: Sequence[dict[str, Any]]
) -> str:
    """A run of the passes: each program with what each pass did to it, and all rewrites."""
    total = {"total": rewrites.total, "last": rewrites.last or None}
    data = {"schema": _SCHEMA, "file": file, "passes": list(passes), "rewrites": total}
    return to_json({**data, "programs": list(programs)})


def listing_json(rows: Sequence[Mapping[str, Any]]) -> str:
    """Passes, or the rules of one."""
    return to_json({"schema": _SCHEMA, "listing": list(rows)})
