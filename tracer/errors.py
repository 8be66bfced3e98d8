"""Our exception classes, and where in the user's program an operation stands."""

import contextlib
import os
import sys
from dataclasses import dataclass
from types import CodeType
from typing import TypeVar


@dataclass(frozen=True, slots=True)
class FileLine:
    """A place in a file: what a program that was read as text knows of where it came from.

    `text` is the whole of it as MLIR writes it, where that says more.
    """

    file: str
    line: int
    text: str = ""


Location = tuple[CodeType, int] | FileLine | None
"""A place in the user's program: a code object and an instruction's offset in it, or a line."""

_SKIPPED = (os.path.dirname(os.path.abspath(__file__)) + os.sep, contextlib.__file__)
"""Files that are not the user's: this package, and what runs its context managers."""
_E = TypeVar("_E", bound=Exception)


class DeviceError(RuntimeError):
    """A device that is not there, or tensors on devices that do not meet."""


class CopyError(BufferError, ValueError):
    """A copy that copy=False rules out: what DLPack calls a BufferError, asarray a ValueError."""


class LoweringError(RuntimeError):
    """A program that could not be lowered, compiled or run."""


class TracingError(RuntimeError):
    """A value was looked at while a function is traced without running."""


class _Files(dict[str, bool]):
    """Whether a file is one to skip, by name: a look-up costs less than a comparison."""

    def __missing__(self, name: str) -> bool:
        self[name] = name.startswith(_SKIPPED)
        return self[name]


_is_skipped = _Files()


def locate(skip: int = 1) -> Location:
    """The innermost frame outside this package: cheap, formatted only when wanted.

    `skip` frames, counted from here, are known to be ours.
    """
    frame = sys._getframe(skip)
    while _is_skipped[frame.f_code.co_filename]:
        if frame.f_back is None:
            return None
        frame = frame.f_back
    return frame.f_code, frame.f_lasti


def source_line(location: Location) -> tuple[str, int]:
    """File name and line number of a location; ("<unknown>", 0) where there is none."""
    if location is None:
        return "<unknown>", 0
    if isinstance(location, FileLine):
        return location.file, location.line
    code, offset = location
    for start, end, line in code.co_lines():
        if start <= offset < end and line is not None:
            return code.co_filename, line
    return code.co_filename, code.co_firstlineno


def where(location: Location = None) -> str:
    """`file:line` of a location, or of the caller in the user's program; a name alone has none."""
    file, line = source_line(location or locate())
    return f"{file}:{line}" if line else file


def at_caller(error: _E, location: Location = None) -> _E:
    """The same error, its message followed by the user's file and line."""
    return type(error)(f"{error}\n  at {where(location)}")
