"""What must hold on a GPU, and how fast it is there: `make gpu`, at most five minutes.

    python -m benchmarks.gpu [--device GPU] [--quick] [--output FILE] [CHECK ...]

Each check is a process of its own with a limit of time: what fails or hangs leaves the others
alone. Downloads nothing; the interpreter must have jax, the plugin of the device, and what tracer
needs. Exits with 0 where all passed, 1 where a check failed, 2 where a package or the
device is missing.
"""

from __future__ import annotations

import argparse
import datetime
import importlib.util
import os
import platform
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from benchmarks.race import last_words

ROOT = Path(__file__).parents[2]
LIMIT = 290
"""Seconds for all of it."""
TOGETHER = {
    "devices": 40,
    "operations": 90,
    "lenet": 90,
    "in-place": 60,
    "transfer": 60,
    "dlpack": 40,
    "jit": 60,
    "linalg": 60,
    "disk-cache": 60,
    "demo": 120,
}
"""Checks of what is right, and the seconds each may take; several run at a time."""
ALONE = {
    "out-of-memory": 60,
    "lenet-step": 60,
    "block-step": 60,
    "resnet-step": 90,
    "transformer-step": 120,
}
"""Checks that fill the memory or measure how fast it is, one at a time."""
NEEDED = (
    *("numpy", "ml_dtypes", "jax", "jaxlib", "opt_einsum"),  # jax brings these along
    *("optree", "typing_extensions", "platformdirs", "filelock"),
)


@dataclass(frozen=True)
class Outcome:
    """What became of a check: "" in `failure` where it passed."""

    name: str
    failure: str
    seconds: float
    output: str

    def __str__(self) -> str:
        title = f"{self.name}: {self.failure or 'passed'} ({self.seconds:.0f} s)"
        return "\n".join([title, *(f"    {line}" for line in self.output.splitlines())])


def missing(names: Iterable[str] = NEEDED) -> list[str]:
    """The packages that this interpreter lacks."""
    return [name for name in names if importlib.util.find_spec(name) is None]


def advice(names: Sequence[str]) -> str:
    """What to do about packages that are missing, with a network and without."""
    minor = ".".join(platform.python_version_tuple()[:2])
    listed = " ".join(names)
    return (
        f"{sys.executable} (Python {minor}) lacks: {', '.join(names)}.\n"
        f"Install them: {sys.executable} -m pip install {listed}\n"
        "For a machine without a network, on one that has it:\n"
        f"  pip install --target packages --no-deps --only-binary :all: --python-version {minor} "
        f"{listed}\n"
        "then carry the folder over, and run PYTHONPATH=packages make gpu"
    )


def why_not(kind: str) -> str:
    """Why tracer has no device of this kind; "" where it has one."""
    code = "import sys, tracer; tracer.Device(sys.argv[1])"
    tried = subprocess.run(
        [sys.executable, "-c", code, kind.upper()], cwd=ROOT, capture_output=True, text=True
    )
    return last_words(tried.stderr) if tried.returncode else ""


def run(name: str, arguments: argparse.Namespace, end: float) -> Outcome:
    """One check in a process of its own, killed with all of its children when its time is over."""
    limit = min({**TOGETHER, **ALONE}[name], end - time.monotonic())
    if limit <= 1:
        return Outcome(name, "FAILED: no time was left", 0, "")
    command = [sys.executable, "-m", "benchmarks.gpu.child", name, arguments.device]
    start = time.monotonic()
    child = subprocess.Popen(
        [*command, *(["--quick"] if arguments.quick else [])],
        cwd=ROOT,
        # PyTorch, and the checks that run at the same time, need some of the memory too
        env={"XLA_PYTHON_CLIENT_PREALLOCATE": "false", **os.environ, "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    try:
        output, _ = child.communicate(timeout=limit)
        failure = f"FAILED, exit {child.returncode}" if child.returncode else ""
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        output, _ = child.communicate()
        failure = f"FAILED: not done after {limit:.0f} s"
    return Outcome(name, failure, time.monotonic() - start, output)


def run_all(arguments: argparse.Namespace) -> list[Outcome]:
    """The outcomes, told as they come: first the checks that may run together."""
    end = time.monotonic() + arguments.limit
    outcomes = []

    def tell(outcome: Outcome) -> None:
        outcomes.append(outcome)
        print(outcome, end="\n\n", flush=True)

    with ThreadPoolExecutor(arguments.jobs) as pool:
        chosen = [name for name in arguments.checks if name in TOGETHER]
        for outcome in pool.map(lambda name: run(name, arguments, end), chosen):
            tell(outcome)
    for name in arguments.checks:
        if name in ALONE:
            tell(run(name, arguments, end))
    return outcomes


def summary(outcomes: Sequence[Outcome]) -> str:
    """One line, with the names of what failed."""
    failed = [outcome.name for outcome in outcomes if outcome.failure]
    passed = f"{len(outcomes) - len(failed)} of {len(outcomes)} checks passed"
    return f"{passed}; failed: {', '.join(failed)}" if failed else passed


def parse(argv: Sequence[str] | None = None) -> argparse.Namespace:
    """The command line."""
    names = [*TOGETHER, *ALONE]
    parser = argparse.ArgumentParser(prog="benchmarks.gpu", description=__doc__.splitlines()[0])
    parser.add_argument("checks", nargs="*", metavar="CHECK", help=f"of {', '.join(names)}")
    parser.add_argument("--device", default="GPU", help="the kind of device: GPU, CPU or TPU")
    parser.add_argument("--quick", action="store_true", help="small sizes, to try the checks")
    parser.add_argument("--output", type=Path, metavar="FILE", help="where to write it too")
    parser.add_argument("--jobs", type=int, default=4, help="how many checks run at a time")
    parser.add_argument("--limit", type=float, default=LIMIT, help="seconds for all of it")
    arguments = parser.parse_args(argv)
    for name in arguments.checks:
        if name not in names:
            parser.error(f"no check is named {name!r}; there are {', '.join(names)}")
    arguments.checks = arguments.checks or names
    return arguments


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the checks; the exit code."""
    arguments = parse(argv)
    lacking = missing()
    if lacking:
        print(advice(lacking), file=sys.stderr)
        return 2
    reason = why_not(arguments.device)
    if reason:
        print(f"nothing was checked: {reason}", file=sys.stderr)
        return 2
    outcomes = run_all(arguments)
    print(summary(outcomes))
    if arguments.output:
        when = datetime.datetime.now(datetime.UTC).isoformat(timespec="minutes")
        blocks = "\n\n".join(map(str, outcomes))
        text = f"{arguments.device}, {when}: {summary(outcomes)}\n\n{blocks}\n"
        arguments.output.write_text(text, encoding="utf-8")
    return int(any(outcome.failure for outcome in outcomes))


if __name__ == "__main__":
    sys.exit(main())
