"""What the command reads and writes, and how it tells that it failed."""

from __future__ import annotations

import sys
from pathlib import Path

from tools.hlo_opt.arguments import OWN, UNREADABLE
from tools.terminal import Failure, print_error, print_text, write_file


def say(failure: Failure, command: str = OWN) -> int:
    """Tells how a command failed; the exit code."""
    print_error(f"{command}: {failure}\n")
    return failure.code


def shown(file: str) -> str:
    """What messages call a file."""
    return "<stdin>" if file == "-" else file


def read(file: str) -> str:
    """The text of a file, - being standard input. Raises Failure."""
    try:
        data = _standard_input() if file == "-" else Path(file).read_bytes()
        return data.decode()
    except (OSError, ValueError) as error:
        if not isinstance(error, UnicodeDecodeError):
            raise Failure(f"{shown(file)}: {getattr(error, 'strerror', error)}") from None
        line = error.object[: error.start].count(b"\n") + 1
        message = f"{shown(file)}:{line}: not UTF-8 text: {error.reason}"
        raise Failure(message, UNREADABLE) from None


def _standard_input() -> bytes:
    return b"" if sys.stdin is None else sys.stdin.buffer.read()


def write(text: str, path: str = "-") -> None:
    """Writes the output. Raises Failure."""
    if path != "-":
        write_file(Path(path), text)
        return
    print_text(text)
