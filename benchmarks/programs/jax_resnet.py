"""ResNet-18 in JAX, in the form for 32 x 32 images: the training step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

from benchmarks.programs import shared
from benchmarks.programs.jax_lenet import VERSION, cross_entropy
from benchmarks.serve import Workload
from benchmarks.workload import repeat

MOMENTUM = 0.9
Moments = list[tuple[jax.Array, jax.Array]]


def conv(x: jax.Array, kernel: jax.Array, stride: int = 1) -> jax.Array:
    """Padded by half a kernel."""
    padding = [(kernel.shape[0] // 2,) * 2] * 2
    numbers = ("NHWC", "HWIO", "NHWC")
    strides = (stride, stride)
    return lax.conv_general_dilated(x, kernel, strides, padding, dimension_numbers=numbers)


class Forward:
    """One run of the model; takes its kernels and norms in order, and collects the moments."""

    def __init__(self, p: dict[str, Any]) -> None:
        self._kernels: Iterator[jax.Array] = iter(p["kernels"])
        self._norms: Iterator[tuple[jax.Array, jax.Array]] = iter(p["norms"])
        self._bias = p["bias"]
        self.moments: Moments = []

    def __call__(self, x: jax.Array) -> jax.Array:
        """Logits."""
        x = jax.nn.relu(self._normalized(x))
        for _, _, stride in shared.RESNET:
            x = self._block(x, stride)
        return x.mean((1, 2)) @ next(self._kernels) + self._bias

    def _block(self, x: jax.Array, stride: int) -> jax.Array:
        y = jax.nn.relu(self._normalized(x, stride))
        y = self._normalized(y)
        return jax.nn.relu(y + (x if stride == 1 else self._normalized(x, stride)))

    def _normalized(self, x: jax.Array, stride: int = 1) -> jax.Array:
        x = conv(x, next(self._kernels), stride)
        mean, variance = x.mean((0, 1, 2)), x.var((0, 1, 2))
        self.moments.append((mean, variance))
        scale, offset = next(self._norms)
        factor = scale * lax.rsqrt(variance + 1e-5)
        return x * factor + (offset - mean * factor)


def train(p: Any, running: Moments, x: jax.Array, y: jax.Array) -> tuple[Any, ...]:
    """Loss, updated parameters and running moments."""

    def loss_of(p: Any) -> tuple[jax.Array, Moments]:
        forward = Forward(p)
        return cross_entropy(forward(x), y), forward.moments

    (loss, moments), gradient = jax.value_and_grad(loss_of, has_aux=True)(p)
    p = jax.tree.map(lambda w, g: w - shared.RESNET_RATE * g, p, gradient)
    return loss, p, jax.tree.map(lambda r, b: r + (b - r) * (1 - MOMENTUM), running, moments)


def step(options: dict[str, Any], count: int = 1) -> Workload:
    """The training step under jit, with these XLA options; what changes is donated."""
    kernels = [jnp.array(w) for w in shared.weights(shared.resnet_shapes())]
    widths = [w.shape[-1] for w in kernels[:-1]]
    norms = [(jnp.ones(n), jnp.zeros(n)) for n in widths]
    state = {"p": {"kernels": kernels, "norms": norms, "bias": jnp.zeros(10)}}
    state["running"] = [(jnp.zeros(n), jnp.ones(n)) for n in widths]
    compiled = jax.jit(train, compiler_options=options, donate_argnums=(0, 1))
    batch, losses = shared.pictures(), []

    def once() -> None:
        state["loss"], state["p"], state["running"] = compiled(state["p"], state["running"], *batch)

    for _ in range(2):
        once()
        losses.append(float(state["loss"]))
    facts = {"version": VERSION, "losses": losses}
    return repeat(once, lambda: state["loss"].block_until_ready(), count), facts
