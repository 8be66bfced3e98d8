"""`dump-hlo opt`: what `hlo-opt` does, on a program of any format."""

from __future__ import annotations

from tools.hlo_opt.arguments import parse_arguments
from tools.hlo_opt.streams import say
from tools.hlo_opt.work import work
from tools.programs.translating import read_stablehlo
from tools.terminal import Failure

_NAME = "dump-hlo opt"


def main(given: list[str]) -> int:
    """Runs passes over a program, and tells what they did."""
    try:
        options = parse_arguments(given, _NAME)
        listing = options.list_passes or options.list_patterns
        if not listing and options.file == "-" and "-" not in given:
            raise Failure("a FILE is needed, - for standard input")
        text = "" if listing else read_stablehlo(options.file).text
    except Failure as failure:
        return say(failure, _NAME)
    return work(options, text)
