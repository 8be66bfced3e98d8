"""pytest's way to hlo-opt: `.mlir` files whose RUN lines call it are tests.

A module of its own, at the top, because pytest loads it in every project of an environment: it
must cost nothing there, and be found where a project has packages of our names.
"""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from typing import Any

import pytest

_RUN = re.compile(rb"^\s*//\s*RUN:\s*(?:not\s+)?hlo-opt\s", re.MULTILINE)


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option of the ini file."""
    parser.addini(
        "hlo_opt_twice",
        "whether passes of RUN lines run a second time, which must change nothing",
        type="bool",
        default=False,
    )


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> Any:
    """A test for each RUN line."""
    if file_path.suffix != ".mlir" or not _RUN.search(file_path.read_bytes()):
        return None
    try:
        plugin = importlib.import_module("tools.pytest_plugin")
    except ImportError:
        return Hidden.from_parent(parent, path=file_path)
    return plugin.MlirFile.from_parent(parent, path=file_path)


class Hidden(pytest.File):
    """A file whose tests can't be run: an error of its own, not of those beside it."""

    def collect(self) -> Any:
        found = getattr(importlib.import_module("tools"), "__file__", None)
        raise self.CollectError(f"hlo-opt needs its package 'tools', but {found} hides it")
