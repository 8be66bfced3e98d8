"""`dump-hlo doctor`: what is there, and what is broken."""

import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.tools.dump_hlo.conftest import Answer, Here
from tests.tools.dump_hlo_examples import ROOT
from tools.dump_hlo import checkup
from tracer.config import config
from tracer.device import Device


@pytest.fixture(autouse=True)
def well(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An installation that has the page, and an empty place for compiled programs."""
    (tmp_path / "page").mkdir()
    (tmp_path / "page" / "page.html").write_text("")
    monkeypatch.setattr(checkup, "files", lambda package: tmp_path)
    monkeypatch.setattr(config, "cache_directory", str(tmp_path / "programs"))
    monkeypatch.setattr(config, "disk_cache", True)


def test_all_is_well(here: Here) -> None:
    code, out, err = here("doctor")
    assert (code, err) == (0, "")
    assert f"\n  jaxlib              {version('jaxlib')}\n" in out
    assert "\n  CPU:0               XLA, lazy, works\n" in out
    assert out.endswith("page of serve: built\nall is well\n")


def test_its_json(answer: Answer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "programs").mkdir(mode=0o700)
    (tmp_path / "programs" / "a.program").write_bytes(b"12345")
    monkeypatch.setattr(config, "recording_limit", 7_000)
    monkeypatch.setenv("XLA_FLAGS", "--xla_cpu_max_isa=AVX2")
    data = answer("doctor")
    assert data["settings"]["recording_limit"] == 7_000
    assert data["environment"]["XLA_FLAGS"] == "--xla_cpu_max_isa=AVX2"
    assert data["cache"]["programs"] >= 1
    assert data["cache"]["bytes"] >= 5
    assert data["cache"]["writable"] is True
    assert len(data["devices"]) == len(Device.all_devices())


def test_a_device_that_does_not_work(
    answer: Answer, here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise RuntimeError("out of order\nmore")

    monkeypatch.setattr(checkup, "ones", refuse)
    data = answer("doctor", code=1)
    assert len(data["problems"]) == len({(d["backend"], d["name"][:3]) for d in data["devices"]})
    code, out, err = here("doctor")
    assert (code, "XLA, lazy, does not work" in out) == (1, True)
    assert "does not work: out of order\n" in err


def test_what_else_may_be_broken(
    answer: Answer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "page" / "page.html").unlink()
    monkeypatch.setattr(checkup, "_version", lambda name: None)
    monkeypatch.setattr(checkup.os, "access", lambda *_: False)
    problems = answer("doctor", code=1)["problems"]
    assert "jaxlib is not installed: pip install stablehlo-tracer" in problems
    assert "the page of serve is not built: make page, which needs Node.js" in problems
    assert f"cannot write into {tmp_path}: set TRACER_CACHE_DIRECTORY" in problems


def test_a_setting_that_is_none(tmp_path: Path) -> None:
    call = [sys.executable, "-P", "-m", "tools.dump_hlo", "doctor"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TRACER_CPU_DEVICES": "many"}
    found = subprocess.run(call, capture_output=True, text=True, env=environment, check=False)
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr == "dump-hlo: TRACER_CPU_DEVICES needs a positive integer, got 'many'\n"
