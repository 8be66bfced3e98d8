"""The user's program: found, loaded, and shown when it raises."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.machinery import PathFinder, SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any

from tools.terminal import INTERRUPTED, RAISED, REFUSED, Failure, did_you_mean, print_error, say
from tracer.errors import LoweringError, TracingError

_ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_OURS = tuple(
    os.path.join(_ROOT, package) + os.sep for package in ("tracer", "lowering", "runtime", "tools")
)
_LOADERS = os.path.dirname(importlib.__file__) + os.sep
_HIDING = ("tracer", "lowering", "runtime")
_NO_VALUES = (
    "tracing has no values to look at: choose by value with tracer.where, or dump what really runs "
    "with dump-hlo run"
)


@contextmanager
def looking_in(folder: str) -> Iterator[None]:
    """Inside, modules are looked for in a folder first, as Python does for a script's own.

    A module of the user's is not hidden by our package `tools`. One that hides the library, where
    Python runs without us, is named.
    """
    path, ours = list(sys.path), {n: m for n, m in sys.modules.items() if _is_tool(n)}
    sys.path.insert(0, folder)
    for name in ours:
        del sys.modules[name]
    for package in _HIDING:
        found = PathFinder.find_spec(package, [folder])
        origin = found.origin if found else None
        if origin and not os.path.realpath(origin).startswith(os.path.realpath(_ROOT) + os.sep):
            say(f"without dump-hlo {origin} hides tracer's own {package!r}: rename that file")
    try:
        yield
    finally:
        for name in [n for n in sys.modules if _is_tool(n)]:
            del sys.modules[name]
        sys.modules.update(ours)
        sys.path[:] = path


def _is_tool(name: str) -> bool:
    return name == "tools" or name.startswith("tools.")


def split(target: str) -> tuple[str, str]:
    """`MODULE` or `FILE.py`, and `NAME`. Raises Failure."""
    place, _, path = target.rpartition(":")
    if not place or not path:
        raise Failure(f"a target is MODULE:FUNCTION or FILE.py:FUNCTION, got {target!r}")
    if place.endswith(".py") and not os.path.isfile(place):
        raise Failure(f"there is no file {place!r}")
    return place, path


def folder_of(place: str) -> str:
    """Where the modules of a script, or of a module's name, are looked for."""
    return os.path.dirname(os.path.abspath(place)) if place.endswith(".py") else os.getcwd()


def load(place: str, path: str) -> Any:
    """What a module or a file holds by a dotted name.

    Raises Failure, and what the module raises.
    """
    found: Any = load_module(place)
    owner = place
    for name in path.split("."):
        if not hasattr(found, name):
            raise Failure(f"{owner} has no {name!r}{_hint(found, name)}")
        found, owner = (
            getattr(found, name),
            f"{owner}:{name}" if owner == place else f"{owner}.{name}",
        )
    return found


def load_module(place: str) -> ModuleType:
    """The module of this name or in this file. Raises Failure, and what the module raises."""
    return _load_file(place) if place.endswith(".py") else _load_module(place)


def _load_file(path: str) -> ModuleType:
    name = Path(path).stem
    spec = importlib.util.spec_from_loader(name, SourceFileLoader(name, os.path.abspath(path)))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault(name, module)
    spec.loader.exec_module(module)
    return module


def _load_module(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise
        raise Failure(f"no module is named {error.name!r}, here or among the installed") from None


def _hint(owner: Any, name: str) -> str:
    """What can be called there and was written there rather than imported, where that is known."""
    found = {n: getattr(owner, n) for n in dir(owner) if not n.startswith("_")}
    names = [n for n, value in found.items() if callable(value)]
    home = getattr(owner, "__name__", None)
    own = [n for n in names if getattr(found[n], "__module__", None) == home] or names
    return did_you_mean(name, own) or f"; it has {', '.join(own[:10]) or 'none'}"


def failure_of(name: str, error: BaseException) -> Failure:
    """What the user's program raised, its traceback printed, our frames left out."""
    if isinstance(error, KeyboardInterrupt):
        return Failure(f"{name} was interrupted{_place_of(error)}", INTERRUPTED)
    if isinstance(error, SystemExit):
        said = isinstance(error.code, str)
        print_error(f"{error.code}\n" if said else "")
        return Failure(f"{name} exited with code {1 if said else error.code or 0}", RAISED)
    print_error(_user_traceback(error))
    message = f"{name} raised {type(error).__name__}{_place_of(error)}"
    if isinstance(error, TracingError):
        message += f"\n{_NO_VALUES}"
    return Failure(message, REFUSED if isinstance(error, LoweringError) else RAISED)


def _is_ours(file: str) -> bool:
    return os.path.abspath(file).startswith((*_OURS, _LOADERS)) or file.startswith("<frozen ")


def _user_traceback(error: BaseException) -> str:
    """The traceback as Python prints it, without our frames and those that import modules."""
    shown = traceback.TracebackException.from_exception(error)
    chain: list[traceback.TracebackException | None] = [shown]
    while chain:
        link = chain.pop()
        if link is not None:
            kept = [frame for frame in link.stack if not _is_ours(frame.filename)]
            link.stack = traceback.StackSummary.from_list(kept)
            chain += [link.__cause__, link.__context__, *(link.exceptions or [])]
    return "".join(shown.format())


def _place_of(error: BaseException) -> str:
    """` at file:line` of the user's innermost frame; empty where there is none."""
    frames = traceback.extract_tb(error.__traceback__)
    users = [f"{f.filename}:{f.lineno}" for f in frames if not _is_ours(f.filename)]
    return f" at {users[-1]}" if users else ""
