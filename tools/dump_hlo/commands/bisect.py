"""`dump-hlo bisect`: the pass that changes what a program does, and the smallest program."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tools.dump_hlo.options import add_json, add_output, add_seed, parser, tolerance
from tools.dump_hlo.report import file_of, print_json
from tools.execution.bisecting import ByCommand, ByResults, Guilt, Judge, Search, find, shrink
from tools.execution.comparing import Tolerance
from tools.execution.engines import ENGINES, runnable
from tools.execution.inputs import KINDS, inputs_for, trials_for
from tools.hlo_opt.arguments import Options
from tools.hlo_opt.passes import loading, selected
from tools.hlo_opt.patterns import told
from tools.hlo_opt.reduce import Smallest
from tools.hlo_opt.removal import all_operations
from tools.hlo_opt.text import printed
from tools.programs.sources import Source
from tools.programs.translating import read_stablehlo
from tools.terminal import DONE, NO, Failure, Parser, print_text, say, write_file
from tracer.errors import source_line
from tracer.ir import Module

_EXAMPLES = """\
The program runs after each pass, and has to give what it gave before; then the rewrites of the pass
that is to blame are halved until one is left; then the program is made smaller.

examples:
  dump-hlo bisect model.mlir --against cpu
  dump-hlo bisect model.mlir --against interp --load my_pass.py --passes cse,my-pass -o small.mlir
  dump-hlo bisect model.mlir --check './runs_well.sh {}'

exit code 1: no pass changes anything
"""


def main(given: list[str]) -> int:
    """Names the guilty pass and rewrite, and prints or writes the smallest program."""
    options = _parser().parse_args(given)
    _check(options)
    source = read_stablehlo(options.file)
    module = runnable(source.module) if options.against else source.module
    with loading(options.load), TemporaryDirectory() as folder:
        names = selected(Options(passes=options.passes, pipeline=options.pipeline))
        judge = _judge(options, source, module, Path(folder))
        search = find(module, names, judge)
        found = shrink(search.guilt, judge) if search.guilt else None
    _tell(options, source, names, search, found)
    return DONE if found else NO


def _check(options: argparse.Namespace) -> None:
    if (options.against is None) == (options.check is None):
        raise Failure("one of --against and --check is needed, to tell right from wrong")
    if options.check is not None and "{}" not in options.check:
        raise Failure(f"--check needs a command with {{}} for the file, got {options.check!r}")


def _judge(options: argparse.Namespace, source: Source, module: Module, folder: Path) -> Judge:
    if options.check:
        return ByCommand(options.check, folder / "program.mlir")
    arguments = module.entry.arguments
    drawn = options.inputs if options.inputs in KINDS[:3] else "random"
    trials = trials_for(source, arguments, options.inputs, options.seed)
    return ByResults(
        options.against,
        [dict(zip(arguments, arrays, strict=True)) for arrays in trials],
        Tolerance(options.rtol, options.atol, signs=True),
        lambda values: inputs_for(source, values, drawn, options.seed),
    )


def _tell(
    options: argparse.Namespace,
    source: Source,
    names: tuple[str, ...],
    search: Search,
    found: Smallest | None,
) -> None:
    guilt, program = search.guilt, printed(found.program, locations=True) if found else ""
    path = file_of(options.output)
    if found and path:
        write_file(path, program)
    if options.json:
        facts = {"file": source.name, "passes": names, "idle": search.idle}
        print_json("bisect", {**facts, **_json(guilt, found, program)})
    elif guilt is None or found is None:
        say(f"none of {len(names)} passes changes what {source.name} does{_on(options)}")
        if search.idle:
            say(f"these rewrote nothing: {', '.join(search.idle)}")
    else:
        lines = list(_lines(guilt, found, names))
        if path:
            print_text("".join(f"{line}\n" for line in lines))
        else:
            print_text("".join(f"// {line}\n" for line in lines) + program)


def _on(options: argparse.Namespace) -> str:
    """What that was tried with, and what would find more."""
    if options.check or options.inputs != "random":
        return ""
    return " with random inputs; --inputs edge adds NaN, infinities and signed zeros"


def _lines(guilt: Guilt, found: Smallest, names: tuple[str, ...]) -> Iterator[str]:
    yield f"guilty pass: {guilt.name}, number {guilt.place} of {len(names)}"
    yield from guilt.differences
    if guilt.change:
        first, *rest = "\n".join(told([guilt.change])).split("\n")
        yield f"guilty rewrite: {first} (number {guilt.number} of {guilt.total})"
        yield from rest
    count, before = (len(all_operations(m)) for m in (found.program, guilt.before))
    yield f"smallest program: {count} of {before} operations, in {found.runs} runs"


def _json(guilt: Guilt | None, found: Smallest | None, program: str) -> dict[str, Any]:
    if guilt is None or found is None:
        empty = ("pass", "place", "differences", "rewrite", "program", "operations")
        return {"found": False, **dict.fromkeys(empty)}
    return {
        "found": True,
        "pass": guilt.name,
        "place": guilt.place,
        "differences": guilt.differences,
        "rewrite": _rewrite_json(guilt),
        "program": program,
        "operations": len(all_operations(found.program)),
    }


def _rewrite_json(guilt: Guilt) -> dict[str, Any] | None:
    change = guilt.change
    if change is None:
        return None
    operation = change.operation
    file, line = source_line(operation.location) if operation else ("", 0)
    return {
        "rule": change.name,
        "number": guilt.number,
        "total": guilt.total,
        "op": operation.op.full_name if operation else None,
        "file": file if line else None,
        "line": line or None,
    }


def _parser() -> Parser:
    made = parser("bisect", "Finds the pass that changes what a program does.", _EXAMPLES)
    made.add_argument("file", metavar="FILE", help="a program, as BUNDLE:ID too; - is stdin")
    made.add_argument("--against", choices=ENGINES[:2], help="what runs it before and after")
    made.add_argument("--check", metavar="'CMD {}'", help="a command that has to succeed")
    made.add_argument("--passes", default="default", metavar="A,B,-C", help="by default default")
    made.add_argument("--pipeline", choices=("cpu", "gpu", "tpu"), help="what default means")
    made.add_argument("--load", action="append", default=[], metavar="MY.py", help="more passes")
    made.add_argument(
        "--inputs", default="random", metavar="WHAT", help=f"{', '.join(KINDS)}, or X.npz"
    )
    add_seed(made)
    made.add_argument("--rtol", type=tolerance, metavar="X", help="relative tolerance")
    made.add_argument("--atol", type=tolerance, metavar="X", help="absolute tolerance")
    add_output(made, "REDUCED.mlir")
    add_json(made)
    return made
