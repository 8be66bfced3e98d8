"""What the commands share: exit codes, how they fail, where their text goes."""

from __future__ import annotations

import argparse
import difflib
import os
import select
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn, TextIO

DONE, NO, USAGE, UNREADABLE, RAISED, REFUSED, EXTRA, TIMED_OUT = range(8)
BUG, INTERRUPTED = 70, 130
"""0 done · 1 the answer is no · 2 wrong usage · 3 the input can't be read · 4 the user's program
raised · 5 the backend refused a program, or died of it · 6 an extra is not installed · 7 the time
limit · 70 a bug of ours · 130 interrupted."""


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
    if _is_open(sys.stderr):
        _write(sys.stderr, text)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """What is asked of who wrote a word that is nearly a known one; empty where none is near."""
    close = difflib.get_close_matches(word, list(known), 1)
    return f"; did you mean {close[0]!r}?" if close else ""


def pointed(message: str, text: str, start: int, end: int) -> str:
    """A message, then the text that it is about with carets under the part from start to end."""
    shown = "".join(c if c.isprintable() else " " for c in text)
    carets = " " * start + "^" * max(1, end - start)
    return f"{message}\n  {shown}\n  {carets}"


def write_file(path: Path, text: str) -> None:
    """Writes a file. Raises Failure."""
    try:
        path.write_text(text, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise Failure(f"cannot write {path}: {error.strerror}") from None


def write_bytes(path: Path, data: bytes) -> None:
    """Writes a file that is no text. Raises Failure."""
    try:
        path.write_bytes(data)
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
    if _is_open(sys.stdout):
        with _output():
            _write(sys.stdout, text)
        flush_output()


def print_bytes(data: bytes) -> None:
    """Writes bytes to standard output; a reader that has seen enough is no error.

    Raises Failure where that is a terminal.
    """
    if _is_open(sys.stdout):
        if sys.stdout.isatty():
            raise Failure("these are bytes, no text for a terminal: name a file, or pipe them")
        flush_output()
        with _output():
            sys.stdout.buffer.write(data)
        flush_output()


def flush_output() -> None:
    """Sends standard output on, or nowhere where its reader has gone."""
    if _is_open(sys.stdout):
        with _output():
            sys.stdout.flush()


def _is_open(stream: TextIO | None) -> bool:
    """Whether there is a stream, which a script may have closed."""
    return stream is not None and not stream.closed


def _write(stream: TextIO, text: str) -> None:
    """Writes a text; what the stream has no characters for is written as escapes."""
    try:
        stream.write(text)
    except UnicodeEncodeError:
        known = stream.encoding
        stream.write(text.encode(known, "backslashreplace").decode(known))


@contextmanager
def _output() -> Iterator[None]:
    """Inside, a reader that has gone is no error. Raises Failure where the disk is full."""
    try:
        yield
    except OSError as error:
        # Python would complain once more when it closes the stream
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            message = f"cannot write to standard output: {error.strerror}"
            raise Failure(message) from None


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
    if (console := _console(mode)) is None:
        return text
    from mlir_pygments import MLIRLexer  # noqa: PLC0415  an extra, slow to load
    from rich.syntax import Syntax  # noqa: PLC0415

    with console.capture() as capture:
        highlighted = Syntax("", MLIRLexer(), theme="ansi_dark").highlight(text)
        console.print(highlighted, soft_wrap=True, end="")
    return str(capture.get())


def painted(lines: Sequence[tuple[str, str]], mode: str) -> str:
    """Lines in the style given with each ("red", "bold", ...), where `colored` would be in colours.

    Raises Failure as that does.
    """
    if (console := _console(mode)) is None:
        return "".join(f"{line}\n" for line, _ in lines)
    with console.capture() as capture:
        for line, style in lines:
            console.print(line, style=style, soft_wrap=True, markup=False, highlight=False)
    return str(capture.get())


def _console(mode: str) -> Any:
    """What writes in colours; None where there are to be none."""
    if mode == "never" or (mode == "auto" and not (sys.stdout and sys.stdout.isatty())):
        return None
    try:
        import mlir_pygments  # noqa: F401, PLC0415  extras, slow to load
        from rich.console import Console  # noqa: PLC0415
    except ImportError:
        if mode == "auto":
            return None
        message = "--color always needs an extra: pip install 'stablehlo-tracer[cli]'"
        raise Failure(message, EXTRA) from None
    if mode == "auto":
        console = Console()
        return None if console.no_color else console  # rich would still underline
    return Console(force_terminal=True, no_color=False, color_system="standard")
