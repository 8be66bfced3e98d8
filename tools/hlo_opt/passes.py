"""Which passes there are, and which of them a command line asks for."""

from __future__ import annotations

import difflib
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from lowering import PASSES, PIPELINES
from lowering.passes import Pass
from tools.hlo_opt.arguments import Options
from tools.terminal import Failure
from tools.user_code import failure_of, folder_of, load_module, looking_in

_PACKAGES = ("tracer", "lowering", "runtime", "tools")
_OURS = dict(PASSES)
_modules: dict[str, dict[str, Pass]] = {}
"""The passes of each module that was loaded by its name: it registers them only once."""


@contextmanager
def loading(places: Sequence[str]) -> Iterator[None]:
    """Inside, the passes of these files and modules are known, as in a process of its own.

    Raises Failure.
    """
    before = dict(PASSES)
    try:
        if places:
            _set_passes(_OURS)
        for place in places:
            PASSES.update(_passes_of(place))
        yield
    finally:
        _set_passes(before)


def _set_passes(passes: Mapping[str, Pass]) -> None:
    PASSES.clear()
    PASSES.update(passes)


def _passes_of(place: str) -> dict[str, Pass]:
    if place in _modules:
        return _modules[place]
    before = dict(PASSES)
    folder = folder_of(place)
    with _forgotten(folder), looking_in(folder):
        _load(place)
    found = {name: p for name, p in PASSES.items() if name not in before}
    if not place.endswith(".py"):
        _modules[place] = found
    return found


def _load(place: str) -> None:
    if place.endswith(".py") and not os.path.isfile(place):
        raise Failure(f"--load: there is no file {place!r}")
    try:
        load_module(place)
    except Failure:
        raise
    except BaseException as error:
        raise failure_of(place, error) from None


@contextmanager
def _forgotten(folder: str) -> Iterator[None]:
    """Inside, no module of this folder is loaded yet; after it, none more than before."""
    before = _modules_of(folder)
    for name in before:
        del sys.modules[name]
    try:
        yield
    finally:
        for name in _modules_of(folder):
            del sys.modules[name]
        sys.modules.update(before)


def _modules_of(folder: str) -> dict[str, ModuleType]:
    """The user's modules that are loaded from a folder."""
    start = os.path.join(os.path.realpath(folder), "")
    return {
        name: module
        for name, module in sys.modules.items()
        if os.path.realpath(getattr(module, "__file__", None) or "").startswith(start)
        and not _is_foreign(name, module)
    }


def _is_foreign(name: str, module: ModuleType) -> bool:
    """Whether a module below the folder is not the user's: the library, what is installed."""
    ours = name.partition(".")[0] in _PACKAGES or name == "__main__"
    return ours or "site-packages" in Path(module.__file__ or "").parts


def listing() -> str:
    """A line for each pass: its name, and the first of its contract."""
    width = max(map(len, PASSES), default=0)
    return "".join(f"{row['name']:{width}}  {row['summary']}\n" for row in rows())


def rows() -> list[dict[str, str]]:
    """Name and summary of each pass."""
    return [{"name": name, "summary": p.summary} for name, p in sorted(PASSES.items())]


def selected(options: Options) -> tuple[str, ...]:
    """The passes to run, in order. Raises Failure for names that are not known."""
    words = _words(options)
    names: list[str] = []
    for word in words:
        names += PIPELINES[options.pipeline or "cpu"] if word == "default" else [word]
    left_out = [name[1:] for name in names if name.startswith("-")]
    kept = [name for name in names if not name.startswith("-")]
    check_known((*kept, *left_out), PASSES, "pass")
    for name in left_out:
        if name not in kept:
            raise Failure(f"--passes: {name} can't be left out, it is not among the others")
    chosen = tuple(name for name in kept if name not in left_out)
    check_known(options.print_after, ("all", "changed", "failure", *chosen), "pass to print after")
    check_known(options.print_before, ("all", *chosen), "pass to print before")
    check_known(options.trace_patterns, ("all", *chosen), "pass to trace")
    return chosen


def _words(options: Options) -> list[str]:
    given = (options.passes or "").split(",")
    words = [word.strip() for word in given if word.strip()]
    if options.pipeline is None:
        return words
    if options.passes is None:
        return ["default"]
    if "default" not in words:
        raise Failure("--pipeline says what default means, which --passes does not name")
    return words


def check_known(names: Iterable[str], known: Iterable[str], what: str) -> None:
    """Raises Failure for a name that is not known, with the closest that is."""
    there = sorted(known)
    for name in names:
        if name not in there:
            listed = ", ".join(there) or "none"
            raise Failure(f"no {what} is named {name!r}{_hint(name, there)}; there are: {listed}")


def _hint(name: str, known: Sequence[str]) -> str:
    close = difflib.get_close_matches(name, known, 1)
    return f", did you mean {close[0]!r}?" if close else ""
