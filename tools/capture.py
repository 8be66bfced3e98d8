"""Every program that a script compiles, written into a directory as it is compiled."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import RLock

from tools.locations import Locations, brief
from tools.stages import STAGES, Stages
from tools.terminal import Failure, write_file
from tracer import programs
from tracer.errors import source_line
from tracer.programs import Compiled

INDEX = "index.txt"
_HEADER = ("program", "cause", "reason", "cut at", "ops", "arguments", "results", "files")
_FILE = re.compile(rf"\d{{3,}}_.*_({'|'.join(STAGES)})\.(mlir|hlo)")


@dataclass(slots=True)
class Capture:
    """A directory that programs are written into, and the rows of its index.

    `eager`: whether the one-operation programs of eager devices are wanted too.
    """

    directory: Path
    stages: Sequence[str]
    locations: Locations
    eager: bool = False
    rows: list[tuple[str, ...]] = field(default_factory=list)
    problems: list[Failure] = field(default_factory=list)
    _lock: RLock = field(default_factory=RLock)

    def clear(self) -> None:
        """Removes the files of an earlier capture."""
        for path in self.directory.iterdir():
            if _FILE.fullmatch(path.name):
                path.unlink()

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Inside, what is compiled is written. Afterwards the index is. Raises Failure."""
        programs.listeners.append(self.note)
        try:
            yield
        finally:
            programs.listeners.remove(self.note)
            write_file(self.directory / INDEX, self.index())

    def note(self, compiled: Compiled) -> None:
        """Writes one program. What can't be written is kept for later: the script goes on."""
        if not compiled.device.lazy and not self.eager:
            return
        with self._lock:
            file, line = source_line(compiled.location)
            stem = re.sub(r"[^\w-]+", "_", Path(file).stem.strip("<>"))
            name = f"{len(self.rows) + 1:03}_{stem}_L{line}"
            reason = compiled.reason if compiled.executable else "refused"
            said = (name, compiled.cause, reason, f"{brief(file)}:{line}")
            files = [f for stage in self.stages for f in self._write(said, stage, compiled)]
            function = compiled.function
            counts = (function.operations, function.arguments, function.returns)
            sizes = (str(len(values)) for values in counts)
            self.rows.append((*said, *sizes, " ".join(files) or "none"))

    def _write(self, said: Sequence[str], stage: str, compiled: Compiled) -> Iterator[str]:
        if stage == "optimized" and compiled.executable is None:
            return
        program = Stages(compiled.function, compiled.device, self.locations, compiled.executable)
        file = f"{said[0]}_{stage}{STAGES[stage].suffix}"
        title = "// {0}: cut at {3} ({1}), {2}".format(*said)
        try:
            write_file(self.directory / file, f"{title}\n{program.text(stage)}")
        except Failure as problem:
            self.problems.append(problem)
            return
        yield file

    def index(self) -> str:
        """The programs as a table, one a line, in the order in which they were compiled first."""
        return table([_HEADER, *self.rows])


def table(rows: Sequence[Sequence[str]]) -> str:
    """Rows in columns; numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (
        "  ".join(
            cell.rjust(width) if cell.isdigit() else cell.ljust(width)
            for cell, width in zip(row, widths, strict=True)
        ).rstrip()
        for row in rows
    )
    return "\n".join(lines) + "\n"
