"""The documents of `hlo-opt` run as they stand, in order, and print what they say."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tools.documents import agree, follow, steps
from tools.hlo_opt.arguments import Options
from tools.hlo_opt.passes import loading

ROOT = Path(__file__).parents[2]
DOCUMENTS = ("hlo-opt.md", "writing-a-pass.md")


def text(name: str) -> str:
    """What a document holds."""
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder, the current one, in which the commands of this environment are found."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    paths = [os.path.dirname(sys.executable), os.environ["PATH"]]
    monkeypatch.setenv("PATH", os.pathsep.join(paths))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if str(tmp_path) in (getattr(sys.modules[name], "__file__", None) or ""):
            del sys.modules[name]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_document_runs(name: str, folder: Path) -> None:
    with loading(()):
        for command, expected, printed in follow(text(name), folder):
            assert agree(expected, printed), f"$ {command}\n{printed}\nis not\n{expected}"


def test_every_option_has_an_example() -> None:
    commands = " ".join(t for name, t in steps(text("hlo-opt.md")) if name == "$")
    options = {f"--{name.replace('_', '-')}" for name in Options.__slots__} - {
        *("--command", "--file", "--output")
    }
    assert [option for option in options if option not in commands] == []
    assert " -o " in commands


@pytest.mark.parametrize(
    ("expected", "printed", "same"),
    [
        ("a\nb 1.25 s\n", "a\nb  0.5 s\n", True),
        ("a\n...\nd\n", "a\nb\nc\nd\n", True),
        ("a ... d", "a b c", False),
        ("a", "a\nb", False),
    ],
)
def test_what_agrees(expected: str, printed: str, same: bool) -> None:
    assert agree(expected, printed) is same
