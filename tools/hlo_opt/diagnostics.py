"""What errors a program announces, in `// expected-error @+1 {{...}}`, and whether they came."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_EXPECTED = re.compile(
    r"expected-(?P<kind>error|warning|note|remark)(?P<regex>-re)?"
    r"\s*(?:@(?P<place>[+-]\d+|above|below|unknown))?\s*\{\{(?P<text>(?:\{\{.*?\}\}|.)*?)\}\}(?!\})"
)
_PRODUCED = re.compile(r"(?P<file>.*?):(?P<line>\d+)(?::\d+)?: (?P<text>.*)")
_NOTE = "  note: "
_AT = re.compile(r"  at (?P<file>.*):(?P<line>\d+)")


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """An error, warning, note or remark: that came, or that is expected.

    `line` is None where it is not known; `pattern` is what the text has to hold.
    """

    kind: str
    line: int | None
    text: str
    pattern: str = ""
    at: int = 0

    def allows(self, other: Diagnostic) -> bool:
        """Whether one that came is the expected one."""
        places = self.line is None or other.line in (None, self.line)
        return self.kind == other.kind and places and bool(re.search(self.pattern, other.text))


def expected(text: str) -> Iterator[Diagnostic]:
    """What the comments of a text expect; above and below skip lines that expect something too."""
    lines = text.split("\n")
    for i, line in enumerate(lines):
        for found in _EXPECTED.finditer(line):
            pattern = _pattern(found["text"]) if found["regex"] else re.escape(found["text"])
            place = _line(lines, i, found["place"])
            yield Diagnostic(found["kind"], place, found["text"], pattern, i + 1)


def _pattern(text: str) -> str:
    """What {{ and }} enclose is a regular expression."""
    parts = re.split(r"\{\{(.*?)\}\}", text)
    return "".join(part if i % 2 else re.escape(part) for i, part in enumerate(parts))


def _line(lines: Sequence[str], at: int, place: str | None) -> int | None:
    """The line, counted from 1, that a comment in the line `at`, counted from 0, speaks of."""
    if place == "unknown":
        return None
    if place not in ("above", "below"):
        return at + 1 + int(place or 0)
    step = 1 if place == "below" else -1
    at += step
    while 0 <= at < len(lines) and _EXPECTED.search(lines[at]):
        at += step
    return at + 1


def produced(message: str, file: str) -> list[Diagnostic]:
    """The diagnostics that an error message for a file holds."""
    lines = message.split("\n")
    found = []
    for before, line in zip(["", *lines], lines, strict=False):
        if line.startswith(_NOTE):
            found.append(Diagnostic("note", None, line.removeprefix(_NOTE)))
        elif (at := _AT.fullmatch(line)) and at["file"] == file:
            found.append(Diagnostic("error", int(at["line"]), before))
        elif (error := _PRODUCED.fullmatch(line)) and error["file"] == file:
            found.append(Diagnostic("error", int(error["line"]), error["text"]))
    return found or [Diagnostic("error", None, lines[0])]


def differences(wanted: Sequence[Diagnostic], came: Sequence[Diagnostic], file: str) -> list[str]:
    """What did not come, and what came unexpected; notes may come unasked."""
    missing = list(wanted)
    messages = []
    for one in came:
        match = next((w for w in missing if w.allows(one)), None)
        if match is not None:
            missing.remove(match)
        elif one.kind != "note":
            messages.append(f"{_place(file, one.line)}: unexpected {one.kind}: {one.text}")
    for w in missing:
        messages.append(f'{file}:{w.at}: expected {w.kind} "{w.text}" was not produced')
    return messages


def _place(file: str, line: int | None) -> str:
    return file if line is None else f"{file}:{line}"
