"""Small things in JAX: calls of a function under jit, adds one by one, and the import itself."""

from __future__ import annotations

import jax
import jax.numpy as jnp

from benchmarks.programs.jax_lenet import VERSION
from benchmarks.serve import Workload
from benchmarks.workload import repeat


def calls(arrays: int, count: int = 2000) -> Workload:
    """So many arrays of 8 in and out, the results the next arguments: seconds a call."""
    state = [jnp.ones(8) for _ in range(arrays)]
    f = jax.jit(lambda *xs: tuple(x + 1.0 for x in xs))

    def once() -> None:
        state[:] = f(*state)

    return repeat(once, lambda: state[0].block_until_ready(), count), {"version": VERSION}


def adds(count: int = 1000) -> Workload:
    """Small adds op by op, seconds for all."""
    x, y = (jnp.full(4, value) for value in (1.0, 0.5))
    last: list[jax.Array] = []

    def once() -> None:
        v = x
        for _ in range(count):
            v = v + y
        last[:] = [v]

    return repeat(once, lambda: last[0].block_until_ready(), 3), {"version": VERSION}
