"""Passes are left out only where it is sure what they would make."""

from __future__ import annotations

import importlib
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial, wraps
from pathlib import Path
from pkgutil import walk_packages
from types import ModuleType
from typing import Any
from unittest.mock import Mock

import pytest

import lowering
import tracer as tr
from lowering import PASSES, PIPELINES, counting, identity
from lowering.identity import pipeline_identity
from tracer.ir import Value
from tracer.ops import OPS

NAMES = PIPELINES["cpu"]


def rules() -> ModuleType:
    """A module of rules; `lowering.rules` has names that hide some."""
    return importlib.import_module("lowering.rules.slice")


def test_it_is_that_of_the_passes_by_name() -> None:
    known = pipeline_identity(NAMES)
    assert known is not None
    assert pipeline_identity(NAMES) == known
    assert pipeline_identity(NAMES[1:]) != known
    assert pipeline_identity(NAMES[::-1]) != known


def test_every_module_of_lowering_is_known() -> None:
    for found in walk_packages(lowering.__path__, "lowering."):
        importlib.import_module(found.name)
    assert pipeline_identity(NAMES) is not None


def test_who_counts_or_verifies_needs_the_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    with counting():
        assert pipeline_identity(NAMES) is None
    monkeypatch.setattr(tr.config, "verify_passes", True)
    assert pipeline_identity(NAMES) is None


def test_a_pass_of_someone_else_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    mine = replace(PASSES["cse"], run=lambda module: module)
    monkeypatch.setitem(PASSES, "cse", mine)
    assert pipeline_identity(("dce",)) is not None
    assert pipeline_identity(("cse", "dce")) is None


def test_a_rule_of_someone_else_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = rules().RULES
    monkeypatch.setattr(ours, "_entries", list(ours._entries))

    @ours.rule("slice")
    def mine(operation: object, rewriter: object) -> None:
        """x -> x"""

    assert pipeline_identity(NAMES) is None


def mine(x: Value, *_: object) -> Value:
    """In place of a function of rules."""
    return x


@wraps(importlib.import_module("lowering.rules.slice").cut)
def disguised(x: Value, *_: object) -> Value:
    """What says of itself that it comes from the module of rules."""
    return x


NAMELESS: dict[str, Any] = {}
exec("def mine(x, *_): return x", NAMELESS)


@pytest.mark.parametrize("code", [mine, disguised, partial(mine), Mock(), NAMELESS["mine"]])
def test_a_function_that_someone_replaced_is_not_known(
    code: Callable[..., Value], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rules(), "cut", code)
    assert pipeline_identity(NAMES) is None


def test_a_pass_in_a_wrapper_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = PASSES["cse"]
    monkeypatch.setitem(PASSES, "cse", replace(ours, run=partial(lambda run, m: m, ours.run)))
    assert pipeline_identity(("cse", "dce")) is None


def test_an_operation_of_someone_else_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(OPS, "mine", replace(OPS["add"], numpy=lambda a, b: a))
    assert pipeline_identity(NAMES) is None


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Sources other than ours, of which nothing is known yet."""
    for name in ("lowering", "tracer/ops"):
        (tmp_path / name).mkdir(parents=True)
    monkeypatch.setattr(identity, "_ROOT", str(tmp_path))
    monkeypatch.setattr(identity, "started", time.time() + 60)
    identity._sources.cache_clear()
    yield tmp_path
    identity._sources.cache_clear()


def write(path: Path, text: str) -> str | None:
    """What the sources are known by with this file."""
    path.write_text(text, encoding="utf-8")
    identity._sources.cache_clear()
    return identity._sources()


def test_a_source_that_differs_in_a_word_is_another(tree: Path) -> None:
    found = [
        write(tree / "lowering" / "a.py", "x = 1"),
        write(tree / "lowering" / "a.py", "x = 2"),
        write(tree / "tracer" / "ops" / "b.py", "x = 1"),
        write(tree / "tracer" / "b.py", ""),
    ]
    assert None not in found
    assert len(set(found)) == len(found)
    assert write(tree / "lowering" / "notes.txt", "not a source") == found[-1]


def test_a_copy_elsewhere_is_the_same(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = write(tree / "lowering" / "a.py", "x = 1")
    (tree / "copy" / "lowering").mkdir(parents=True)
    monkeypatch.setattr(identity, "_ROOT", str(tree / "copy"))
    assert write(tree / "copy" / "lowering" / "a.py", "x = 1") == first


def test_a_source_newer_than_the_process_is_not_what_was_loaded(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(identity, "started", time.time() - 60)
    path = tree / "lowering" / "a.py"
    assert write(path, "x = 1") is None
    os.utime(path, (0, 0))  # as a copy that keeps times would set it
    identity._sources.cache_clear()
    assert identity._sources() is None


def test_where_there_are_no_sources_nothing_is_known(tree: Path) -> None:
    assert identity._sources() is None
