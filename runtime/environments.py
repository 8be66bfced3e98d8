"""What the programs of a directory were compiled for, in files beside them.

The key of a program is a hash, which does not say what else there is: these files do.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path

_SUFFIX = ".environment"
_MOST = 16
"""How many are kept: the newest."""
_SHORT = 40
"""Up to how many characters a part is said."""
Environment = tuple[tuple[str, str], ...]
"""Parts by name: the release of jaxlib, the processor, and so on."""


@cache
def unlike(directory: Path, environment: Environment) -> str:
    """What programs of a directory are for in place of this, as found by this process first.

    Empty where there are some for this environment, or none at all.
    """
    if _path(directory, environment).exists():
        return ""
    found = [_differences(environment, known) for known in _known(directory)]
    nearest = min(found, key=len, default=[])
    return f"the disk has programs for {', '.join(nearest)}" if nearest else ""


def remember(directory: Path, environment: Environment) -> None:
    """Programs for this environment are in the directory now."""
    path = _path(directory, environment)
    if path.exists():
        return
    with suppress(OSError):
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(handle, "w", encoding="utf-8") as file:
            json.dump(dict(environment), file)
        for old in _files(directory)[_MOST:]:
            old.unlink()


def _path(directory: Path, environment: Environment) -> Path:
    name = sha256(json.dumps(environment).encode()).hexdigest()[:32]
    return directory / f"{name}{_SUFFIX}"


def _files(directory: Path) -> list[Path]:
    """The newest first."""
    dated = []
    for path in directory.glob(f"*{_SUFFIX}"):
        with suppress(OSError):  # another process may remove it
            dated.append((path.stat().st_mtime, path))
    return [path for _, path in sorted(dated, reverse=True)]


def _known(directory: Path) -> Iterator[dict[str, str]]:
    for path in _files(directory):
        with suppress(OSError, ValueError, RecursionError):
            found = json.loads(path.read_bytes())
            if isinstance(found, dict):
                yield {str(name): str(value) for name, value in found.items()}


def _differences(now: Environment, known: dict[str, str]) -> list[str]:
    pairs = ((name, part, known.get(name, part)) for name, part in now)
    return [_said(name, part, other) for name, part, other in pairs if part != other]


def _said(name: str, now: str, other: str) -> str:
    if max(len(now), len(other)) > _SHORT:
        return f"another {name}"
    return f"{name} {other!r} in place of {now!r}"
