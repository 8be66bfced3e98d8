"""What is shown of a program on its way through the passes."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from lowering.statistics import Change
from tools.hlo_opt.arguments import Options
from tools.hlo_opt.patterns import told
from tools.hlo_opt.streams import say
from tools.hlo_opt.text import generic, printed
from tools.terminal import Failure, make_directory, print_error, write_file
from tracer.errors import LoweringError
from tracer.ir import Module


class Looks:
    """What the options ask to see, of one program; `number` is its place in the file."""

    def __init__(self, options: Options, number: int | None) -> None:
        self._options = options
        self._folder = Path(options.tree) if options.tree else None
        if self._folder and number is not None:
            self._folder /= f"{number:03}"
        self._files = 0

    def start(self, module: Module) -> None:
        """The program as it was read."""
        if self._folder:
            make_directory(self._folder)
        self._keep("input", module)

    def before(self, name: str, module: Module) -> None:
        """The program that a pass is given."""
        if not {name, "all"}.isdisjoint(self._options.print_before):
            print_error(f"// ----- IR before {name} -----\n{self.text(module)}")

    def after(self, name: str, before: Module, after: Module, changes: Sequence[Change]) -> None:
        """What a pass made of it, by these changes."""
        if not {name, "all"}.isdisjoint(self._options.trace_patterns) and changes:
            print_error(f"// ----- rewrites of {name} -----\n")
            print_error("".join(f"{line}\n" for line in told(changes)))
        if self._is_shown(name, before, after):
            print_error(f"// ----- IR after {name} -----\n{self.text(after)}")
        self._keep(name, after)

    def failed(self, name: str, module: Module) -> None:
        """The program on which a pass failed."""
        self.show_failure(f"IR on which {name} failed", module)
        self.reproduce(self.text(module), (name,))

    def show_failure(self, title: str, module: Module) -> None:
        """A program that failed, where failures are to be shown."""
        if "failure" in self._options.print_after:
            print_error(f"// ----- {title} -----\n{self.text(module)}")

    def reproduce(self, text: str, passes: Sequence[str]) -> None:
        """Writes a program, where that is asked for, with a comment: the command that fails."""
        file = self._options.crash_repro
        if not file:
            return
        try:
            write_file(Path(file), reproducer(self._options, passes, text))
            print_error(f"{self._options.command}: the program that fails is in {file}\n")
        except Failure as failure:
            say(failure, self._options.command)

    def text(self, module: Module) -> str:
        """A program that may be invalid: then as MLIR's generic form."""
        try:
            return printed(module, self._options.locations)
        except LoweringError:
            return generic(module)

    def _is_shown(self, name: str, before: Module, after: Module) -> bool:
        asked = self._options.print_after
        if name in asked or "all" in asked:
            return True
        return "changed" in asked and generic(before) != generic(after)

    def _keep(self, name: str, module: Module) -> None:
        if self._folder:
            write_file(self._folder / f"{self._files:02}_{name}.mlir", self.text(module))
            self._files += 1


def reproducer(options: Options, passes: Sequence[str], text: str) -> str:
    """A program after a comment: the command that runs these passes over the file that holds it."""
    words = [*options.command.split(), options.crash_repro or "FILE"]
    words += ["--passes", ",".join(passes)] if passes else []
    words += [word for place in options.load for word in ("--load", place)]
    return f"// {shlex.join([*words, '--verify-each'])}\n{text}"


@contextmanager
def left_behind(options: Options, passes: Sequence[str], text: str) -> Iterator[None]:
    """Inside, the reproducer that is asked for is of the whole input: the process may die.

    Raises Failure where it can't be written.
    """
    if options.crash_repro is None:
        yield
        return
    path = Path(options.crash_repro)
    whole = reproducer(options, passes, f"// the process died\n{text}")
    before = path.read_bytes() if path.is_file() else None
    write_file(path, whole)
    yield
    if path.read_text(encoding="utf-8") == whole:
        path.unlink() if before is None else path.write_bytes(before)
