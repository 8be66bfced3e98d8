"""`dump-hlo stat`: what a program costs, what it holds, and what in it may be a mistake."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from tools.costs import Cost
from tools.dump_hlo.listing import open_bundle
from tools.dump_hlo.options import add_json, add_top, parser
from tools.dump_hlo.report import print_json
from tools.figures import Figures, Finding, Group, figures_of, grouped
from tools.places.notes import brief
from tools.programs.sources import DEFAULT_STAGE, Source, read_source
from tools.runs.bundle import is_bundle
from tools.terminal import DONE, Parser, print_text, say
from tracer.tables import amount, plural, size, table

_EXAMPLES = """\
examples:
  dump-hlo stat step.mlir
  dump-hlo stat train-hlo:train_L12_0f3a4b --by scope --top 5 --peak
  dump-hlo stat train-hlo --json
"""
_BY = ("op", "dtype", "loc", "scope")
_HEADER = ("count", "flops", "transc.", "bytes", "share")


def main(given: list[str]) -> int:
    """Prints the figures of a program, or of each program of a bundle."""
    options = _parser().parse_args(given)
    found = [figures_of(source, options.peak) for source in _sources(options.source)]
    if options.json:
        programs = [_as_json(figures, options.by, options.top) for figures in found]
        print_json("stat", {"by": options.by, "programs": programs})
    else:
        print_text("\n".join(_as_text(figures, options.by, options.top) for figures in found))
    return DONE


def _parser() -> Parser:
    made = parser("stat", "Counts the work, the bytes and the memory of a program.", _EXAMPLES)
    made.add_argument(
        "source",
        metavar="FILE|BUNDLE[:ID]",
        help="StableHLO or HLO; - is standard input; a bundle alone means all its programs",
    )
    made.add_argument("--by", choices=_BY, default="op", help="what one line is for")
    add_top(made, 10, "how many lines of each kind")
    made.add_argument("--peak", action="store_true", help="where most memory is held, and by what")
    add_json(made)
    return made


def _sources(spec: str) -> Iterator[Source]:
    """The program that is named; of a bundle those that it has a text of."""
    if spec == "-" or not is_bundle(spec):
        yield read_source(spec)
        return
    for entry in open_bundle(spec).entries:
        there = [stage for stage in (DEFAULT_STAGE, "trace") if stage in entry.stages]
        if there:
            yield read_source(f"{spec}:{entry.id}@{there[0]}")
        else:
            say(f"{entry.id} is left out: the bundle has no text of it")


def _as_text(figures: Figures, by: str, top: int) -> str:
    sections = [
        _summary(figures),
        _groups(figures, by, top),
        *(_peak(figures, top) if figures.peak else ()),
        *_findings(figures, top),
    ]
    return "\n".join(sections)


def _summary(figures: Figures) -> str:
    total = figures.total
    read, written = size(total.bytes_read), size(total.bytes_written)
    counts = (
        plural(len(figures.items), "operation"),
        plural(figures.arguments, "argument"),
        plural(figures.results, "result"),
    )
    lines = [
        f"{figures.source.name}: {', '.join(counts)}",
        f"  flops            {amount(total.flops)}",
        f"  transcendentals  {amount(total.transcendentals)}",
        f"  bytes            {size(total.bytes)} ({read} read, {written} written)",
        f"  intensity        {total.intensity:.3g} flops a byte",
    ]
    if total.unknown:
        lines.append(f"  unknown          {plural(total.unknown, 'operation')} not counted in full")
    return "\n".join(lines) + "\n"


def _groups(figures: Figures, by: str, top: int) -> str:
    found = grouped(figures.items, by)
    whole = sum(group.cost.work for group in found)
    cells = [(group.key, *_cells(group, whole)) for group in found[:top]]
    return table([(by, *_HEADER), *cells]) + _more(len(found), top)


def _cells(group: Group, whole: float) -> tuple[str, ...]:
    share = group.cost.work / whole if whole else 0.0
    return (
        str(group.operations),
        amount(group.cost.flops),
        amount(group.cost.transcendentals),
        size(group.cost.bytes),
        f"{100 * share:.1f}%",
    )


def _more(count: int, top: int) -> str:
    return f"... and {count - top} more\n" if count > top else ""


def _peak(figures: Figures, top: int) -> Iterator[str]:
    assert figures.peak is not None
    at = figures.peak_at
    where = f"at {at.name} = {at.op}{_place(at)}" if at else "when it starts"
    yield f"peak {size(figures.peak.bytes)} {where}\n" + _listed(figures.held, top)


def _findings(figures: Figures, top: int) -> Iterator[str]:
    found = figures.findings
    for title, members in (
        ("64-bit floats come in", found.f64),
        ("casts", found.casts),
        ("large constants", found.constants),
    ):
        if members:
            yield f"{title}: {len(members)}\n" + _listed(members, top)
    if found.aliases:
        pairs = (
            f"  %arg{alias.argument}: {alias.type}"
            + ("" if alias.result is None else f" -> result {alias.result}")
            for alias in found.aliases[:top]
        )
        lines = "\n".join(pairs)
        title = f"donated arguments: {len(found.aliases)}"
        yield f"{title}\n{lines}\n{_more(len(found.aliases), top)}"


def _listed(members: Sequence[Finding], top: int) -> str:
    lines = (
        f"  {size(found.bytes):>9}  {found.name} = {found.op} : {found.type}{_place(found)}\n"
        for found in members[:top]
    )
    return "".join(lines) + _more(len(members), top)


def _place(found: Finding) -> str:
    place = f"{brief(found.file)}:{found.line}" if found.line else ""
    shown = f"{place} {found.scope}".strip()
    return f"  // {shown}" if shown else ""


def _as_json(figures: Figures, by: str, top: int) -> dict[str, Any]:
    found = figures.findings
    entry = figures.source.entry
    return {
        "name": figures.source.name,
        "id": entry.id if entry else None,
        "kind": figures.source.kind,
        "operations": len(figures.items),
        "arguments": figures.arguments,
        "results": figures.results,
        **_cost(figures.total),
        "groups": [
            {"key": group.key, "operations": group.operations, **_cost(group.cost)}
            for group in grouped(figures.items, by)[:top]
        ],
        "peak": _peak_as_json(figures, top),
        **{
            name: [asdict(finding) for finding in getattr(found, name)]
            for name in ("f64", "casts", "constants", "aliases")
        },
    }


def _cost(cost: Cost) -> dict[str, Any]:
    return {**asdict(cost), "intensity": cost.intensity}


def _peak_as_json(figures: Figures, top: int) -> dict[str, Any] | None:
    if figures.peak is None:
        return None
    at = figures.peak_at
    live = [asdict(finding) for finding in figures.held[:top]]
    return {"bytes": figures.peak.bytes, "at": asdict(at) if at else None, "live": live}
