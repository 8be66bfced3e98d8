"""The tutorial: what it reaches, what it prints, what it compiles."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

import tracer as tr
from tests.observing import observed
from tracer import programs
from tracer.events import Compile

PATH = Path(__file__).parent.parent.parent / "examples" / "lenet_mnist.py"
DIGITS = Path(tr.__file__).parent / "data" / "digits"
LINE = re.compile(
    r"epoch +(\d+): training loss \d\.\d{3}, accuracy \d+/3968 \(\d+\.\d %\); "
    r"test loss \d\.\d{3}, accuracy \d+/1000 \(\d+\.\d %\); \d+\.\d\d s"
)


@pytest.fixture(scope="module")
def example():
    """The example as a module."""
    spec = importlib.util.spec_from_file_location("lenet_mnist", PATH)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_both_modes_learn_the_digits_and_agree(example, capsys):
    programs.clear()
    runs = example.main(["--mode", "both", "--epochs", "12", "--data-dir", str(DIGITS)])
    printed = capsys.readouterr().out

    for run in runs.values():
        assert run.test.accuracy >= 94.0
        assert run.test.total == 1000
        assert run.train.total == 31 * 128
    eager, lazy = (run.first_losses for run in runs.values())
    assert len(eager) == 20
    assert lazy == pytest.approx(eager, rel=1e-4)

    assert [int(m[1]) for m in map(LINE.match, printed.splitlines()) if m] == [*range(1, 13)] * 2
    for device in (tr.Device.default_eager(), tr.Device.default_xla()):
        assert f"computed on {device}" in printed


def test_lazy_mode_compiles_one_program_to_train_and_two_to_test(example, capsys):
    tr.barrier()
    programs.clear()
    with observed(Compile) as told:
        for epochs in ("1", "2"):
            arguments = example.parse(["--epochs", epochs, "--data-dir", str(DIGITS)])
            example.run(tr.Device.default_xla(), arguments)
            if epochs == "1":
                first = len(told)
    capsys.readouterr()
    assert [compiled.cause for compiled in told].count("barrier") == 3
    assert len(told) == first


def test_usage(example):
    with pytest.raises(SystemExit) as stopped:
        example.parse(["--mode", "fast"])
    assert stopped.value.code == 2
