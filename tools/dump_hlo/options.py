"""Options that several commands have."""

from __future__ import annotations

import argparse
import sys

from tools.stages.table import names
from tools.terminal import Parser

NAMED = """\
OP is a result's name as it is printed (%12, @f:%12, %20/%12 in a region of %20), an op (tanh), a
line (train.py:12), a layer (LeNet.conv1, with those in it), or a regular expression that fits one
of these whole. All that it fits is meant.
"""


def parser(command: str, description: str, examples: str = "") -> Parser:
    """A parser for a command, without any option yet."""
    return Parser(
        f"dump-hlo {command}",
        description=description,
        epilog=examples,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )


def add_stage(parser: argparse.ArgumentParser) -> None:
    """`--stage`: see `tools.arguments.parse_stages`."""
    parser.add_argument(
        "--stage",
        action="append",
        metavar="A,B",
        help=f"what to show: {', '.join(names())}, or all; by default lowered",
    )


def add_device(parser: argparse.ArgumentParser) -> None:
    """`--device`: see `tools.arguments.parse_device`."""
    parser.add_argument("--device", metavar="KIND[:N]", help="an XLA device, as CPU or GPU:1")


def add_color(parser: argparse.ArgumentParser) -> None:
    """`--color`: see `tools.terminal.colored`."""
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto")


def add_seed(parser: argparse.ArgumentParser) -> None:
    """`--seed`: of `tools.execution.inputs.inputs_for`."""
    parser.add_argument(
        "--seed", type=number, default=0, metavar="N", help="of --inputs random, edge"
    )


def add_top(parser: argparse.ArgumentParser, default: int, what: str) -> None:
    """`--top`: how many of many are told of."""
    shown = f"{what}; 0 is all; by default {default}"
    parser.add_argument("--top", type=_top, default=str(default), metavar="N", help=shown)


def _top(text: str) -> int:
    return number(text) or sys.maxsize


def number(text: str) -> int:
    """A number from 0."""
    if not text.isdecimal() or len(text) > 18:
        raise argparse.ArgumentTypeError(f"a number from 0 is needed, got {text!r}")
    return int(text)


def tolerance(text: str) -> float:
    """A number from 0, infinity included."""
    try:
        if float(text) >= 0:
            return float(text)
    except ValueError:
        pass
    raise argparse.ArgumentTypeError(f"a number from 0 is needed, got {text!r}")


def add_json(parser: argparse.ArgumentParser) -> None:
    """`--json`: see `tools.dump_hlo.report.print_json`."""
    parser.add_argument("--json", action="store_true", help="one object, of a fixed schema")


def add_output(parser: argparse.ArgumentParser, metavar: str = "FILE") -> None:
    """`-o`: a file, or - for standard output."""
    parser.add_argument("-o", dest="output", metavar=metavar, help="where to write")
