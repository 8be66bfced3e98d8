"""FileCheck for tests written in Python: what a program's text has to hold, line by line.

Needs the extra `stablehlo-tracer[test]`.
"""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Sequence

from lowering.mlir import print_module
from tracer.ir import Function, Module

try:
    from filecheck.finput import FInput
    from filecheck.matcher import Matcher
    from filecheck.options import Options, parse_argv_options
    from filecheck.parser import Parser, pattern_for_opts
except ImportError:
    message = "lowering.testing needs filecheck: pip install 'stablehlo-tracer[test]'"
    raise ImportError(message) from None

__all__ = ["check", "check_file"]

_CHECKS = "checks"
"""What messages call the text that a test gives."""


def check(program: str | Function | Module, checks: str, *, prefix: str = "CHECK") -> None:
    """Raises AssertionError unless the program's text, as MLIR prints it, is what `checks` ask for.

    They are lines of FileCheck: `CHECK: stablehlo.add`, `CHECK-NOT: stablehlo.sine`, ...
    """
    if isinstance(program, Function):
        program = Module((program,), "")
    text = program if isinstance(program, str) else print_module(program)
    options = Options(_CHECKS, check_prefixes=[prefix])
    said = _complaint(
        options, Parser(options, io.StringIO(checks), *pattern_for_opts(options)), text
    )
    if said:
        raise AssertionError(f"{_asked(said, checks)}{said}\nthe whole text:\n{text}")


def _asked(said: str, checks: str) -> str:
    """The line of the checks that a complaint is about."""
    found = re.match(rf"{_CHECKS}:(\d+)", said)
    return f"{checks.splitlines()[int(found[1]) - 1].strip()}\n" if found else ""


def check_file(arguments: Sequence[str], text: str) -> None:
    """Raises AssertionError where the command `filecheck`, given these, refuses the text."""
    try:
        options = parse_argv_options(["filecheck", *arguments])
        said = _complaint(options, Parser.from_opts(options), text)
    except (OSError, RuntimeError) as error:
        raise AssertionError(f"filecheck: {error}") from None
    if said:
        raise AssertionError(f"{said}\nthe whole text:\n{text}")


def _complaint(options: Options, checks: Parser, text: str) -> str:
    """What filecheck says of a text that it refuses; empty for one that it takes."""
    said = io.StringIO()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(said):
        code = Matcher(options, FInput("-", text), checks).run()
    return said.getvalue().rstrip("\n") or "refused" if code else ""
