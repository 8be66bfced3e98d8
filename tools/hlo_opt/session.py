"""One run of the passes over the programs of a file, and what is told of it."""

from __future__ import annotations

import traceback
from collections import Counter
from typing import Any

from lowering import counting, pipeline, run_passes
from lowering.passes import registry
from lowering.statistics import Rewrites
from tools.hlo_opt.arguments import INVALID, UNREADABLE, Options
from tools.hlo_opt.diagnostics import differences, expected, produced
from tools.hlo_opt.looks import Looks, left_behind
from tools.hlo_opt.passes import selected
from tools.hlo_opt.report import Clock, bisect_line, counts_table, session_json
from tools.hlo_opt.streams import say, shown, write
from tools.hlo_opt.text import SEPARATOR, generic, printed, read_module, split
from tools.progress import doing
from tools.terminal import DONE, RAISED, Failure, print_error
from tracer.errors import LoweringError
from tracer.ir import Module

_MACHINERY = (__file__, pipeline.__file__, registry.__file__)
"""The files between the command and a pass."""


class Session:
    """The passes over the programs of one file."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._file = shown(options.file)
        self._passes = selected(options)
        self._clock = Clock()
        self._code = DONE
        self._rewrites = Rewrites()
        self._rows: list[dict[str, Any]] = []

    def run(self, text: str) -> int:
        """Writes what they made of each program; the exit code is the first that is not 0."""
        options = self._options
        programs = split(text) if options.split_input_file else [text]
        kept = left_behind(options, self._passes, text)
        with kept, counting(options.bisect_limit) as self._rewrites:
            made = [self._program(program, i) for i, program in enumerate(programs)]
        self._tell()
        if options.json:
            write(session_json(self._file, self._passes, self._rewrites, self._rows))
        outputs = [output for output in made if output is not None]
        if outputs and not (options.json and options.output == "-"):
            write(f"{SEPARATOR}\n".join(outputs), options.output)
        return self._code

    def _tell(self) -> None:
        """The tables that were asked for."""
        options, rewrites = self._options, self._rewrites
        if options.time:
            print_error(self._clock.table())
        if options.stats:
            print_error(counts_table(rewrites.counts))
        if options.bisect_limit is not None:
            line = bisect_line(rewrites.total, options.bisect_limit, rewrites.last)
            print_error(f"{options.command}: {line}\n")

    def _program(self, text: str, number: int) -> str | None:
        """What the passes made of one program; None where they failed, which is told."""
        made, message, code = None, "", DONE
        self._rows.append({"ok": True, "error": None, "program": None, "passes": []})
        looks = Looks(self._options, number if self._options.split_input_file else None)
        try:
            made = self._passed(text, looks)
        except Failure as failure:
            message, code = str(failure), failure.code
        self._rows[-1].update(ok=not code, error=message or None, program=made)
        if self._options.verify_diagnostics and code in (DONE, INVALID, UNREADABLE):
            self._compare(text, message)
        elif code:
            self._fail(Failure(message, code))
        return made

    def _compare(self, text: str, message: str) -> None:
        came = produced(message, self._file) if message else []
        for difference in differences(list(expected(text)), came, self._file):
            self._fail(Failure(difference, INVALID))

    def _fail(self, failure: Failure) -> None:
        say(failure, self._options.command)
        self._code = self._code or failure.code

    def _passed(self, text: str, looks: Looks) -> str:
        module = self._read(text, looks)
        looks.start(module)
        for place, name in enumerate(self._passes, 1):
            doing(f"pass {place} of {len(self._passes)}, {name}")
            looks.before(name, module)
            module = self._pass(name, module, looks)
        with self._clock.spent_on("verify and print"):
            try:
                return self._printed(module)
            except Failure:
                looks.show_failure("IR that is invalid", module)
                looks.reproduce(text, self._passes)
                raise

    def _read(self, text: str, looks: Looks) -> Module:
        with self._clock.spent_on("parse"):
            try:
                return read_module(text, self._file)
            except Failure:
                looks.reproduce(text, ())
                raise

    def _pass(self, name: str, module: Module, looks: Looks) -> Module:
        """What a pass makes of a module, and what is to be seen of that."""
        before, spent = self._rewrites.total, self._clock.seconds[name]
        with self._clock.spent_on(name):
            try:
                made = self._run(name, module)
            except Failure:
                looks.failed(name, module)
                raise
        changes = self._rewrites.changes[before:]
        looks.after(name, module, made, changes)
        if self._options.json:
            counts = Counter(change.name for change in changes)
            row = {"name": name, "changed": generic(module) != generic(made)}
            spent = self._clock.seconds[name] - spent
            self._rows[-1]["passes"].append({**row, "seconds": spent, "rewrites": dict(counts)})
        return made

    def _run(self, name: str, module: Module) -> Module:
        try:
            return run_passes(module, [name], verify=self._options.verify_each or None)
        except LoweringError as error:
            raise Failure(str(error), INVALID) from None
        except (Exception, SystemExit, GeneratorExit) as error:
            print_error(_traceback(error))
            raise Failure(f"the pass {name} raised {type(error).__name__}", RAISED) from None

    def _printed(self, module: Module) -> str:
        try:
            return printed(module, self._options.locations)
        except LoweringError as error:
            raise Failure(f"{self._culprit()} made an invalid program:\n{error}", INVALID) from None
        except Exception as error:
            came = f"{type(error).__name__}: {error}"
            raise Failure(
                f"{self._culprit()} made what can't be printed\n{came}", INVALID
            ) from None

    def _culprit(self) -> str:
        if len(self._passes) > 1:
            return "a pass (--verify-each says which)"
        return f"the pass {self._passes[0]}" if self._passes else "the reader"


def _traceback(error: BaseException) -> str:
    """From the frame of the pass on."""
    told = traceback.TracebackException.from_exception(error)
    kept = [frame for frame in told.stack if frame.filename not in _MACHINERY]
    told.stack = traceback.StackSummary.from_list(kept)
    return "".join(told.format())
