"""The checks of `make gpu`: all of them on a GPU, and here on the CPU, small, to try the checks."""

from __future__ import annotations

import re
import sys
import types

import pytest

import benchmarks.gpu.__main__ as gpu
import tracer as tr
from benchmarks.gpu import child, loosely, meaning, memory, speed
from benchmarks.race import Result
from runtime import pjrt, xla
from tracer.errors import LoweringError

SAMPLE = ("log", "sort", "conv")


@pytest.fixture
def settings(monkeypatch):
    """What a check sets is set back."""
    for name in ("disk_cache", "cache_directory"):
        monkeypatch.setattr(tr.config, name, getattr(tr.config, name))


@pytest.mark.gpu
def test_every_check_on_a_gpu():
    assert gpu.main([]) == 0


def test_each_has_a_limit_and_the_sum_of_those_alone_leaves_time():
    assert set(child.CHECKS) == {*gpu.TOGETHER, *gpu.ALONE}


LINES = {
    "devices": r"tracer: Device\('CPU', 0, backend='XLA'\)",
    "in-place": r"262,144 bytes, held at 1 addresses; .*",
    "transfer": "10 dtypes are equal after there and back",
    "out-of-memory": r"  @main: \d operations, recorded at .*memory\.py:\d+",
    "dlpack": r"jax to Device\('CPU', 0, backend='EAGER'\), without a copy",
    "jit": r"apart .*, 1 program",
    "linalg": r"cholesky: \d\.\de.*",
    "disk-cache": r"\d+ ms, 1 programs from the disk",
}


@pytest.mark.parametrize("name", LINES)
def test_check_passes_on_the_cpu(settings, name):
    lines = list(child.CHECKS[name]("CPU", True))
    assert any(re.fullmatch(LINES[name], line) for line in lines), lines


def test_lenet_beside_itself(monkeypatch):
    lazy = tr.Device("CPU")  # eagerly it compiles for long, and tests/examples compares the two
    monkeypatch.setattr(meaning, "places", lambda kind: dict.fromkeys(("a", "b", "c"), lazy))
    eager, again = meaning.lenet("CPU", True)
    assert re.fullmatch(
        r"eager: losses \[2\.\d+, 2\.\d+, 2\.\d+\], apart 0\.0e\+00; parameters 0\.0e\+00", eager
    )
    assert again.startswith("lazy: ")


def test_operations_tell_each_difference(monkeypatch):
    monkeypatch.setattr(meaning, "CASES", {name: meaning.CASES[name] for name in SAMPLE})
    lines = list(meaning.operations("CPU", True))
    assert [line.partition(":")[0] for line in lines] == list(SAMPLE)


def test_operation_that_differs_is_told_and_fails_at_the_end(monkeypatch):
    wrong = lambda x, y: x + float(not tr.Device.default().lazy)
    failing = lambda x, y: x[0].item() + x
    monkeypatch.setattr(meaning, "CASES", {"a": (wrong, 0.1), "b": (failing, 0.1)})
    lines = meaning.operations("CPU", True)
    assert re.fullmatch(r"a: \d\.\de.*, more than 0\.1", next(lines))
    assert next(lines).startswith("b: nan, ValueError: ")
    with pytest.raises(AssertionError, match=r"\['a', 'b'\]"):
        next(lines)


def test_update_that_is_not_in_place_fails(monkeypatch):
    held, ones = [], tr.ones
    monkeypatch.setattr(tr, "ones", lambda *a, **k: held.append(ones(*a, **k)) or held[0])
    lines = memory.in_place("CPU", True)
    assert next(lines).startswith("262,144 bytes, held at ")
    with pytest.raises(AssertionError):
        next(lines)


def test_workload_without_its_losses_to_compare(monkeypatch):
    module = types.ModuleType("workloads")
    module.step = lambda count: (lambda: {"seconds": count}, {"losses": [2.0], "version": "1"})
    monkeypatch.setitem(sys.modules, "workloads", module)
    run, facts = loosely.step("workloads:step", {"count": 3})
    assert facts == {"first": [2.0], "version": "1"}
    assert run() == {"seconds": 3}


def test_rows_tell_times_beside_ours_and_why_there_is_none(monkeypatch):
    found = {
        "tracer": Result("tracer", {"first": [2.0], "version": "tracer 1"}, {"seconds": 0.002}),
        "jax.jit": Result("jax.jit", {"first": [2.01], "version": "jax 2"}, {"seconds": 0.004}),
        "PyTorch": Result("PyTorch", reason="No module named 'torch'"),
    }
    monkeypatch.setattr(speed, "race", lambda contenders, rounds: found)
    assert list(speed.lenet("CPU", True)) == [
        "tracer       2.000 ms; tracer takes 1.00 x; tracer 1, 2.0000",
        "jax.jit      4.000 ms; tracer takes 0.50 x; jax 2, 2.0100",
        "PyTorch  none: No module named 'torch'",
    ]
    found["jax.jit"].facts["first"] = [3.0]
    with pytest.raises(AssertionError):
        list(speed.lenet("CPU", True))


