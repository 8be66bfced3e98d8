"""The code of docs/debugging.md runs, and prints what stands below it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TEXT = (Path(__file__).parents[2] / "docs" / "debugging.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```(?:\n\n```text\n(.*?)^```)?", TEXT, re.S | re.M)


def test_the_document_has_examples():
    assert len([output for _, output in BLOCKS if output]) > 5


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_an_example(number, capsys):
    code, output = BLOCKS[number]
    exec(compile(code, "train.py", "exec"), {"__name__": "document"})
    assert capsys.readouterr().out == output


def test_links_within_the_document():
    titles = re.findall(r"^## (.*)$", TEXT, re.M)
    anchors = {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}
    assert set(re.findall(r"\]\(#(.*?)\)", TEXT)) <= anchors
