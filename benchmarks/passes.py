"""What the passes do to training steps: operations, compile time and run time, before and after.

The 24-layer transformer stands beside jax.jit of the same model on the same jaxlib.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import measure
import networks
import numpy as np

import tracer as tr
from lowering import compile_options, emit, pipeline_of, run_passes
from runtime import pjrt
from tracer.ir import Function, Module

COMPILES = 3
LOWERINGS = 7
ROUNDS = 9
LAYERS = 24


def operations(module: Module) -> int:
    """How many operations a module has, in all its functions."""
    return sum(len(function.operations) for function in module)


class Side:
    """One way to lower a function: what it becomes, and what that costs."""

    def __init__(self, function: Function, passes: Sequence[str]) -> None:
        self._function = function
        self._passes = passes
        self._client = pjrt.clients()["CPU", 0]
        self._options = compile_options(function, "cpu")
        self._types = [(v.type.shape, v.type.dtype) for v in function.returns]
        self.module = Module.of(function)
        self.run: Callable[[], object] = lambda: None

    def lower(self) -> None:
        """The passes."""
        self.module = run_passes(Module.of(self._function), self._passes)

    def compile(self) -> None:
        """XLA's part."""
        executable = self._client.compile(emit(self.module), self._types, self._options)
        arrays = [_array(v.type.shape, v.type.dtype) for v in self._function.arguments]
        buffers = [self._client.put(array) for array in arrays]
        self.run = lambda: [buffer.block_until_ready() for buffer in executable(buffers)]


def _array(shape: tuple[int, ...], dtype: Any) -> Any:
    random = np.random.default_rng(len(shape))
    return (0.05 * random.standard_normal(shape)).astype(dtype)


def compare(name: str, step: networks.Step) -> bool:
    """Prints what the passes bring for one step; whether they cost neither."""
    f, types = step
    function = tr.trace(f, *types)
    before, after = Side(function, ()), Side(function, pipeline_of("cpu"))
    passes = [measure.seconds(after.lower) for _ in range(LOWERINGS)]
    compiles: dict[str, list[float]] = {"before": [], "after": []}
    for _ in range(COMPILES):
        compiles["before"].append(measure.seconds(before.compile))
        compiles["after"].append(measure.seconds(after.compile))
    runs = measure.medians(measure.alternate({"before": before.run, "after": after.run}, ROUNDS))
    compiled = measure.medians(compiles)
    print(
        f"{name}: {operations(before.module)} -> {operations(after.module)} operations, "
        f"compile {compiled['before'] * 1e3:.0f} -> {compiled['after'] * 1e3:.0f} ms, "
        f"step {runs['before'] * 1e3:.2f} -> {runs['after'] * 1e3:.2f} ms"
    )
    share = statistics.median(passes) / compiled["before"]
    reached = measure.report("  passes / XLA's compile time", share, 0.15, "of it")
    ratio = runs["after"] / runs["before"]
    return measure.report("  step after / before", ratio, 1.02, "of it") and reached


def beside_jax() -> bool:
    """Prints the 24-layer transformer beside jax.jit; whether compile and step are far below."""
    f, types = networks.transformer(LAYERS)
    ours = Side(tr.trace(f, *types), pipeline_of("cpu"))
    compiled = measure.seconds(lambda: (ours.lower(), ours.compile()))
    arrays = jax.tree.map(lambda t: jnp.asarray(_array(t.shape, t.dtype)), types)

    @jax.jit
    def step(weights: Any, x: Any) -> Any:
        loss = lambda weights: networks.transformer_loss(jnp, jax.nn, weights, x)
        value, gradient = jax.value_and_grad(loss)(weights)
        return value, jax.tree.map(lambda w, g: w - networks.RATE * g, weights, gradient)

    lowered = step.trace(*arrays).lower()
    made: list[Any] = []
    theirs = measure.seconds(lambda: made.append(lowered.compile()))
    sides = {"tracer": ours.run, "jax": lambda: jax.block_until_ready(made[0](*arrays))}
    runs = measure.medians(measure.alternate(sides, 3))
    print(
        f"transformer, {LAYERS} layers: compile {compiled:.2f} s, jax {theirs:.2f} s; "
        f"step {runs['tracer']:.2f} s, jax {runs['jax']:.2f} s"
    )
    reached = measure.report("  compile, tracer / jax.jit", compiled / theirs, 0.15, "of it")
    ratio = runs["tracer"] / runs["jax"]
    return measure.report("  step, tracer / jax.jit", ratio, 0.25, "of it") and reached


def main() -> None:
    """Every step, then the deep one."""
    print(measure.machine())
    for name, step in networks.STEPS.items():
        compare(name, step())
    beside_jax()


if __name__ == "__main__":
    main()
