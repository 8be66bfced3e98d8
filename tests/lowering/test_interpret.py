"""Three ways to run a program agree: NumPy's meaning, the reference interpreter, and XLA."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from lowering import interpret
from lowering.reader import parse
from tests.lowering.programs import PROGRAMS, inputs
from tests.lowering.running import assert_close, by_reference, by_xla
from tracer.dtypes import float32
from tracer.errors import LoweringError
from tracer.ir import Builder, Function, TensorType
from tracer.ops import OPS

UNKNOWN_TO_THE_REFERENCE = {"cholesky", "custom_call", "rng_bit_generator"}
UNKNOWN_TO_THE_REFERENCE |= {"batch_norm_grad", "batch_norm_inference", "batch_norm_training"}
UNREADABLE = {"complex", "fft", "imag", "real"}
"""Python can't read complex numbers out of MLIR; the tests of the samples read them in parts."""


def program(name: str) -> Function:
    """The only function of a program."""
    (function,) = parse(PROGRAMS[name])
    return function


@pytest.mark.parametrize("name", OPS)
def test_meaning_is_xlas(name: str) -> None:
    function = program(name)
    arrays = inputs(function)
    assert_close(interpret(function, *arrays), by_xla(function, arrays))


@pytest.mark.parametrize("name", [n for n in OPS if n not in UNKNOWN_TO_THE_REFERENCE | UNREADABLE])
def test_meaning_is_the_references(name: str) -> None:
    function = program(name)
    arrays = inputs(function)
    assert_close(interpret(function, *arrays), by_reference(function, arrays))


def test_arguments_are_checked() -> None:
    with pytest.raises(TypeError, match="1 arguments are needed, got 0"):
        interpret(program("sine"))
    with pytest.raises(
        TypeError, match=r"argument 0 of type tensor<2x3xf32> is needed, got tensor<3"
    ):
        interpret(program("sine"), np.zeros(3, np.float32))


def test_a_meaning_of_another_type_than_the_rule_is_an_error() -> None:
    wrong = replace(OPS["sine"], numpy=lambda x: x.astype(np.float64))
    builder = Builder()
    results = builder.create(wrong, [builder.argument(TensorType((2,), float32))])
    with pytest.raises(
        LoweringError, match="sine gives tensor<2xf64>, its type rule tensor<2xf32>"
    ):
        interpret(builder.function("f", results), np.zeros(2, np.float32))


def test_regions_see_values_around_them() -> None:
    (function,) = parse("""
      func.func @f(%x: tensor<3xf32>, %k: tensor<f32>) -> tensor<f32> {
        %z = stablehlo.constant dense<0.0> : tensor<f32>
        %0 = "stablehlo.reduce"(%x, %z) ({
        ^bb0(%a: tensor<f32>, %b: tensor<f32>):
          %1 = stablehlo.multiply %b, %k : tensor<f32>
          %2 = stablehlo.add %a, %1 : tensor<f32>
          stablehlo.return %2 : tensor<f32>
        }) {dimensions = array<i64: 0>} : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
        return %0 : tensor<f32>
      }""")
    (result,) = interpret(function, np.float32([1, 2, 3]), np.float32(10))
    assert result == 60


def test_what_is_not_known_is_named_with_its_place() -> None:
    module = parse(
        """
      func.func @main(%x: tensor<2xf32>) -> tensor<4xf32> {
        %0 = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64,
          replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<4xf32>
        return %0 : tensor<4xf32>
      }""",
        "gather.mlir",
    )
    with pytest.raises(
        LoweringError, match=r"what stablehlo.all_gather computes is not known\n  at gather.mlir:3"
    ):
        interpret(module, np.zeros(2, np.float32))


def test_composites_and_calls_in_regions_mean_what_they_call() -> None:
    module = parse("""
      func.func private @square(%x: tensor<f32>) -> tensor<f32> {
        %0 = stablehlo.multiply %x, %x : tensor<f32>
        return %0 : tensor<f32>
      }
      func.func @main(%p: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {
        %0 = "stablehlo.if"(%p) ({
          %1 = stablehlo.composite "my.square" %x {decomposition = @square}
            : (tensor<f32>) -> tensor<f32>
          stablehlo.return %1 : tensor<f32>
        }, {
          %1 = func.call @square(%x) : (tensor<f32>) -> tensor<f32>
          %2 = func.call @square(%1) : (tensor<f32>) -> tensor<f32>
          stablehlo.return %2 : tensor<f32>
        }) : (tensor<i1>) -> tensor<f32>
        return %0 : tensor<f32>
      }""")
    for predicate, expected in ((True, 9), (False, 81)):
        (result,) = interpret(module, np.asarray(predicate), np.float32(3))
        assert result == expected
