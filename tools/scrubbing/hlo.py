"""HLO without names: a rewrite of its text.

Metadata, tables of files and frontend attributes go; instructions, computations and the module are
numbered. The elements of a constant that has several are left out, as XLA does with long ones.
"""

from __future__ import annotations

import re

from runtime import pjrt
from tools.terminal import UNREADABLE, Failure

_TABLES = re.compile(
    r"^(FileNames|FunctionNames|FileLocations|StackFrames)\n(.+\n)*\n?", re.MULTILINE
)
_NOTES = re.compile(
    r",? (?:metadata|frontend_attributes|origin|statistics)="
    r'\{(?:[^{}"]|"(?:[^"\\]|\\.)*"|\{(?:[^{}"]|"(?:[^"\\]|\\.)*"|\{[^{}]*\})*\})*\}'
)
_CONFIGURED = re.compile(r', backend_config="(?:[^"\\]|\\.)*"|(?<= = )"(?:[^"\\]|\\.)*"')
_COMMENT = re.compile(r"//.*|/\*.*?\*/")
_CONSTANT = re.compile(r" constant\(\{.*\}\)")
_DEFINED = re.compile(r"^\s*(?:ROOT )?%?([\w.-]+) = ", re.MULTILINE)
_COMPUTATION = re.compile(r"^(?:ENTRY )?%?([\w.-]+) (?:\(.*)?\{$", re.MULTILINE)
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|%?([A-Za-z_][\w.-]*)(?!\()')


def scrub_hlo(text: str) -> str:
    """The same program in form. Raises Failure for what is no HLO."""
    bare = _NOTES.sub("", _TABLES.sub("", text))
    bare = "\n".join(map(_line, bare.splitlines()))
    bare = _CONSTANT.sub(" constant({...})", bare)
    bare = re.sub(r"^HloModule [^\s,]+", "HloModule scrubbed", bare)
    names = {name: f"c{i}" for i, name in enumerate(dict.fromkeys(_COMPUTATION.findall(bare)))}
    for name in dict.fromkeys(_DEFINED.findall(bare)):
        names.setdefault(name, f"i{len(names)}")
    head, _, body = bare.partition("\n")
    made = f"{head}\n{_TOKEN.sub(lambda found: _new(found, names), body)}"
    made = re.sub(r"\n{3,}", "\n\n", _without_parameters(made)).rstrip("\n") + "\n"
    try:
        pjrt.hlo_to_proto(made)
    except pjrt.CompileError as error:
        message = str(error).splitlines()[0]
        raise Failure(f"the program can't be read as HLO: {message}", UNREADABLE) from None
    return made


def _line(line: str) -> str:
    """A line without comments, and of a custom call without what strings tell it."""
    bare = _COMMENT.sub("", line).rstrip()
    if " custom-call(" not in bare:
        return bare
    before, config, after = bare.partition(", backend_config=")
    return before + _CONFIGURED.sub(_quieted, config + after)


def _quieted(found: re.Match[str]) -> str:
    return '""' if found[0].startswith('"') else ""


def _new(found: re.Match[str], names: dict[str, str]) -> str:
    name = found[1]
    return f"%{names[name]}" if name in names else found[0]


def _without_parameters(text: str) -> str:
    """Computations without the list of their parameters, whose names are only for the reader."""
    return re.sub(r"^((?:ENTRY )?%c\d+) \(.*\) -> .* \{$", r"\1 {", text, flags=re.MULTILINE)
