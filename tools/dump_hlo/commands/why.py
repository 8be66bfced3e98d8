"""`dump-hlo why`: what each cut and each compile of a run was for, and what it cost."""

from __future__ import annotations

import linecache
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from tools.dump_hlo.listing import open_bundle, place, run_time, totals
from tools.dump_hlo.options import add_json, add_top, parser
from tools.dump_hlo.report import print_json
from tools.places.notes import brief
from tools.runs.advice import Advice, advice_of
from tools.runs.bundle import Bundle, in_bundle
from tools.runs.reasons import Reason, reasons_of
from tools.terminal import DONE, Parser, print_text
from tracer.tables import duration, in_line, plural

_EXAMPLES = """\
examples:
  dump-hlo why train-hlo
  dump-hlo why train-hlo train_L12 --json
  dump-hlo why train-hlo --sort start --top 5

The time of a cut is what it takes to make a program of a recording and to start it: neither the
compile, which has a line of its own, nor the run, which goes on while the script does (but a CPU
runs a small program at once, and that is in it), nor what a look at a value waits for the run. The
first line sums up the compiles, and what the device took for the runs.
"""


def main(given: list[str]) -> int:
    """Prints reasons, the dearest first, then advice."""
    options = _parser().parse_args(given)
    named = in_bundle(options.bundle) if options.id is None else None
    path, name = named or (options.bundle, options.id)
    bundle = open_bundle(path)
    program = None if name is None else bundle.entry(name).id
    reasons = reasons_of(bundle, program)
    advice = advice_of(bundle, reasons)
    if options.sort == "start":
        reasons.sort(key=lambda reason: reason.first)
    shown = reasons[: options.top]
    if options.json:
        print_json("why", _data(bundle, program, shown, advice))
    else:
        lines = _lines(bundle, program, reasons, shown, advice)
        print_text("".join(f"{in_line(line)}\n" for line in lines))
    return DONE


def _parser() -> Parser:
    made = parser(
        "why",
        "Says why a run cut and compiled: what caused it, at which line, how the program differs\n"
        "from the nearest that was known, and what it cost. Then what could be better.",
        _EXAMPLES,
    )
    made.add_argument(
        "bundle", metavar="BUNDLE", help="what run wrote, or a zip of it; or BUNDLE:ID"
    )
    made.add_argument("id", nargs="?", metavar="ID", help="one program: its ID, or its number")
    order = "the dearest first, or in the order in which they began; by default cost"
    made.add_argument("--sort", choices=("cost", "start"), default="cost", help=order)
    add_top(made, 0, "how many")
    add_json(made)
    return made


def _data(
    bundle: Bundle, program: str | None, reasons: Sequence[Reason], advice: Sequence[Advice]
) -> dict[str, Any]:
    return {
        "bundle": bundle.path,
        "program": program,
        "totals": totals(bundle, program),
        "reasons": [asdict(reason) for reason in reasons],
        "advice": [asdict(piece) for piece in advice],
        "left_out": bundle.left_out,
    }


def _lines(
    bundle: Bundle,
    program: str | None,
    reasons: Sequence[Reason],
    shown: Sequence[Reason],
    advice: Sequence[Advice],
) -> Iterator[str]:
    yield _title(bundle, program)
    for reason in shown:
        yield from _told(reason)
    if len(shown) < len(reasons):
        yield f"({plural(len(reasons) - len(shown), 'more reason')})"
    if advice:
        yield ""
        yield "what could be better"
    for piece in advice:
        yield f"  {brief(piece.file)}:{piece.line}: {piece.text}"
        yield from _quoted(piece.file, piece.line)
    yield from _loaded(bundle, program)


def _title(bundle: Bundle, program: str | None) -> str:
    found = totals(bundle, program)
    disk = f", {found['from_disk']} from disk" if found["from_disk"] else ""
    compiles = (
        f"{plural(found['compiles'], 'compile')} ({duration(found['compile_seconds'])}{disk})"
    )
    runs = f"{plural(found['runs'], 'run')} ({run_time(found)})"
    return f"{program or bundle.path}: {plural(found['cuts'], 'cut')}, {compiles}, {runs}"


def _loaded(bundle: Bundle, program: str | None) -> Iterator[str]:
    """That programs were compiled in an earlier run, if any were."""
    found = totals(bundle, program)
    if found["from_disk"]:
        yield ""
        yield (
            f"{found['from_disk']} of {plural(found['compiles'], 'compile')} came from the disk "
            "cache: dump-hlo run --cache bypass shows what they cost"
        )


def _told(reason: Reason) -> Iterator[str]:
    """What a reason is, in a line; what belongs to it below."""
    where = place({"file": reason.file, "line": reason.line})
    scope = f" in {reason.scope}" if reason.scope else ""
    times = f" {reason.count} times" if reason.count > 1 else ""
    what = ", ".join(word for word in (reason.cause, reason.reason) if word)
    disk = " (from disk)" if reason.source == "disk" else ""
    named = f": {reason.program}" if reason.program else ""
    told = f"{where}{scope}  {what}{times}{disk}{named}"
    yield f"{duration(reason.seconds):>8}  {reason.kind:7}  {told}"
    for text, count in Counter(reason.differences).items():
        yield f"{'':19}{text}{f' ({count} times)' if count > 1 else ''}"
    if reason.error:
        yield f"{'':19}{reason.error.splitlines()[0] if reason.error.strip() else 'refused'}"


def _quoted(file: str, line: int) -> Iterator[str]:
    linecache.checkcache(file)  # the script may have been edited, or be another one of this name
    text = linecache.getline(file, line).strip()
    if text:
        yield f"      {text}"
