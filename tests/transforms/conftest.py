"""Runs the tests that ask for `device` eagerly and lazily; counts what a test does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import tracer as tr
from tests.functions.oracle import device

__all__ = ["counted", "device"]


@pytest.fixture
def counted() -> Callable[[], dict[str, Any]]:
    """A function that gives what was counted since it was called last, or the test began."""
    last = [tr.metrics.snapshot()]

    def since() -> dict[str, Any]:
        before, last[0] = last[0], tr.metrics.snapshot()
        return tr.metrics.difference(last[0], before)

    return since
