"""Compiled programs on disk: what XLA made once is loaded by the next process.

Loading runs native code, so entries come from a directory alone that no one else can write to, and
only whole ones, made for this very program, jaxlib, processor and environment.
"""

from __future__ import annotations

import hashlib
import logging
import warnings
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import platformdirs

from lowering.identity import pipeline_identity
from runtime import pjrt
from runtime.environments import Environment, remember, unlike
from runtime.host import describe_host
from runtime.store import DamagedError, Store
from tracer import metrics
from tracer.config import compiler_environment, config

_FORMAT = "1"
"""To be changed with what an entry means."""
_log = logging.getLogger("tracer.cache")
_DUMPS = "nothing comes from the disk while XLA_FLAGS has XLA write files"


class Request(NamedTuple):
    """A program wanted of a device: the shapes and dtypes of its results, and XLA's flags."""

    client: pjrt.Client
    results: Sequence[tuple[Any, ...]]
    options: Sequence[tuple[str, Any]]


class Found(NamedTuple):
    """A program, from the "disk" or the "compiler"; what is known of why not from the disk."""

    executable: pjrt.Executable
    source: str = "compiler"
    note: str = ""


def cached(request: Request, source: Callable[[], str], text: Callable[[], str]) -> Found:
    """A program from the disk; else compiled of its text, and then kept there.

    `source` gives what the program follows from. Trouble with the disk is a warning, at most.
    """
    store = _store_in_use()
    if store is None:
        return Found(_compile(request, text), note=_DUMPS if _writes_files() else "")
    key = key_of(request, source())
    found, problem = _find(store, key, request)
    if found is not None:
        metrics.add("disk_hits")
        return Found(found, "disk")
    made = _compile(request, text)
    environment = _environment(request.client)
    problem = problem or unlike(store.directory, environment)
    return Found(made, note=_keep(store, key, made, environment) or problem)


def _compile(request: Request, text: Callable[[], str]) -> pjrt.Executable:
    return request.client.compile(text(), request.results, request.options)


def _environment(client: pjrt.Client) -> Environment:
    """What a program depends on besides itself, by name."""
    names = ("jaxlib", "platform", "kind of device", "driver")
    host = ("operating system", "architecture", "processor", "number of threads")
    return (
        *zip(names, client.identity, strict=True),
        *zip(host, describe_host(), strict=True),
        *compiler_environment().items(),
        *_library(),
    )


@cache
def _library() -> Environment:
    """What passes are made of, where that can be told; it takes some milliseconds."""
    found = pipeline_identity(())
    return () if found is None else (("source of this library, NumPy or ml_dtypes", found),)


def key_of(request: Request, source: str) -> str:
    """A hash of all that a compiled program depends on."""
    parts = (
        _FORMAT,
        *request.client.identity,
        *describe_host(),
        *compiler_environment().values(),
        request.client.compile_options(request.options).SerializeAsString(),
        source,
    )
    digest = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else part.encode(errors="surrogateescape")
        digest.update(b"%d:" % len(data))
        digest.update(data)
    return digest.hexdigest()


def default_directory() -> Path:
    """The user's own. Raises FileNotFoundError where there is no home directory."""
    found = Path(platformdirs.user_cache_dir("tracer")) / "programs"
    if not found.is_absolute():
        raise FileNotFoundError("there is no home directory")
    return found


def _store_in_use() -> Store | None:
    """The store that the settings name; None where there is none, or XLA is to write files."""
    if not config.disk_cache or _writes_files():
        return None
    return _open(config.cache_directory, config.cache_limit)


def _writes_files() -> bool:
    """Whether XLA is to write files, which it does as it compiles."""
    return "xla_dump" in compiler_environment()["XLA_FLAGS"]


@cache
def _open(directory: str, limit: int) -> Store | None:
    try:
        return Store(Path(directory).absolute() if directory else default_directory(), limit << 20)
    except (OSError, ValueError) as error:  # a ValueError where a name can be no path
        _warn(f"compiled programs are not kept on disk: {error}")
        return None


def _find(store: Store, key: str, request: Request) -> tuple[pjrt.Executable | None, str]:
    """A program from the disk; or what kept it from being read."""
    try:
        payload = store.read(key)
        return None if payload is None else request.client.load(payload, *request[1:]), ""
    except (DamagedError, pjrt.CompileError) as error:
        _warn(f"a compiled program on disk is damaged, and is compiled anew: {error}")
        return None, "the program on the disk is damaged"
    except OSError as error:
        _log.info("not read: %s", error)
        return None, f"the program on the disk can't be read: {error.strerror}"


def _keep(store: Store, key: str, made: pjrt.Executable, environment: Environment) -> str:
    """Writes a program, if it can be; else why not.

    Some can't: jaxlib does not serialize calls into oneDNN. There is nothing that a user could do
    about it, so only the log "tracer.cache" is told.
    """
    try:
        payload = made.serialize()
    except (pjrt.CompileError, MemoryError) as error:
        _log.info("a program goes without an entry: XLA does not serialize it: %s", error)
        return "no process finds it on the disk: XLA does not serialize it"
    try:
        store.write(key, payload)
    except OSError as error:
        _warn_unwritten(f"{store.directory}: {error}")
        return f"it can't be kept on the disk: {error.strerror}"
    remember(store.directory, environment)
    return ""


@cache
def _warn_unwritten(problem: str) -> None:
    _warn(f"compiled programs can't be written to the disk: {problem}")


def _warn(message: str) -> None:
    advice = "tracer.config.disk_cache = False, or TRACER_DISK_CACHE=0, turns this off"
    warnings.warn(f"{message}; {advice}", RuntimeWarning, stacklevel=2)
