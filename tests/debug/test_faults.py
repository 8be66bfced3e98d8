"""Ten programs with a fault each: what the document says names its line, does."""

from __future__ import annotations

import re
import runpy
import shlex
import shutil
import sys
from pathlib import Path

import pytest

from tools.dump_hlo import command
from tracer import programs
from tracer.config import config
from tracer.context import thread

ROOT = Path(__file__).parents[2]
ROW = re.compile(r"\| [^|]+ \| \[(\w+\.py)\]\([^|]+ \| `([^|]+)` \| ([^|]+) \|")
ROWS = ROW.findall((ROOT / "docs" / "debugging.md").read_text(encoding="utf-8"))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the programs, which is the current folder; what they set and record goes."""
    shutil.copytree(ROOT / "examples" / "faults", tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(config, "recording_limit", config.recording_limit)
    monkeypatch.setattr(thread.state, "recordings", {})
    return tmp_path


def test_there_are_ten():
    assert len(ROWS) == 10
    named = {name for name, _, _ in ROWS}
    assert named == {path.name for path in (ROOT / "examples" / "faults").glob("*.py")}


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(("name", "line", "words"), ROWS, ids=[name for name, _, _ in ROWS])
def test_a_fault(name, line, words, folder, capsys, monkeypatch):
    programs.clear()
    for call in re.split(r" && |; ", line):
        tool, *arguments = shlex.split(call)
        if tool == "python":
            monkeypatch.setattr(sys, "argv", arguments)
            runpy.run_path(arguments[0], run_name="__main__")
        else:
            command._work(arguments[0], arguments[1:])
    said = "".join(capsys.readouterr())
    assert words in said
    assert re.search(rf"{place(folder / name)}\b", said), said


def place(path: Path) -> str:
    """Where the fault is: the line so marked; of a pass, that of the program that it changes."""
    marked = [n for n, text in enumerate(path.read_text().splitlines(), 1) if "# fault" in text]
    return f"{path.name}:{marked[0]}" if marked else "difference.mlir:4"
