"""The benchmarks: `python -m benchmarks.run` for all and RESULTS.md, or with names for some."""

from __future__ import annotations

import argparse
import datetime
import importlib
import os
import platform
import sys
import time
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path

from benchmarks import environments, measure
from benchmarks.race import ROUNDS
from benchmarks.results import HEAD, Row, document

FAMILIES = (
    "lenet",
    "recording",
    "calls",
    "first_step",
    "epoch",
    "transformer",
    "resnet",
    "eager",
    "memory",
    "linear",
    "resident",
    "imports",
)
RESULTS = Path(__file__).with_name("RESULTS.md")
HOW = (
    "Each contender is a process of its own, and a peer has an environment of its own. They run "
    "one round each in turn, A B C A B C, after two rounds to warm up.",
    f"A figure is the median of {ROUNDS} rounds, of 7 where a step takes seconds and of 3 where a "
    "round does not vary (memory) or takes a minute (24 layers, compiled). Ratios are of medians.",
    "Contenders start from the same weights and batches; where their losses are not equal to 1e-4 "
    "in the first steps, the row is not measured.",
    "PyTorch has as many threads as the machine has cores; of its memory formats and ways to load "
    "data, the best is taken.",
    "tracer's disk cache is off, but in the rows that name it; JAX's is off as it is by default.",
    "JAX donates what a step replaces. Where an operation is measured, it is one of many alike.",
)


def machine() -> list[str]:
    """Where and when this runs, and what with."""
    names = ("jax", "jaxlib", "numpy")
    versions = ", ".join(f"{name} {metadata.version(name)}" for name in names)
    return [
        f"Date: {datetime.datetime.now(datetime.UTC).date()}",
        f"Machine: {os.cpu_count()} cores, {_processor()}, {platform.system()}",
        f"Python {platform.python_version()}, {versions}",
        "Peers: " + ", ".join(_peers()),
        f"A loop of a million additions in Python took {_loop() * 1e3:.0f} ms at the start",
    ]


def _loop() -> float:
    """Seconds of something known, which tells how fast the machine is at the moment."""

    def add() -> None:
        total = 0
        for i in range(1_000_000):
            total += i

    return min(measure.seconds(add) for _ in range(3))


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.machine()
    models = {line.partition(": ")[2] for line in lines if line.startswith("model name")}
    return f"{platform.machine()}, {', '.join(sorted(models))}"


def _peers() -> list[str]:
    installed = [peer for peer in environments.REQUIREMENTS if environments.python(peer)]
    return [environments.REQUIREMENTS[peer][-2] for peer in installed] or ["none"]


def gather(names: Sequence[str], rounds: int) -> list[Row]:
    """The rows of these families, printed as they come."""
    rows = []
    print(HEAD, sep="\n", flush=True)
    for name in names:
        start = time.perf_counter()
        found = importlib.import_module(f"benchmarks.{name}").rows(rounds)
        rows += found
        print("\n".join(map(str, found)), flush=True)
        print(f"{name}: {time.perf_counter() - start:.0f} s", file=sys.stderr, flush=True)
    return rows


def parse(argv: Sequence[str] | None = None) -> argparse.Namespace:
    """The command line; `peers` as a list."""
    peers = tuple(environments.REQUIREMENTS)
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(FAMILIES)}")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="counted rounds of a race")
    parser.add_argument("--peers", default="", help=f"to install: of {', '.join(peers)}; or all")
    parser.add_argument("--python", default=sys.executable, help="the Python of the peers")
    arguments = parser.parse_args(argv)
    arguments.peers = peers if arguments.peers == "all" else arguments.peers.split()
    _need_known(parser, "benchmark", arguments.names, FAMILIES)
    _need_known(parser, "peer", arguments.peers, peers)
    return arguments


def _need_known(
    parser: argparse.ArgumentParser, kind: str, names: Sequence[str], known: Sequence[str]
) -> None:
    for name in names:
        if name not in known:
            parser.error(f"no {kind} is named {name!r}; there are {', '.join(known)}")


def main(argv: Sequence[str] | None = None) -> None:
    """Writes RESULTS.md where all ran."""
    arguments = parse(argv)
    environments.install(arguments.peers, arguments.python)
    facts = machine()
    print("\n".join(facts))
    rows = gather(arguments.names or FAMILIES, arguments.rounds)
    if not arguments.names:
        RESULTS.write_text(document(facts, rows, HOW))


if __name__ == "__main__":
    main()
