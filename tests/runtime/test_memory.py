"""`keep_memory`: a step of a large program is not given its memory anew."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

PROGRAM = """
import resource
import tracer as tr

device = tr.Device.default_xla()
x = tr.ones((2048, 2048), device=device)
tr.barrier()

def step(x):
    for _ in range(4):
        x = tr.linalg.matmul(x, x.T) * 1e-4
    return x

def faults():
    for _ in range(2):
        step(x).numpy()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(3):
        step(x).numpy()
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

print(faults())
"""


def faults(keep: str) -> int:
    """Pages that the system gave to three steps of a process."""
    environment = os.environ | {"TRACER_KEEP_MEMORY": keep}
    command = [sys.executable, "-c", PROGRAM]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return int(ran.stdout)


@pytest.mark.skipif(sys.platform != "linux", reason="a matter of glibc")
def test_what_is_freed_is_kept() -> None:
    assert faults("1") * 10 < faults("0")
