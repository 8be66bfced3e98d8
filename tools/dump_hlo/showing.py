"""How `show` and `fn` print programs: their options, and what these make of a program."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import Any

from runtime.stages import TITLE
from tools import stages
from tools.dump_hlo.listing import pattern
from tools.dump_hlo.options import add_color
from tools.dump_hlo.report import file_of
from tools.formats import FORMATS, Style, View, format_named, has_fusions, styled, suited
from tools.places.locations import LOCATIONS
from tools.programs.excerpts import Excerpt, around, between, within
from tools.programs.staging import Staged
from tools.terminal import (
    Failure,
    colored,
    make_directory,
    painted,
    print_bytes,
    print_text,
    say,
    write_bytes,
    write_file,
)


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
    add("--around", metavar="OP[:N]", help="operations N steps from OP; by default 1")
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

    What has no formats and no parts is left out, and said, where one is wanted. Raises Failure.
    """
    programs = _fit(programs, options)
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


def _fit(programs: Sequence[Staged], options: argparse.Namespace) -> list[Staged]:
    """Those that have the format or the part. Raises Failure where none has."""
    kept = [staged for staged in programs if not _lack(staged, options)]
    if programs and not kept:
        raise Failure("\n".join(_lack(staged, options) for staged in programs))
    others = dict.fromkeys(staged.asked for staged in programs if _lack(staged, options))
    if others:
        say(f"left out, for they have no such form: {', '.join(others)}")
    return kept


def _lack(staged: Staged, options: argparse.Namespace) -> str:
    """Why there is no such format or part of it; "" where there is."""
    part = options.around or options.path or options.scope
    if staged.source is None and (options.format or part):
        if staged.is_empty:
            return f"{staged.stage}: {staged.text.removeprefix('// ').rstrip()}"
        return f"{staged.stage} is no program: it has no formats and no parts"
    plain = options.format in (None, "mlir", "generic") and not part
    if staged.source and has_fusions(staged.source) and not plain:
        return f"{staged.name} has fusions: its formats are mlir and generic; hlo-opt has all"
    return ""


def _printed(staged: Staged, options: argparse.Namespace, style: Style) -> Printed:
    if staged.source is None:
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


def print_out(programs: Sequence[Printed], options: argparse.Namespace) -> None:
    """Writes programs to where `-o` says; else prints them, but where the answer is JSON.

    Raises Failure.
    """
    path = file_of(options.output)
    raw = [program.staged for program in programs if program.staged.data]
    if raw and (options.json or not (path or len(programs) == 1)):
        raise Failure(f"{raw[0].stage} is no text: it goes alone to a pipe, or to -o FILE")
    if path:
        _write_all(programs, path, options.output.endswith(os.sep))
    elif raw:
        print_bytes(raw[0].data)
    elif not options.json:
        print_text(joined(programs, options.color))


def _write_all(programs: Sequence[Printed], path: Path, into: bool) -> None:
    """Writes a file; into a folder, or where there are several stages, a file for each."""
    of: dict[str, list[Printed]] = {}
    for program in programs:
        of.setdefault(program.staged.asked, []).append(program)
    if len(of) == 1 and not path.is_dir() and not into:
        _write(programs, path)
        return
    make_directory(path)
    for stage, some in of.items():
        end = stages.file_of(stage) if stage else ".txt"
        _write(some, path / f"{_stem(some[0].staged)}{end}")


def _stem(staged: Staged) -> str:
    """What files of a program are named by: its function, its ID, or its file's name."""
    name = re.split(r"[/\\:]", staged.name.removesuffix(f"@{staged.stage}"))[-1]
    return re.sub(r"\.(mlir|hlo)$|[<>]", "", name)


def _write(programs: Sequence[Printed], path: Path) -> None:
    if programs[0].staged.data:
        write_bytes(path, programs[0].staged.data)
    else:
        write_file(path, joined(programs, "never"))


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
