"""What an installation has and can do: versions, devices, extras, caches, settings."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from pathlib import Path
from typing import Any

from runtime.cache import default_directory
from tracer.config import SETTINGS, compiler_environment, config
from tracer.device import Device
from tracer.functions.creation import ones

NAME = "stablehlo-tracer"
_PACKAGES = ("jaxlib", "jax", "numpy", "ml_dtypes")
_EXTRAS = {
    "cli": ("rich", "mlir-pygments"),
    "data": ("pooch",),
    "io": ("safetensors",),
    "test": ("pytest", "filecheck", "lit"),
}


@dataclass(slots=True)
class Checkup:
    """What was found. `problems` say what is broken, and what to do about it."""

    versions: dict[str, str | None]
    devices: list[dict[str, Any]] = field(default_factory=list)
    extras: dict[str, dict[str, str | None]] = field(default_factory=dict)
    cache: dict[str, Any] = field(default_factory=dict)
    settings: dict[str, Any] = field(default_factory=dict)
    environment: dict[str, str] = field(default_factory=dict)
    page: bool = False
    problems: list[str] = field(default_factory=list)


def look() -> Checkup:
    """Looks at all of it, and runs one program on each kind of device."""
    found = Checkup({"python": platform.python_version(), "platform": platform.platform()})
    found.versions |= {name: _version(name) for name in (NAME, *_PACKAGES)}
    found.problems += [f"{name} is not installed: pip install {NAME}" for name in _missing(found)]
    found.extras = {extra: {p: _version(p) for p in of} for extra, of in _EXTRAS.items()}
    found.settings = {s.name: v for s in SETTINGS if (v := getattr(config, s.name)) != s.default}
    found.environment = {name: text for name, text in compiler_environment().items() if text}
    found.page = (files("tools") / "page" / "page.html").is_file()
    if not found.page:
        found.problems.append("the page of serve is not built: make page, which needs Node.js")
    _look_at_cache(found)
    _look_at_devices(found)
    return found


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _missing(found: Checkup) -> Iterator[str]:
    """Packages that there is no doing without; ourselves are not, in a checkout."""
    return (name for name in _PACKAGES if found.versions[name] is None)


def _look_at_cache(found: Checkup) -> None:
    """Where compiled programs are kept, how many, and whether more can be."""
    chosen = config.cache_directory
    try:
        path = Path(chosen).absolute() if chosen else default_directory()
        sizes = [file.stat().st_size for file in path.glob("*.program")]
    except OSError as error:
        found.cache = {"used": config.disk_cache, "directory": None}
        found.problems.append(f"there is no place for compiled programs: {error}")
        return
    base = next((p for p in (path, *path.parents) if p.exists()), path)
    writable = os.access(base, os.W_OK | os.X_OK)
    found.cache = {
        "used": config.disk_cache,
        "directory": str(path),
        "programs": len(sizes),
        "bytes": sum(sizes),
        "limit": config.cache_limit << 20,
        "writable": writable,
    }
    if config.disk_cache and not writable:
        found.problems.append(f"cannot write into {base}: set TRACER_CACHE_DIRECTORY")


def _look_at_devices(found: Checkup) -> None:
    """What there is to compute on; the first of each kind and backend has to add."""
    tried: set[tuple[str, str]] = set()
    try:
        devices = Device.all_devices()
    except Exception as error:
        found.problems.append(f"no device can be had: {error}")
        return
    for device in devices:
        works = None
        if (device.kind, device.backend) not in tried:
            tried.add((device.kind, device.backend))
            works = _adds(device, found.problems)
        row = {"name": f"{device.kind}:{device.ordinal}", "backend": device.backend}
        found.devices.append({**row, "lazy": device.lazy, "works": works})


def _adds(device: Device, problems: list[str]) -> bool:
    try:
        right = float(ones((), device=device) + 1.0) == 2.0
        said = "1 + 1 is not 2"
    except Exception as error:
        right, said = False, str(error).partition("\n")[0]
    if not right:
        problems.append(f"{device} does not work: {said}")
    return right
