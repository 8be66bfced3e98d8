"""Bundles: what a run under capture left behind, read from a directory or from a zip of one."""

from __future__ import annotations

import json
import os
import zipfile
import zlib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.resources.abc import Traversable
from pathlib import Path
from statistics import median
from typing import Any, Self

from tools.terminal import UNREADABLE, Failure, did_you_mean

SCHEMA = "dump-hlo/bundle/1"
_ENTRY: Mapping[str, Any] = {
    "id": "",
    "name": "",
    "number": 0,
    "device": "",
    "platform": "",
    "cause": "",
    "reason": "",
    "source": "",
    "file": "",
    "line": 0,
    "scope": "",
    "operations": 0,
    "arguments": [],
    "results": [],
    "donated": [],
    "differences": [],
    "compile_seconds": 0.0,
    "stages": {},
    "cost": None,
    "memory": None,
    "recompiled": False,
    "hash": "",
}
"""What program.json says, and what stands for what it does not say."""
_EVENT: Mapping[str, Any] = {
    "kind": "",
    "at": 0.0,
    "seconds": 0.0,
    "file": "",
    "line": 0,
    "scope": "",
    "cause": "",
    "reason": "",
    "source": "",
    "differences": [],
}
_KINDS: Mapping[type, tuple[type, ...]] = {float: (int, float), type(None): (dict, type(None))}
"""What may stand for a default of a type, where that is more than the type."""
_HUGE = 1e300
BROKEN = (OSError, zipfile.BadZipFile, zlib.error, EOFError, ValueError, RuntimeError, KeyError)
"""What reading a file of a zip that is damaged raises, and one that is no JSON."""


@dataclass(slots=True)
class Entry:
    """One program of a bundle: `facts` are its program.json; the events of its compiles and runs.

    Of a run, `own_seconds` are what its device took for it: of one that was not timed, what is
    usual for its program.
    """

    facts: dict[str, Any]
    folder: Traversable
    compiles: list[dict[str, Any]] = field(default_factory=list)
    runs: list[dict[str, Any]] = field(default_factory=list)

    @property
    def id(self) -> str:
        """Its name in the bundle, the same from run to run."""
        return str(self.facts["id"])

    @property
    def number(self) -> int:
        """Its place in the order of compiles, from 1."""
        return int(self.facts["number"])

    @property
    def stages(self) -> list[str]:
        """The stages that the bundle has its text at."""
        return list(self.facts["stages"])

    def text(self, stage: str) -> str | None:
        """Its text at a stage, None where the bundle has none. Raises Failure."""
        name = self.facts["stages"].get(stage)
        data = None if name is None else self.read(name)
        return None if data is None else data.decode(errors="replace")

    def read(self, name: str) -> bytes | None:
        """A file of its folder, as inputs.npz; None where there is none. Raises Failure."""
        if Path(str(name)).name != name:
            raise Failure(f"{self.id}: {name!r} is no name of a file", UNREADABLE)
        file = self.folder / name
        try:
            return file.read_bytes() if file.is_file() else None
        except BROKEN as error:
            raise Failure(f"cannot read {name} of {self.id}: {said(error)}", UNREADABLE) from None


@dataclass(slots=True)
class Bundle:
    """A bundle as it was opened. `left_out` says what of it could not be read."""

    path: str
    facts: dict[str, Any]
    events: list[dict[str, Any]]
    entries: list[Entry]
    left_out: list[str]
    root: Traversable

    @classmethod
    def open(cls, path: str) -> Self:
        """Reads a bundle, also of a run that was killed. Raises Failure for what is none."""
        root = _root(path)
        notes: list[str] = []
        facts = _facts(path, root)
        events = list(_events(root, notes))
        entries = sorted(_entries(root, notes), key=lambda entry: entry.number)
        by_id = {entry.id: entry for entry in entries}
        _estimate([event for event in events if event["kind"] == "run"])
        for event in events:
            entry = by_id.get(str(event.get("program")))
            if entry is not None and event["kind"] in ("compile", "run"):
                (entry.runs if event["kind"] == "run" else entry.compiles).append(event)
        return cls(path, facts, events, entries, notes, root)

    def entry(self, text: str) -> Entry:
        """The program of this ID, this number, or the only one that begins so. Raises Failure."""
        named = [e for e in self.entries if text in (e.id, str(e.number))]
        found = named or [e for e in self.entries if text and e.id.startswith(text)]
        if len(found) == 1:
            return found[0]
        ids = [e.id for e in found or self.entries]
        if found:
            raise Failure(f"{text!r} may be {', '.join(ids[:8])}: more of the ID is needed")
        if not ids:
            raise Failure(f"{self.path} has no program")
        hint = did_you_mean(text, ids) or f"; it has {', '.join(ids[:8])}"
        raise Failure(f"{self.path} has no program {text!r}{hint}")


def is_bundle(path: str) -> bool:
    """Whether a path looks like a bundle, a damaged one among them."""
    place = Path(path)
    return (place / "bundle.json").is_file() or (place.is_file() and zipfile.is_zipfile(place))


def in_bundle(spec: str) -> tuple[str, str] | None:
    """The bundle and the program that BUNDLE:ID names; None where it is the name of a file."""
    path, _, program = spec.rpartition(":")
    return (path, program) if not os.path.exists(spec) and is_bundle(path) else None


