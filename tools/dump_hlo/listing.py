"""The programs of a bundle as rows, which `ls`, `run` and others print."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import Any

from tools.places.notes import brief
from tools.runs.bundle import Bundle, Entry, is_timed
from tools.terminal import Failure, say
from tracer.errors import NO_PATTERN
from tracer.tables import duration, size, table

Row = dict[str, Any]
_COPIED = ("id", "number", "name", "device", "file", "line", "scope", "cause", "reason", "source")
_HEADER = ("#", "program", "cut at", "cause", "reason", "ops", "runs", "compile", "run", "peak")


def open_bundle(path: str) -> Bundle:
    """The bundle at a path; what of it can't be read is said. Raises Failure."""
    bundle = Bundle.open(path)
    for note in bundle.left_out:
        say(f"{path}: left out: {note}")
    return bundle


def pattern(text: str, option: str = "--filter") -> re.Pattern[str]:
    """The regular expression that an option gives. Raises Failure."""
    try:
        return re.compile(text)
    except NO_PATTERN as error:
        raise Failure(f"{option} needs a regular expression, got {text!r}: {error}") from None


def row_of(entry: Entry) -> Row:
    """A program as JSON tells it: seconds, bytes; None for what is not known."""
    facts = entry.facts
    return {
        **{name: facts[name] for name in _COPIED},
        "operations": facts["operations"],
        "compiles": len(entry.compiles),
        "compile_seconds": _compiling(entry),
        **run_times(entry.runs),
        "flops": (facts["cost"] or {}).get("flops"),
        "bytes": (facts["cost"] or {}).get("bytes accessed"),
        "peak": (facts["memory"] or {}).get("peak"),
        "stages": entry.stages,
        "error": None if facts.get("error") is None else str(facts["error"]),
    }


def _compiling(entry: Entry) -> float:
    """The seconds of all its compiles: of a program that several jits make there are several."""
    known = [event["seconds"] for event in entry.compiles]
    return float(sum(known)) if known else float(entry.facts["compile_seconds"])


def run_times(runs: Sequence[Row]) -> Row:
    """How many runs there were, how many of them were timed, and how long all took."""
    seconds = sum(run["own_seconds"] for run in runs)
    return {"runs": len(runs), "timed": sum(map(is_timed, runs)), "run_seconds": seconds}


def run_time(row: Row) -> str:
    """How long runs took; an estimate where not all were timed."""
    about = "~" if row["timed"] < row["runs"] else ""
    return f"{about}{duration(row['run_seconds'])}"


def place(row: Row) -> str:
    """Where in the user's program: `file:line`."""
    return f"{brief(row['file'])}:{row['line']}"


def home_of(rows: list[Row]) -> str:
    """The folder of all files that are elsewhere, as a prefix that need not be read each time."""
    folders = {os.path.dirname(brief(row["file"])) for row in rows}
    far = [folder for folder in folders if os.path.isabs(folder)]
    return os.path.join(os.path.commonpath(far), "") if far else ""


def program_table(rows: list[Row]) -> str:
    """Programs as text, one a line."""
    home = home_of(rows)
    return table([_HEADER, *(_cells(row, home) for row in rows)])


def measures(row: Row) -> tuple[str, ...]:
    """Operations, runs, compile time, run time and peak of a program, or of several."""
    return (
        str(row["operations"]),
        str(row["runs"]),
        _compile_time(row),
        run_time(row),
        "" if row["peak"] is None else size(row["peak"]),
    )


def _compile_time(row: Row) -> str:
    times = f" ({row['compiles']})" if row["compiles"] > row.get("programs", 1) else ""
    return f"{duration(row['compile_seconds'])}{times}"


def _cells(row: Row, home: str) -> tuple[str, ...]:
    where = f"{place(row).removeprefix(home)} {row['scope']}".rstrip()
    reason = "refused" if row["error"] else row["reason"]
    loaded = " (from disk)" if row["source"] == "disk" else ""
    return (str(row["number"]), row["id"], where, row["cause"], reason + loaded, *measures(row))


def totals(bundle: Bundle, program: str | None = None) -> Row:
    """How many cuts, compiles and runs there were, and how long they took; of one, or of all."""
    events = [event for event in bundle.events if program in (None, event.get("program"))]
    of = {kind: [e for e in events if e["kind"] == kind] for kind in ("cut", "compile", "run")}
    return {
        "cuts": len(of["cut"]),
        "compiles": len(of["compile"]),
        "from_disk": sum(event.get("source") == "disk" for event in of["compile"]),
        "compile_seconds": sum(event["seconds"] for event in of["compile"]),
        **run_times(of["run"]),
    }
