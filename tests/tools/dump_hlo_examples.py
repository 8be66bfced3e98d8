"""Programs to dump, and ways to call the command."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

MODEL = """\
import tracer as tr


def loss(x, w):
    h = tr.tanh(x @ w)
    return tr.mean(h * h)


def twice(x):
    return x + x


class Layer(tr.tree.Module):
    def __init__(self):
        self.scale = tr.ones((3,))

    def __call__(self, x):
        return x * self.scale


layer = Layer()
number = 3
weights = tr.ones((3,)) * 2.0


def closed(x):
    return x * weights


def constant():
    return tr.ones((2,)) + 1.0


class Sized:
    def __init__(self, n):
        self.n = n

    def __call__(self, x):
        return x


def looks(x):
    if tr.sum(x) > 0:
        return x
    return -x


def divides(x):
    print("the user's own words")
    return x / (1 // 0)


def nothing(x):
    return None


def leaves():
    raise SystemExit
"""

TRAIN = """\
import sys

import tracer as tr

device = tr.Device.default_xla()
weight = tr.ones((3, 2), device=device)
for step in range(4):
    x = tr.ones((4, 3), device=device) * 0.5
    weight = weight - tr.mean(x @ weight) * (0.1 / (step + 1))
    tr.barrier()
print("sum", round(float(tr.sum(weight)), 3), *sys.argv)
print(tr.sum(tr.asarray([1.0, 2.0], device=tr.Device.default_eager())))
if "raise" in sys.argv:
    raise ValueError("on purpose")
if "exit" in sys.argv:
    sys.exit(3)
if "fine" in sys.argv:
    sys.exit(0)
"""


def command(*argv: str, shell: str = "") -> subprocess.CompletedProcess[str]:
    """The real command, without the current folder on its path, as when installed."""
    call = [sys.executable, "-P", "-m", "tools.dump_hlo", *argv]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    if shell:
        script = f'"$@" | {shell}; exit "${{PIPESTATUS[0]}}"'
        call = ["bash", "-c", script, "bash", *call]
    return subprocess.run(call, capture_output=True, text=True, env=environment, check=False)


Said = Callable[..., tuple[int, str, str]]
"""The command in this process: its exit code, standard output and standard error."""
