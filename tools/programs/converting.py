"""A program in the formats that others read."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from typing import Any

from lowering import emit
from lowering.artifact import readable, serialize
from lowering.mlir import parse_mlir
from runtime import pjrt
from tools.dump_hlo.report import to_json
from tools.execution.engines import with_main
from tools.graph import Graph, graph_of
from tools.pictures import dot
from tools.programs.sources import Source
from tools.programs.translating import as_stablehlo
from tools.terminal import NO, REFUSED, UNREADABLE, Failure
from tracer.errors import LoweringError

SUFFIXES = {
    ".mlir": "mlir",
    ".mlirbc": "mlirbc",
    ".bc": "mlirbc",
    ".vhlo": "portable",
    ".artifact": "portable",
    ".hlo": "hlo",
    ".hlo.txt": "hlo",
    ".pb": "hlo-pb",
    ".dot": "dot",
    ".gv": "dot",
    ".json": "json",
}
"""The format that the end of a file's name stands for."""


_EXPANSION = "\nit has CHLO, of which dump-hlo opt --passes expand-chlo makes StableHLO"
_NOWHERE = re.compile(r" loc\(unknown\)$|(?<=\S) loc\(unknown\)(?=[,)])", re.MULTILINE)


def format_of(path: str) -> str | None:
    """The format that a file's name asks for; None where it asks for none."""
    fitting = [suffix for suffix in SUFFIXES if path.endswith(suffix)]
    return SUFFIXES[max(fitting, key=len)] if fitting else None


def convert(source: Source, to: str, version: str) -> str | bytes:
    """The program in a format; `version` is the StableHLO of a portable artifact.

    Raises Failure: NO where the format can't hold it, UNREADABLE where the program can't be read.
    """
    return CONVERSIONS[to](source, version)


def as_hlo(source: Source) -> str:
    """The program as HLO: StableHLO as XLA reads it. Raises Failure."""
    if source.kind == "hlo":
        return source.text
    made = with_main(source.module)
    text = source.text if made is source.module else emit(made)
    try:
        return pjrt.hlo_text(text, whole=True)
    except pjrt.CompileError as error:
        raise Failure(f"XLA could not read {source.name}: {error}", REFUSED) from None


def _mlir(source: Source, version: str) -> str:
    return _NOWHERE.sub("", readable(_parsed(source)))


def _generic(source: Source, version: str) -> str:
    shown = _parsed(source).operation.get_asm(print_generic_op_form=True)
    return str(shown).rstrip("\n") + "\n"


def _bytecode(source: Source, version: str) -> bytes:
    written = BytesIO()
    _parsed(source).operation.write_bytecode(written)
    return written.getvalue()


def _parsed(source: Source) -> Any:
    try:
        return parse_mlir(as_stablehlo(source).text, source.name)
    except LoweringError as error:
        raise Failure(str(error), UNREADABLE) from None


def _portable(source: Source, version: str) -> bytes:
    program = as_stablehlo(source)
    _parsed(program)
    try:
        return serialize(program.text, version)
    except LoweringError as error:
        hint = _EXPANSION if re.search(r'[ "]chlo\.', program.text) else ""
        raise Failure(f"{error}{hint}", NO) from None


def _hlo(source: Source, version: str) -> str:
    return as_hlo(source)


def _proto(source: Source, version: str) -> bytes:
    try:
        text = as_hlo(source)
        pjrt.need_whole(text)
        return pjrt.hlo_to_proto(text)
    except pjrt.CompileError as error:
        raise Failure(f"{source.name}: {error}", UNREADABLE) from None


def _from_hlo(source: Source, version: str) -> str:
    return _mlir(replace(source, kind="hlo", text=as_hlo(source)), version)


def _json(source: Source, version: str) -> str:
    return to_json(_graph(source).json())


def _dot(source: Source, version: str) -> str:
    return dot(_graph(source))


def _graph(source: Source) -> Graph:
    try:
        return graph_of(source.text if source.kind == "hlo" else source.module)
    except LoweringError as error:
        raise Failure(str(error), UNREADABLE) from None


CONVERSIONS: dict[str, Callable[[Source, str], str | bytes]] = {
    "mlir": _mlir,
    "generic": _generic,
    "mlirbc": _bytecode,
    "portable": _portable,
    "hlo": _hlo,
    "hlo-pb": _proto,
    "stablehlo-from-hlo": _from_hlo,
    "dot": _dot,
    "json": _json,
}
