"""One run of the passes over the programs of a file, and what is told of it."""

from __future__ import annotations

import traceback

from lowering import counting, pipeline, run_passes
from lowering.passes import registry
from tools.hlo_opt.arguments import INVALID, UNREADABLE, Options
from tools.hlo_opt.diagnostics import differences, expected, produced
from tools.hlo_opt.passes import selected
from tools.hlo_opt.report import Clock, bisect_line, counts_table
from tools.hlo_opt.streams import say, shown, write
from tools.hlo_opt.text import SEPARATOR, generic, printed, read_module, split
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

    def run(self, text: str) -> int:
        """Writes what they made of each program; the exit code is the first that is not 0."""
        options = self._options
        programs = split(text) if options.split_input_file else [text]
        with counting(options.bisect_limit) as rewrites:
            made = [self._program(program) for program in programs]
        if options.time:
            print_error(self._clock.table())
        if options.stats:
            print_error(counts_table(rewrites.counts))
        if options.bisect_limit is not None:
            line = bisect_line(rewrites.total, options.bisect_limit, rewrites.last)
            print_error(f"hlo-opt: {line}\n")
        kept = [output for output in made if output is not None]
        if kept:
            write(f"{SEPARATOR}\n".join(kept), options.output)
        return self._code

    def _program(self, text: str) -> str | None:
        """What the passes made of one program; None where they failed, which is told."""
        made, message, code = None, "", DONE
        try:
            made = self._passed(text)
        except Failure as failure:
            message, code = str(failure), failure.code
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
        say(failure)
        self._code = self._code or failure.code

    def _passed(self, text: str) -> str:
        with self._clock.spent_on("parse"):
            module = read_module(text, self._file)
        for name in self._passes:
            with self._clock.spent_on(name):
                made = self._pass(name, module)
            if self._is_shown(name, module, made):
                print_error(f"// ----- IR after {name} -----\n{self._shown(made)}")
            module = made
        with self._clock.spent_on("verify and print"):
            return self._printed(module)

    def _pass(self, name: str, module: Module) -> Module:
        try:
            return run_passes(module, [name], verify=self._options.verify_each or None)
        except LoweringError as error:
            raise Failure(str(error), INVALID) from None
        except (Exception, SystemExit, GeneratorExit) as error:
            print_error(_traceback(error))
            raise Failure(f"the pass {name} raised {type(error).__name__}", RAISED) from None

    def _is_shown(self, name: str, before: Module, after: Module) -> bool:
        asked = self._options.print_after
        if name in asked or "all" in asked:
            return True
        return "changed" in asked and generic(before) != generic(after)

    def _shown(self, module: Module) -> str:
        """A program that may be invalid: then as MLIR's generic form."""
        try:
            return printed(module, self._options.locations)
        except LoweringError:
            return generic(module)

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
