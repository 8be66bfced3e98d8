"""Every rule fires in a `.mlir` test."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import lowering
from lowering import RuleSet, counting
from lowering.rewriting import Rule, rule_name
from tools.run_lines import parse_line, run_lines, run_pipe

FILES = sorted((Path(__file__).parent.parent / "filecheck").rglob("*.mlir"))


def _rules() -> Iterator[Rule]:
    for found in pkgutil.walk_packages(lowering.__path__, "lowering."):
        rules = getattr(importlib.import_module(found.name), "RULES", None)
        if isinstance(rules, RuleSet):
            yield from rules


RULES = set(map(rule_name, _rules()))


@pytest.fixture(scope="module")
def fired() -> set[str]:
    """The rules that fire in the tests."""
    with counting() as rewrites:
        for path in FILES:
            for line in run_lines(path.read_text(encoding="utf-8")):
                run_pipe(parse_line(line, path))
    return set(rewrites.counts)


def test_every_rule_fires_in_a_test(fired: set[str]) -> None:
    assert RULES - fired == set()
