"""Profiles by jaxlib's profiler: one for the whole process at a time."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from lowering.hlo_places import all_places
from runtime import pjrt
from tracer.errors import FileLine
from tracer.profiles import Span, Trace, TraceEvent, Track

_BUSY = (
    "another profiler is running in this process, and there can only be one: end it first "
    "(jax.profiler.stop_trace, or the program that connected)"
)
_NUMBERED = re.compile(r"\((\d+)\)$")
_UNSAFE = re.compile(r"[,#=]")
"""What separates the facts of a span."""


class JaxlibProfiler:
    """A session of jaxlib's profiler. Raises RuntimeError where one is running already."""

    def __init__(self) -> None:
        if pjrt.is_profiled():
            raise RuntimeError(_BUSY)
        self._session = pjrt.start_profiler()

    def span(self, name: str, facts: Mapping[str, Any]) -> Span:
        """An event of this thread, in the same trace as XLA's own."""
        made: Span = pjrt.span(name, **{key: _safe(value) for key, value in facts.items()})
        return made

    def places(self, hlo: str) -> dict[str, tuple[FileLine, ...]]:
        """The lines of each instruction of an optimised program, by its name; some have none."""
        return all_places(hlo)

    def stop(self) -> Trace:
        """What was seen. Raises RuntimeError where that can't be had."""
        raw: bytes = self._session.stop()
        lines = list(pjrt.profiled(raw))
        tracks = [Track(plane, line, [_event(*e) for e in events]) for plane, line, events in lines]
        run = {event.key for track in tracks for event in track.events if event.instruction}
        return Trace(raw, tracks, _places(raw, run))


def _safe(value: Any) -> Any:
    return _UNSAFE.sub(" ", value) if isinstance(value, str) else value


def _event(name: str, start: float, duration: float, facts: dict[str, Any]) -> TraceEvent:
    instruction = str(facts.get("hlo_op", ""))
    program, key = str(facts.get("hlo_module", "")), int(facts.get("program_id", -1))
    return TraceEvent(name, start, duration, facts, instruction, program, key)


def _places(raw: bytes, wanted: set[int]) -> dict[tuple[int, str], tuple[FileLine, ...]]:
    """The places of the instructions of programs, whose optimised HLO is in the profile."""
    return {
        (key, name): places
        for key, module in _modules(raw)
        if key in wanted
        for name, places in all_places(pjrt.hlo_of_proto(module)).items()
    }


def _modules(raw: bytes) -> Iterator[tuple[int, bytes]]:
    """Number and HloModuleProto of each program: an XPlane's event metadata hold an HloProto."""
    for plane in _messages(raw, 1):
        for entry in _messages(plane, 4):
            for metadata in _messages(entry, 2):
                numbered = _NUMBERED.search(next(_messages(metadata, 2), b"").decode())
                for stat in _messages(metadata, 5) if numbered else ():
                    for hlo in _messages(stat, 6):
                        yield from ((int(numbered[1]), m) for m in _messages(hlo, 1) if numbered)


def _messages(data: bytes, number: int) -> Iterator[bytes]:
    """The fields of this number that hold bytes, in a message as protocol buffers write it."""
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        kind = key & 7
        if kind == 2:
            length, at = _varint(data, at)
            if key >> 3 == number:
                yield data[at : at + length]
            at += length
        elif kind == 0:
            _, at = _varint(data, at)
        else:
            at += {1: 8, 5: 4}[kind]


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at
