"""What it takes to come up: an import and a first operation. Imports nothing itself."""

from __future__ import annotations

import importlib
import time
from typing import Any

from benchmarks.serve import Workload


def tracer() -> Workload:
    """`import tracer`, and a sum on the eager device."""

    def first(tr: Any) -> object:
        return (tr.asarray([1.0, 2.0]) + 1.0).numpy()

    return _timed("tracer", first)


def jax() -> Workload:
    """`import jax`, and a sum."""

    def first(jnp: Any) -> object:
        return (jnp.asarray([1.0, 2.0]) + 1.0).block_until_ready()

    return _timed("jax.numpy", first)


def _timed(module: str, first: Any) -> Workload:
    def run() -> dict[str, float]:
        start = time.perf_counter()
        first(importlib.import_module(module))
        return {"seconds": time.perf_counter() - start}

    return run, {}
