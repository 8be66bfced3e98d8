"""Fixtures of the tests of `dump-hlo` and `hlo-opt`."""

from pathlib import Path

import pytest

from tests.tools.dump_hlo_examples import MODEL, TRAIN, Said
from tests.tools.hlo_opt_examples import CARELESS, MY_PASSES, PROGRAM, Run
from tools import dump_hlo
from tools.hlo_opt.work import Done, run_here


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the examples, which is the current one."""
    (tmp_path / "model.py").write_text(MODEL)
    (tmp_path / "train.py").write_text(TRAIN)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def said(folder: Path, capsys: pytest.CaptureFixture[str]) -> Said:
    """The command in this process: its exit code, standard output and standard error."""

    def call(*argv: str) -> tuple[int, str, str]:
        code = dump_hlo.main(argv)
        return code, *capsys.readouterr()

    return call


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a program and some passes, which is the current one."""
    (tmp_path / "program.mlir").write_text(PROGRAM)
    (tmp_path / "mine.py").write_text(MY_PASSES)
    (tmp_path / "careless.py").write_text(CARELESS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(place: Path) -> Run:
    """hlo-opt in this process, on the program."""

    def run(*arguments: str) -> Done:
        return run_here(["program.mlir", *arguments])

    return run
