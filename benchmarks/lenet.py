"""The LeNet-5 training step, lazily, beside jax.jit of the same model on the same jaxlib."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import measure
from jax import lax

import tracer as tr
from tracer import data, losses, models, optim

STEPS = 20
ROUNDS = 9
RATE = 0.1
BAR = 1.1


def pool(x: jax.Array) -> jax.Array:
    """2 x 2 average pooling."""
    window = (1, 2, 2, 1)
    return lax.reduce_window(x, 0.0, lax.add, window, window, "VALID") / 4.0


def conv(x: jax.Array, kernel: jax.Array, bias: jax.Array, padding: str) -> jax.Array:
    """relu(conv(x) + bias)."""
    numbers = ("NHWC", "HWIO", "NHWC")
    result = lax.conv_general_dilated(x, kernel, (1, 1), padding, dimension_numbers=numbers)
    return jax.nn.relu(result + bias)


def forward(p: list[jax.Array], x: jax.Array) -> jax.Array:
    """LeNet-5 on a flat list of parameters."""
    x = pool(conv(x, p[0], p[1], "SAME"))
    x = pool(conv(x, p[2], p[3], "VALID"))
    x = x.reshape(x.shape[0], -1)
    x = jax.nn.relu(x @ p[4] + p[5])
    x = jax.nn.relu(x @ p[6] + p[7])
    return x @ p[8] + p[9]


@jax.jit
def jax_step(p: list[jax.Array], x: jax.Array, y: jax.Array) -> tuple[jax.Array, list[jax.Array]]:
    """Loss and updated parameters."""

    def loss_of(p: list[jax.Array]) -> jax.Array:
        chosen = jax.nn.log_softmax(forward(p, x))
        return -jnp.take_along_axis(chosen, y[:, None], 1).mean()

    loss, gradient = jax.value_and_grad(loss_of)(p)
    return loss, jax.tree.map(lambda w, g: w - RATE * g, p, gradient)


def contenders(batch: data.Batch) -> dict[str, Any]:
    """Both sides, from the same parameters: each call makes STEPS steps and waits for the last."""
    device = tr.Device.default_xla()
    model = models.LeNet(generator=tr.random.Generator(0)).to(device)
    optimizer = optim.SGD(model, RATE)
    state = {"jax": [jnp.asarray(leaf.numpy()) for leaf in tr.tree.leaves(model)]}

    def ours() -> None:
        for _ in range(STEPS):
            x, y = (tr.asarray(array, device=device) for array in batch)
            loss, gradient = tr.value_and_grad(
                lambda m: losses.softmax_cross_entropy(m(x), y)  # noqa: B023  used at once
            )(model)
            optimizer.update(model, gradient)
            tr.barrier()
        loss.item()

    def theirs() -> None:
        for _ in range(STEPS):
            loss, state["jax"] = jax_step(state["jax"], *batch)
        loss.block_until_ready()

    return {"tracer": ours, "jax.jit": theirs}


def main() -> bool:
    """Prints both medians, in milliseconds a step, and their ratio."""
    print(measure.machine())
    batch = next(iter(data.MNIST(128).training))
    found = measure.medians(measure.alternate(contenders(batch), ROUNDS))
    for name, median in found.items():
        print(f"{name:10} {1000 * median / STEPS:8.2f} ms a step")
    ratio = found["tracer"] / found["jax.jit"]
    return measure.report("LeNet-5 step, tracer / jax.jit", ratio, BAR, "x")


if __name__ == "__main__":
    raise SystemExit(not main())
