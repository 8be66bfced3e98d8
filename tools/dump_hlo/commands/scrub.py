"""`dump-hlo scrub`: a program or a bundle that can be shown to others."""

from __future__ import annotations

from pathlib import Path

from tools.dump_hlo.options import add_json, parser
from tools.dump_hlo.report import print_json
from tools.programs.sources import read_source
from tools.runs.bundle import Bundle, is_bundle
from tools.scrubbing import scrub_bundle, scrub_text
from tools.terminal import (
    DONE,
    Failure,
    Parser,
    make_directory,
    print_text,
    say,
    write_bytes,
    write_file,
)
from tracer.tables import plural

_EXAMPLES = """\
examples:
  dump-hlo scrub model.mlir shown.mlir
  dump-hlo scrub train-hlo shown-hlo

What goes: names of functions, arguments and layers; places; strings and attributes of other
dialects; the elements of constants, which become zeros (but where all are equal, and up to eight
integers, which may be a shape), and which HLO goes without; of a bundle also its inputs, command
line, settings, host, messages, and texts that are neither StableHLO nor HLO.
What stays: operations, types, the targets of custom calls, lines without their files, times.
"""


def main(given: list[str]) -> int:
    """Writes what is left."""
    options = _parser().parse_args(given)
    if options.json and options.output == "-":
        raise Failure("--json needs standard output for itself: name a file")
    made = _bundle if is_bundle(options.input) else _program
    files = made(options.input, options.output)
    if options.json:
        facts = {"input": options.input, "output": options.output}
        print_json("scrub", {**facts, "files": files})
    elif files:
        say(f"{options.output}: {plural(len(files), 'file')}")
    return DONE


def _parser() -> Parser:
    made = parser("scrub", "Removes what tells of a program's makers.", _EXAMPLES)
    made.add_argument("input", metavar="IN", help="FILE, BUNDLE, or BUNDLE:ID[@STAGE]")
    made.add_argument("output", metavar="OUT", help="a file, - for standard output; a directory")
    add_json(made)
    return made


def _program(spec: str, output: str) -> list[str]:
    """Writes a scrubbed program; its file, where it has one. Raises Failure."""
    source = read_source(spec)
    text = scrub_text(source.text, source.kind)
    if output == "-":
        print_text(text)
        return []
    write_file(Path(output), text)
    return [output]


def _bundle(path: str, output: str) -> list[str]:
    """Writes a scrubbed bundle into a directory of its own; its files. Raises Failure."""
    if output == "-":
        raise Failure("a bundle is scrubbed into a directory: name one")
    folder = Path(output)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Failure(f"{output} is there already: an empty directory is needed, or a new one")
    files = scrub_bundle(Bundle.open(path))
    for name, data in files.items():
        make_directory((folder / name).parent)
        write_bytes(folder / name, data)
    return list(files)
