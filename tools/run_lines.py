"""RUN lines of tests: what lit would run in a shell, run in this process."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lowering.testing import check_file
from tools.hlo_opt.arguments import Options, parse_arguments
from tools.hlo_opt.work import run_here

_RUN = re.compile(r"^\s*//\s*RUN:\s*(.*?)\s*$", re.MULTILINE)
_SHELL = re.compile(r"[0-9]?[<>].*|&&?|\|\||;|`.*|\$\(.*")
_LITS = re.compile(r"%[tTp{]")
_MERGED = "2>&1"
_UNDERSTOOD = "run in this process, RUN lines are pipes of hlo-opt and filecheck; lit runs any"


class RunError(AssertionError):
    """A RUN line that failed, or that only a shell understands."""


@dataclass(frozen=True, slots=True)
class Command:
    """One part of a pipe; `fails`: after `not`; `merged`: with 2>&1."""

    program: str
    arguments: tuple[str, ...]
    fails: bool = False
    merged: bool = False

    def __str__(self) -> str:
        return shlex.join((*(["not"] if self.fails else []), self.program, *self.arguments))


def run_lines(text: str) -> list[str]:
    """The commands of a file's RUN lines; one that ends in a backslash goes on in the next."""
    found: list[str] = []
    open_ = False
    for line in _RUN.findall(text):
        part = line.removesuffix("\\").strip()
        if open_:
            found[-1] += f" {part}"
        else:
            found.append(part)
        open_ = line.endswith("\\")
    return found


def parse_line(line: str, path: Path) -> list[Command]:
    """The commands of a pipe, %s and %S replaced by the file and its folder. Raises RunError."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars="|")
    lexer.whitespace_split = True
    lexer.commenters = ""
    try:
        words = list(lexer)
    except ValueError as error:
        raise RunError(f"{line}\n{error}") from None
    parts: list[list[str]] = [[]]
    for word in words:
        if word == "|":
            parts.append([])
        elif word != _MERGED and _SHELL.fullmatch(word):
            raise RunError(f"{line}\n{word!r} is for a shell: {_UNDERSTOOD}")
        elif _LITS.search(word):
            raise RunError(f"{line}\n{word!r} is for lit: {_UNDERSTOOD}")
        else:
            parts[-1].append(_replaced(word, path))
    return [_command(part, line) for part in parts]


def _replaced(word: str, path: Path) -> str:
    meanings = {"%s": str(path), "%S": str(path.parent), "%%": "%"}
    return re.sub(r"%[sS%]", lambda found: meanings[found[0]], word)


def _command(words: list[str], line: str) -> Command:
    fails = words[:1] == ["not"]
    program, *arguments = words[fails:] or [""]
    if program not in ("hlo-opt", "filecheck"):
        raise RunError(f"{line}\n{program!r} is not known: {_UNDERSTOOD}")
    merged = arguments[-1:] == [_MERGED]
    return Command(program, tuple(arguments[: len(arguments) - merged]), fails, merged)


def run_pipe(commands: Sequence[Command]) -> list[str]:
    """What each command of a pipe prints. Raises RunError where one does not end as it should."""
    printed = [""]
    for command in commands:
        runs = _hlo_opt if command.program == "hlo-opt" else _filecheck
        printed.append(runs(command, printed[-1]))
    return printed[1:]


def _hlo_opt(command: Command, text: str) -> str:
    done = run_here(command.arguments, text, merged=command.merged)
    if bool(done.code) is not command.fails:
        ended = f"{'a failure is needed, got ' if command.fails else ''}exit code {done.code}"
        raise RunError(f"{command}\n{ended}\n{done.messages or done.output}")
    return done.output


def _filecheck(command: Command, text: str) -> str:
    try:
        check_file(command.arguments, text)
    except AssertionError as error:
        if command.fails:
            return str(error)
        raise RunError(str(error)) from None
    if command.fails:
        raise RunError(f"{command}\na failure is needed, the text was\n{text}")
    return ""


def repeatable(commands: Sequence[Command]) -> Options | None:
    """The options of a pipe's only hlo-opt, if a second run of its passes can be asked for."""
    only = [c for c in commands if c.program == "hlo-opt"]
    if len(only) != 1 or only[0].fails or only[0].merged:
        return None
    options = parse_arguments(only[0].arguments)
    special = (options.verify_diagnostics, options.list_passes, options.reduce)
    limited = options.bisect_limit is not None
    return options if options.passes and not limited and not any(special) else None
