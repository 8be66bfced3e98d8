"""What a bundle does not tell, counted as a program runs: eager operations, and NaN."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np

from tools.places.notes import brief
from tools.runs.gate import Found
from tracer.device import Buffer, Device
from tracer.dtypes import is_inexact
from tracer.errors import source_line
from tracer.events import Event, Run, observers


@dataclass(slots=True, eq=False)
class Watch:
    """An observer: where operations ran on an eager device; with `values`, where results have NaN.

    To look at values waits for each program.
    """

    values: bool
    runs: int = 0
    eager: list[str] = field(default_factory=list)
    nan: list[str] = field(default_factory=list)

    def started(self, event: Event) -> None:
        """An event begins."""

    def finished(self, event: Event) -> None:
        """Counts a run."""
        if not isinstance(event, Run) or event.device is None or event.error is not None:
            return
        self.runs += 1
        file, line = source_line(event.location)
        place = f"{brief(file)}:{line}"
        if event.cause == "eager":
            self.eager.append(place)
        if self.values:
            self.nan += [place] * _having_nan(event.device, event.results)

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Inside, this is told of what happens."""
        observers.append(self)
        try:
            yield
        finally:
            observers.remove(self)

    @property
    def found(self) -> dict[str, Found]:
        """What `tools.runs.gate.judge` asks for."""
        return {"fallback": (len(self.eager), self.eager), "nan": (len(self.nan), self.nan)}


def _having_nan(device: Device, buffers: Sequence[Buffer]) -> int:
    arrays = (device.executor.get(buffer) for buffer in buffers)
    return sum(bool(is_inexact(array.dtype) and np.isnan(array).any()) for array in arrays)
