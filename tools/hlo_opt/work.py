"""What `hlo-opt` does with a text, in this process."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import asdict, dataclass
from io import StringIO

from tools.hlo_opt.arguments import Options, parse_arguments
from tools.hlo_opt.passes import listing, loading, rows
from tools.hlo_opt.patterns import listing as patterns_listing
from tools.hlo_opt.patterns import patterns
from tools.hlo_opt.reduce import reduce
from tools.hlo_opt.report import listing_json, reduced_line
from tools.hlo_opt.session import Session
from tools.hlo_opt.streams import read, say, shown, write
from tools.hlo_opt.text import read_module
from tools.terminal import DONE, Failure, print_error


def work(options: Options, text: str) -> int:
    """Does what the options ask for; the exit code."""
    try:
        with loading(options.load):
            if options.list_passes or options.list_patterns:
                write(_listing(options), options.output)
                return DONE
            if options.reduce is not None:
                program = read_module(text, shown(options.file))
                found = reduce(program, options.reduce, lambda given: run_here(given).code)
                print_error(f"{options.command}: {reduced_line(program, found)}\n")
                write(found.text, options.output)
                return DONE
            return Session(options).run(text)
    except Failure as failure:
        return say(failure, options.command)


def _listing(options: Options) -> str:
    """The passes, or the rules of one."""
    if options.list_patterns:
        found = [asdict(pattern) for pattern in patterns(options.list_patterns)]
        return listing_json(found) if options.json else patterns_listing(options.list_patterns)
    return listing_json(rows()) if options.json else listing()


@dataclass(frozen=True, slots=True)
class Done:
    """How the command ended, and what it printed."""

    code: int
    output: str
    messages: str


def run_here(arguments: Options | Sequence[str], text: str = "", *, merged: bool = False) -> Done:
    """The command in this process, for tests; merged as by 2>&1. Bad text may end the process."""
    output = StringIO()
    messages = output if merged else StringIO()
    with redirect_stdout(output), redirect_stderr(messages):
        code = _run(arguments, text)
    return Done(code, output.getvalue(), "" if merged else messages.getvalue())


def _run(arguments: Options | Sequence[str], text: str) -> int:
    try:
        options = arguments if isinstance(arguments, Options) else parse_arguments(arguments)
        return work(options, text if options.file == "-" else read(options.file))
    except Failure as failure:
        return say(failure)
    except SystemExit:  # argparse has printed its help
        return DONE
