"""Lines in a profile of programs that another process compiled, of a script that was another."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import tracer as tr
from tests.observing import observed
from tracer.events import Run
from tracer.profiled import Programs
from tracer.profiles import Trace, TraceEvent, Track, device_ops

SCRIPT = """\
import gzip
import json
import numpy as np
import tracer as tr

x = tr.asarray(np.ones((64, 64), np.float32), device=tr.Device.default_xla())
small = tr.asarray(np.ones(5, np.float32))
double = tr.jit(lambda x: tr.tanh(x) * 2.0)  # jit
double(x)
with tr.profile("profile") as taken:
    double(x)
    y = tr.exp(x @ x)  # lazy
    tr.barrier()
    tr.cos(small)  # eager
def shown():
    with gzip.open("profile/trace.json.gz") as file:
        events = json.load(file)["traceEvents"]
    return [(e["args"]["hlo_op"], e["args"].get("places")) for e in events if "hlo_op" in e["args"]]
at_first = shown()
before = tr.metrics.snapshot()
ops = taken.slowest(99)
after = tr.metrics.snapshot()
assert before == after, (before, after)
lines = [[op.name, op.program, [place.line for place in op.places]] for op in ops]
traces = [sorted(at_first), sorted(shown())]
print(json.dumps([before["compiles"], before["disk_hits"], sorted(lines), traces]))
"""
UNKNOWN = "not known yet: the program came from the disk; report() of the profile puts them here"
OTHER = """
with tr.profile("profile") as taken:
    tr.config.disk_cache = False
    tr.jit(lambda x: {})(x)  # other
    tr.config.disk_cache = True
"""


Ran = tuple[int, int, list[Any], list[Any]]


def ran(directory: Path, script: str) -> Ran:
    """Compiles, how many from the disk, each operation with its program and lines; the traces.

    These hold operations with their lines, before they were asked for and then.
    """
    (directory / "train.py").write_text(script, encoding="utf-8")
    settings = {"TRACER_DISK_CACHE": "1", "TRACER_CACHE_DIRECTORY": str(directory / "programs")}
    environment = {**os.environ, **settings, "PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-W", "error", "train.py"]
    found = subprocess.run(
        command, cwd=directory, env=environment, capture_output=True, text=True, timeout=120
    )
    assert found.returncode == 0, found.stderr
    compiles, hits, ops, traces = json.loads(found.stdout)
    return compiles, hits, ops, traces


def line_of(script: str, mark: str) -> int:
    (found,) = (i for i, x in enumerate(script.splitlines(), 1) if x.endswith(f"# {mark}"))
    return found


def test_programs_from_the_disk_have_the_lines_of_this_process(tmp_path: Path) -> None:
    compiles, hits, first, whole = ran(tmp_path, SCRIPT)
    assert (compiles, hits) == (3, 0)
    assert sorted({line for _, _, lines in first for line in lines}) == sorted(
        line_of(SCRIPT, mark) for mark in ("jit", "lazy", "eager")
    )
    assert all(lines for _, _, lines in first)
    compiles, hits, second, traces = ran(tmp_path, f"# one line more\n{SCRIPT}")
    assert (compiles, hits) == (3, 3)
    assert second == [[name, program, [i + 1 for i in at]] for name, program, at in first]
    assert whole[0] == whole[1]
    assert [places for _, places in traces[0]] == [[UNKNOWN]] * len(traces[0])
    moved = {(name, *(f"train.py:{int(at[9:]) + 1}" for at in places)) for name, places in whole[1]}
    assert {(name, *places) for name, places in traces[1]} == moved  # some in several threads


def test_the_trace_of_a_later_profile_is_left_alone(tmp_path: Path) -> None:
    taken = tr.profile(tmp_path)
    trace = Trace(b"", [], {})
    taken._write_trace(trace)
    (tmp_path / "trace.json.gz").write_bytes(b"another")
    taken._write_again(trace)
    assert (tmp_path / "trace.json.gz").read_bytes() == b"another"


@pytest.mark.parametrize("other", ["tr.sin(x) + 3.0", "tr.tanh(x) * 3.0"])
def test_a_program_of_this_process_with_the_same_number(tmp_path: Path, other: str) -> None:
    ran(tmp_path, SCRIPT)
    script = SCRIPT.replace(
        '\nwith tr.profile("profile") as taken:', OTHER.format(other).rstrip()
    ).replace("double(x)\n", "", 1)
    compiles, hits, ops, _ = ran(tmp_path, script)
    assert (compiles, hits) == (4, 3)
    lines = [tuple(at) for _, _, at in ops]
    marks = ("jit", "lazy", "eager", "other")
    assert sorted({*lines}) == sorted((line_of(script, mark),) for mark in marks)
    lambdas = {tuple(at): program for _, program, at in ops if program.startswith("_lambda_")}
    assert len({*lambdas.values()}) == len(lambdas) == 2


def test_programs_that_look_alike_are_told_by_how_often_they_ran() -> None:
    programs = Programs(lambda text: {"tanh": (tr.errors.FileLine("a.py", len(text)),)})
    for shape, times in ((3, 2), (4, 1)):
        x = tr.ones(shape, device=tr.Device.default_xla())
        with observed(Run) as runs:
            (x * 2.0).numpy()
        for _ in range(times):
            programs.finished(runs[-1])
    for i, known in enumerate(programs._ran.values()):
        known.text = "HloModule main\n" + " " * i
    seen = [(7, 1), (8, 1), (8, 2)]
    events = [
        TraceEvent("", at, 1, {"run_id": run}, "tanh", "main", key)
        for at, (key, run) in enumerate(seen)
    ]
    ops = device_ops(programs.complete(Trace(b"", [Track("", "", events)], {})))
    start = len("HloModule main\n")
    assert {op.count: op.places[0].line for op in ops} == {1: start + 1, 2: start}


def test_what_is_of_no_program_known_stays_as_it_is() -> None:
    programs = Programs(lambda text: pytest.fail("nothing ran"))
    trace = Trace(b"", [Track("", "", [TraceEvent("", 0, 1, {}, "tanh", "main", 7)])], {})
    assert programs.complete(trace) is trace
