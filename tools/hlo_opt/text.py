"""Programs from text, and as text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lowering import emit
from lowering.mlir import parse_mlir, print_module
from lowering.reader import parse
from tools.hlo_opt.arguments import UNREADABLE
from tools.terminal import Failure
from tracer.errors import LoweringError
from tracer.ir import Module

SEPARATOR = "// -----"


def read_module(text: str, file: str) -> Module:
    """The program of a text. Raises Failure."""
    try:
        return parse(text, file)
    except LoweringError as error:
        hint = "\nthis is HLO, hlo-opt reads StableHLO" if text.startswith("HloModule") else ""
        raise Failure(f"{error}{hint}", UNREADABLE) from None
    except RecursionError:
        raise Failure(f"{file}: regions are nested too deeply", UNREADABLE) from None
    except Exception as error:  # of the bindings of MLIR, for attributes that they don't know
        raise Failure(f"{file}: {type(error).__name__}: {error}", UNREADABLE) from None


def split(text: str) -> Iterator[str]:
    """The programs of a text, between lines `// -----`, each with its lines' numbers kept."""
    chunk: list[str] = []
    before = 0
    for number, line in enumerate([*text.split("\n"), SEPARATOR]):
        if line.rstrip() != SEPARATOR:
            chunk.append(line)
            continue
        yield "\n" * before + "\n".join(chunk)
        chunk, before = [], number + 1


def printed(module: Module, locations: bool) -> str:
    """The program as MLIR prints it. Raises LoweringError unless it is valid."""
    if not locations:
        return print_module(module)
    made = parse_mlir(emit(module)).operation
    text = str(made.get_asm(enable_debug_info=True, use_local_scope=True))
    # what has no location of its own got one in the text that was emitted
    return re.sub(r' loc\("-":\d+:\d+\)', "", text).rstrip("\n") + "\n"


def generic(module: Module) -> str:
    """The program in MLIR's generic form, which an invalid one has too; or why it has none."""
    try:
        return emit(module)
    except LoweringError as error:
        return f"{error}\n"
