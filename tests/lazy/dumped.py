"""What the tests of bundles share."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np

import tracer as tr
from tools.runs.bundle import Bundle


def opened(path: Path) -> Bundle:
    """A bundle that is whole."""
    bundle = Bundle.open(str(path))
    assert bundle.left_out == []
    return bundle


def names(bundle: Path) -> list[str]:
    """The names of its programs."""
    return sorted(path.name for path in (bundle / "programs").iterdir())


def kinds(bundle: Bundle) -> list[str]:
    """The kinds of its events."""
    return [event["kind"] for event in bundle.events]


def double(n=2):
    """A program of one operation, and its result."""
    return (tr.asarray(np.arange(n, dtype=np.float32)) * 2.0).numpy()


def child(
    code: str, cwd: Path, *arguments: str, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Runs Python code as a process of its own."""
    return subprocess.run(
        [sys.executable, "-W", "default", "-c", code, *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": os.getcwd(), **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
