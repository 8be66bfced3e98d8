"""Two bundles as wholes: which programs are new, gone or changed."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tools.differing.changes import Comparison, compare
from tools.differing.items import program_of
from tools.differing.rules import Ignored
from tools.programs.sources import DEFAULT_STAGE, read_source
from tools.runs.bundle import Bundle, Entry

_STAGES = (DEFAULT_STAGE, "trace")


@dataclass(frozen=True, slots=True)
class Pair:
    """A program of the first bundle, and the one of the second that it is; or one alone.

    `comparison` is None where they are the same, or one is alone, or has no text to compare.
    """

    a: Entry | None
    b: Entry | None
    comparison: Comparison | None = None

    @property
    def status(self) -> str:
        """ "new", "gone", "changed" or "same"."""
        if self.a is None or self.b is None:
            return "new" if self.a is None else "gone"
        if self.comparison is not None:
            return "changed" if self.comparison.differ else "same"
        return "same" if self.a.facts["hash"] == self.b.facts["hash"] else "changed"


def pairs(a: Bundle, b: Bundle, ignored: Ignored) -> list[Pair]:
    """The programs of both: the same by ID, the rest by the line and cause of their cut."""
    free = {entry.id: entry for entry in b.entries}
    matched: dict[str, Entry] = {}
    for key in (_identity, _place, _line):
        _match(a.entries, free, matched, key)
    found = [_pair(a, entry, b, matched.get(entry.id), ignored) for entry in a.entries]
    return [*found, *(Pair(None, entry) for entry in free.values())]


def _match(
    entries: list[Entry],
    free: dict[str, Entry],
    matched: dict[str, Entry],
    key: Callable[[Entry], object],
) -> None:
    """Pairs what is alike in this, in the order of compiles."""
    there: dict[object, deque[Entry]] = defaultdict(deque)
    for entry in free.values():
        there[key(entry)].append(entry)
    for entry in entries:
        if entry.id not in matched and there[key(entry)]:
            matched[entry.id] = free.pop(there[key(entry)].popleft().id)


def _identity(entry: Entry) -> object:
    return entry.id


def _place(entry: Entry) -> object:
    facts = entry.facts
    return Path(facts["file"]).name, facts["line"], facts["cause"], facts["scope"]


def _line(entry: Entry) -> object:
    return Path(entry.facts["file"]).name, entry.facts["cause"], entry.facts["name"]


def _pair(a: Bundle, entry: Entry, b: Bundle, other: Entry | None, ignored: Ignored) -> Pair:
    if other is None or entry.id == other.id:
        return Pair(entry, other)
    for stage in _STAGES:
        if stage in entry.stages and stage in other.stages:
            mine = program_of(read_source(f"{a.path}:{entry.id}@{stage}"))
            theirs = program_of(read_source(f"{b.path}:{other.id}@{stage}"))
            return Pair(entry, other, compare(mine, theirs, ignored))
    return Pair(entry, other)


def at(entry: Entry) -> str:
    """The line that a program was cut at."""
    return f"{Path(entry.facts['file']).name}:{entry.facts['line']}"


def differing(found: list[Pair]) -> Iterator[Pair]:
    """Those that are not the same."""
    return (pair for pair in found if pair.status != "same")
