"""Bytes on disk by key, in a directory that only its owner writes to; the latest used are kept."""

from __future__ import annotations

import hashlib
import os
import stat
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

_MAGIC = b"tracer program 1\n"
_HEADER = len(_MAGIC) + 2 * hashlib.sha256().digest_size
_SUFFIX = ".program"
_UNFINISHED = ".tmp"
_LOCK = ".lock"
_STALE = 3600.0
"""Seconds after which a file that was not finished belongs to a process that is gone."""

ENTRIES = 16_384
"""How many entries are kept at most: their names are gone through in some 50 ms."""
_PART = 64
"""The limit is looked at again whenever this part of it was written."""

_Entry = tuple[float, int, str]
"""When an entry was last used, its size, its path."""


class DamagedError(ValueError):
    """An entry that is not what was written, or that someone else could have written."""


class Store:
    """A directory of entries, of at most `limit` bytes.

    Raises OSError where it can't be made, PermissionError where others can write to it.
    """

    def __init__(self, directory: Path, limit: int) -> None:
        self.directory = directory
        self.limit = limit
        self._unseen = limit
        self._make()

    def _make(self) -> None:
        self.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        _check_owner(self.directory)

    def read(self, key: str) -> bytes | None:
        """The payload of a key, a hash in hexadecimal digits; None where there is none.

        Raises DamagedError for a file that is not its entry, whole and ours.
        """
        path = self._path(key)
        try:
            with open(path, "rb", opener=_open) as file:
                found = os.fstat(file.fileno())
                header, payload = file.read(_HEADER), file.read()
        except FileNotFoundError:
            return None
        if not _is_ours(found) or header != _header(key, payload):
            raise DamagedError(path)
        with suppress(OSError):  # a directory that is only read
            os.utime(path)
        return payload

    def write(self, key: str, payload: bytes) -> None:
        """Puts an entry in place, whole or not at all. Raises OSError where it can't be."""
        self._make()  # someone may have removed it, to empty it
        handle, made = tempfile.mkstemp(_UNFINISHED, dir=self.directory)
        try:
            with open(handle, "wb") as file:
                file.write(_header(key, payload))
                file.write(payload)
            os.replace(made, self._path(key))
        except BaseException:
            with suppress(OSError):
                os.unlink(made)
            raise
        self._unseen += len(payload)
        if self._unseen * _PART >= self.limit:
            self._unseen = 0
            self._trim()

    def _path(self, key: str) -> str:
        return str(self.directory / f"{key}{_SUFFIX}")

    def _trim(self) -> None:
        """Removes what was used longest ago, past the limit; unless another process does so."""
        surplus = list(_surplus(self._entries(), self.limit))
        if not surplus:
            return
        from filelock import FileLock, Timeout  # noqa: PLC0415  costs 0.05 s, and is seldom needed

        with suppress(Timeout), FileLock(self.directory / _LOCK, timeout=0, mode=0o600):
            for _, _, path in surplus:
                with suppress(FileNotFoundError):
                    os.unlink(path)

    def _entries(self) -> list[_Entry]:
        """The entries, the latest used first; files that nobody will finish as used at no time."""
        found = []
        with os.scandir(self.directory) as files:
            for file in files:
                with suppress(FileNotFoundError):
                    if file.name.endswith((_SUFFIX, _UNFINISHED)):
                        found.append(_entry(file))
        return sorted(found, reverse=True)


def _entry(file: os.DirEntry[str]) -> _Entry:
    known = file.stat(follow_symlinks=False)
    gone = file.name.endswith(_UNFINISHED) and known.st_mtime < time.time() - _STALE
    return (-1.0 if gone else known.st_mtime), known.st_size, file.path


def _surplus(entries: Sequence[_Entry], limit: int) -> Iterator[_Entry]:
    """The entries that have to go: once there are too many, a tenth more, to have peace a while."""
    total = sum(size for _, size, _ in entries)
    fits = total <= limit and len(entries) <= ENTRIES
    limit, count = (limit, ENTRIES) if fits else (limit * 9 // 10, ENTRIES * 9 // 10)
    kept = 0
    for i, entry in enumerate(entries):
        kept += entry[1]
        if entry[0] < 0 or i >= count or kept > limit:
            yield entry


def _header(key: str, payload: bytes) -> bytes:
    """What stands before a payload: the kind of file, the key, and a checksum of all three."""
    start = _MAGIC + bytes.fromhex(key)
    checksum = hashlib.sha256(start)
    checksum.update(payload)
    return start + checksum.digest()


def _open(path: str, flags: int) -> int:
    """Opens no link, and waits for nobody at the other end of a pipe."""
    return os.open(path, flags | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)


def _is_ours(found: os.stat_result) -> bool:
    """Whether a file is this user's, and no one else may write to it."""
    return found.st_uid == os.geteuid() and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _check_owner(directory: Path) -> None:
    """Raises PermissionError for a directory, or a link to one, that others could fill."""
    found, link = directory.stat(), directory.lstat()
    if found.st_uid != os.geteuid() or link.st_uid != os.geteuid():
        raise PermissionError(f"{directory} belongs to someone else")
    if not _is_ours(found):
        raise PermissionError(f"others can write to it: chmod go-w {directory}")
