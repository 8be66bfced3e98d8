"""LeNet-5 in JAX: the training step with given options, and the first step of a process."""

from __future__ import annotations

import time
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from benchmarks.programs import shared
from benchmarks.serve import Workload
from benchmarks.workload import repeat

VERSION = f"jax {jax.__version__}"
Parameters = list[tuple[jax.Array, jax.Array]]


def pool(x: jax.Array) -> jax.Array:
    """2 x 2 average pooling."""
    window = (1, 2, 2, 1)
    return lax.reduce_window(x, 0.0, lax.add, window, window, "VALID") / 4.0


def conv(x: jax.Array, kernel: jax.Array, bias: jax.Array, padding: str) -> jax.Array:
    """relu(conv(x) + bias)."""
    numbers = ("NHWC", "HWIO", "NHWC")
    result = lax.conv_general_dilated(x, kernel, (1, 1), padding, dimension_numbers=numbers)
    return jax.nn.relu(result + bias)


def forward(p: Parameters, x: jax.Array) -> jax.Array:
    """Logits."""
    x = pool(conv(x, *p[0], "SAME"))
    x = pool(conv(x, *p[1], "VALID"))
    x = x.reshape(x.shape[0], -1)
    for kernel, bias in p[2:4]:
        x = jax.nn.relu(x @ kernel + bias)
    return x @ p[4][0] + p[4][1]


def cross_entropy(logits: jax.Array, labels: jax.Array) -> jax.Array:
    """Mean loss of the labels."""
    return -jnp.take_along_axis(jax.nn.log_softmax(logits), labels[:, None], 1).mean()


def train(p: Parameters, x: jax.Array, y: jax.Array) -> tuple[jax.Array, Parameters]:
    """Loss and updated parameters."""
    loss, gradient = jax.value_and_grad(lambda p: cross_entropy(forward(p, x), y))(p)
    return loss, jax.tree.map(lambda w, g: w - shared.RATE * g, p, gradient)


def parameters() -> Any:
    """Kernels and biases, in NumPy."""
    return [(w, np.zeros(w.shape[-1], np.float32)) for w in shared.weights(shared.LENET)]


def step(options: dict[str, Any], count: int = 20) -> Workload:
    """The training step under jit, with these XLA options; parameters are donated."""
    compiled = jax.jit(train, compiler_options=options, donate_argnums=0)
    batch, losses = shared.batch(), []
    state = {"p": jax.tree.map(jnp.array, parameters())}

    def once() -> None:
        state["loss"], state["p"] = compiled(state["p"], *batch)

    for _ in range(3):
        once()
        losses.append(float(state["loss"]))
    facts = {"version": VERSION, "losses": losses}
    return repeat(once, lambda: state["loss"].block_until_ready(), count), facts


def first() -> Workload:
    """The first step of this process, from the client started to the loss on the host."""
    batch, host = shared.batch(), parameters()
    jnp.asarray(np.zeros(1, np.float32)).block_until_ready()

    def run() -> dict[str, float]:
        start = time.perf_counter()
        loss, _ = jax.jit(train)(jax.tree.map(jnp.asarray, host), *batch)
        float(loss)
        return {"seconds": time.perf_counter() - start}

    return run, {"version": VERSION}
