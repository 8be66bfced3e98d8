"""Programs that a command line names: a file, standard input, or one of a bundle, of any format."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal, Self

from lowering.artifact import MAGIC, text_of
from runtime import pjrt
from tools.hlo_opt.text import read_module
from tools.places.comments import placed
from tools.runs.bundle import Bundle, Entry, in_bundle, is_bundle
from tools.terminal import UNREADABLE, Failure, did_you_mean
from tracer.errors import LoweringError
from tracer.ir import Module

Kind = Literal["stablehlo", "hlo"]

DEFAULT_STAGE = "lowered"
"""The stage of a bundle's program where none is named and it has this: what XLA was given."""
_READABLE = (
    "what is read: StableHLO as text, MLIR bytecode, portable artifact or serialized jax Exported; "
    "HLO as text or proto; BUNDLE:ID[@STAGE]"
)
_TITLES = {"stablehlo": "StableHLO", "hlo": "HLO"}
_HOW = {
    "stablehlo": "dump-hlo convert {} OUT.mlir --to stablehlo-from-hlo",
    "hlo": "dump-hlo convert {} OUT.hlo",
}
_CONTROL = re.compile("[\0-\x08\x0e-\x1a\x1c-\x1f]")


@dataclass(frozen=True)
class Source:
    """One program as text. `name` is what messages call it.

    `form` is what it was: "text", "bytecode", "portable artifact of StableHLO_v1.9.0", "proto".
    `entry` is the program of the bundle that it comes from.
    """

    name: str
    kind: Kind
    text: str
    form: str = "text"
    entry: Entry | None = None

    @cached_property
    def module(self) -> Module:
        """The program as our IR, comments that are places read as such.

        Raises Failure with file, line, column and a caret.
        """
        return placed(self.need("stablehlo").text, lambda text: read_module(text, self.name))

    def need(self, kind: Kind) -> Self:
        """Itself. Raises Failure, which says how to convert, where it is of the other kind."""
        if self.kind == kind:
            return self
        how = _HOW[kind].format(self.name)
        message = f"{self.name} is {_TITLES[self.kind]}, {_TITLES[kind]} is needed: {how}"
        raise Failure(message, UNREADABLE)


def read_source(spec: str) -> Source:
    """The program that FILE, - or BUNDLE:ID[@STAGE] names.

    Raises Failure: of usage for what is not there, UNREADABLE for what is no program.
    """
    if not spec:
        raise Failure("a FILE is needed, its name is empty")
    if spec == "-":
        return of_bytes("<stdin>", b"" if sys.stdin is None else sys.stdin.buffer.read())
    if named := in_bundle(spec):
        return _of_bundle(*named)
    if is_bundle(spec):
        ids = ", ".join(entry.id for entry in Bundle.open(spec).entries[:8]) or "none"
        raise Failure(f"{spec} is a bundle, a program of it is needed: {spec}:ID; it has {ids}")
    return of_bytes(spec, _bytes_of(spec))


def of_bytes(name: str, data: bytes) -> Source:
    """The program that the bytes of a file hold. Raises Failure."""
    if not data.strip():
        raise Failure(f"{name} is empty: there is no program in it", UNREADABLE)
    text = _text(data)
    if text is not None:
        return Source(name, _kind(text), text)
    try:
        return Source(name, "stablehlo", text_of(data, name), _form(data))
    except LoweringError as error:
        if data.startswith(MAGIC):
            raise Failure(f"{error}\n{len(data)} bytes of {_form(data)}", UNREADABLE) from None
    try:
        return Source(name, "hlo", pjrt.hlo_of_proto(_module_proto(data)), "proto")
    except pjrt.CompileError:
        found = f"{len(data)} bytes that start with {data[:8]!r}"
        raise Failure(f"{name} is no program: {found}\n{_READABLE}", UNREADABLE) from None


def _of_bundle(path: str, rest: str) -> Source:
    """The program of a bundle that ID[@STAGE] names."""
    name, _, stage = rest.partition("@")
    entry = Bundle.open(path).entry(name)
    stage = stage or next((s for s in (DEFAULT_STAGE, *entry.stages) if s in entry.stages), "")
    text = stored_text(f"{path}:{entry.id}", entry, stage)
    if text is None:
        raise Failure(_no_stage(f"{path}:{entry.id}", stage, entry.stages))
    return Source(f"{path}:{entry.id}@{stage}", _kind(text), text, entry=entry)


def stored_text(name: str, entry: Entry, stage: str) -> str | None:
    """The text that a bundle has at a stage; None where it has none. Raises Failure.

    A file that the bundle names, and that is missing or empty, was lost.
    """
    file, text = entry.facts["stages"].get(stage), entry.text(stage)
    if file is not None and not (text or "").strip():
        how = "missing" if text is None else "empty"
        raise Failure(f"{name}: {file}, its text at {stage}, is {how} in the bundle", UNREADABLE)
    return text


def _no_stage(name: str, stage: str, there: Sequence[str]) -> str:
    hint = did_you_mean(stage, there) or f"; it has {', '.join(there) or 'none'}"
    return f"{name} has no stage {stage!r}{hint}"


def _bytes_of(file: str) -> bytes:
    try:
        return Path(file).read_bytes()
    except (OSError, ValueError) as error:
        raise Failure(f"{file}: {getattr(error, 'strerror', error)}") from None


def _text(data: bytes) -> str | None:
    """The text that bytes are; None for anything that is no text."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None
    return None if _CONTROL.search(text) else text


def _kind(text: str) -> Kind:
    """Comments aside, HLO starts with its keyword."""
    return "hlo" if re.match(r"(?:\s|//[^\n]*\n)*HloModule\b", text) else "stablehlo"


def _form(data: bytes) -> str:
    """What MLIR's bytecode says of its writer; a portable artifact names StableHLO's version."""
    if not data.startswith(MAGIC):
        return "a serialized jax Exported"
    writer = data[len(MAGIC) + 1 :].split(b"\0", 1)[0][:64].decode(errors="replace")
    return f"portable artifact of {writer}" if writer.startswith("StableHLO") else "bytecode"


def _module_proto(data: bytes) -> bytes:
    """The HloModuleProto of an HloProto, whose first field it is; else the same."""
    at, length, shift = 1, 0, 0
    while data[:1] == b"\n" and at < min(len(data), 10):
        length |= (data[at] & 127) << shift
        at, shift = at + 1, shift + 7
        if data[at - 1] < 128:
            break
    inner = data[at : at + length]
    # a module begins with its name, whose field has the same number
    return inner if inner[:1] == b"\n" and len(inner) == length else data
