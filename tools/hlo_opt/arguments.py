"""The command line of `hlo-opt`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from tools.terminal import Failure, Parser

INVALID, UNREADABLE, DIED = 1, 3, 5
"""Exit codes beside those of `tools.terminal`: the answer is no, bad text, a dead process."""

OWN = "hlo-opt"
"""The command itself; its twin is `dump-hlo opt`."""
_EPILOG = """\
examples:
  COMMAND model.mlir --passes cse,dce
  COMMAND model.mlir --passes default,-cse --print-after changed --time
  COMMAND model.mlir --load my_pass.py --passes my-pass --stats
  COMMAND bug.mlir --reduce 'COMMAND {} --passes my-pass --verify-each' -o small.mlir

exit codes: 0 done, 1 the answer is no (an invalid program, a diagnostic that does not match, a
command that does not fail), 2 wrong usage, 3 the text can't be read, 4 a pass raised, 5 the parser
died, 130 interrupted. A closed pipe is no error.
"""


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line asks for; `command` is what messages begin with."""

    command: str = OWN
    file: str = "-"
    passes: str | None = None
    pipeline: str | None = None
    load: tuple[str, ...] = ()
    list_passes: bool = False
    list_patterns: str | None = None
    print_before: tuple[str, ...] = ()
    print_after: tuple[str, ...] = ()
    trace_patterns: tuple[str, ...] = ()
    tree: str | None = None
    crash_repro: str | None = None
    json: bool = False
    verify_each: bool = False
    time: bool = False
    stats: bool = False
    bisect_limit: int | None = None
    split_input_file: bool = False
    verify_diagnostics: bool = False
    reduce: str | None = None
    locations: bool = False
    output: str = "-"


def parse_arguments(given: Sequence[str], command: str = OWN) -> Options:
    """The options of a command. Raises Failure, and SystemExit once it has printed help."""
    found = vars(_parser(command).parse_args(given))
    for name in ("load", "print_before", "print_after", "trace_patterns"):
        found[name] = tuple(part for text in found[name] for part in _names(text))
    options = Options(command=command, **found)
    if options.reduce is not None:
        _check_reduce(options, options.reduce)
    return options


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _check_reduce(options: Options, command: str) -> None:
    if "{}" not in command:
        raise Failure(f"--reduce needs a command with {{}} for the file, got {command!r}")
    others = {
        "--passes": options.passes or options.pipeline,
        "--split-input-file": options.split_input_file,
        "--verify-diagnostics": options.verify_diagnostics,
    }
    for name, value in others.items():
        if value:
            raise Failure(f"--reduce works on the file as it is, without {name}")


@cache
def _parser(command: str) -> Parser:
    parser = Parser(
        command,
        description="Runs passes over a StableHLO file.",
        epilog=_EPILOG.replace("COMMAND", command),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("file", nargs="?", default="-", help="the file; - is standard input")
    parser.add_argument("-o", dest="output", default="-", metavar="OUT", help="where to write")
    _add_passes(parser.add_argument_group("passes"))
    _add_looks(parser.add_argument_group("what they did"))
    _add_input(parser.add_argument_group("tests and failing programs"))
    return parser


def _add_passes(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--passes",
        metavar="A,B,-C",
        help="names, in order; default means those of the pipeline, -NAME leaves one out",
    )
    group.add_argument(
        "--pipeline", choices=("cpu", "gpu", "tpu"), help="what default means; by default cpu"
    )
    group.add_argument(
        "--load",
        action="append",
        default=[],
        metavar="MY.py",
        help="a file or module that registers passes",
    )
    group.add_argument("--list-passes", action="store_true", help="what each pass does")
    group.add_argument("--list-patterns", metavar="PASS", help="the rules of a pass")


def _add_looks(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--print-before",
        action="append",
        default=[],
        metavar="A,B",
        help="print the program before these passes, or before all",
    )
    group.add_argument(
        "--print-after",
        action="append",
        default=[],
        metavar="A,B",
        help="print it after these, after all, those that changed it, or a failure",
    )
    group.add_argument(
        "--trace-patterns",
        action="append",
        default=[],
        metavar="A,B",
        help="print each rewrite of these passes, or of all: rule, line, before -> after",
    )
    group.add_argument("--tree", metavar="DIR", help="write a numbered file after each pass")
    group.add_argument("--verify-each", action="store_true", help="let MLIR verify each result")
    group.add_argument("--time", action="store_true", help="how long each pass took")
    group.add_argument("--stats", action="store_true", help="how often each rule fired")
    group.add_argument(
        "--bisect-limit", type=_count, metavar="N", help="make the first N rewrites only"
    )
    group.add_argument("--locations", action="store_true", help="print locations")
    group.add_argument("--json", action="store_true", help="all of it as one JSON object")


def _add_input(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--split-input-file", action="store_true", help="programs apart, at lines // -----"
    )
    group.add_argument(
        "--verify-diagnostics",
        action="store_true",
        help="compare the errors with // expected-error @+1 {{...}}",
    )
    group.add_argument(
        "--crash-repro", metavar="FILE", help="on a failure: write its input, and the command"
    )
    group.add_argument(
        "--reduce", metavar="'COMMAND {}'", help="shrink the program while the command fails alike"
    )


def _count(text: str) -> int:
    if not text.isdecimal() or len(text) > 9:
        raise argparse.ArgumentTypeError(f"a number of rewrites is needed, got {text!r}")
    return int(text)
