"""Adam on a large multilayer perceptron in JAX: the most memory that steps take."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from benchmarks.programs import shared
from benchmarks.programs.jax_lenet import VERSION
from benchmarks.serve import Workload
from benchmarks.workload import peak_of

BETA1, BETA2, EPSILON = 0.9, 0.999, 1e-8
Slots = list[tuple[jax.Array, jax.Array]]


def loss_of(p: Slots, x: jax.Array) -> jax.Array:
    """Mean square of the outputs."""
    y = x
    for kernel, bias in p:
        y = jax.nn.relu(y @ kernel + bias)
    return (y * y).mean()


def adam(p: Any, mean: Any, square: Any, time: jax.Array, x: jax.Array) -> tuple[Any, ...]:
    """Loss, then parameters, moments and time after the step."""
    loss, gradient = jax.value_and_grad(loss_of)(p, x)
    time = time + 1
    first, second = 1 - BETA1**time, 1 - BETA2**time
    mean = jax.tree.map(lambda m, g: m * BETA1 + g * (1 - BETA1), mean, gradient)
    square = jax.tree.map(lambda v, g: v * BETA2 + g * g * (1 - BETA2), square, gradient)
    p = jax.tree.map(
        lambda w, m, v: w - shared.ADAM_RATE * (m / first) / (jnp.sqrt(v / second) + EPSILON),
        p,
        mean,
        square,
    )
    return loss, p, mean, square, time


def peak() -> Workload:
    """The most resident memory above what there was before the model, in steps after the first."""
    x = jnp.array(shared.sequences((shared.MLP_BATCH, shared.MLP[0][0])))
    compiled = jax.jit(adam, donate_argnums=(0, 1, 2, 3))

    def make() -> Callable[[], float]:
        kernels = shared.weights(shared.MLP)
        p = [(jnp.array(kernels.pop(0)), jnp.zeros(shape[1])) for shape in shared.MLP]
        zeros = [jax.tree.map(jnp.zeros_like, p) for _ in range(2)]
        state = (p, *zeros, jnp.zeros(()))

        def step() -> float:
            nonlocal state
            loss, *state = compiled(*state, x)
            return float(loss)

        del p, zeros
        return step

    return peak_of(make), {"version": VERSION}
