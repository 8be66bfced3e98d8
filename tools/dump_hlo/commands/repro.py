"""`dump-hlo repro`: a program as a folder that runs with jaxlib and NumPy alone."""

from __future__ import annotations

import re
from pathlib import Path

from runtime.standalone import INPUTS, RESULTS, SIGNATURE
from tools.dump_hlo.options import add_json, add_seed, parser
from tools.dump_hlo.report import print_json
from tools.programs.reproducing import PROGRAM, SCRIPT, Reproduction
from tools.programs.sources import Source
from tools.programs.translating import read_stablehlo
from tools.terminal import DONE, Parser, print_text, say

_EXAMPLES = """\
examples:
  dump-hlo repro train-hlo:3 -o bug && python bug/run.py
  dump-hlo repro model.mlir --inputs zeros

run.py says whether the program gives what it gave here; with --print it prints that too.
"""


def main(given: list[str]) -> int:
    """Writes the program, its inputs, what it gives, and a script that runs it."""
    options = _parser().parse_args(given)
    source = read_stablehlo(options.file)
    made = Reproduction.of(source, options.inputs, options.seed)
    folder = Path(options.output or f"{_stem(source)}-repro")
    made.write(folder)  # all that there is, should running it end this process
    problem = made.write_results(folder)
    if problem:
        say(f"without results: {problem}")
    files = [PROGRAM, INPUTS, *([] if problem else [RESULTS]), SIGNATURE, SCRIPT]
    if options.json:
        facts = {"file": source.name, "directory": str(folder), "files": files}
        print_json("repro", {**facts, "inputs": made.given, "problem": problem or None})
    else:
        print_text(f"{folder}: {', '.join(files)}\n")
    return DONE


def _parser() -> Parser:
    made = parser("repro", "Writes a program as a folder that runs with jaxlib alone.", _EXAMPLES)
    made.add_argument("file", metavar="BUNDLE:ID|FILE", help="a program in StableHLO")
    made.add_argument("-o", dest="output", metavar="DIR", help="by default ID-repro")
    made.add_argument(
        "--inputs", metavar="KIND", help="as of exec; by default those captured, else random"
    )
    add_seed(made)
    add_json(made)
    return made


def _stem(source: Source) -> str:
    name = source.entry.id if source.entry else Path(source.name).stem.strip("<>")
    return re.sub(r"[^\w.-]+", "_", name)
