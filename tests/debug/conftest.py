"""Runs the tests that ask for `device` eagerly and lazily; says where a line of a test is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import tracer as tr
from tests.functions.oracle import device
from tests.transforms.conftest import counted
from tracer.recording import swap

__all__ = ["at", "counted", "device", "lazy"]


@pytest.fixture
def lazy() -> Iterator[tr.Device]:
    """The lazy device, made the default, with a recording that has warned of nothing yet."""
    with tr.default_device(tr.Device.default_xla()) as chosen:
        before = swap(chosen, None)
        yield chosen
        swap(chosen, before)


@pytest.fixture
def at(request: pytest.FixtureRequest) -> Callable[[str], str]:
    """`file:line` of the line of the test's file that ends in `# mark`."""
    path = Path(request.fspath)
    lines = path.read_text(encoding="utf-8").splitlines()

    def place(mark: str) -> str:
        (number,) = [i for i, line in enumerate(lines, 1) if line.endswith(f"  # {mark}")]
        return f"{path}:{number}"

    return place
