"""What is marked as donated runs in place, with the right values."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lowering import emit, run_passes
from lowering.passes.mark_donation import ALIASING, DONOR
from lowering.reader import parse
from runtime import pjrt
from tracer.dtypes import float32
from tracer.ir import Builder, TensorType
from tracer.ops import OPS

LENGTH = 1000
STEP = """func.func @main(
    %p: tensor<1000xf32> {jax.buffer_donor = true}, %m: tensor<1000xf32> {jax.buffer_donor = true},
    %x: tensor<1000xf32>, %n: tensor<i32> {jax.buffer_donor = true}
) -> (tensor<f32>, tensor<1000xf32>, tensor<1000xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %g = stablehlo.multiply %p, %x : tensor<1000xf32>
  %loss = stablehlo.reduce(%g init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<1000xf32>, tensor<f32>) -> tensor<f32>
  %new = stablehlo.add %m, %g : tensor<1000xf32>
  %updated = stablehlo.subtract %p, %new : tensor<1000xf32>
  return %loss, %new, %updated : tensor<f32>, tensor<1000xf32>, tensor<1000xf32>
}"""  # noqa: E501


def test_a_step_runs_in_place() -> None:
    module = run_passes(parse(STEP), ["mark-donation"], verify=True)
    client = pjrt.clients()["CPU", 0]
    results = [(v.type.shape, v.type.dtype) for v in module.entry.returns]
    step = client.compile(emit(module), results)
    p, m, x = (np.linspace(i, i + 1, LENGTH, dtype=np.float32) for i in range(3))
    held = [client.put(array) for array in (p, m, x, np.int32(0))]
    before = [buffer.unsafe_buffer_pointer() for buffer in held[:2]]
    _, new, updated = step(held)
    assert [b.unsafe_buffer_pointer() for b in (updated, new)] == before
    np.testing.assert_allclose(pjrt.get(new), m + p * x, rtol=1e-6)
    np.testing.assert_allclose(pjrt.get(updated), p - (m + p * x), rtol=1e-6)


def test_many_arguments_are_matched_at_once() -> None:
    """As of a large model: each parameter is updated, and its gradient is given too."""
    builder = Builder()
    types = [TensorType((1 + i % 7,), float32) for i in range(400)]
    parameters = [builder.argument(t) for t in types]
    gradients = []
    for value in parameters:
        for _ in range(20):
            (value,) = builder.create(OPS["sine"], [value])
        gradients.append(value)
    pairs = zip(parameters, gradients, strict=True)
    updated = [builder.create(OPS["subtract"], [p, g])[0] for p, g in pairs]
    function = builder.function("main", [*gradients, *reversed(updated)])
    asked = replace(function, argument_attributes=({DONOR: "true"},) * len(types))
    made = run_passes(asked, ["mark-donation"]).entry
    expected = [{ALIASING: f"{2 * len(types) - 1 - i} : i32"} for i in range(len(types))]
    assert list(made.argument_attributes) == expected


def test_nothing_is_given_without_being_asked() -> None:
    builder = Builder()
    x = builder.argument(TensorType((2,), float32))
    function = builder.function("main", builder.create(OPS["sine"], [x]))
    module = run_passes(function, [])
    assert run_passes(module, ["mark-donation"]) is module
