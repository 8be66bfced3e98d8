"""How `show` and `fn` print programs: their options, and what these make of a program."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

from runtime.stages import TITLE
from tools.dump_hlo.listing import pattern
from tools.dump_hlo.options import add_color
from tools.formats import FORMATS, Style, View, format_named, styled, suited
from tools.places.locations import LOCATIONS
from tools.programs.excerpts import Excerpt, around, between, within
from tools.programs.staging import Staged
from tools.terminal import Failure, colored, painted


@dataclass(frozen=True, slots=True)
class Printed:
    """One program as it is printed. `format` is None for what is no program: the text as it is."""

    staged: Staged
    format: str | None
    part: str | None
    text: str


def add_showing(parser: argparse.ArgumentParser) -> None:
    """The options of how programs are printed."""
    group = parser.add_argument_group("how it is printed")
    add = group.add_argument
    add("--format", metavar="F", help=f"{', '.join(FORMATS)}; else mlir, or hlo for HLO")
    add("--around", metavar="OP[:N]", help="operations N steps from %%12, from add, from a.py:12")
    add("--path", nargs=2, metavar=("A", "B"), help="operations on the ways from A to B")
    add("--scope", metavar="RE", help="operations of the layers that fit")
    add("--source", action="store_true", help="as --locs source")
    add(
        "--locs",
        choices=(*LOCATIONS, "tail"),
        default="inline",
        help="lines of the source: after each line, above what they became, or as MLIR has them",
    )
    add("--elide", metavar="N", default="16", help="leave out constants of more elements, or never")
    add("--names", choices=("ssa", "user"), default="ssa", help="user: by argument, layer and op")
    add("--width", metavar="N", default="0", help="end longer lines in …")
    add("--no-types", action="store_true", help="leave types out")
    add_color(parser)


def printed(
    programs: Sequence[Staged], options: argparse.Namespace, home: tuple[str, int] | None = None
) -> list[Printed]:
    """Programs as the options want them; what stands in our own code is at `home`.

    Raises Failure.
    """
    style = Style(
        "source" if options.source else options.locs,
        None if options.elide == "never" else _count("--elide", options.elide),
        options.names,
        not options.no_types,
        _count("--width", options.width),
        home,
    )
    return [_printed(staged, options, style) for staged in programs]


def _count(option: str, text: str) -> int:
    if not text.isdecimal() or len(text) > 9:
        raise Failure(f"{option} needs a number from 0, got {text!r}")
    return int(text)


def _printed(staged: Staged, options: argparse.Namespace, style: Style) -> Printed:
    if staged.source is None:
        if options.format or options.around or options.path or options.scope:
            raise Failure(f"{staged.stage} is no program: it has no formats and no parts")
        return Printed(staged, None, None, staged.text)
    name = options.format or ("hlo" if staged.source.kind == "hlo" else "mlir")
    format = format_named(name)
    view = View(suited(staged.source, name), style)
    parts = list(_parts(view, options))
    if parts:
        view = view.only(reduce(Excerpt.also, parts))
    return Printed(staged, name, view.part.title if view.part else None, format(view))


def _parts(view: View, options: argparse.Namespace) -> Iterator[Excerpt]:
    if options.around:
        yield around(view.graph, options.around)
    if options.path:
        yield between(view.graph, *options.path)
    if options.scope:
        yield within(view.graph, pattern(options.scope, "--scope"))


def joined(programs: Sequence[Printed], color: str) -> str:
    """Programs as one text, under titles where there are several. Raises Failure."""
    texts = [_in_colors(program, color) for program in programs]
    if len(programs) == 1:
        return texts[0]
    titles = (f"{TITLE}{program.staged.stage}\n" for program in programs)
    return "".join(title + text for title, text in zip(titles, texts, strict=True))


def _in_colors(program: Printed, color: str) -> str:
    if program.format == "tree":
        return painted(styled(program.text), color)
    return colored(program.text, color) if program.format in ("mlir", "generic") else program.text


def data_of(program: Printed) -> dict[str, Any]:
    """A program as `--json` tells it."""
    staged = program.staged
    kind = staged.source.kind if staged.source else "text"
    named = {"name": staged.name, "stage": staged.stage or None, "kind": kind}
    return {**named, "format": program.format, "part": program.part, "text": program.text}
