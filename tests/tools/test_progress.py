"""What a process at work tells, and when the one that waits for it shows it."""

from __future__ import annotations

import os
import time

import pytest

from tools import progress


@pytest.fixture
def watcher(monkeypatch: pytest.MonkeyPatch) -> progress.Progress:
    """One that this process tells, and that shows it soon."""
    monkeypatch.setattr(progress, "_FIRST", 0.01)
    monkeypatch.setattr(progress, "_told_to", [])
    made = progress.Progress("bisect")
    progress.tell(os.dup(made.descriptor))
    made.start()
    return made


def end(watcher: progress.Progress) -> None:
    os.close(progress._told_to.pop())
    watcher.end()


def test_a_line_after_a_while(
    watcher: progress.Progress, capsys: pytest.CaptureFixture[str]
) -> None:
    progress.doing("pass 1 of 2, cse")
    shown, until = "", time.monotonic() + 20
    while shown.count("\n") < 2 and time.monotonic() < until:
        shown += capsys.readouterr().err
    first, second = shown.splitlines()[:2]
    for line in (first, second):
        assert line.startswith("dump-hlo: bisect: 0.0")
        assert line.endswith(" s, at pass 1 of 2, cse")
    assert first != second, "each line comes after twice the time"
    end(watcher)


def test_what_was_found(watcher: progress.Progress, capsys: pytest.CaptureFixture[str]) -> None:
    """In place of what had the same key; a text larger than a pipe too."""
    progress.found("program", "x" * 300_000)
    progress.found("pass", "guilty pass: cse")
    progress.found("program", "tanh\n")
    progress.doing("a smaller program")
    end(watcher)
    assert watcher.at == " at a smaller program"
    capsys.readouterr()
    watcher.show_found()
    said = "dump-hlo: found until then:\ntanh\nguilty pass: cse\n"
    assert capsys.readouterr() == ("", said)


def test_nothing_is_told(watcher: progress.Progress, capsys: pytest.CaptureFixture[str]) -> None:
    end(watcher)
    progress.doing("nobody listens")
    watcher.show_found()
    assert (watcher.at, capsys.readouterr()) == ("", ("", ""))
