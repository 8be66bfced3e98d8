"""What HLO text says of where its instructions come from: their metadata, and tables of places."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tracer.errors import FileLine

_METADATA = re.compile(r', metadata=\{((?:[^{}"]|"(?:[^"\\]|\\.)*"|\{[^{}]*\})*)\}')
_FIELD = re.compile(r'(\w+)=(?:"((?:[^"\\]|\\.)*)"|(\d+))')
_TABLE = re.compile(
    r"^(FileNames|FunctionNames|FileLocations|StackFrames)\n((?:\d+ .*\n?)*)\n*", re.M
)

Frames = dict[str, tuple[str, int]]
"""The file and line of each stack frame, by its number."""


def without_metadata(line: str) -> str:
    """A line of HLO without what it says of its place."""
    return _METADATA.sub("", line)


def without_tables(text: str) -> str:
    """HLO text without the tables of files, functions and stack frames."""
    return _TABLE.sub("", text)


def stack_frames(text: str) -> Frames:
    """The file and line of each `stack_frame_id`, where the text has tables of them."""
    tables = {name: _rows(rows) for name, rows in _TABLE.findall(text)}
    names = tables.get("FileNames", {})
    lines = {
        number: (_unescaped(names.get(fields.get("file_name_id", ""), "-")), fields.get("line"))
        for number, fields in _fields(tables.get("FileLocations", {}))
    }
    return {
        number: (file, int(line or 0))
        for number, fields in _fields(tables.get("StackFrames", {}))
        for file, line in [lines.get(fields.get("file_location_id", ""), ("-", "0"))]
    }


def _rows(text: str) -> dict[str, str]:
    pairs = (line.partition(" ") for line in text.splitlines())
    return {number: rest.removeprefix('"').removesuffix('"') for number, _, rest in pairs}


def _fields(rows: dict[str, str]) -> Iterable[tuple[str, dict[str, str]]]:
    return ((number, dict(re.findall(r"(\w+)=(\d+)", row))) for number, row in rows.items())


def metadata_of(line: str, frames: Frames) -> FileLine | None:
    """What a line says of its own place; "-" is the text itself, which no one wrote.

    A label alone has the file "" and the line 0.
    """
    found = _METADATA.search(line)
    if found is None:
        return None
    fields = {name: text or number for name, text, number in _FIELD.findall(found[1])}
    file, number = frames.get(fields.get("stack_frame_id", ""), ("-", 0))
    if "source_file" in fields:
        file, number = _unescaped(fields["source_file"]), int(fields.get("source_line", 0))
    scope = _unescaped(fields.get("op_name", ""))
    if file == "-":
        return FileLine("", 0, scope=scope) if scope else None
    return FileLine(file, number, scope=scope)


def _unescaped(text: str) -> str:
    """The string that HLO writes so: as C would, with bytes in octal."""
    raw = re.sub(
        rb"\\([0-7]{3}|.)",
        lambda found: bytes([int(found[1], 8)]) if len(found[1]) == 3 else found[1],
        text.encode(errors="surrogateescape"),
    )
    return raw.decode(errors="surrogateescape")
