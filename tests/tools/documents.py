"""Documents that run: files, commands and what these print, in order, in a folder of their own."""

from __future__ import annotations

import io
import re
import runpy
import shlex
import subprocess
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from tools.hlo_opt.work import run_here

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"(?:#|//) ([\w.-]+\.\w+)\n")
_SHELL = re.compile(r"[|&;<>$]")
_LEFT_TO_READERS = ("pip ",)


def steps(document: str) -> Iterator[tuple[str, str]]:
    """(file name, text) of the blocks that begin with a name, and ("$", command and output)."""
    for kind, text in _BLOCK.findall(document):
        named = _FILE.match(text)
        if kind == "console":
            yield from (("$", part) for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:])
        elif named:
            yield named[1], text


def run(command: str) -> str:
    """What a command prints, output and messages."""
    program, *arguments = [""] if _SHELL.search(command) else shlex.split(command)
    if program == "hlo-opt":
        return run_here(arguments, merged=True).output
    if program == "python":
        return _printed(runpy.run_path, arguments[0], run_name="__main__")
    if program == "pytest":
        return _printed(pytest.main, ["-p", "pytest_hlo_opt", "-p", "no:cacheprovider", *arguments])
    done = subprocess.run(
        command,
        shell=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.stdout


def _printed(function: Callable[..., object], *arguments: Any, **named: Any) -> str:
    output = io.StringIO()
    with redirect_stdout(output), redirect_stderr(output):
        function(*arguments, **named)
    return output.getvalue()


def follow(document: str, folder: Path) -> Iterator[tuple[str, str, str]]:
    """Writes the files, runs the commands: each with what it should print, and what it does."""
    for name, text in steps(document):
        if name != "$":
            (folder / name).write_text(text)
            continue
        command, _, printed = text.partition("\n")
        if not command.startswith(_LEFT_TO_READERS):
            yield command, printed, run(command)


def agree(expected: str, printed: str) -> bool:
    """Whether a text is the expected one: `...` is anything, as are numbers with a point."""
    parts = (re.escape(part) for part in re.split(r" ?\.\.\. ?", _plain(expected)))
    return re.fullmatch(".*?".join(parts), _plain(printed), re.DOTALL) is not None


def _plain(text: str) -> str:
    """Without what differs from run to run: times, and how wide a terminal is."""
    return re.sub(r"[ \n]+", " ", re.sub(r"\d+\.\d+", "0.0", text)).strip()