def _root(path: str) -> Traversable:
    place = Path(path)
    try:
        if place.is_dir():
            return place
        if not place.exists():
            raise Failure(f"there is no bundle {path!r}")
        if not zipfile.is_zipfile(place):
            message = f"{path} is no bundle: a directory with bundle.json, or a zip of one"
            raise Failure(message, UNREADABLE)
        return _inside(zipfile.Path(zipfile.ZipFile(place)))
    except BROKEN as error:
        raise Failure(f"cannot read {path}: {said(error)}", UNREADABLE) from None


def _inside(root: Traversable) -> Traversable:
    """The folder of a zip that holds the bundle: the zip itself, or the one folder in it."""
    if (root / "bundle.json").is_file():
        return root
    folders = [item for item in root.iterdir() if (item / "bundle.json").is_file()]
    return folders[0] if len(folders) == 1 else root


def _facts(path: str, root: Traversable) -> dict[str, Any]:
    file = root / "bundle.json"
    try:
        facts = json.loads(file.read_bytes()) if file.is_file() else None
    except BROKEN as error:
        raise Failure(f"cannot read bundle.json of {path}: {said(error)}", UNREADABLE) from None
    facts = facts if isinstance(facts, dict) else {}
    schema = facts.get("schema")
    if not isinstance(schema, str) or not schema.startswith("dump-hlo/bundle/"):
        raise Failure(f"{path} is no bundle: it has no bundle.json of one", UNREADABLE)
    if schema != SCHEMA:
        message = f"{path} is a bundle of {schema}, this dump-hlo reads {SCHEMA}: a newer is needed"
        raise Failure(message, UNREADABLE)
    return facts


def _events(root: Traversable, notes: list[str]) -> Iterator[dict[str, Any]]:
    file = root / "events.jsonl"
    try:
        data = file.read_bytes() if file.is_file() else b""
    except BROKEN as error:
        notes.append(f"events.jsonl: {said(error)}")
        return
    lines = data.split(b"\n")
    unfinished = lines.pop()
    for number, line in enumerate(lines, 1):
        try:
            yield _filled(json.loads(line), _EVENT)
        except (ValueError, RecursionError):
            notes.append(f"line {number} of events.jsonl is no event")
    if unfinished:
        notes.append("the last line of events.jsonl is cut off")


def is_timed(run: Mapping[str, Any]) -> bool:
    """Whether the bundle says how long a device took for a run."""
    taken = run.get("device_seconds")
    return type(taken) in (int, float) and _is_plain(taken)


def _estimate(runs: list[dict[str, Any]]) -> None:
    """Notes of each run what its device took: where that is not known, the median of those known.

    Of a program none of whose runs was timed it is what starting it took.
    """
    times: dict[str, list[float]] = defaultdict(list)
    for run in runs:
        if is_timed(run):
            times[str(run.get("program"))].append(float(run["device_seconds"]))
    usual = {program: median(known) for program, known in times.items()}
    for run in runs:
        guess = usual.get(str(run.get("program")), run["seconds"])
        run["own_seconds"] = run["device_seconds"] if is_timed(run) else guess


def _entries(root: Traversable, notes: list[str]) -> Iterator[Entry]:
    folder = root / "programs"
    try:
        found = sorted(folder.iterdir(), key=lambda item: item.name) if folder.is_dir() else []
    except BROKEN as error:
        notes.append(f"programs: {said(error)}")
        return
    for item in found:
        try:
            if item.is_dir():
                facts = json.loads((item / "program.json").read_bytes())
                yield Entry(_filled(facts, {**_ENTRY, "id": item.name}), item)
        except BROKEN as error:
            notes.append(f"programs/{item.name}: {said(error)}")


def _filled(facts: Any, form: Mapping[str, Any]) -> dict[str, Any]:
    """Facts of the kinds that a form has, what is not said filled in. Raises ValueError."""
    if not isinstance(facts, dict) or not facts:
        raise ValueError("an object is needed")
    for name, value in form.items():
        kinds = _KINDS.get(type(value), (type(value),))
        found = facts.get(name, value)
        if type(found) not in kinds or not _is_plain(found, figures=value is None):
            raise ValueError(f"{name} is {found!r}"[:60])
    return {**form, **facts}


def _is_plain(value: Any, figures: bool = False) -> bool:
    """Whether numbers are none below 0, and what holds others holds words and such numbers.

    `figures`: it holds numbers and no words.
    """
    match value:
        case dict():
            kinds = (int, float) if figures else (int, float, str)
            return all(type(item) in kinds and _is_plain(item) for item in value.values())
        case list():
            return all(isinstance(item, str | int) for item in value)
        case int() | float():
            return 0 <= value < _HUGE
        case _:
            return True


def said(error: BaseException) -> str:
    """What kept something from being read, in words."""
    if isinstance(error, json.JSONDecodeError | UnicodeDecodeError):
        return "it is no JSON"
    if isinstance(error, FileNotFoundError | KeyError):
        return "it is not whole"
    return (isinstance(error, OSError) and error.strerror) or str(error) or type(error).__name__
