"""`dump-hlo`: what a program became, from the recording to XLA's optimised HLO."""

from __future__ import annotations

import argparse
import os
import runpy
import sys
from collections.abc import Sequence
from contextlib import nullcontext, redirect_stdout
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from tools.arguments import parse_device, parse_positions, parse_stages, parse_types
from tools.capture import INDEX, Capture
from tools.locations import LOCATIONS, Locations
from tools.stages import STAGES, Stages
from tools.terminal import (
    DONE,
    Failure,
    Parser,
    colored,
    flush_output,
    make_directory,
    print_text,
    reader_has_gone,
    say,
    write_file,
)
from tools.tracing import Target, trace
from tools.user_code import failure_of, folder_of, load, looking_in, split
from tracer.config import config
from tracer.device import Device, default_device

_COMMANDS = ("fn", "run")
_SUMMARY = """\
usage: dump-hlo [fn] MODULE:FUNCTION [--args TYPES] [options]   trace a function, without running it
       dump-hlo run [options] SCRIPT.py [ARGUMENTS...]          run a script, keep what it compiled
       dump-hlo --help | --version | fn --help | run --help
"""
_EXAMPLES = """\
examples:
  dump-hlo tracer.models:LeNet --args 'f32[128,28,28,1]'
  dump-hlo step.py:loss --args 'f32[8,4],i32[8]' --grad 0 --stage optimized
  dump-hlo run --stage stablehlo,optimized -o dump train.py --epochs 1

exit codes: 0 done, 2 wrong usage, 4 the program raised, 5 the backend refused a program, 6 an extra
is not installed, 130 interrupted. A closed pipe is no error.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """The command; its exit code."""
    given = list(sys.argv[1:] if argv is None else argv)
    try:
        return _main(given)
    except Failure as failure:
        say(str(failure))
        return failure.code
    except SystemExit:  # argparse has printed its help
        return DONE


def _main(given: list[str]) -> int:
    if not given:
        raise Failure(f"nothing to do\n{_SUMMARY}".rstrip())
    if given[0] in ("-h", "--help"):
        print_text(f"{_SUMMARY}\n{_EXAMPLES}")
        return DONE
    if given[0] == "--version":
        print_text(f"dump-hlo {_version()} (jaxlib {version('jaxlib')})\n")
        return DONE
    config.disk_cache = False  # a loaded program has the lines of the script that compiled it
    command, *rest = given if given[0] in _COMMANDS else ("fn", *given)
    return _dump_function(rest) if command == "fn" else _dump_run(rest)


def _version() -> str:
    try:
        return version("stablehlo-tracer")
    except PackageNotFoundError:
        return "(not installed)"


def _parser(command: str, description: str) -> Parser:
    parser = Parser(
        f"dump-hlo {command}",
        description=description,
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument(
        "--stage",
        action="append",
        metavar="A,B",
        help=f"what to show: {', '.join(STAGES)}, or all; by default stablehlo",
    )
    parser.add_argument(
        "--locs", choices=LOCATIONS, default="inline", help="how places in the source are shown"
    )
    parser.add_argument("--device", metavar="KIND[:N]", help="an XLA device, as CPU or GPU:1")
    return parser


def _dump_function(argv: list[str]) -> int:
    parser = _parser("fn", "Traces a function, without running it, and prints its program.")
    parser.add_argument("target", metavar="MODULE:FUNCTION", help="or FILE.py:FUNCTION")
    parser.add_argument("--args", default="", metavar="TYPES", help="as 'f32[8,4],i32[8],f32[]'")
    parser.add_argument("--grad", metavar="N[,N]", help="with the gradient in these arguments")
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto")
    parser.add_argument("-o", dest="output", metavar="FILE|DIR", help="where to write")
    given = parser.parse_args(argv)
    stages = parse_stages(given.stage)
    types = parse_types(given.args)
    positions = None if given.grad is None else parse_positions(given.grad)
    device = parse_device(given.device) or Device.default_xla()
    place, path = split(given.target)
    with looking_in(folder_of(place)):
        try:
            # what the user's code prints is not what was asked for
            with redirect_stdout(sys.stderr), default_device(device):
                target = Target(path, load(place, path))
                function = trace(target, types, device, positions)
        except Failure:
            raise
        except BaseException as error:
            raise failure_of(given.target, error) from None
        program = Stages(function, device, Locations(given.locs, target.place))
        return _write_stages(program, stages, given.output, given.color)


def _write_stages(program: Stages, stages: Sequence[str], output: str | None, color: str) -> int:
    texts = {stage: program.text(stage) for stage in stages}
    if output is None:
        print_text("".join(_shown(stage, text, stages, color) for stage, text in texts.items()))
        return DONE
    path = Path(output)
    if len(stages) == 1 and not path.is_dir() and not output.endswith(os.sep):
        write_file(path, texts[stages[0]])
        return DONE
    make_directory(path)
    for stage, text in texts.items():
        write_file(path / f"{program.function.name}_{stage}{STAGES[stage].suffix}", text)
    return DONE


def _shown(stage: str, text: str, stages: Sequence[str], color: str) -> str:
    """A text for the terminal, under a title where there are several."""
    if STAGES[stage].suffix == ".mlir":
        text = colored(text, color)
    return text if len(stages) == 1 else f"// ---- {stage}\n{text}"


def _dump_run(argv: list[str]) -> int:
    parser = _parser("run", "Runs a script and writes every program that it compiled.")
    parser.add_argument("-m", dest="module", action="store_true", help="SCRIPT is a module's name")
    parser.add_argument("--eager", action="store_true", help="the programs of eager devices too")
    parser.add_argument("-o", dest="output", metavar="DIR", help="by default SCRIPT-hlo")
    parser.add_argument("script", metavar="SCRIPT.py", help="what to run")
    rest = parser.add_argument("arguments", nargs=argparse.REMAINDER, help="the script's own")
    rest.required = False  # or else messages ask for them
    given = parser.parse_args(argv)
    stages, device = parse_stages(given.stage), parse_device(given.device)
    name = given.script.rpartition(".")[2] if given.module else Path(given.script).stem
    directory = Path(given.output or f"{name}-hlo")
    if not given.module and not os.path.isfile(given.script):
        raise Failure(f"there is no script {given.script!r}")
    folder = os.getcwd() if given.module else os.path.dirname(os.path.abspath(given.script))
    # the script may go to another directory
    capture = Capture(directory.absolute(), stages, Locations(given.locs), given.eager)
    with looking_in(folder):
        if given.module:
            _need_module(given.script)
        make_directory(directory)
        capture.clear()
        with capture.listening(), default_device(device) if device else nullcontext():
            failure = _run(given.script, given.module, given.arguments)
    problems = [failure, *capture.problems] if failure else capture.problems
    for problem in problems:
        say(str(problem))
    say(_summary(capture, directory))
    return problems[0].code if problems else DONE


def _need_module(name: str) -> None:
    try:
        found = find_spec(name)
    except (ImportError, ValueError):
        found = None
    if found is None:
        raise Failure(f"no module is named {name!r}, here or among the installed")


def _run(script: str, module: bool, arguments: list[str]) -> Failure | None:
    """Runs a script as Python would; how it failed."""
    before = sys.argv
    sys.argv = [script, *arguments]
    try:
        if module:
            runpy.run_module(script, run_name="__main__", alter_sys=True)
        else:
            runpy.run_path(script, run_name="__main__")
    except BaseException as error:
        ended = isinstance(error, SystemExit) and not error.code
        closed = isinstance(error, BrokenPipeError) and reader_has_gone()
        return None if ended or closed else failure_of(script, error)
    finally:
        sys.argv = before
        flush_output()
    return None


def _summary(capture: Capture, directory: Path) -> str:
    """What there is now, in one line."""
    count = len(capture.rows)
    if not count:
        hint = "" if capture.eager else " on a lazy device (--eager keeps those of eager ones)"
        return f"no program was compiled{hint}"
    return (
        f"{count} program{'s' if count > 1 else ''} in {directory}; {directory / INDEX} lists them"
    )


if __name__ == "__main__":
    sys.exit(main())
