"""Tests in `.mlir` files: each RUN line is one, run in this process."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tools.hlo_opt.work import run_here
from tools.run_lines import RunError, parse_line, repeatable, run_lines, run_pipe


class MlirFile(pytest.File):
    """One `.mlir` file; an item for each RUN line."""

    def collect(self) -> Iterator[RunItem]:
        lines = run_lines(self.path.read_text(encoding="utf-8"))
        for i, line in enumerate(lines):
            yield RunItem.from_parent(self, name=f"run{i}", line=line)


class RunItem(pytest.Item):
    """One RUN line; with the option `hlo_opt_twice`, a second run of its passes changes nothing."""

    def __init__(self, *, line: str, **arguments: Any) -> None:
        super().__init__(**arguments)
        self.line = line

    def runtest(self) -> None:
        commands = parse_line(self.line, self.path)
        printed = run_pipe(commands)
        options = repeatable(commands) if self.config.getini("hlo_opt_twice") else None
        if options is not None:
            again = run_here(replace(options, file="-", output="-"), printed[0])
            check_same(printed[0], again.output or again.messages)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> str:
        if isinstance(excinfo.value, RunError):
            return str(excinfo.value)
        return str(super().repr_failure(excinfo))

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, 0, f"{self.path.name}: {self.line}"


def check_same(once: str, twice: str) -> None:
    """Raises RunError unless a second run of the passes has changed nothing."""
    if twice != once:
        changes = difflib.unified_diff(
            once.split("\n"), twice.split("\n"), "once", "twice", lineterm=""
        )
        raise RunError("a second run changed the program:\n" + "\n".join(changes))
