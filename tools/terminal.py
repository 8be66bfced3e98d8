"""What the commands share: exit codes, how they fail, where their text goes."""

from __future__ import annotations

import argparse
import os
import select
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

DONE, USAGE, RAISED, REFUSED, EXTRA, INTERRUPTED = 0, 2, 4, 5, 6, 130
"""0 done · 2 wrong usage · 4 the user's program raised · 5 the backend refused a program · 6 an
extra is not installed · 130 interrupted."""


class Failure(Exception):
    """An answer that is not what was asked for: what to say, and the exit code."""

    def __init__(self, message: str, code: int = USAGE) -> None:
        super().__init__(message)
        self.code = code


class Parser(argparse.ArgumentParser):
    """Wrong usage is a Failure like any other."""

    def error(self, message: str) -> NoReturn:
        raise Failure(f"{message}\n{self.prog} --help tells what there is")

    def print_help(self, file: Any = None) -> None:
        print_text(self.format_help())


def say(message: str) -> None:
    """One message of the tool's own, on standard error."""
    print_error(f"dump-hlo: {message}\n")


def print_error(text: str) -> None:
    """Writes to standard error, where there is one."""
    if sys.stderr is not None:
        sys.stderr.write(text)


def pointed(message: str, text: str, start: int, end: int) -> str:
    """A message, then the text that it is about with carets under the part from start to end."""
    shown = "".join(c if c.isprintable() else " " for c in text)
    carets = " " * start + "^" * max(1, end - start)
    return f"{message}\n  {shown}\n  {carets}"


def write_file(path: Path, text: str) -> None:
    """Writes a file. Raises Failure."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise Failure(f"cannot write {path}: {error.strerror}") from None


def make_directory(path: Path) -> None:
    """Makes a directory, where it is not there yet, that files can be written into.

    Raises Failure.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Failure(f"cannot make the directory {path}: {error.strerror}") from None
    if not os.access(path, os.W_OK | os.X_OK):
        raise Failure(f"cannot write into the directory {path}")


def print_text(text: str) -> None:
    """Writes to standard output; a reader that has seen enough is no error."""
    if sys.stdout is not None:
        with suppress(BrokenPipeError):
            sys.stdout.write(text)
        flush_output()


def flush_output() -> None:
    """Sends standard output on, or nowhere where its reader has gone."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        # Python would complain once more when it closes the stream
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def reader_has_gone() -> bool:
    """Whether standard output is a pipe that nobody reads any more."""
    try:
        poll = select.poll()
        poll.register(sys.stdout.fileno(), 0)
        return any(event & select.POLLERR for _, event in poll.poll(0))
    except (AttributeError, OSError):  # no stream, or none of the system's
        return False


def colored(text: str, mode: str) -> str:
    """MLIR text in colours: "always", "never", or "auto", on a terminal that shows them.

    Raises Failure where colours are asked for and the extra is not installed.
    """
    if mode == "never" or (mode == "auto" and not (sys.stdout and sys.stdout.isatty())):
        return text
    try:
        # an extra, which takes longer to load than the rest of the tool
        from mlir_pygments import MLIRLexer  # noqa: PLC0415
        from rich.console import Console  # noqa: PLC0415
        from rich.syntax import Syntax  # noqa: PLC0415
    except ImportError:
        if mode == "auto":
            return text
        message = "--color always needs an extra: pip install 'stablehlo-tracer[cli]'"
        raise Failure(message, EXTRA) from None
    forced = {"force_terminal": True, "no_color": False, "color_system": "standard"}
    console = Console(**(forced if mode == "always" else {}))  # type: ignore[arg-type]
    with console.capture() as capture:
        highlighted = Syntax("", MLIRLexer(), theme="ansi_dark").highlight(text)
        console.print(highlighted, soft_wrap=True, end="")
    return capture.get()
