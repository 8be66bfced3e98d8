"""`dump-hlo run`: a script, and every program that it compiles."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, redirect_stdout
from dataclasses import asdict
from typing import Any

from tools.arguments import parse_device
from tools.dump_hlo.capturing import add_capture, capture_options
from tools.dump_hlo.listing import row_of, totals
from tools.dump_hlo.options import add_device, add_json, parser
from tools.dump_hlo.report import print_json
from tools.runs.bundle import Bundle
from tools.runs.gate import Verdict, judge, parse_tests, told
from tools.runs.running import Script
from tools.runs.watching import Watch
from tools.terminal import DONE, NO, Failure, Parser, say
from tools.user_code import failure_of
from tracer.device import default_device
from tracer.dumping import dump
from tracer.tables import plural

_EXAMPLES = """\
examples:
  dump-hlo run train.py --epochs 1
  dump-hlo run --stage hlo-opt -o dump -m package.train
  dump-hlo run --fail-on 'recompile>1,f64>0,peak>2GiB' train.py

--fail-on ends with exit code 1 where there is more than is allowed of
  recompile  compiles at a line that one was compiled at before, for the same cause
  compile    compiles;  cut  ends of recordings
  fallback   operations that ran one by one, on an eager device
  f64        recorded operations with a float64 result
  nan        results of programs that hold a NaN; to look at them waits for each run
  peak       bytes that the largest program takes, as its compiler says
f64 and peak are those of the programs that are kept.
"""
_MARK = "\0"
"""What no argument is."""


def main(given: list[str]) -> int:
    """Runs the script as Python would, and writes what it compiles into a bundle."""
    options = _parsed(given)
    tests = parse_tests(options.fail_on)
    script = Script(options.script, options.module, options.arguments)
    directory = options.output or f"{script.stem}-hlo"
    path = os.path.abspath(directory)  # the script may go to another directory
    watch = Watch(any(test.name == "nan" for test in tests))
    failure = _capture(script, path, options, watch)
    bundle = _left(path, directory, failure)
    verdicts = judge(bundle, tests, watch.found, watch.runs)
    problems = [*_problems(bundle, directory, failure), *_hits(verdicts)]
    for problem in problems:
        say(str(problem))
    code = problems[0].code if problems else DONE
    if options.json:
        found = {"bundle": directory, "script": script.name, **_data(bundle, verdicts)}
        print_json("run", {**found, "problems": [str(p) for p in problems], "code": code})
    say(_summary(bundle, directory, options.eager))
    return code


def _parser() -> Parser:
    made = parser("run", "Runs a script as Python would, and keeps what it compiles.", _EXAMPLES)
    made.add_argument("-m", dest="module", action="store_true", help="SCRIPT is a module's name")
    made.add_argument("-o", dest="output", metavar="DIR", help="the bundle; by default SCRIPT-hlo")
    made.add_argument("--fail-on", metavar="TESTS", help="what must not be: see below")
    add_device(made)
    add_json(made)
    add_capture(made)
    made.add_argument("script", metavar="SCRIPT.py", help="what to run")
    rest = made.add_argument("arguments", nargs=argparse.REMAINDER, help="the script's own")
    rest.required = False  # or else messages ask for them
    return made


def _parsed(given: list[str]) -> argparse.Namespace:
    """The options. `--` before or after the script's name ends ours; others are the script's."""
    made = _parser()
    # releases of Python differ in which of them argparse takes away
    options = made.parse_args([_MARK if word == "--" else word for word in given])
    words = [options.script, *options.arguments]
    if _MARK in words[:2]:
        words.remove(_MARK)
    if not words:
        made.error("the following arguments are required: SCRIPT.py")
    options.script, *options.arguments = ("--" if word == _MARK else word for word in words)
    return options


def _capture(
    script: Script, path: str, options: argparse.Namespace, watch: Watch
) -> Failure | None:
    """Runs the script under capture; how it failed. Raises Failure where it could not begin."""
    device, wanted = parse_device(options.device), capture_options(options)
    try:
        with ExitStack() as stack:
            stack.enter_context(script.ready())
            stack.enter_context(_dump(path, options.output or path, wanted))
            stack.enter_context(watch.watching())
            if device is not None:
                stack.enter_context(default_device(device))
            if options.json:  # standard output is for the answer
                stack.enter_context(redirect_stdout(sys.stderr))
            script.run()
    except Failure:
        raise
    except BaseException as error:
        return failure_of(script.name, error)
    return None


def _left(path: str, directory: str, failure: Failure | None) -> Bundle:
    """The bundle that the run left. Raises Failure where the script did away with it."""
    try:
        return Bundle.open(path)
    except Failure as lost:
        message = f"what was written into {directory} is lost: {lost}".replace(path, directory)
        if failure is None:
            raise Failure(message) from None
        say(message)
        raise failure from None


@contextmanager
def _dump(path: str, directory: str, wanted: dict[str, Any]) -> Iterator[None]:
    """Inside, the bundle is written. Raises Failure, which calls the directory as the user does."""
    with ExitStack() as stack:
        try:
            stack.enter_context(dump(path, **wanted))
        except (OSError, ValueError) as error:
            raise Failure(str(error).partition("\n")[0].replace(path, directory)) from None
        yield


def _problems(bundle: Bundle, directory: str, failure: Failure | None) -> Iterator[Failure]:
    if failure is not None:
        yield failure
    if not any(event["kind"] == "end" for event in bundle.events):
        yield Failure(f"{directory} is not whole: the disk did not take all of it")
    for note in bundle.left_out:
        yield Failure(f"{directory}: left out: {note}")


def _hits(verdicts: list[Verdict]) -> Iterator[Failure]:
    return (Failure(told(verdict), NO) for verdict in verdicts if verdict.hit)


def _data(bundle: Bundle, verdicts: list[Verdict]) -> dict[str, Any]:
    return {
        "programs": [row_of(entry) for entry in bundle.entries],
        "totals": totals(bundle),
        "fail_on": [asdict(verdict) for verdict in verdicts],
    }


def _summary(bundle: Bundle, directory: str, eager: bool) -> str:
    """What there is now, and what to do with it, in one line."""
    count = len(bundle.entries)
    compiled = totals(bundle)["compiles"]
    if not count and compiled:
        return f"{plural(compiled, 'program')} compiled, none of those that the options keep"
    if not count:
        hint = "" if eager else " on a lazy device (--eager keeps those of eager ones)"
        return f"no program was compiled{hint}"
    why = f"dump-hlo why {shlex.quote(directory)}"
    return f"{plural(count, 'program')} in {directory}; {why} says why"
