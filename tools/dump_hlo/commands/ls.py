"""`dump-hlo ls`: the programs of a bundle."""

from __future__ import annotations

from collections.abc import Callable

from tools.dump_hlo.listing import (
    Row,
    home_of,
    measures,
    open_bundle,
    pattern,
    place,
    program_table,
    row_of,
)
from tools.dump_hlo.options import add_json, parser
from tools.dump_hlo.report import print_json
from tools.terminal import DONE, NO, Parser, print_text, say
from tracer.tables import table

_EXAMPLES = """\
examples:
  dump-hlo ls train-hlo
  dump-hlo ls train-hlo --sort peak --filter 'LeNet|train.py:2'
  dump-hlo ls train-hlo --by callsite --json
"""
_SORTS = {
    "compile": "compile_seconds",
    "runs": "runs",
    "ops": "operations",
    "flops": "flops",
    "bytes": "bytes",
    "peak": "peak",
}
_GROUPS: dict[str, Callable[[Row], str]] = {
    "module": lambda row: str(row["scope"]) or "(none)",
    "callsite": place,
    "cause": lambda row: str(row["cause"]),
}
_HEADER = ("programs", "ops", "runs", "compile", "run", "peak")


def main(given: list[str]) -> int:
    """Prints the programs of a bundle as a table."""
    options = _parser().parse_args(given)
    bundle = open_bundle(options.bundle)
    rows = [row_of(entry) for entry in bundle.entries]
    if options.filter is not None:
        rows = _chosen(rows, options.filter)
        if not rows:
            say(f"no program fits {options.filter!r}")
    if options.sort is not None:
        rows = _sorted(rows, _SORTS[options.sort])
    groups = None if options.by is None else _grouped(rows, options.by, options.sort)
    if options.json:
        found = {"programs": rows, "by": options.by, "groups": groups}
        print_json("ls", {"bundle": bundle.path, **found, "left_out": bundle.left_out})
    elif groups is not None:
        home = home_of(rows)
        print_text(table([(options.by, *_HEADER), *(_group_cells(g, home) for g in groups)]))
    else:
        print_text(program_table(rows))
    return NO if options.filter is not None and not rows else DONE


def _parser() -> Parser:
    about = "Lists the programs of a bundle. A number behind the time to compile: how often."
    made = parser("ls", about, _EXAMPLES)
    made.add_argument("bundle", metavar="BUNDLE", help="a directory that run wrote, or a zip of it")
    made.add_argument("--sort", choices=_SORTS, help="the most first; else in order of compile")
    made.add_argument("--filter", metavar="RE", help="those whose ID, place, layer or cause fits")
    made.add_argument("--by", choices=_GROUPS, help="one line for each layer, place or cause")
    add_json(made)
    return made


def _chosen(rows: list[Row], filter: str) -> list[Row]:
    fits = pattern(filter).search
    return [r for r in rows if any(map(fits, (r["id"], place(r), r["scope"], r["cause"])))]


def _sorted(rows: list[Row], key: str) -> list[Row]:
    """The most first; what is not known last."""
    return sorted(rows, key=lambda row: -1 if row[key] is None else row[key], reverse=True)


def _grouped(rows: list[Row], by: str, sort: str | None) -> list[Row]:
    members: dict[str, list[Row]] = {}
    for row in rows:
        members.setdefault(_GROUPS[by](row), []).append(row)
    found = list(members.items())
    if sort is not None:
        found.sort(key=lambda item: -_most(item[1], _SORTS[sort]))
    return [_group(key, rows) for key, rows in found]


def _most(rows: list[Row], key: str) -> float:
    """What several programs are sorted by: the largest peak, the sum of anything else."""
    known = [row[key] or 0 for row in rows]
    return max(known) if key == "peak" else sum(known)


def _group(key: str, rows: list[Row]) -> Row:
    summed = ("operations", "compiles", "compile_seconds", "runs", "timed", "run_seconds")
    return {
        "key": key,
        "programs": len(rows),
        **{name: sum(row[name] for row in rows) for name in summed},
        "peak": max((row["peak"] for row in rows if row["peak"] is not None), default=None),
    }


def _group_cells(group: Row, home: str) -> tuple[str, ...]:
    return (group["key"].removeprefix(home), str(group["programs"]), *measures(group))
