"""Layers of causal attention in JAX: how long the step compiles, and how long it takes."""

from __future__ import annotations

import time
from typing import Any

import jax
import jax.numpy as jnp

from benchmarks import networks
from benchmarks.programs import shared
from benchmarks.programs.jax_lenet import VERSION
from benchmarks.serve import Workload
from benchmarks.workload import repeat


def train(weights: Any, x: jax.Array) -> tuple[jax.Array, Any]:
    """Loss and updated weights."""
    loss, gradient = jax.value_and_grad(
        lambda weights: networks.transformer_loss(jnp, jax.nn, weights, x)
    )(weights)
    return loss, jax.tree.map(lambda w, g: w - networks.RATE * g, weights, gradient)


def _arguments(form: shared.Form) -> tuple[Any, jax.Array]:
    weights = jax.tree.map(jnp.array, shared.transformer_weights(form))
    return weights, jnp.array(shared.sequences(form["sequences"]))


def step(form: shared.Form, count: int = 10) -> Workload:
    """Forward, backward and update of all layers under jit; weights are donated."""
    weights, x = _arguments(form)
    state = {"weights": weights}
    compiled = jax.jit(train, donate_argnums=0)

    def once() -> None:
        state["loss"], state["weights"] = compiled(state["weights"], x)

    losses = []
    for _ in range(2):
        once()
        losses.append(float(state["loss"]))
    facts = {"version": VERSION, "losses": losses}
    return repeat(once, lambda: state["loss"].block_until_ready(), count), facts


def compiling(form: shared.Form) -> Workload:
    """Seconds from the step lowered to the program compiled."""
    lowered = jax.jit(train, donate_argnums=0).lower(*_arguments(form))

    def run() -> dict[str, float]:
        start = time.perf_counter()
        lowered.compile()
        return {"seconds": time.perf_counter() - start}

    return run, {"version": VERSION}
