"""`dump-hlo diff`: how two programs, or the programs of two runs, differ."""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Callable
from typing import Any

from tools.differing import IGNORABLE, Comparison, Ignored, compare, program_of
from tools.differing.bundles import Pair, at, differing, pairs
from tools.differing.changes import Change
from tools.differing.page import page
from tools.differing.rules import ALWAYS
from tools.differing.showing import Line, lines, listed, side, side_of, words
from tools.dump_hlo.options import add_color, add_json, add_output, add_top, parser
from tools.dump_hlo.report import file_of, object_of, print_json
from tools.programs.sources import Source, read_source
from tools.programs.translating import translated
from tools.runs.bundle import Bundle, is_bundle
from tools.terminal import DONE, NO, Failure, Parser, did_you_mean, painted, print_text, write_file
from tracer.tables import plural

FORMATS = ("text", "side", "html", "json")
_EXAMPLES = """\
examples:
  dump-hlo diff before.mlir after.mlir
  dump-hlo diff run-hlo:1 run-hlo:7 --ignore shape,const
  dump-hlo diff run-hlo:1@trace run-hlo:1@lowered --format side
  dump-hlo diff monday-hlo today-hlo

exit codes: 0 they do not differ; 1 they do
"""


def main(given: list[str]) -> int:
    """Prints how two programs differ; whether they do."""
    options = _parser().parse_args(given)
    ignored = _ignored(options.ignore)
    if options.a == options.b == "-":
        raise Failure("standard input is one program: name a file for the other")
    if is_bundle(options.a) and is_bundle(options.b):
        return _bundles(options, ignored)
    a, b = map(program_of, _sources(options))
    made = compare(a, b, ignored)
    _tell(options, lambda: _shown(made, options), lambda: _facts(made, options.top))
    return NO if made.differ else DONE


def _sources(options: argparse.Namespace) -> list[Source]:
    """Both programs in one dialect. Raises Failure."""
    found = [read_source(options.a), read_source(options.b)]
    return found if found[0].kind == found[1].kind else list(map(translated, found))


def _parser() -> Parser:
    made = parser("diff", "Compares two programs as graphs, or two bundles.", _EXAMPLES)
    made.add_argument("a", metavar="A", help="FILE, BUNDLE:ID[@STAGE], or BUNDLE")
    made.add_argument("b", metavar="B", help="the same")
    made.add_argument(
        "--ignore",
        metavar="A,B",
        default=",".join(ALWAYS),
        help=f"some of {', '.join(IGNORABLE)}, or none; by default {','.join(ALWAYS)}",
    )
    made.add_argument("--format", choices=FORMATS, default="text", help="by default text")
    made.add_argument(
        "--all", action="store_true", help="what only changes its length, and every result, too"
    )
    add_top(made, 0, "how many operations, or programs of bundles, text and JSON tell of")
    add_output(made)
    add_json(made)
    add_color(made)
    return made


def _ignored(text: str) -> Ignored:
    """What is not compared. Raises Failure."""
    names = [] if text == "none" else [name.strip() for name in text.split(",")]
    for name in names:
        if name not in IGNORABLE:
            hint = did_you_mean(name, IGNORABLE)
            known = ", ".join(IGNORABLE)
            raise Failure(f"--ignore needs some of {known}, or none, got {name!r}{hint}")
    kept = () if "names" in names or "locs" in names or text == "none" else ALWAYS
    return Ignored(frozenset([*names, *kept]))


def _shown(made: Comparison, options: argparse.Namespace) -> str:
    if options.format == "html":
        return page(made)
    if options.format == "side":
        return _painted(side(made, shutil.get_terminal_size((160, 24)).columns), options)
    return _painted(lines(made, options.all, options.top), options)


def _painted(shown: list[Line], options: argparse.Namespace) -> str:
    return painted(shown, "never" if file_of(options.output) else options.color)


def _tell(
    options: argparse.Namespace, text: Callable[[], str], facts: Callable[[], dict[str, Any]]
) -> None:
    """The text goes to where `-o` says, the object to standard output."""
    path = file_of(options.output)
    if path:
        write_file(path, object_of("diff", facts()) if options.format == "json" else text())
    if options.json or (not path and options.format == "json"):
        print_json("diff", facts())
    elif not path:
        print_text(text())


def _facts(made: Comparison, top: int) -> dict[str, Any]:
    return {
        "a": made.a.name,
        "b": made.b.name,
        "differ": made.differ,
        "words": words(made, all_of_them=True) if made.differ else [],
        "changes": [_change(made, change) for change in listed(made, all_of_them=True)[:top]],
    }


def _change(made: Comparison, change: Change) -> dict[str, Any]:
    program, index = side_of(made, change)
    item = program.items[index]
    return {
        "kind": change.kind,
        "scaled": change.scaled,
        "a": None if change.a is None else made.a.text(change.a),
        "b": None if change.b is None else made.b.text(change.b),
        "op": item.op,
        "place": item.place,
        "scope": item.scope,
        "what": list(change.what),
    }


def _bundles(options: argparse.Namespace, ignored: Ignored) -> int:
    if options.format in ("side", "html"):
        raise Failure(f"--format {options.format} shows two programs: name them, as {options.a}:ID")
    found = pairs(Bundle.open(options.a), Bundle.open(options.b), ignored)
    _tell(
        options,
        lambda: _painted(_bundle_lines(options, found), options),
        lambda: _bundle_facts(options, found),
    )
    return NO if any(differing(found)) else DONE


def _bundle_facts(options: argparse.Namespace, found: list[Pair]) -> dict[str, Any]:
    return {
        "a": options.a,
        "b": options.b,
        "differ": any(differing(found)),
        "programs": [
            {
                "status": pair.status,
                "a": pair.a.id if pair.a else None,
                "b": pair.b.id if pair.b else None,
                "words": words(pair.comparison, all_of_them=True) if pair.comparison else [],
            }
            for pair in found[: options.top]
        ],
    }


def _bundle_lines(options: argparse.Namespace, found: list[Pair]) -> list[Line]:
    styles = {"new": ("+", "green"), "gone": ("-", "red"), "changed": ("~", "yellow")}
    differ = list(differing(found))
    more = len(differ) - options.top
    shown: list[Line] = [(f"A: {options.a}", "dim"), (f"B: {options.b}", "dim")]
    for pair in differ[: options.top]:
        mark, style = styles[pair.status]
        entry = pair.b or pair.a
        assert entry is not None
        both = pair.a is not None and pair.b is not None
        name = f"{pair.a.id} -> {pair.b.id}" if both else entry.id  # type: ignore[union-attr]
        shown.append((f"{mark} {name}  {pair.status}, {at(entry)} ({entry.facts['cause']})", style))
        shown += [
            (f"    {text}", style) for text in (words(pair.comparison) if pair.comparison else [])
        ]
    shown += [(f"... and {more} more", "dim")] if more > 0 else []
    shown.append((f"{plural(len(found) - len(differ), 'program')} the same", "bold"))
    return shown
