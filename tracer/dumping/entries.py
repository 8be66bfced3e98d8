"""The programs of a bundle: which are wanted, their names, what is written of each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

import numpy as np

from tracer.device import Buffer, Device, Executable
from tracer.dumping.facts import of_compiled, of_program, said, stem_of
from tracer.dumping.folder import INPUTS, Folder
from tracer.dumping.options import Options
from tracer.dumping.stages import file_of, text_of
from tracer.errors import LoweringError
from tracer.events import Compile, Run
from tracer.ir import Function

_SHORTEST = 6
"""Digits of the hash in a name."""


@dataclass(slots=True, eq=False)
class Entry:
    """One program: what is known of it, and whether that is written: `kept`, all there is to be.

    `spare` are the seconds that its `runs` may be waited for; less than none, where they were.
    """

    function: Function
    device: Device
    facts: dict[str, Any]
    wanted: bool
    again: bool = False
    stored: bool = False
    kept: bool = False
    fed: bool = False
    runs: int = 0
    spare: float = 0.0
    failed: set[str] = field(default_factory=set)

    @property
    def id(self) -> str:
        """Its name in the bundle."""
        return str(self.facts["id"])


class Entries:
    """The programs that were met, by what was compiled; who calls holds the capture's lock."""

    def __init__(self, folder: Folder, options: Options) -> None:
        self.folder = folder
        self.options = options
        self._by_function: dict[Function, Entry] = {}
        self._by_id: dict[str, Entry] = {}
        self._places: set[tuple[Any, ...]] = set()
        self._matched = 0

    def known(self, event: Compile | Run) -> Entry | None:
        """The program of an event, if it was met; the lock is not needed."""
        return self._by_function.get(event.function)

    def of(self, event: Compile | Run) -> Entry:
        """The program of an event, made where it is new."""
        found = self.known(event)
        if found is None:
            found = self._by_function[event.function] = self._met(event)
        return found

    def _met(self, event: Compile | Run) -> Entry:
        function, device = event.function, event.device
        assert device is not None
        digest = device.executor.fingerprint(function, device.kind)
        name = self._name(stem_of(event.location), digest)
        if name in self._by_id:
            return self._by_id[name]
        facts = {"id": name, "number": len(self._by_id) + 1, "hash": digest}
        facts = {"schema": "", **facts, **of_program(function, event)}
        place = (facts["file"], facts["line"], facts["cause"])
        made = Entry(function, device, facts, self._is_wanted(name), place in self._places)
        self._places.add(place)
        self._by_id[name] = made
        return made

    def _name(self, stem: str, digest: str) -> str:
        for length in range(_SHORTEST, len(digest) + 1):
            name = f"{stem}_{digest[:length]}"
            if name not in self._by_id or self._by_id[name].facts["hash"] == digest:
                break
        return name

    def _is_wanted(self, name: str) -> bool:
        """Whether a new program is among those asked for."""
        if not re.search(self.options.filter, name):
            return False
        self._matched += 1
        first, skip = self.options.first, self.options.skip
        return self._matched > skip and (first is None or self._matched <= skip + first)

    def begun(self, entry: Entry) -> None:
        """A program is about to be compiled: it is kept, should the compiler not return."""
        if not self.options.only_on:
            self.store(entry, [s for s in self.options.stages if s == "trace"])

    def learn(self, event: Compile) -> Entry:
        """A program was compiled, or refused; nothing is written."""
        entry = self.of(event)
        entry.facts |= of_compiled(event)
        return entry

    def compiled(self, event: Compile) -> Entry:
        """A program was compiled, or refused."""
        entry = self.learn(event)
        self._judge(entry, event.seconds, "error" in entry.facts, event.executable)
        return entry

    def ran(self, entry: Entry, seconds: float, failed: bool) -> None:
        """A program that is not kept yet has run."""
        self._judge(entry, seconds, failed)

    def _judge(
        self, entry: Entry, seconds: float, failed: bool, executable: Executable | None = None
    ) -> None:
        """Keeps a program that took so long, where there is reason to."""
        if self._is_reason(entry, seconds, failed):
            self.store(entry, self.options.stages, executable)
            entry.kept = True

    def _is_reason(self, entry: Entry, seconds: float, failed: bool) -> bool:
        match self.options.only_on:
            case "":
                return True
            case "error":
                return failed
            case "recompile":
                return entry.again
            case _:
                return seconds >= (self.options.slow or 0.0)

    def store(
        self, entry: Entry, stages: Sequence[str], executable: Executable | None = None
    ) -> None:
        """Writes the texts of these stages that are not there yet, and what is known."""
        if not entry.wanted or not self.folder.writes:
            return
        missing = [s for s in stages if s not in entry.facts["stages"] and s not in entry.failed]
        if missing or executable is not None or not entry.stored:
            for stage in missing:
                self._write(entry, stage, executable)
            entry.stored = True
            self.folder.program(entry.id, entry.facts)

    def _write(self, entry: Entry, stage: str, executable: Executable | None) -> None:
        try:
            text, again = text_of(stage, entry.function, entry.device, executable)
        except (LoweringError, ValueError, RuntimeError) as error:
            entry.failed.add(stage)
            message = f"{stage}: {said(error)}"
            self.folder.event({"kind": "warning", "program": entry.id, "text": message})
            return
        file = file_of(stage)
        if self.folder.file(entry.id, file, text):
            entry.facts["stages"][stage] = file
            entry.facts["recompiled"] |= again
        else:
            entry.failed.add(stage)

    def feed(self, entry: Entry, inputs: Sequence[Buffer]) -> None:
        """Writes what a program is given, the first time that it runs."""
        if entry.fed or not entry.wanted:
            return
        entry.fed = True
        get = entry.device.executor.get
        arrays = {f"arg{i}": _known(get(buffer)) for i, buffer in enumerate(inputs)}
        self.folder.file(entry.id, INPUTS, _packed(arrays))


def _packed(arrays: dict[str, Any]) -> bytes:
    """Arrays as NumPy saves them; of a dtype that it does not know, the bytes."""
    file = BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def _known(array: Any) -> Any:
    return array if array.dtype.isbuiltin == 1 else array.view(f"V{array.itemsize}")
