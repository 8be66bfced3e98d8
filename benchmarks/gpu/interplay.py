"""Checks of what stands around: the devices that are found, other libraries' arrays, the disk."""

from __future__ import annotations

import platform
import tempfile
import time
from collections.abc import Iterator

import jax
import jaxlib
import numpy as np

import tracer as tr
from tracer import programs


def devices(kind: str, quick: bool) -> Iterator[str]:
    """Which there are, as jax sees them and as tracer does; one of the kind must be among them."""
    yield f"Python {platform.python_version()}, jax {jax.__version__}, jaxlib {jaxlib.__version__}"
    yield f"NumPy {np.__version__}, tracer {tr.__version__}"
    try:
        for device in jax.devices(kind.lower()):
            yield f"jax: {device}, {device.device_kind}, {device.client.platform_version!r}"
            yield f"memory: {device.memory_stats()}"
    except RuntimeError as error:  # why the plugin did not start
        yield f"jax: {error}"
    for device in tr.Device.all_devices():
        yield f"tracer: {device}"
    tr.Device(kind)


def dlpack(kind: str, quick: bool) -> Iterator[str]:
    """An array of jax as a tensor and back, on the device, on one memory."""
    array = jax.device_put(np.arange(6, dtype=np.float32), jax.devices(kind.lower())[0])
    tensor = tr.from_dlpack(array, copy=False)
    assert tensor.device.kind == kind, tensor.device
    assert tensor._data.buffer.unsafe_buffer_pointer() == array.unsafe_buffer_pointer()
    yield f"jax to {tensor.device}, without a copy"
    back = jax.dlpack.from_dlpack(tensor.to(tr.Device(kind)) * 2)
    np.testing.assert_array_equal(np.asarray(back), [0, 2, 4, 6, 8, 10])
    yield f"and back to {back.device}"


def disk_cache(kind: str, quick: bool) -> Iterator[str]:
    """A program that was compiled is found on the disk, and computes the same."""
    with tempfile.TemporaryDirectory() as folder:
        tr.config.disk_cache, tr.config.cache_directory = True, f"{folder}/cache"
        x = tr.asarray(np.linspace(-1, 1, 99, dtype=np.float32), device=tr.Device(kind))
        values, hits = [], []
        for _ in range(2):
            programs.clear()
            before, start = tr.metrics.snapshot(), time.perf_counter()
            values.append(tr.softmax(tr.tanh(x) * 3 + x).tolist())
            taken = time.perf_counter() - start
            hits.append(tr.metrics.difference(tr.metrics.snapshot(), before)["disk_hits"])
            yield f"{1000 * taken:.0f} ms, {hits[-1]} programs from the disk"
    assert hits == [0, 1], hits
    assert values[0] == values[1]
