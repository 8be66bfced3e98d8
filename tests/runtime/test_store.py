"""Entries on disk are whole, the owner's, and the latest used."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

import pytest
from filelock import FileLock

from runtime import store as module
from runtime.store import DamagedError, Store

KEY, OTHER = "ab" * 32, "cd" * 32
PAYLOAD = bytes(range(256)) * 4


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """One of 64 kB."""
    return Store(tmp_path / "a" / "programs", 64_000)


def entry(store: Store, key: str = KEY) -> Path:
    """The file of a key."""
    (path,) = store.directory.glob(f"{key}*")
    return path


def test_what_is_written_is_read(store: Store) -> None:
    assert store.read(KEY) is None
    store.write(KEY, PAYLOAD)
    assert store.read(KEY) == PAYLOAD
    assert store.read(OTHER) is None
    store.write(KEY, b"")
    assert store.read(KEY) == b""
    assert os.listdir(store.directory) == [entry(store).name]


def test_only_the_owner_may_look(store: Store) -> None:
    store.write(KEY, PAYLOAD)
    assert store.directory.stat().st_mode & 0o777 == 0o700
    assert entry(store).stat().st_mode & 0o777 == 0o600


def test_a_truncated_entry_is_damaged(store: Store) -> None:
    store.write(KEY, PAYLOAD)
    whole = entry(store).read_bytes()
    for length in (0, 1, 16, 17, 48, 49, 80, 81, len(whole) // 2, len(whole) - 1):
        entry(store).write_bytes(whole[:length])
        with pytest.raises(DamagedError, match=KEY):
            store.read(KEY)
    entry(store).write_bytes(whole)
    assert store.read(KEY) == PAYLOAD


def test_a_changed_bit_is_damage(store: Store) -> None:
    store.write(KEY, PAYLOAD)
    whole = entry(store).read_bytes()
    for position in (0, 16, 17, 48, 49, 80, 81, len(whole) - 1):
        changed = bytearray(whole)
        changed[position] ^= 1
        entry(store).write_bytes(changed)
        with pytest.raises(DamagedError):
            store.read(KEY)
    entry(store).write_bytes(whole + b"\0")
    with pytest.raises(DamagedError):
        store.read(KEY)


def test_an_entry_of_another_key_is_not_taken(store: Store) -> None:
    store.write(OTHER, PAYLOAD)
    entry(store, OTHER).rename(store.directory / f"{KEY}.program")
    with pytest.raises(DamagedError):
        store.read(KEY)


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_an_entry_that_others_can_write_to_is_not_taken(store: Store, mode: int) -> None:
    store.write(KEY, PAYLOAD)
    entry(store).chmod(mode)
    with pytest.raises(DamagedError):
        store.read(KEY)


def test_an_entry_of_someone_else_is_not_taken(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.write(KEY, PAYLOAD)
    me = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: me + 1)
    with pytest.raises(DamagedError):
        store.read(KEY)


def test_a_link_is_not_followed(store: Store, tmp_path: Path) -> None:
    store.write(KEY, PAYLOAD)
    moved = entry(store).rename(tmp_path / "elsewhere")
    (store.directory / f"{KEY}.program").symlink_to(moved)
    with pytest.raises(OSError, match="symbolic"):
        store.read(KEY)
    store.write(KEY, b"mine")
    assert store.read(KEY) == b"mine"
    assert moved.read_bytes().endswith(PAYLOAD)


@pytest.mark.parametrize("mode", [0o720, 0o702, 0o777, 0o1777])
def test_a_directory_that_others_can_write_to_is_refused(tmp_path: Path, mode: int) -> None:
    tmp_path.chmod(mode)
    with pytest.raises(PermissionError, match=re.escape(f"chmod go-w {tmp_path}")):
        Store(tmp_path, 1)


def test_a_link_to_such_a_directory_is_refused(tmp_path: Path) -> None:
    (tmp_path / "open").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "open")
    Store(tmp_path / "link", 1)
    (tmp_path / "open").chmod(0o777)
    with pytest.raises(PermissionError, match="others can write"):
        Store(tmp_path / "link", 1)


def test_a_directory_of_someone_else_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    me = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: me + 1)
    with pytest.raises(PermissionError, match="belongs to someone else"):
        Store(tmp_path, 1)


def test_a_write_that_fails_leaves_nothing(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    store.write(KEY, PAYLOAD)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space"):
        store.write(KEY, b"new")
    assert os.listdir(store.directory) == [f"{KEY}.program"]
    assert store.read(KEY) == PAYLOAD


def filled(store: Store, count: int) -> list[str]:
    """The keys of entries of 10 kB, the first used longest ago."""
    keys = [f"{i:064x}" for i in range(count)]
    for i, key in enumerate(keys):
        store.write(key, bytes(10_000))
        os.utime(entry(store, key), (i, i))
    return keys


def kept(store: Store) -> set[str]:
    """The keys of the entries there are."""
    return {path.stem for path in store.directory.glob("*.program")}


def test_the_latest_used_are_kept(store: Store) -> None:
    keys = filled(store, 6)
    assert kept(store) == set(keys)
    assert store.read(keys[0]) is not None  # which makes it a late one
    store.write(KEY, bytes(10_000))
    assert kept(store) == {KEY, keys[0], *keys[3:]}  # 90 % of the limit


def test_there_are_never_too_many(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ENTRIES", 4)
    keys = filled(store, 4)
    store.write(KEY, bytes(10_000))
    assert kept(store) == {KEY, *keys[2:]}


def test_while_another_process_removes_nothing_is(store: Store) -> None:
    keys = filled(store, 6)
    with FileLock(store.directory / ".lock"):
        store.write(KEY, bytes(10_000))
    assert kept(store) == {KEY, *keys}


def test_what_was_never_finished_goes_in_time(store: Store) -> None:
    gone, going = store.directory / "gone.tmp", store.directory / "going.tmp"
    for path in (gone, going):
        path.write_bytes(b"half")
    old = time.time() - 7200
    os.utime(gone, (old, old))
    store.write(KEY, PAYLOAD)
    assert set(os.listdir(store.directory)) >= {f"{KEY}.program", "going.tmp"}
    assert not gone.exists()
