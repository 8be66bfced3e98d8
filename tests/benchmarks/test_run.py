"""The command line names what there is, and small workloads run."""

from __future__ import annotations

import importlib

import pytest

from benchmarks.programs import ours_calls, ours_recording
from benchmarks.run import FAMILIES, parse


def test_all_are_run_by_default():
    assert parse([]).names == []
    assert parse(["lenet", "calls", "--rounds", "3"]).rounds == 3


@pytest.mark.parametrize("name", FAMILIES)
def test_each_makes_rows(name):
    assert callable(importlib.import_module(f"benchmarks.{name}").rows)


@pytest.mark.parametrize("argv", [["lennet"], ["--peers", "tensorflow"]])
def test_unknown_names_are_told(argv, capsys):
    with pytest.raises(SystemExit):
        parse(argv)
    assert "is named" in capsys.readouterr().err


def test_peers_are_names_or_all():
    assert parse(["--peers", "torch mlx"]).peers == ["torch", "mlx"]
    assert "torch_xla" in parse(["--peers", "all"]).peers
    assert parse([]).peers == []


@pytest.mark.parametrize(
    ("workload", "figures"),
    [
        (lambda: ours_calls.calls(2, count=2), {"seconds"}),
        (lambda: ours_recording.adds(2), {"seconds"}),
        (
            lambda: ours_recording.recording(8),
            {
                f"{part} {kind}"
                for part in ("record", "cut")
                for kind in ("x + y", "x * 0.999", "x.reshape(2)", "relu(x)", "grad of x * y")
            },
        ),
    ],
)
def test_workloads_answer_their_figures(workload, figures):
    run, facts = workload()
    found = run()
    assert set(found) == figures
    assert all(value > 0 for value in found.values())
    assert facts["version"].startswith("tracer ")
