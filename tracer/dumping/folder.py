"""The directory of a bundle: made, taken from an older one, written file by file."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import re
import warnings
from io import FileIO
from pathlib import Path
from threading import RLock
from typing import Any

from tracer.dumping.stages import is_file_of
from tracer.dumping.ticking import Ticker
from tracer.errors import at_caller

BUNDLE = "bundle.json"
EVENTS = "events.jsonl"
PROGRAMS = "programs"
PROGRAM = "program.json"
INPUTS = "inputs.npz"
SCHEMA = "dump-hlo/bundle/1"
_ID = re.compile(r"_L\d+_[0-9a-f]+$")
encode = json.JSONEncoder(allow_nan=False).encode
_TICK = 0.05
"""Seconds after which events are written, at the latest; who is killed loses so much."""


class _Process:
    """This process: to ask the system each time takes long."""

    number = os.getpid()

    @classmethod
    def forked(cls) -> None:
        """It is another now."""
        cls.number = os.getpid()


os.register_at_fork(after_in_child=_Process.forked)


class Folder:
    """A bundle as it is written. Events wait a moment; the first write that fails is the last.

    Raises OSError where there can be no bundle: a directory of other things, one that can't be
    written to, or one that another process writes a bundle into.
    """

    def __init__(self, path: Path, facts: dict[str, Any], max_bytes: int | None = None) -> None:
        self.path = path
        self._left = max_bytes
        self._owner = _Process.number
        self._lock = RLock()
        self._failed = False
        self._lines: list[str] = []
        try:
            path.mkdir(parents=True, exist_ok=True)
            _need_ours(path)
            self._events = _opened(path / EVENTS)
            self._begin(facts)
        except (OSError, ValueError) as error:  # a ValueError where a name can be no path
            message = f"a bundle can't be written into {path}: {_said(error)}"
            raise at_caller(type(error)(message)) from None
        self._ticker = Ticker(self.flush, _TICK)

    def _begin(self, facts: dict[str, Any]) -> None:
        try:
            _clear(self.path)
            (self.path / PROGRAMS).mkdir(exist_ok=True)
            _write(self.path / BUNDLE, _json(facts))
        except OSError:
            self._events.close()
            raise

    @property
    def writes(self) -> bool:
        """Whether anything is still written: a process forked off does not."""
        return not self._failed and _Process.number == self._owner

    def line(self, line: str) -> None:
        """Adds a line to the events, which is written with others soon."""
        self._lines.append(line)

    def event(self, facts: dict[str, Any]) -> None:
        """Adds a line to the events, which is written at once."""
        self.line(f"{encode(facts)}\n")
        self.flush()

    def flush(self) -> None:
        """Writes the events that wait."""
        if self._lines:
            self._guarded(self._flush)

    def file(self, entry: str, name: str, data: str | bytes) -> bool:
        """Writes a file of a program; whether there was room for it."""
        content = data.encode(errors="replace") if isinstance(data, str) else data
        if self.writes and self._takes(len(content)):
            self._guarded(self._file, entry, name, content)
            return True
        return False

    def program(self, entry: str, facts: dict[str, Any]) -> None:
        """Writes what is known of a program, in place of what was."""
        self._guarded(self._file, entry, PROGRAM, _json(facts))

    def close(self) -> None:
        """Ends the bundle; another process may take its directory.

        One that was forked off has the lock too, for as long as it lives: only its owner lets go.
        """
        if _Process.number == self._owner:
            self._ticker.end()
            with self._lock:
                self._failed = True
                if not self._events.closed:
                    fcntl.flock(self._events, fcntl.LOCK_UN)
        self._events.close()

    def _takes(self, size: int) -> bool:
        with self._lock:
            if self._left is None:
                return True
            if self._left >= size:
                self._left -= size
                return True
            if self._left >= 0:
                self._left = -1
                text = "max_bytes are reached: no more texts of programs are kept"
                self.event({"kind": "warning", "text": text})
            return False

    def _flush(self) -> None:
        count = len(self._lines)  # others may add some meanwhile
        data = "".join(self._lines[:count]).encode()
        del self._lines[:count]
        if self._events.write(data) != len(data):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def _file(self, entry: str, name: str, data: bytes) -> None:
        folder = self.path / PROGRAMS / entry
        folder.mkdir(exist_ok=True)
        _write(folder / name, data)

    def _guarded(self, write: Any, *arguments: Any) -> None:
        """One write; where it fails, that is said, and the program goes on without."""
        if not self.writes:  # in a process forked off, the lock may be held by no one there is
            return
        with self._lock:
            if self._failed:
                return
            try:
                write(*arguments)
            except OSError as error:
                self._failed = True
                message = f"the bundle {self.path} ends here: {_said(error)}"
                warnings.warn(message, RuntimeWarning, stacklevel=1)


def _write(path: Path, data: bytes) -> None:
    """Writes a file whole: who reads meanwhile, or after a crash, has the one before or this."""
    made = path.with_name(f".{path.name}")
    try:
        made.write_bytes(data)
        made.replace(path)
    except OSError:
        made.unlink(missing_ok=True)
        raise


def _said(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)


def _json(facts: dict[str, Any]) -> bytes:
    return f"{json.dumps(facts, indent=2, allow_nan=False)}\n".encode()


def _need_ours(path: Path) -> None:
    if not is_bundle(path) and not all(map(_is_begun, path.iterdir())):
        raise FileExistsError("it is no bundle, and not empty")


def _is_begun(path: Path) -> bool:
    """Whether this is from a bundle that never came to say so: its process ended, or the disk."""
    if path.name == PROGRAMS:
        return path.is_dir() and not any(path.iterdir())
    return path.name == f".{BUNDLE}" or (path.name == EVENTS and not path.stat().st_size)


def is_bundle(path: Path) -> bool:
    """Whether a directory is a bundle, of any version."""
    return str(_read(path / BUNDLE).get("schema", "")).startswith("dump-hlo/bundle/")


def _opened(path: Path) -> FileIO:
    """The events, emptied, and held against other writers."""
    file = path.open("ab", buffering=0)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise BlockingIOError("another capture writes there") from None
    file.truncate(0)
    return file


def _clear(path: Path) -> None:
    """Removes the programs of an older bundle, and nothing that it did not write."""
    for folder in path.glob(f"{PROGRAMS}/*/"):
        stages = _read(folder / PROGRAM).get("stages")
        names = [*stages.values()] if isinstance(stages, dict) else []
        for file in list(folder.iterdir()):
            whole = file.name.removeprefix(".")  # else half of one, of who was killed
            if whole in names or (_ID.search(folder.name) and _is_ours(whole)):
                file.unlink()
        if not any(folder.iterdir()):
            folder.rmdir()


def _is_ours(name: str) -> bool:
    """Whether a file of a program's folder is one that captures write."""
    return name in (PROGRAM, INPUTS) or is_file_of(name)


def _read(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
