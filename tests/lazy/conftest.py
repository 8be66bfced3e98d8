"""Fixtures of the tests of lazy semantics: the XLA device, and counters from zero."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

import tracer as tr
from tracer import programs


@pytest.fixture(autouse=True)
def device() -> Iterator[tr.Device]:
    """The XLA device as the default; nothing pending or compiled before."""
    xla = tr.Device.default_xla()
    with tr.default_device(xla):
        tr.barrier()
        programs.clear()
        yield xla
        tr.barrier()


@pytest.fixture
def counted() -> Callable[[], dict[str, Any]]:
    """A function that gives what was counted since the test began."""
    before = tr.metrics.snapshot()
    return lambda: tr.metrics.difference(tr.metrics.snapshot(), before)
