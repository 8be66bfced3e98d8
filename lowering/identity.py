"""What decides what the passes make of a program, so that who knows it need not run them."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from typing import Any, cast

import ml_dtypes
import numpy as np

from lowering.passes.registry import find_pass
from lowering.rewriting import RuleSet
from lowering.statistics import is_counting
from tracer.config import config, started
from tracer.ops import OPS

_PACKAGES = ("lowering", "tracer")
_OF_TESTS = "lowering.testing"
"""What no pass runs: it brings FileCheck along, which is not from here."""
_ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_KNOWN = frozenset(
    (*_PACKAGES, *sys.stdlib_module_names, "jaxlib", "ml_dtypes", "numpy", "opt_einsum")
) - {"unittest"}
"""Packages whose code is the same wherever the sources and versions below are; mocks are not."""


def pipeline_identity(names: Sequence[str]) -> str | None:
    """A text that is equal where passes of these names make equal programs of equal ones.

    None where that can't be told, so that they have to run: someone is counting what they change or
    verifies it, a pass, a rule or an operation is not from here, or a source has changed since it
    was loaded.
    """
    if config.verify_passes or is_counting():
        return None
    sources = _sources()
    if sources is None or not all(map(_is_known, _code(names))):
        return None
    return "\n".join((*names, np.__version__, ml_dtypes.__version__, sources))


@cache
def _sources() -> str | None:
    """A hash of the source files, which are read once; None where one is newer than this process.

    All files, as passes are free to import any: that costs some 6 ms.
    """
    digest = hashlib.sha256()
    paths = list(_files())
    for path in paths:
        with open(path, "rb", buffering=0) as file:
            known, data = os.fstat(file.fileno()), file.read()
        if max(known.st_mtime, known.st_ctime) >= started:
            return None
        digest.update(f"{path.removeprefix(_ROOT)}:{len(data)}:".encode())
        digest.update(data)
    return digest.hexdigest() if paths else None


def _files() -> Iterator[str]:
    """The paths of the sources, in order; none where they are in an archive."""
    for package in _PACKAGES:
        for folder, folders, names in os.walk(os.path.join(_ROOT, package)):
            folders.sort()
            yield from (os.path.join(folder, n) for n in sorted(names) if n.endswith(".py"))


def _code(names: Sequence[str]) -> Iterator[Callable[..., Any]]:
    """What runs in passes: they, the rules, the meanings of operations, all else in `lowering`."""
    yield from (_within(find_pass(name).run) for name in names)
    for op in OPS.values():
        yield op.numpy
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == "lowering" and name != _OF_TESTS:
            for value in list(vars(module).values()):
                if isinstance(value, RuleSet):
                    yield from value
                elif callable(value):
                    yield value


def _within(run: Any) -> Callable[..., Any]:
    """The function that a registered pass was made of."""
    while isinstance(run, partial) and _is_known(run.func):
        run = run.args[-1]
    return cast("Callable[..., Any]", run)


def _is_known(code: Callable[..., Any]) -> bool:
    """Whether code is from one of these packages, and does not call what may be from elsewhere.

    A function is from where its globals are: `functools.wraps` copies `__module__`.
    """
    if isinstance(code, partial):
        return False
    names = getattr(code, "__globals__", None)
    module = getattr(code, "__module__", None) if names is None else names.get("__name__", "")
    return not isinstance(module, str) or module.partition(".")[0] in _KNOWN
