"""Contenders in processes of their own, one round each in turn, and their median figures."""

from __future__ import annotations

import json
import os
import select
import statistics
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks import environments

ROOT = Path(__file__).parents[1]
ROUNDS = 9
WARM_UP = 2
LIMIT = 300
"""Seconds to wait for one answer."""
TOLERANCE = 1e-4
"""How far losses may differ from the first contender's, relative."""


@dataclass(frozen=True)
class Contender:
    """A workload by name, and where it runs: "" is our environment, else that of a peer."""

    name: str
    setup: str
    options: Mapping[str, Any] = field(default_factory=dict)
    peer: str = ""
    environment: Mapping[str, str] = field(default_factory=dict)


@dataclass
class Result:
    """What a contender told and its median figures, or the reason why there are none."""

    name: str
    facts: dict[str, Any] = field(default_factory=dict)
    figures: dict[str, float] = field(default_factory=dict)
    reason: str = ""


Results = dict[str, Result]


class ChildError(Exception):
    """A contender that ended, or was silent for too long."""


class Child:
    """A contender's process. `facts` is what it told when its workload was made."""

    def __init__(self, contender: Contender) -> None:
        python = environments.python(contender.peer)
        if python is None:
            raise ChildError(environments.missing(contender.peer))
        command = (python, "-m", "benchmarks.serve", contender.setup)
        self._log = tempfile.TemporaryFile("w+")  # noqa: SIM115  closed with the process
        self._process = subprocess.Popen(
            [*map(str, command), json.dumps(dict(contender.options))],
            cwd=ROOT,
            env={**os.environ, "TRACER_DISK_CACHE": "0", **contender.environment},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
        )
        self.facts = self._answer()

    def ask(self) -> dict[str, float]:
        """The figures of one more round. Raises ChildError."""
        try:
            self._process.stdin.write("round\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            pass  # the answer that does not come says why
        return self._answer()

    def close(self) -> None:
        """Ends the process, and waits until it is gone."""
        self._process.kill()
        self._process.communicate()
        self._log.close()

    def _answer(self) -> dict[str, Any]:
        ready, _, _ = select.select([self._process.stdout], [], [], LIMIT)
        line = self._process.stdout.readline() if ready else ""
        if line.startswith("{"):
            return json.loads(line)
        reason = "" if ready else f"no answer in {LIMIT} s"
        if line:
            reason = f"a line of JSON was due, got {line.strip()!r}"
        if reason:
            self._process.kill()
        code = self._process.wait()  # it ends by itself, and says why after its answers have ended
        self._log.seek(0)
        message = reason or last_words(self._log.read()) or f"it ended with exit code {code}"
        self.close()
        raise ChildError(message)


class _Field:
    """The contenders that are still there, and what they have answered."""

    def __init__(self, contenders: Sequence[Contender]) -> None:
        self.contenders = list(contenders)
        self.results = {c.name: Result(c.name) for c in contenders}
        self._figures: dict[str, list[dict[str, float]]] = defaultdict(list)

    def start(self, contender: Contender) -> Child | None:
        """A child that computes what the first contender does; None where there is none."""
        result = self.results[contender.name]
        try:
            child = Child(contender)
        except ChildError as error:
            result.reason = str(error)
            return None
        result.facts = child.facts
        result.reason = disagreement(next(iter(self.results.values())).facts, child.facts)
        if result.reason:
            child.close()
            return None
        return child

    def ask(self, name: str, child: Child, keep: bool) -> bool:
        """One round; whether the child is still there."""
        try:
            figures = child.ask()
        except ChildError as error:
            self.results[name].reason = str(error)
            return False
        if keep:
            self._figures[name].append(figures)
        return True

    def finish(self) -> Results:
        """The results with their medians; who fell out has none."""
        for name, rounds in self._figures.items():
            result = self.results[name]
            names = rounds[0] if not result.reason else ()
            result.figures = {key: statistics.median(r[key] for r in rounds) for key in names}
        return self.results


def race(contenders: Sequence[Contender], rounds: int = ROUNDS, warm_up: int = WARM_UP) -> Results:
    """One round each in turn, A B C A B C, after some to warm up."""
    racing = _Field(contenders)
    started = {c.name: racing.start(c) for c in contenders}
    children = {name: child for name, child in started.items() if child is not None}
    for i in range(rounds + warm_up):
        for name, child in list(children.items()):
            if not racing.ask(name, child, keep=i >= warm_up):
                del children[name]
    for child in children.values():
        child.close()
    return racing.finish()


def race_anew(contenders: Sequence[Contender], rounds: int = ROUNDS, warm_up: int = 1) -> Results:
    """One round each in turn, every round in a new process; the first warms the disk."""
    racing = _Field(contenders)
    for i in range(rounds + warm_up):
        for contender in contenders:
            child = racing.start(contender)
            if child is not None and racing.ask(contender.name, child, keep=i >= warm_up):
                child.close()
    return racing.finish()


def last_words(log: str) -> str:
    """The last line that is not indented: of a traceback, the error."""
    lines = [line for line in log.splitlines() if line.strip() and not line[0].isspace()]
    return lines[-1] if lines else ""


def disagreement(ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> str:
    """How the losses of two contenders differ; "" where they agree, or one tells none."""
    for a, b in zip(ours.get("losses", ()), theirs.get("losses", ()), strict=False):
        if not abs(a - b) <= TOLERANCE * abs(a):
            return f"computes something else: loss {b:.7g} where the first has {a:.7g}"
    return ""
