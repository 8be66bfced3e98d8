"""Checks of a device's memory: updates in place, transfers, and what happens when it is full."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import ml_dtypes
import numpy as np

import tracer as tr
from runtime import pjrt
from tracer.errors import LoweringError

TOO_MANY = (1 << 21, 1 << 20)
"""A shape of 8 TiB in float32."""
DTYPES = (
    *(np.bool_, np.int8, np.uint16, np.int32, np.int64, np.float16, np.float32, np.float64),
    *(np.complex64, ml_dtypes.bfloat16),
)


def statistics(kind: str) -> dict[str, int]:
    """What the device tells of its memory, in bytes; nothing on a CPU."""
    return pjrt.clients()[kind, 0]._device.memory_stats() or {}


def in_place(kind: str, quick: bool) -> Iterator[str]:
    """A tensor that is replaced by one of its size keeps its memory: one copy, not two."""
    size = 1 << (16 if quick else 28)
    w = tr.ones(size, device=tr.Device(kind))
    addresses = []
    for _ in range(4):
        tr.barrier(wait=True)
        addresses.append(w._data.buffer.unsafe_buffer_pointer())
        w = w * 0.5 + 1.0
    assert w[:3].tolist() == [1.9375] * 3
    peak = statistics(kind).get("peak_bytes_in_use", 0)
    yield f"{4 * size:,} bytes, held at {len(set(addresses))} addresses; peak {peak:,} bytes"
    assert len(set(addresses)) == 1, addresses


def transfer(kind: str, quick: bool) -> Iterator[str]:
    """Arrays of every kind there and back, equal to the bit; and how fast a large one goes."""
    device = tr.Device(kind)
    for dtype in DTYPES:
        for shape in ((), (0, 3), (7, 5)):
            array = np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(dtype)
            found = tr.asarray(array, device=device).numpy()
            assert found.dtype == array.dtype and found.tobytes() == array.tobytes(), array
    yield f"{len(DTYPES)} dtypes are equal after there and back"
    array = np.random.default_rng(0).standard_normal(1 << (16 if quick else 26), np.float32)
    for i in range(3):
        start = time.perf_counter()
        tensor = tr.asarray(array, device=device)
        device.executor.wait(tensor._data.buffer)
        there = time.perf_counter()
        found = tensor.numpy()
        back = time.perf_counter()
        rates = (array.nbytes / (b - a) / 1e9 for a, b in ((start, there), (there, back)))
        yield f"{i}: {array.nbytes:,} bytes: {' GB/s there, '.join(f'{r:.1f}' for r in rates)} back"
        np.testing.assert_array_equal(found, array)


def out_of_memory(kind: str, quick: bool) -> Iterator[str]:
    """A program too large for the device is an error that names it, and nothing else is lost."""
    device = tr.Device(kind)
    kept = tr.asarray([1.0, 2.0], device=device)
    yield from _refused(lambda: tr.broadcast_to(kept[:1], TOO_MANY) * 2.0 + 1.0)
    assert (kept + 1).tolist() == [2.0, 3.0]
    limit = statistics(kind).get("bytes_limit", 0)
    if limit and not quick:
        held: list[Any] = []
        yield from _refused(lambda: held.append(tr.full(limit // 16, 1.5, device=device) * 1.0), 8)
        held.clear()
        assert (tr.full(limit // 64, 1.5, device=device) * 2.0)[:2].tolist() == [3.0, 3.0]
        yield "after that, and with the memory free again, all is well"


def _refused(make: Any, times: int = 1) -> Iterator[str]:
    """Runs what is too large; the lines of its error, which must say what, and where it was cut."""
    try:
        for _ in range(times):
            made = make()
            tr.barrier(wait=True)
    except LoweringError as error:
        yield from str(error).splitlines()
        assert "RESOURCE_EXHAUSTED" in str(error), "another error"
        assert "@main" in str(error), "the program is not named"
        assert f"  at {__file__}:" in str(error), "the place is not named"
        return
    raise AssertionError(f"there was memory enough for {made!r}")
