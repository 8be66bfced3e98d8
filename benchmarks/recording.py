"""What recording an operation costs, tape and source position included, beside torch_xla."""

from __future__ import annotations

from benchmarks.race import ROUNDS, Contender, race
from benchmarks.results import Row, absolute, ratio

KINDS = ("x + y", "x * 0.999", "x.reshape(2)", "relu(x)", "grad of x * y")


def rows(rounds: int = ROUNDS) -> list[Row]:
    """Each kind of operation, recorded; then cut, where the program is known."""
    found = race(
        [
            Contender("tracer", "benchmarks.programs.ours_recording:recording"),
            Contender("torch_xla", "benchmarks.programs.xla_lenet:recording", {}, "torch_xla"),
        ],
        rounds,
    )
    ours, theirs = found["tracer"], found["torch_xla"]
    made = []
    for kind in KINDS:
        name = f"record {kind}"
        made.append(absolute(f"{name}, an operation", ours, name, 2.5, "µs", 1e6))
        made.append(ratio(f"{name}, an operation", ours, theirs, 0.6, name))
    for kind in KINDS:
        name = f"cut {kind}"
        made.append(absolute(f"{name}, an operation", ours, name, 0.8, "µs", 1e6))
        made.append(ratio(f"{name}, an operation", ours, theirs, None, name))
    return made
