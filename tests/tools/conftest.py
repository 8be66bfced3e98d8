"""Fixtures of the tests of `dump-hlo`."""

from pathlib import Path

import pytest

from tests.tools.dump_hlo_examples import MODEL, TRAIN, Said
from tools import dump_hlo


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
