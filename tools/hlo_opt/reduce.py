"""The smallest program on which a command still fails: parts are left out, many at a time first."""

from __future__ import annotations

import re
import shlex
import subprocess
import sysconfig
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from lowering.reader import print_module
from tools.hlo_opt.arguments import DIED, INVALID
from tools.hlo_opt.removal import (
    all_operations,
    arguments_of,
    functions_of,
    is_constant,
    operations_of,
    regions_of,
    results_of,
    with_regions_opened,
    without_arguments,
    without_functions,
    without_operations,
    without_results,
)
from tools.progress import doing, found
from tools.terminal import Failure
from tracer.errors import LoweringError
from tracer.ir import Module

_OF_SHELLS = re.compile(r"[|&;<>$`*?~\n]")
NOT_RUN = (126, 127)
"""What a shell says of a command that it can't start."""


@dataclass(frozen=True, slots=True)
class _Step:
    """What a program has of one kind, last first, and the program without some of it."""

    parts: Callable[[Module], list[Any]]
    without: Callable[[Module, Sequence[Any]], Module]


_OWN_COMMANDS = shlex.quote(sysconfig.get_path("scripts"))
"""Where this environment's commands are, hlo-opt among them, though it be not activated."""

_STEPS = (
    _Step(functions_of, without_functions),
    _Step(results_of, without_results),
    _Step(operations_of, without_operations),
    _Step(regions_of, with_regions_opened),
    _Step(arguments_of, without_arguments),
)


Ends = Callable[[Module, str], object]
"""How it ends with a program, which comes as text too."""


@dataclass(frozen=True, slots=True)
class Smallest:
    """The smallest program found, after so many runs."""

    program: Module
    text: str
    runs: int


def reduce(program: Module, command: str, hlo_opt: Callable[[Sequence[str]], int]) -> Smallest:
    """The smallest program found for which the command ends as it does for this one.

    `hlo_opt` runs that command in this process: 100 times in the time that two new ones take.
    Raises Failure where the command does not fail.
    """
    with TemporaryDirectory() as folder:
        run = _Command(command, Path(folder) / "program.mlir", hlo_opt)
        return smallest(program, run)


def smallest(program: Module, ends: Ends) -> Smallest:
    """The smallest program found that ends as this one does. Raises what `ends` raises."""
    search = _Search(program, ends)
    while any([search.shrinks(step) for step in _STEPS]):
        pass
    return Smallest(search.program, search.text, search.runs)


class _Command:
    """The command on one file."""

    def __init__(self, text: str, path: Path, hlo_opt: Callable[[Sequence[str]], int]) -> None:
        self.text = text
        self._path = path
        self._shell = text.replace("{}", shlex.quote(str(path)))
        self._hlo_opt = hlo_opt
        self._arguments = _arguments(self._shell)
        self._has_run = False

    def __call__(self, program: Module, text: str) -> int:
        """How it ends on a program. Raises Failure where it does not fail on the first."""
        self._path.write_text(text, encoding="utf-8")
        if self._has_run:
            return self._in_shell() if self._arguments is None else self._hlo_opt(self._arguments)
        self._has_run = True
        return self._first()

    def _first(self) -> int:
        """How it ends on the whole program. Raises Failure where it does not fail."""
        code = self._in_shell()
        if code in NOT_RUN:
            raise Failure(f"--reduce: the command can't be run: {self.text}")
        if code == DIED:
            self._arguments = None  # it would take this process along
        if not code:
            raise Failure(f"the command does not fail on the program: {self.text}", INVALID)
        return code

    def _in_shell(self) -> int:
        return in_shell(f'PATH={_OWN_COMMANDS}:"$PATH"; {self._shell}')


def in_shell(command: str) -> int:
    """The exit code of a command that neither reads nor says anything."""
    nothing = subprocess.DEVNULL
    done = subprocess.run(
        command, shell=True, stdin=nothing, stdout=nothing, stderr=nothing, check=False
    )
    return done.returncode


def _arguments(command: str) -> list[str] | None:
    """Those of a call of hlo-opt, or of its twin, alone."""
    try:
        words = [] if _OF_SHELLS.search(command) else shlex.split(command)
    except ValueError:  # a quote is open
        return None
    calls = (["hlo-opt"], ["dump-hlo", "opt"])
    return next((words[len(call) :] for call in calls if words[: len(call)] == call), None)


class _Search:
    """The smallest program so far."""

    def __init__(self, program: Module, ends: Ends) -> None:
        self._ends = ends
        self.runs = 1
        self.program, self.text = program, print_module(program)
        self._tried = {self.text}
        self._wanted = ends(program, self.text)

    def shrinks(self, step: _Step) -> bool:
        """Leaves out runs of what the step names, ever shorter ones; whether any could go."""
        before = self.program
        parts = step.parts(self.program)
        length = len(parts)
        while length:
            at = 0
            while at < len(parts):
                if self._takes(step, parts[at : at + length]):
                    parts = step.parts(self.program)
                else:
                    at += length
            length //= 2
        return self.program is not before

    def _takes(self, step: _Step, parts: Sequence[Any]) -> bool:
        """Goes on without the parts, if that makes a smaller program that fails alike."""
        try:
            program = step.without(self.program, parts)
            text = print_module(program)
        except (LoweringError, TypeError, ValueError):  # no valid program
            return False
        if text in self._tried or _size(program, text) >= _size(self.program, self.text):
            return False
        self._tried.add(text)
        self.runs += 1
        left = len(all_operations(self.program))
        doing(f"a smaller program, {left} operations after {self.runs} runs")
        if self._ends(program, text) != self._wanted:
            return False
        self.program, self.text = program, text
        found("smallest", f"smallest program:\n{text}")
        return True


def _size(program: Module, text: str) -> tuple[int, int]:
    """Constants come in where operations go: they count by the length of the text alone."""
    return sum(not is_constant(op) for op in all_operations(program)), len(text)
