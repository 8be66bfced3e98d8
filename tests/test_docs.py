"""The code of the documents runs, and what the documents point to exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#]+)\)")
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])


def blocks(path: Path) -> list[str]:
    """The Python blocks of a document."""
    return BLOCK.findall(path.read_text(encoding="utf-8"))


README = blocks(ROOT / "README.md")


@pytest.mark.parametrize("number", range(len(README)))
def test_readme(number, capsys):
    exec(compile(README[number], f"README.md, block {number}", "exec"), {"__name__": "readme"})
    if "barrier()" in README[number]:
        assert re.fullmatch(r"loss \d\.\d{3} after [01] compile\n", capsys.readouterr().out)


def test_the_readme_has_code():
    assert len(README) >= 3


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(path):
    targets = [t for t in LINK.findall(path.read_text(encoding="utf-8")) if "://" not in t]
    missing = [t for t in targets if not (path.parent / t).exists()]
    assert not missing


def test_the_two_commands_stand_at_the_top():
    first = (ROOT / "README.md").read_text(encoding="utf-8").split("## ")[0]
    assert "make demo" in first
    assert "make test" in first
