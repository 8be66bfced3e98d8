"""A bundle without names, places, hosts and inputs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tools.runs.bundle import Bundle, Entry
from tools.scrubbing.text import scrub_text

Files = dict[str, bytes]
"""The files of a bundle by path."""
_FACTS = ("schema", "version", "jaxlib", "stages")
_EVENT = (
    *("kind", "at", "seconds", "line", "device", "cause", "reason", "source", "operations"),
    *("results", "device_seconds", "to", "bytes"),
)
_PROGRAM = (
    *("schema", "number", "device", "platform", "cause", "reason", "source", "line"),
    *("operations", "arguments", "results", "donated", "compile_seconds", "cost", "memory"),
    *("recompiled", "hash"),
)
_KINDS = {".mlir": "stablehlo", ".hlo": "hlo"}


def scrub_bundle(bundle: Bundle) -> Files:
    """The files of the bundle that is left: texts of programs, times, lines and sizes.

    Texts of other forms, as LLVM's code, are left out. Raises Failure.
    """
    names = _Names()
    ids = {entry.id: names.id_of(entry) for entry in bundle.entries}
    facts = {name: bundle.facts[name] for name in _FACTS if name in bundle.facts}
    files = {"bundle.json": _json(facts)}
    events = (_event(event, names, ids) for event in bundle.events if event["kind"] != "warning")
    files["events.jsonl"] = b"".join(
        json.dumps(event, ensure_ascii=False).encode() + b"\n" for event in events
    )
    for entry in bundle.entries:
        folder = f"programs/{ids[entry.id]}"
        texts = dict(_texts(entry))
        files[f"{folder}/program.json"] = _json(_program(entry, names, ids, list(texts)))
        files.update((f"{folder}/{name}", text.encode()) for name, text in texts.values())
    return files


class _Names:
    """A number for each file, scope and thread, in the order in which they come."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], str] = {}

    def of(self, kind: str, name: str) -> str:
        """`file1` of the first file, and so on; empty stays empty."""
        if not name:
            return ""
        number = 1 + sum(known == kind for known, _ in self._known)
        return self._known.setdefault((kind, name), f"{kind}{number}")

    def id_of(self, entry: Entry) -> str:
        """An ID of the usual form."""
        facts = entry.facts
        hashed = str(facts["hash"])[:6] or f"{entry.number:06}"
        return f"{self.of('file', str(facts['file'])) or 'file0'}_L{facts['line']}_{hashed}"

    def places(self, facts: Mapping[str, Any]) -> dict[str, str]:
        """Where something is, by numbers."""
        kinds = {"file": "file", "scope": "scope", "thread": "thread"}
        return {k: self.of(kind, str(facts[k])) for k, kind in kinds.items() if k in facts}


def _event(event: dict[str, Any], names: _Names, ids: dict[str, str]) -> dict[str, Any]:
    made = {name: event[name] for name in _EVENT if name in event} | names.places(event)
    if event.get("program") in ids:
        made["program"] = ids[event["program"]]
    if "error" in event:
        made["error"] = "scrubbed"
    return made


def _program(entry: Entry, names: _Names, ids: dict[str, str], stages: list[str]) -> dict[str, Any]:
    facts = entry.facts
    made = {name: facts[name] for name in _PROGRAM if name in facts} | names.places(facts)
    made |= {"id": ids[entry.id], "name": "program", "differences": []}
    made["stages"] = {stage: facts["stages"][stage] for stage in stages}
    if "error" in facts:
        made["error"] = "scrubbed"
    return made


def _texts(entry: Entry) -> Iterator[tuple[str, tuple[str, str]]]:
    """The stages that can be scrubbed, each with its file and its text."""
    for stage, name in entry.facts["stages"].items():
        kind = _KINDS.get(Path(name).suffix)
        text = entry.text(stage) if kind else None
        if kind and text is not None:
            yield stage, (name, scrub_text(text, kind))


def _json(facts: Mapping[str, Any]) -> bytes:
    return json.dumps(facts, indent=2, ensure_ascii=False).encode() + b"\n"
