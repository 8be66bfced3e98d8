"""`keep_memory`: a process is not given anew what it has freed."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

PROGRAM = """
import resource
import numpy as np
import tracer as tr

tr.Device.default_xla()
for _ in range(2):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    np.empty(64 << 20, np.uint8).fill(1)
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def faults(keep: str) -> int:
    """Pages that the system gives to 64 MiB of which as much was freed just before."""
    environment = os.environ | {"TRACER_KEEP_MEMORY": keep}
    command = [sys.executable, "-c", PROGRAM]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return int(ran.stdout)


@pytest.mark.skipif(sys.platform != "linux", reason="a matter of glibc")
def test_what_is_freed_is_kept() -> None:
    assert faults("1") * 10 < faults("0")
