"""Where a capture begins: `with tr.dump(directory):`, or the setting `dump`."""

from __future__ import annotations

import atexit
import importlib
import os
import platform
import sys
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from threading import Lock
from typing import Any

from tracer.config import SETTINGS, config
from tracer.dumping.capture import Capture
from tracer.dumping.folder import SCHEMA, Folder
from tracer.dumping.options import STAGES, Options
from tracer.errors import at_caller
from tracer.events import observers


@contextmanager
def dump(
    directory: str | os.PathLike[str], *, stages: Sequence[str] = STAGES, **options: Any
) -> Iterator[Path]:
    """Inside, every program and what happens is written into a directory, a bundle: see `dump-hlo`.

    `stages` of each program; `filter`, a pattern of its name; `first` and `skip`, of programs;
    `steps="2:5"`, counted in barriers; `only_on="error"`, "recompile" or "slow:0.5" (seconds), when
    texts are kept; `inputs=True`, what programs are given first; `eager=True`, eager operations
    too; `cache="bypass"`, nothing from the disk; `max_bytes` of texts. An older bundle is replaced.
    Raises ValueError for what is no option, OSError where no bundle can be.
    """
    known = _options([stages] if isinstance(stages, str) else stages, options)
    path = Path(directory).absolute()
    capture = _capture(path, known)
    with _disk.left_out() if known.cache == "bypass" else nullcontext():
        observers.append(capture)
        try:
            yield path
        except BaseException as error:
            _end(capture, error)
            raise
        finally:
            _end(capture)


class _Disk:
    """The cache on disk, left out while a capture wants that: several may, in several threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._without = 0
        self._before = True

    @contextmanager
    def left_out(self) -> Iterator[None]:
        """Inside, nothing comes from the disk; the last one out puts the setting back."""
        with self._lock:
            if not self._without:
                self._before, config.disk_cache = config.disk_cache, False
            self._without += 1
        try:
            yield
        finally:
            with self._lock:
                self._without -= 1
                if not self._without:
                    config.disk_cache = self._before


_disk = _Disk()


def dump_as_set() -> None:
    """Begins the capture that the settings ask for, until this process ends.

    Where another process writes into that directory, this one takes its own beside it. Trouble is
    a warning.
    """
    if not config.dump:
        return
    stages = tuple(name.strip() for name in config.dump_stages.split(",") if name.strip())
    try:
        options = Options(stages=stages, filter=config.dump_filter).checked()
        capture = _begun(Path(config.dump).absolute(), options)
    except (OSError, ValueError) as error:
        warnings.warn(f"nothing is dumped: {error}", RuntimeWarning, stacklevel=2)
        return
    observers.append(capture)
    atexit.register(_end, capture)


def _options(stages: Sequence[str], others: dict[str, Any]) -> Options:
    known = Options.__dataclass_fields__
    for name in others:
        if name not in known:
            raise at_caller(TypeError(f"dump has no option {name!r}; it has {', '.join(known)}"))
    if not isinstance(stages, Iterable):
        raise at_caller(ValueError(f"stages need names, got {stages!r}"))
    return Options(stages=tuple(stages), **others).checked()


def _begun(path: Path, options: Options) -> Capture:
    try:
        return _capture(path, options)
    except BlockingIOError:
        return _capture(path.with_name(f"{path.name}-{os.getpid()}"), options)


def _capture(path: Path, options: Options) -> Capture:
    return Capture(Folder(path, _facts(options), options.max_bytes), options)


def _end(capture: Capture, error: BaseException | None = None) -> None:
    if capture in observers:
        observers.remove(capture)
        capture.end(error)


def _facts(options: Options) -> dict[str, Any]:
    """What bundle.json says."""
    return {
        "schema": SCHEMA,
        "version": importlib.import_module("tracer").__version__,
        "jaxlib": _version("jaxlib"),
        "python": platform.python_version(),
        "platform": platform.platform(),
        "argv": list(sys.argv),
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "stages": list(options.stages),
        "settings": {setting.name: getattr(config, setting.name) for setting in SETTINGS},
    }


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
