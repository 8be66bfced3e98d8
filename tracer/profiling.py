"""`tr.profile`: what the host recorded, cut, compiled, ran and moved, and what devices did."""

from __future__ import annotations

import json
import platform
import zlib
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import ClassVar, Self

from tracer.chrome import chrome_trace
from tracer.device import backend
from tracer.errors import Location, at_caller, locate, where
from tracer.events import observers
from tracer.host_spans import HostSpans
from tracer.profiled import Programs
from tracer.profiles import DeviceOp, Trace, device_ops, table_of

TRACE = "trace.json.gz"
_GZIP = 31
"""What makes zlib write as gzip does."""


class profile:
    """Inside, what the host and its devices do is noted, and at the end written into a directory.

    `trace.json.gz` is for Perfetto, `plugins/profile/` for TensorBoard and xprof. Programs that
    were started are waited for. Raises RuntimeError inside of another profile, and OSError for a
    directory that can't be written into.
    """

    _active: ClassVar[profile | None] = None
    _lock: ClassVar[Lock] = Lock()

    def __init__(self, directory: str | Path) -> None:
        self.directory = Path(directory)
        self._location: Location = None
        self._host: HostSpans | None = None
        self._programs: Programs | None = None
        self._trace: Trace | None = None
        self._ops: list[DeviceOp] | None = None
        self._digest = b""

    def __enter__(self) -> Self:
        self._location = locate()
        with profile._lock:
            if profile._active is not None:
                since = where(profile._active._location)
                message = f"there is one profile at a time, and one goes on since {since}"
                raise at_caller(RuntimeError(message))
            self._run = self._prepared()
            try:
                profiler = backend("XLA").profiler()
            except RuntimeError as error:
                raise at_caller(error) from None
            self._trace = self._ops = None
            self._host, self._programs = HostSpans(profiler), Programs(profiler.places)
            profile._active = self
        observers.extend((self._host, self._programs))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        host, self._host = self._host, None  # an interrupt, then, ends the profiler too
        assert host is not None and self._programs is not None
        observers.remove(host)
        observers.remove(self._programs)
        try:
            trace = host.stop()
        finally:
            profile._active = None
        self._trace, self._ops = replace(trace, raw=b""), None
        with suppress(*[OSError] if error else []):
            self._write(trace)

    def slowest(self, n: int = 10) -> list[DeviceOp]:
        """The operations that took devices longest. Raises RuntimeError before the end.

        The first time, programs that came from the disk are compiled for their lines, which the
        trace gets too.
        """
        return self._all_ops()[:n]

    def report(self, n: int = 20) -> str:
        """The slowest operations as a table, with the lines of your program that they are from."""
        return table_of(self._all_ops(), n)

    def _all_ops(self) -> list[DeviceOp]:
        if self._ops is None:
            if self._trace is None or self._programs is None:
                message = "a profile is read after its end, and this one goes on"
                raise at_caller(RuntimeError(message))
            trace = self._programs.complete(self._trace)
            self._ops = device_ops(trace)
            if trace is not self._trace:
                self._write_again(trace)
            self._trace = self._programs = None
        return self._ops

    def _prepared(self) -> Path:
        """The directory of this run, made. Raises OSError."""
        now = datetime.now().strftime("%Y_%m_%d_%H_%M_%S_%f")
        run = self.directory / "plugins" / "profile" / now
        try:
            run.mkdir(parents=True)
            with (self.directory / TRACE).open("ab"):
                return run
        except (OSError, ValueError) as error:  # a ValueError where a name can be no path
            said = getattr(error, "strerror", None) or error
            message = f"a profile can't be written into {self.directory}: {said}"
            raise at_caller(type(error)(message)) from None

    def _write(self, trace: Trace) -> None:
        """Raises OSError."""
        host = platform.node() or "localhost"
        try:
            (self._run / f"{host}.xplane.pb").write_bytes(trace.raw)
            self._write_trace(trace)
        except OSError as error:
            message = f"the profile could not be written into {self.directory}: {error.strerror}"
            raise at_caller(OSError(message), self._location) from None

    def _write_trace(self, trace: Trace) -> None:
        data = json.dumps(chrome_trace(trace), separators=(",", ":")).encode()
        packed = zlib.compress(data, 1, _GZIP)
        (self.directory / TRACE).write_bytes(packed)
        self._digest = sha256(packed).digest()

    def _write_again(self, trace: Trace) -> None:
        """Puts a trace that knows more in place of ours, if that is still there and can be."""
        with suppress(OSError):
            if sha256((self.directory / TRACE).read_bytes()).digest() == self._digest:
                self._write_trace(trace)
