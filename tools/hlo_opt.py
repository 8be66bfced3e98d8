"""`hlo-opt`: passes over a StableHLO file, text in and text out.

Exit codes: 0 done, 1 a pass made an invalid program, 2 wrong usage, 3 the text can't be read,
5 the parser of jaxlib died.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from lowering import PASSES, run_passes
from lowering.parse import parse, print_module
from tracer.errors import LoweringError
from tracer.ir import Module

DONE, INVALID, USAGE, UNREADABLE, DIED = 0, 1, 2, 3, 5


class Failure(Exception):
    """An answer that is not the program: what to say, and the exit code."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code


def optimize(text: str, passes: Sequence[str], file: str = "<text>") -> str:
    """The module after the passes, function by function, as MLIR prints it. Raises Failure."""
    unknown = [name for name in passes if name not in PASSES]
    if unknown:
        known = ", ".join(sorted(PASSES))
        raise Failure(f"no pass is named {unknown[0]!r}; the passes are: {known}", USAGE)
    try:
        module = parse(text, file)
    except LoweringError as error:
        raise Failure(str(error), UNREADABLE) from None
    except RecursionError:
        raise Failure(f"{file}: regions are nested too deeply", UNREADABLE) from None
    try:
        functions = tuple(run_passes(f, passes, verify=True) for f in module)
        return print_module(Module(functions, module.name))
    except LoweringError as error:
        raise Failure(str(error), INVALID) from None


def main(argv: Sequence[str] | None = None) -> int:
    """The command."""
    given = _parser().parse_args(argv)
    try:
        if given.list_passes:
            _write(_listing(), given.output)
            return DONE
        text, file = _read(given.file)
    except Failure as failure:
        return _say(failure)
    names = [name.strip() for name in given.passes.split(",") if name.strip()]
    return _in_child(text, names, file, given.output)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("hlo-opt", description="Runs passes over a StableHLO file.")
    parser.add_argument("file", nargs="?", default="-", help="the file; - is standard input")
    parser.add_argument("--passes", default="", metavar="A,B", help="names, in order")
    parser.add_argument("--list-passes", action="store_true", help="what each pass does")
    parser.add_argument("-o", dest="output", default="-", metavar="OUT", help="where to write")
    return parser


def _in_child(text: str, passes: Sequence[str], file: str, output: str) -> int:
    """Does the work in a process of its own, because jaxlib's parser may abort on foreign text."""
    context = multiprocessing.get_context("spawn")
    child = context.Process(target=_work, args=(text, passes, file, output))
    child.start()
    child.join()
    code = child.exitcode or DONE
    if code < 0:
        name = signal.Signals(-code).name
        return _say(Failure(f"{file}: the parser died of {name}", DIED))
    return code


def _work(text: str, passes: Sequence[str], file: str, output: str) -> None:
    try:
        _write(optimize(text, passes, file), output)
    except Failure as failure:
        sys.exit(_say(failure))


def _say(failure: Failure) -> int:
    print(f"hlo-opt: {failure}", file=sys.stderr)
    return failure.code


def _listing() -> str:
    width = max(map(len, PASSES), default=0)
    summaries = {name: (p.__doc__ or "").split("\n")[0] for name, p in sorted(PASSES.items())}
    return "".join(f"{name:{width}}  {summary}\n" for name, summary in summaries.items())


def _read(path: str) -> tuple[str, str]:
    """The text, and the name that messages give to it."""
    file = "<stdin>" if path == "-" else path
    try:
        data = _standard_input() if path == "-" else Path(path).read_bytes()
        return data.decode(), file
    except OSError as error:
        raise Failure(f"{file}: {error.strerror}", USAGE) from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise Failure(f"{file}:{line}: not UTF-8 text: {error.reason}", UNREADABLE) from None


def _standard_input() -> bytes:
    return b"" if sys.stdin is None else sys.stdin.buffer.read()


def _write(text: str, path: str) -> None:
    """A reader that has seen enough, or that was never there, is no error."""
    try:
        if path != "-":
            Path(path).write_text(text, encoding="utf-8")
        elif sys.stdout is not None:
            sys.stdout.write(text)
            sys.stdout.flush()
    except BrokenPipeError:
        # Python would complain once more when it closes the stream
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        raise Failure(f"{path}: {error.strerror}", USAGE) from None


if __name__ == "__main__":
    sys.exit(main())
