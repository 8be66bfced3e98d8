"""Contenders answer round by round; who can't, or computes something else, is told apart."""

from __future__ import annotations

import pytest

import benchmarks.race
from benchmarks import environments
from benchmarks.race import WARM_UP, Contender, disagreement, last_words, race, race_anew

STUB = "tests.benchmarks.stub"


def _counting(name: str, start: float, losses: list[float]) -> Contender:
    return Contender(name, f"{STUB}:counting", {"start": start, "losses": losses})


def test_medians_are_of_the_rounds_after_the_warm_up():
    found = race([_counting("a", 0.0, [1.0]), _counting("b", 10.0, [1.00001])], rounds=3)
    assert found["a"].figures == {"seconds": WARM_UP + 1.0}
    assert found["b"].figures == {"seconds": WARM_UP + 11.0}
    assert found["a"].facts == {"version": "stub", "losses": [1.0]}
    assert not found["a"].reason


def test_a_new_process_starts_anew():
    found = race_anew([_counting("a", 5.0, [])], rounds=2)
    assert found["a"].figures == {"seconds": 5.0}


def test_other_losses_are_not_measured():
    found = race([_counting("a", 0.0, [2.0]), _counting("b", 0.0, [2.1])], rounds=1)
    assert found["b"].reason == "computes something else: loss 2.1 where the first has 2"
    assert not found["b"].figures
    assert found["a"].figures


@pytest.mark.parametrize(("at", "reason"), [(0, "ValueError: not to be had"), (2, "out of order")])
def test_one_that_fails_leaves_the_others_running(at, reason):
    bad = Contender("bad", f"{STUB}:failing", {"at": at})
    found = race([_counting("a", 0.0, []), bad], rounds=1)
    assert found["bad"].reason == reason
    assert not found["bad"].figures
    assert found["a"].figures == {"seconds": WARM_UP}


def test_a_peer_that_is_not_installed_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(environments, "ROOT", tmp_path)
    (found,) = race([Contender("PyTorch", "any:thing", {}, "torch")], rounds=1).values()
    assert found.reason == "no torch here: make bench PEERS=torch"


@pytest.mark.parametrize(
    ("does", "reason"),
    [
        ("echo rubbish; exec sleep 60", "a line of JSON was due, got 'rubbish'"),
        ("echo a warning >&2; exec sleep 60", "no answer in 0.5 s"),
        ("kill -9 $$", "it ended with exit code -9"),
    ],
)
def test_one_that_does_not_answer_is_told_apart(does, reason, tmp_path, monkeypatch):
    program = tmp_path / "python"
    program.write_text(f"#!/bin/sh\n{does}\n")
    program.chmod(0o755)
    monkeypatch.setattr(environments, "python", lambda peer: program)
    monkeypatch.setattr(benchmarks.race, "LIMIT", 0.5)
    (found,) = race([Contender("bad", "any:thing")], rounds=1).values()
    assert found.reason == reason


def test_nan_agrees_with_nothing():
    assert disagreement({"losses": [float("nan")]}, {"losses": [1.0]})
    assert disagreement({"losses": [1.0]}, {"losses": [float("nan")]})
    assert not disagreement({"losses": [1.0]}, {})


def test_the_last_words_of_a_traceback_are_its_error():
    assert last_words("Traceback:\n  File x\nValueError: wrong\n  at file.py:3\n") == (
        "ValueError: wrong"
    )
    assert last_words("") == ""