@pytest.fixture
def any_device(monkeypatch):
    """Nobody looks whether the device is there."""
    monkeypatch.setattr(gpu, "why_not", lambda kind: "")


def test_device_that_is_missing(capfd):
    assert gpu.main(["--device", "tpu"]) == 2
    message = "DeviceError: no device TPU:0 is here; there is CPU:0\n"
    assert capfd.readouterr() == ("", f"nothing was checked: tracer.errors.{message}")
    assert not gpu.why_not("cpu")


def test_report_of_processes_of_which_one_fails(any_device, tmp_path, capfd):
    file = tmp_path / "report.txt"
    assert gpu.main(["devices", "--device", "TPU", "--output", str(file)]) == 1
    printed, report = capfd.readouterr().out, file.read_text()
    assert re.match(r"devices: FAILED, exit 1 \(\d+ s\)\n    Python 3\.", printed)
    assert "no device TPU:0 is here; there is CPU:0" in printed
    assert printed.endswith("0 of 1 checks passed; failed: devices\n")
    assert re.match(r"TPU, \d{4}-.*: 0 of 1 checks passed; failed: devices\n\ndevices: ", report)


def test_check_that_takes_too_long_is_ended(any_device, monkeypatch, capfd):
    monkeypatch.setitem(gpu.TOGETHER, "demo", 1.1)
    assert gpu.main(["demo", "--device", "CPU"]) == 1
    assert "demo: FAILED: not done after 1 s (" in capfd.readouterr().out


def test_check_for_which_there_is_no_time_is_not_begun(any_device, capfd):
    assert gpu.main(["demo", "lenet-step", "--device", "CPU", "--limit", "0"]) == 1
    assert capfd.readouterr().out == (
        "demo: FAILED: no time was left (0 s)\n\n"
        "lenet-step: FAILED: no time was left (0 s)\n\n"
        "0 of 2 checks passed; failed: demo, lenet-step\n"
    )


def test_package_that_is_missing(monkeypatch, capfd):
    assert gpu.missing(("numpy", "no_such_package")) == ["no_such_package"]
    monkeypatch.setattr(gpu, "missing", lambda: ["optree", "filelock"])
    assert gpu.main([]) == 2
    lines = capfd.readouterr().err.splitlines()
    version = f"{sys.version_info[0]}.{sys.version_info[1]}"
    assert lines[0] == f"{sys.executable} (Python {version}) lacks: optree, filelock."
    assert lines[1] == f"Install them: {sys.executable} -m pip install optree filelock"
    assert lines[-1] == "then carry the folder over, and run PYTHONPATH=packages make gpu"


def refuse(*_, **__):
    raise pjrt.CompileError("RESOURCE_EXHAUSTED: no room")


def test_array_that_does_not_fit_the_device(monkeypatch):
    monkeypatch.setattr(pjrt.Client, "put", refuse)
    with pytest.raises(LoweringError) as raised:
        tr.asarray([1.0, 2.0], device=tr.Device("CPU"))
    first, place = str(raised.value).splitlines()
    assert first == "8 bytes could not be moved to CPU:0: RESOURCE_EXHAUSTED: no room"
    assert re.fullmatch(rf"  at {re.escape(__file__)}:\d+", place)


@pytest.mark.parametrize("look", [tr.Tensor.tolist, lambda y: tr.barrier(wait=True)])
def test_program_that_fails_after_it_was_started_is_named(monkeypatch, look):
    y = tr.asarray([1.0, 2.0], device=tr.Device("CPU")) * 2.0
    monkeypatch.setattr(pjrt, "get", refuse)
    monkeypatch.setattr(xla.XlaBackend, "wait", lambda self, buffer: self.get(buffer))
    with pytest.raises(LoweringError) as raised:
        look(y)
    first, program, place = str(raised.value).splitlines()
    here = rf"{re.escape(__file__)}:\d+"
    assert first == "the program failed while it ran: RESOURCE_EXHAUSTED: no room"
    assert re.fullmatch(rf"  the last one started: @main: .*, recorded at {here}", program)
    assert re.fullmatch(rf"  at {here}", place)


def test_check_of_no_name(capfd):
    with pytest.raises(SystemExit) as stopped:
        gpu.main(["speed"])
    assert stopped.value.code == 2
    assert "no check is named 'speed'; there are devices, operations, " in capfd.readouterr().err
