"""Our exception classes, and where in the user's program an operation stands."""

from __future__ import annotations

import contextlib
import os
import re
import sys
import threading
from dataclasses import dataclass, replace
from types import CodeType
from typing import TypeVar

from tracer.scopes import Scope, path_of


@dataclass(frozen=True, slots=True)
class FileLine:
    """A place in a file: what a program that was read as text knows of where it came from.

    `text` is the whole of it as MLIR writes it, where that says more; `scope` its outermost
    name.
    """

    file: str
    line: int
    text: str = ""
    scope: str = ""


Location = tuple[CodeType, int, Scope | str | None, int] | FileLine | None
"""A place in the user's program: a line of a text, or else a code object, an instruction's offset
in it, the scope that it was recorded in (or its path), and how many derivatives deep it is."""

_FILES = (
    os.path.dirname(os.path.abspath(__file__)) + os.sep,
    contextlib.__file__,
    threading.__file__,
)
_PREFIX = f"{__package__}."
_MODULES = (__package__, contextlib.__name__, threading.__name__)
"""What is not the user's: this package, and what runs its context managers and threads."""
NO_PATTERN = (re.error, OverflowError, RecursionError)
"""What `re.compile` raises for what is no regular expression, or none that it can hold."""
_E = TypeVar("_E", bound=Exception)


class DeviceError(RuntimeError):
    """A device that is not there, or tensors on devices that do not meet."""


class CopyError(BufferError, ValueError):
    """A copy that copy=False rules out: what DLPack calls a BufferError, asarray a ValueError."""


class LoweringError(RuntimeError):
    """A program that could not be lowered, compiled or run."""


class TracingError(RuntimeError):
    """A value was looked at while a function is traced without running."""


_skipped: dict[str | None, bool] = {}
"""Whether a file, or a module, is one to skip, by its name, once it has been asked about."""


def is_ours(name: str | None) -> bool:
    """Whether a file, or a module, is not the user's."""
    ours = name is not None and (name in _MODULES or name.startswith((*_FILES, _PREFIX)))
    return _skipped.setdefault(name, ours)


if sys.version_info >= (3, 12):

    def locate(skip: int = 1, scope: Scope | None = None) -> Location:
        """The innermost frame outside this package: cheap, formatted only when wanted.

        `scope` is what the place gets besides. `skip` frames, counted from here, are known to be
        ours. Names of modules are had without making objects of frames, which would take most of
        the time.
        """
        name = sys._getframemodulename
        try:
            while _skipped[name(skip)]:
                skip += 1
            frame = sys._getframe(skip)
            if _skipped[frame.f_code.co_filename]:  # ours, by the name of what it wraps
                return locate(skip + 2, scope)
        except KeyError as unknown:
            is_ours(unknown.args[0])
            return locate(skip + 1, scope)
        except ValueError:  # past the outermost
            return None
        return frame.f_code, frame.f_lasti, scope, 0

else:

    def locate(skip: int = 1, scope: Scope | None = None) -> Location:
        """The same for Python 3.11, by the names of files."""
        frame = sys._getframe(skip)
        while _skipped.get(name := frame.f_code.co_filename) or is_ours(name):
            if frame.f_back is None:
                return None
            frame = frame.f_back
        return frame.f_code, frame.f_lasti, scope, 0


def source_line(location: Location) -> tuple[str, int]:
    """File name and line number of a location; ("<unknown>", 0) where there is none."""
    if location is None:
        return "<unknown>", 0
    if isinstance(location, FileLine):
        return location.file, location.line
    code, offset, _, _ = location
    for start, end, line in code.co_lines():
        if start <= offset < end and line is not None:
            return code.co_filename, line
    return code.co_filename, code.co_firstlineno


def scope_of(location: Location) -> str:
    """`LeNet.conv1`, or `grad(LeNet.conv1)` of what its derivative added; "" of no layer."""
    if location is None:
        return ""
    if isinstance(location, FileLine):
        return location.scope
    _, _, scope, order = location
    path = path_of(scope)
    for _ in range(order):
        path = _derived(path)
    return path


def _derived(scope: str) -> str:
    return f"grad({scope})" if scope else "grad"


def in_derivative(location: Location) -> Location:
    """The place of what the derivative of an operation at this place adds."""
    if isinstance(location, tuple):  # asked of every operation of a derivative
        code, offset, scope, order = location
        return code, offset, scope, order + 1
    return location and replace(location, text="", scope=_derived(location.scope))


def where(location: Location = None) -> str:
    """`file:line` of a location, or of the caller in the user's program; a name alone has none."""
    file, line = source_line(location or locate())
    return f"{file}:{line}" if line else file


def at_caller(error: _E, location: Location = None) -> _E:
    """The same error, its message followed by the user's file and line."""
    return type(error)(f"{error}\n  at {where(location)}")
