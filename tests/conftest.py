"""Collects `tests/filecheck/**/*.mlir`: each file is a program, a command, and what it prints."""

from __future__ import annotations

import contextlib
import difflib
import io
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from filecheck.finput import FInput
from filecheck.matcher import Matcher
from filecheck.options import Options, parse_argv_options
from filecheck.parser import Parser

from tools.hlo_opt import Failure, optimize

_RUN = re.compile(r"^// RUN: (.*)$", re.MULTILINE)
_COMMAND = re.compile(
    r"hlo-opt %s(?: --passes (?P<passes>\S+))?(?P<not> 2>&1)? \| (?P<check>filecheck %s.*)"
)


class CheckError(Exception):
    """What filecheck, or the command, had to say."""


class CheckFile(pytest.File):
    """One `.mlir` file; an item for each RUN line."""

    def collect(self) -> Iterator[CheckItem]:
        runs = _RUN.findall(self.path.read_text(encoding="utf-8"))
        if not runs:
            raise self.CollectError(f"{self.path}: the first line must be `// RUN: hlo-opt %s ...`")
        for i, command in enumerate(runs):
            yield CheckItem.from_parent(self, name=f"run{i}", command=command)


class CheckItem(pytest.Item):
    """`hlo-opt %s --passes a,b | filecheck %s`, in this process; with `2>&1`, it must fail."""

    def __init__(self, *, command: str, **arguments: object) -> None:
        super().__init__(**arguments)  # type: ignore[arg-type]
        self.command = command

    def runtest(self) -> None:
        found = _COMMAND.fullmatch(self.command)
        if found is None:
            raise CheckError(f"this RUN line is not understood: {self.command}")
        passes = found["passes"].split(",") if found["passes"] else []
        printed = _run(self.path, passes, fails=bool(found["not"]))
        options = parse_argv_options(shlex.split(found["check"].replace("%s", str(self.path))))
        check(options, printed)
        if not found["not"]:
            again = _run(self.path, passes, text=printed)
            check_same(printed, again)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> str:
        if isinstance(excinfo.value, CheckError | Failure):
            return str(excinfo.value)
        return str(super().repr_failure(excinfo))

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, 0, f"{self.path.name}: {self.command}"


def _run(path: Path, passes: list[str], *, fails: bool = False, text: str | None = None) -> str:
    """What the command prints, for the file or for another text."""
    try:
        printed = optimize(
            path.read_text(encoding="utf-8") if text is None else text, passes, path.name
        )
    except Failure as failure:
        if not fails:
            raise
        return str(failure)
    if fails:
        raise CheckError(f"an error was expected, got\n{printed}")
    return printed


def check_same(once: str, twice: str) -> None:
    """Raises CheckError unless a second run of the passes has changed nothing."""
    if twice != once:
        changes = difflib.unified_diff(
            once.split("\n"), twice.split("\n"), "once", "twice", lineterm=""
        )
        raise CheckError("a second run changed the program:\n" + "\n".join(changes))


def check(options: Options, printed: str) -> None:
    """Raises CheckError unless the text is what the CHECK lines of the options' file ask for."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        matcher = Matcher(options, FInput("-", printed), Parser.from_opts(options))
        code = matcher.run()
    if code:
        raise CheckError(f"{said.getvalue()}\nthe whole text was\n{printed}")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> CheckFile | None:
    """Makes a test of each `.mlir` file below a folder named filecheck."""
    if file_path.suffix == ".mlir" and "filecheck" in file_path.parts:
        return CheckFile.from_parent(parent, path=file_path)
    return None
