"""What a run must not do: `recompile>1,peak>2GiB`, judged by its bundle."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tools.places.notes import brief
from tools.programs.lines import has_result_of, place_of
from tools.runs.bundle import Bundle
from tools.terminal import Failure, did_you_mean
from tracer.tables import plural, size

Found = tuple[float, list[str]]
"""How much of it there was, and where."""
_SAID = {
    "recompile": ("compile at a line that had one", "compiles at a line that had one"),
    "compile": ("compile", "compiles"),
    "cut": ("cut", "cuts"),
    "fallback": ("operation ran one by one", "operations ran one by one"),
    "f64": ("operation has a float64 result", "operations have a float64 result"),
    "nan": ("result of {runs} holds a NaN", "results of {runs} hold a NaN"),
}
"""What there is one of, or several."""
_AMOUNT = r"(\d+(?:\.\d+)?)\s*([KMGT]i?B|B)?"
_TEST = re.compile(rf"\s*(\w+)\s*(>=?)\s*{_AMOUNT}\s*")
_UNITS = {"B": 1} | {
    f"{prefix}{infix}B": base**power
    for power, prefix in enumerate("KMGT", 1)
    for infix, base in (("i", 1024), ("", 1000))
}


@dataclass(frozen=True, slots=True)
class Test:
    """One thing that must not be, as it was written."""

    text: str
    name: str
    least: float
    inclusive: bool

    def hit(self, amount: float) -> bool:
        """Whether so much is too much."""
        return amount >= self.least if self.inclusive else amount > self.least


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of a test: `where` names lines, or programs; `said` is the amount in words."""

    test: str
    amount: float
    hit: bool
    where: list[str]
    said: str


def parse_tests(text: str | None) -> list[Test]:
    """The tests that `recompile>1,peak>2GiB` writes. Raises Failure."""
    return [_parse(part) for part in text.split(",")] if text else []


def parse_size(option: str, text: str) -> int:
    """The bytes that `2GiB` or `4096` writes. Raises Failure."""
    found = re.fullmatch(_AMOUNT, text.strip())
    if found is None:
        raise Failure(f"{option} needs bytes, as 4096 or 2GiB, got {text!r}")
    return int(float(found[1]) * _UNITS[found[2] or "B"])


def _parse(text: str) -> Test:
    found = _TEST.fullmatch(text)
    if found is None:
        raise Failure(f"--fail-on needs tests as recompile>1 or peak>2GiB, got {text.strip()!r}")
    name, sign, amount, unit = found.groups()
    if name not in COUNTS:
        hint = did_you_mean(name, COUNTS)
        raise Failure(f"--fail-on knows {', '.join(COUNTS)}; it knows no {name!r}{hint}")
    if unit and name != "peak":
        raise Failure(f"--fail-on: {name} is a count, got {text.strip()!r}")
    return Test(text.strip(), name, float(amount) * _UNITS[unit or "B"], sign == ">=")


def judge(bundle: Bundle, tests: list[Test], more: dict[str, Found], runs: int) -> list[Verdict]:
    """What comes of tests; `more` is what the bundle does not tell, counted in so many runs."""
    found = [more.get(test.name) or COUNTS[test.name](bundle) for test in tests]
    return [_verdict(test, one, runs) for test, one in zip(tests, found, strict=True)]


def _verdict(test: Test, found: Found, runs: int) -> Verdict:
    amount, where = found
    said = _said(test.name, amount, runs)
    return Verdict(test.text, amount, test.hit(amount), list(dict.fromkeys(where)), said)


def _said(name: str, amount: float, runs: int) -> str:
    """An amount with what it counts."""
    if name == "peak":
        return f"the largest program takes {size(amount)}"
    return f"{amount:g} {_SAID[name][amount != 1].format(runs=plural(runs, 'run'))}"


def told(verdict: Verdict) -> str:
    """A verdict in a line."""
    places = ", ".join(verdict.where[:5]) + (", ..." if len(verdict.where) > 5 else "")
    hint = "; tracer.debug.nans() names the operation" if verdict.test.startswith("nan") else ""
    return f"--fail-on {verdict.test}: {verdict.said}{f', at {places}' if places else ''}{hint}"


def _recompiles(bundle: Bundle) -> Found:
    """Compiles where there was one before, of the same line and cause."""
    seen: set[tuple[str, ...]] = set()
    where = []
    for event in bundle.events:
        if event["kind"] == "compile":
            place = _place(event)
            key = (place, str(event.get("cause")))
            if key in seen:
                where.append(place)
            seen.add(key)
    return len(where), where


def _of_kind(kind: str) -> Callable[[Bundle], Found]:
    def count(bundle: Bundle) -> Found:
        where = [_place(event) for event in bundle.events if event["kind"] == kind]
        return len(where), where

    return count


def _float64(bundle: Bundle) -> Found:
    """Operations with a float64 result."""
    where = list(_float64_places(bundle))
    return len(where), [place for place in where if place]


def _float64_places(bundle: Bundle) -> Iterator[str]:
    for entry in bundle.entries:
        for line in (entry.text("trace") or "").splitlines():
            if has_result_of(line, "f64"):
                place = place_of(line)
                yield f"{brief(place[0])}:{place[1]}" if place else ""


def _peak(bundle: Bundle) -> Found:
    """The most memory that a program takes, as its compiler says, in bytes."""
    peaks = [((entry.facts["memory"] or {}).get("peak") or 0, entry.id) for entry in bundle.entries]
    most, program = max(peaks, default=(0, ""))
    return most, [program] if most else []


def _none(bundle: Bundle) -> Found:
    return 0, []


def _place(event: dict[str, object]) -> str:
    return f"{brief(str(event['file']))}:{event['line']}"


COUNTS: dict[str, Callable[[Bundle], Found]] = {
    "recompile": _recompiles,
    "compile": _of_kind("compile"),
    "cut": _of_kind("cut"),
    "fallback": _none,
    "f64": _float64,
    "nan": _none,
    "peak": _peak,
}
"""What can be tested; those of `_none` are counted as the program runs."""
