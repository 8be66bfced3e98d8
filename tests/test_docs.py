"""The code of the documents runs, and what the documents point to exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import tracer as tr
from tracer.config import SETTINGS

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
    if "counted" in README[number]:
        assert re.fullmatch(r"loss \d\.\d{3} after [01] compile\n", capsys.readouterr().out)
    if "debug.print" in README[number]:
        assert capsys.readouterr().out == "y is [0.        0.6931472]\n"


def test_the_readme_has_code():
    assert len(README) >= 3


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(path):
    targets = [t for t in LINK.findall(path.read_text(encoding="utf-8")) if "://" not in t]
    missing = [t for t in targets if not (path.parent / t).exists()]
    assert not missing


def test_the_settings():
    text = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if line.startswith("| `")]
    assert rows == [f"| `{s.name}` | `{s.default!r}` | {s.doc} |" for s in SETTINGS]
    for block in blocks(ROOT / "docs" / "settings.md"):
        exec(compile(block, "docs/settings.md", "exec"), {})


@pytest.mark.parametrize(
    ("name", "value", "error", "message"),
    [
        ("disk_cache", 0, ValueError, "disk_cache needs True or False, got 0"),
        ("cache_limit", 0, ValueError, "cache_limit needs a positive integer, got 0"),
        ("cache_limits", 1, AttributeError, "no setting is named 'cache_limits'"),
    ],
)
def test_a_setting_that_is_refused(name, value, error, message):
    with pytest.raises(error, match=message):
        setattr(tr.config, name, value)


def test_the_two_commands_stand_at_the_top():
    first = (ROOT / "README.md").read_text(encoding="utf-8").split("## ")[0]
    assert "make demo" in first
    assert "make test" in first
