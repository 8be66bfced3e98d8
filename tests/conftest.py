"""Collects the RUN lines of `tests/filecheck/**/*.mlir`, installed anew or not.

Programs are compiled, not loaded from the user's cache: here and in processes that tests start.
"""

import os
import re

import pytest

from tracer import recompiles
from tracer.config import config

pytest_plugins = ["pytest_hlo_opt", "pytester"]

os.environ["TRACER_DISK_CACHE"] = "0"
config.disk_cache = False


MANY = re.compile(r"tests/(functions|ops|conformance)/")
"""Tests that go through shapes and dtypes: each is another program, at one line."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Such tests are not warned of the programs that they compile in a row."""
    for item in items:
        if MANY.search(item.path.as_posix()):
            item.add_marker(pytest.mark.filterwarnings("ignore:.* compiled 3 times in a row"))


@pytest.fixture(autouse=True)
def nothing_compiled_before() -> None:
    """Tests of one function, for several parameters, compile at the same lines."""
    recompiles.clear()
