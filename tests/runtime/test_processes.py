"""Processes that share a directory: at the same time, and one after the other."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

SCRIPT = """
import numpy as np
import tracer as tr

a = np.array([[4.0, 2.0], [2.0, 3.0]], np.float32)
eager, lazy = tr.Device.default_eager(), tr.Device.default_xla()
root = tr.linalg.cholesky(tr.asarray(a, device=lazy)).numpy()  # a call into LAPACK
np.testing.assert_allclose(root @ root.T, a, rtol=1e-6)
assert (tr.asarray(a, device=eager) * 2.0).tolist() == [[8.0, 4.0], [4.0, 6.0]]
counted = tr.metrics.snapshot()
print(counted["compiles"], counted["disk_hits"])
"""


def start(directory: Path) -> subprocess.Popen[str]:
    """A process that compiles a lazy program and an eager one."""
    script = directory.parent / "script.py"
    script.write_text(SCRIPT, encoding="utf-8")
    settings = {"TRACER_DISK_CACHE": "1", "TRACER_CACHE_DIRECTORY": str(directory)}
    environment = {**os.environ, **settings, "PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-W", "error", str(script)]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)


def counts(process: subprocess.Popen[str]) -> tuple[int, int]:
    """How many programs it took, and how many of them it loaded."""
    printed, _ = process.communicate(timeout=120)
    assert process.returncode == 0
    compiles, hits = map(int, printed.split())
    return compiles, hits


def test_processes_that_write_the_same_entries_at_once(tmp_path: Path) -> None:
    directory = tmp_path / "programs"
    both = [start(directory), start(directory)]
    found = [counts(process) for process in both]
    programs = found[0][0]
    assert programs >= 2
    assert [compiles for compiles, _ in found] == [programs, programs]
    assert len(list(directory.glob("*.program"))) == programs
    assert list(directory.glob("*.tmp")) == []
    assert counts(start(directory)) == (programs, programs)
