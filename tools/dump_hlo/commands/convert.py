"""`dump-hlo convert`: a program in another format."""

from __future__ import annotations

from pathlib import Path

from lowering.artifact import version_of
from tools.dump_hlo.options import add_json, parser
from tools.dump_hlo.report import print_json
from tools.programs.converting import CONVERSIONS, SUFFIXES, convert, format_of
from tools.programs.sources import read_source
from tools.terminal import (
    DONE,
    Failure,
    Parser,
    print_bytes,
    print_text,
    say,
    write_bytes,
    write_file,
)

_EXAMPLES = f"""\
formats by the end of OUT's name: {", ".join(f"{s} {f}" for s, f in SUFFIXES.items())}

examples:
  dump-hlo convert model.mlirbc model.mlir
  dump-hlo convert model.mlir model.hlo
  dump-hlo convert BUNDLE:ID@hlo-opt - --to stablehlo-from-hlo
  dump-hlo convert model.mlir model.artifact --target 1.0.0
"""


def main(given: list[str]) -> int:
    """Writes a program in another format."""
    options = _parser().parse_args(given)
    to = options.to or format_of(options.output)
    if to is None:
        known = ", ".join(CONVERSIONS)
        raise Failure(f"{options.output} names no format: --to needs one of {known}")
    if options.json and options.output == "-":
        raise Failure("--json and OUT both want standard output: OUT needs a file")
    version = _version(options.target)
    source = read_source(options.input)
    made = convert(source, to, version)
    _write(made, options.output)
    if options.json:
        facts = {"file": source.name, "kind": source.kind, "form": source.form}
        size = len(made.encode() if isinstance(made, str) else made)
        written = {"output": options.output, "to": to, "bytes": size}
        print_json("convert", {**facts, **written})
    elif options.output != "-":
        say(f"{source.name} ({source.kind}, {source.form}) as {to} in {options.output}")
    return DONE


def _version(target: str) -> str:
    try:
        return version_of(target)
    except ValueError as error:
        raise Failure(f"--target: {error}") from None


def _write(made: str | bytes, output: str) -> None:
    if output != "-":
        path = Path(output)
        write_file(path, made) if isinstance(made, str) else write_bytes(path, made)
    elif isinstance(made, str):
        print_text(made)
    else:
        print_bytes(made)


def _parser() -> Parser:
    made = parser("convert", "Writes a program in another format.", _EXAMPLES)
    made.add_argument("input", metavar="IN", help="a program, as BUNDLE:ID too; - is stdin")
    made.add_argument("output", metavar="OUT", help="a file; - is standard output")
    made.add_argument("--to", choices=CONVERSIONS, help="the format; by default OUT's")
    made.add_argument(
        "--target",
        default="WEEK_12",
        metavar="VERSION",
        help="of a portable artifact: 1.0.0, or WEEK_4, WEEK_12 (the default), MAX",
    )
    add_json(made)
    return made
