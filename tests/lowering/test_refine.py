"""Programs of dynamic shapes become static: JAX's exports give what JAX gives."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import export
from numpy.typing import NDArray

from lowering import counting, interpret, run_passes
from lowering.mlir import verify
from lowering.passes import PASSES, refine_arguments
from lowering.reader import parse
from tracer.dtypes import float32, int32
from tracer.errors import LoweringError
from tracer.ir import Module, OpaqueType, TensorType

B, C = export.symbolic_shape("b,c")

Array = NDArray[Any]
Shape = tuple[Any, ...]
Case = tuple[Callable[..., Any], Callable[..., Any], tuple[Shape, ...], tuple[Shape, ...]]
"""What JAX exports, the same in NumPy, the shapes it is exported for, and those it is run for."""


def _loop(x: Any) -> Any:
    line = jnp.arange(x.shape[0], dtype=np.float32)
    return jax.lax.fori_loop(0, x.shape[0], lambda i, y: y + line * i, x)


def _branches(x: Any) -> Any:
    line = jnp.arange(x.shape[0], dtype=np.float32)
    return jax.lax.cond(x.sum() > 1e9, lambda y: y * 2, lambda y: y - line, x)


def _largest(x: Any) -> Any:
    return jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (x.shape[0] // 2 + 1,), (1,), "VALID")


def _softmax(x: Array) -> Array:
    powers = np.exp(x - x.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def _convolution(x: Array, kernel: Array) -> Any:
    padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), (2, 3))
    return np.einsum("bihwkl,oikl->bohw", windows, kernel)


def _derivative(w: Array, x: Array) -> Any:
    y = np.tanh(x @ w)
    return x.T @ (2 * y * (1 - y**2) / y.size)


def _scan(x: Array) -> Array:
    before = np.concatenate([[0], np.cumsum(x)[:-1]])
    return before * x


CASES: dict[str, Case] = {
    "matmul": (lambda x, w: x @ w, lambda x, w: x @ w, ((B, 4), (4, 3)), ((5, 4), (4, 3))),
    "reshape": (lambda x: x.reshape(x.shape[0] * 2), np.ravel, ((B, 2),), ((3, 2),)),
    "halves": (lambda x: x.reshape(-1, 4), lambda x: x.reshape(-1, 4), ((2 * B, 2),), ((6, 2),)),
    "concatenate": (
        lambda x, y: jnp.concatenate([x, y]),
        lambda x, y: np.concatenate([x, y]),
        ((B,), (C,)),
        ((3,), (2,)),
    ),
    "mean": (lambda x: x.sum(0) / x.shape[0], lambda x: x.mean(0), ((B, C),), ((3, 2),)),
    "softmax": (jax.nn.softmax, _softmax, ((B, C),), ((3, 4),)),
    "arange": (
        lambda x: jnp.arange(x.shape[0] * 2 + 1) + x.shape[0],
        lambda x: np.arange(7) + 3,
        ((B,),),
        ((3,),),
    ),
    "cumsum": (jnp.cumsum, np.cumsum, ((B,),), ((5,),)),
    "loop": (_loop, lambda x: x + 6 * np.arange(4), ((B,),), ((4,),)),
    "branches": (_branches, lambda x: x - np.arange(5), ((B,),), ((5,),)),
    "scan": (
        lambda x: jax.lax.scan(lambda a, y: (a + y, a * y), 0.0, x)[1],
        _scan,
        ((B,),),
        ((5,),),
    ),
    "vmap": (
        jax.vmap(jnp.dot),
        lambda x, y: (x * y).sum(1),
        ((B, C), (B, C)),
        ((3, 4), (3, 4)),
    ),
    "erf": (jax.lax.erf, np.vectorize(math.erf), ((B,),), ((4,),)),
    "every_other": (lambda x: x[::2], lambda x: x[::2], ((B,),), ((7,),)),
    "inside": (lambda x: x[1:-1], lambda x: x[1:-1], ((B,),), ((7,),)),
    "largest": (
        lambda x: jax.lax.top_k(x, x.shape[0] - 1)[0],
        lambda x: np.sort(x)[:0:-1],
        ((B,),),
        ((7,),),
    ),
    "windows": (
        _largest,
        lambda x: np.lib.stride_tricks.sliding_window_view(x, 4).max(1),
        ((B,),),
        ((7,),),
    ),
    "sorted": (jnp.sort, np.sort, ((B,),), ((7,),)),
    "slice": (
        lambda x: jax.lax.dynamic_slice(x, (2,), (x.shape[0] // 2,)),
        lambda x: x[2:5],
        ((B,),),
        ((7,),),
    ),
    "gather": (
        lambda x: x[jnp.arange(x.shape[0]) // 2],
        lambda x: x[np.arange(7) // 2],
        ((B, 3),),
        ((7, 3),),
    ),
    "scatter": (
        lambda x: x.at[-2].add(1),
        lambda x: x + (np.arange(7) == 5)[:, None],
        ((B, 3),),
        ((7, 3),),
    ),
    "pad": (
        lambda x: jnp.pad(x, (1, x.shape[0])),
        lambda x: np.pad(x, (1, 4)),
        ((B,),),
        ((4,),),
    ),
    "convolution": (
        lambda x, k: jax.lax.conv(x, k, (1, 1), "SAME"),
        _convolution,
        ((B, 2, C, 5), (3, 2, 3, 3)),
        ((2, 2, 6, 5), (3, 2, 3, 3)),
    ),
    "derivative": (
        jax.grad(lambda w, x: (jnp.tanh(x @ w) ** 2).mean()),
        _derivative,
        ((4, 3), (B, 4)),
        ((4, 3), (5, 4)),
    ),
}


def exported(function: Callable[..., Any], shapes: tuple[Shape, ...]) -> Module:
    """JAX's program for arguments of these shapes."""
    given = [jax.ShapeDtypeStruct(shape, np.float32) for shape in shapes]
    return parse(export.export(jax.jit(function))(*given).mlir_module())


def refined(module: Module, *shapes: tuple[int, ...]) -> Module:
    """The program for these shapes alone."""
    types = [TensorType(shape, float32) for shape in shapes]
    return run_passes(refine_arguments(module, types), ["refine-shapes"])


@pytest.mark.parametrize("name", CASES)
def test_exports_of_jax(name: str) -> None:
    function, numpy, symbolic, shapes = CASES[name]
    rng = np.random.default_rng(0)
    arrays = [rng.standard_normal(shape).astype(np.float32) for shape in shapes]
    module = refined(exported(function, symbolic), *shapes)
    verify(module)
    assert PASSES["refine-shapes"].run(module) is module
    (result,) = interpret(run_passes(module, ["expand-chlo"]), *arrays)
    np.testing.assert_allclose(result, numpy(*arrays), rtol=1e-4, atol=1e-5)


def test_a_program_fits_many_shapes() -> None:
    module = exported(lambda x: x.sum(0), ((B, C),))
    for shape in ((3, 2), (1, 5), (7, 1)):
        (result,) = interpret(refined(module, shape), np.ones(shape, np.float32))
        np.testing.assert_array_equal(result, np.full(shape[1], shape[0], np.float32))


def test_assertions_say_what_came() -> None:
    module = exported(lambda x: x.sum(0), ((B, 2),))
    with pytest.raises(LoweringError, match=r"Expected value >= 1 .*args\[0\]\.shape\[0\] \(= 0\)"):
        refined(module, (0, 2))


DYNAMIC = """
func.func @main(%a: tensor<?x4xf32>, %n: tensor<i32>) -> tensor<?x4xf32> {
  return %a : tensor<?x4xf32>
}"""


@pytest.mark.parametrize(
    "type", [TensorType((3, 5), float32), TensorType((3,), float32), TensorType((3, 4), int32)]
)
def test_arguments_must_fit(type: TensorType) -> None:
    needed = r"a type that fits tensor<\?x4xf32> is needed for argument 0 of @main, got tensor<3"
    with pytest.raises(LoweringError, match=needed):
        refine_arguments(parse(DYNAMIC), [type, TensorType((), int32)])


def test_as_many_types_as_arguments() -> None:
    with pytest.raises(LoweringError, match="2 types are needed for @main, got 1"):
        refine_arguments(parse(DYNAMIC), [TensorType((3, 4), float32)])


def test_arguments_may_stay_as_they_are() -> None:
    module = parse(DYNAMIC)
    types = [v.type for v in module.entry.arguments]
    assert isinstance(types[0], OpaqueType)
    assert [v.type for v in refine_arguments(module, types).entry.arguments] == types


def test_a_program_is_valid_before_the_rest_follows() -> None:
    module = exported(lambda x: (x @ x.T).sum(), ((B, C),))
    verify(refine_arguments(module, [TensorType((3, 2), float32)]))


def _error(text: str) -> str:
    with pytest.raises(LoweringError) as caught:
        run_passes(parse(text, "f.mlir"), ["refine-shapes"])
    return str(caught.value)


def test_shapes_that_do_not_fit_are_refused() -> None:
    text = """func.func @main(%a: tensor<3xf32>, %b: tensor<4xf32>) -> tensor<?xf32> {
  %0 = stablehlo.abs %a : (tensor<3xf32>) -> tensor<?xf32>
  %1 = stablehlo.abs %b : (tensor<4xf32>) -> tensor<?xf32>
  %2 = stablehlo.add %0, %1 : tensor<?xf32>
  return %2 : tensor<?xf32>
}"""
    needed = "stablehlo.add: operands of one type are needed, got tensor<3xf32> and tensor<4xf32>"
    assert _error(text) == f"{needed}\n  at f.mlir:4"


def test_shapes_of_another_size_are_refused() -> None:
    text = """func.func @main(%a: tensor<3xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<3xf32>) -> tensor<i32>
  %1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
  %2 = stablehlo.concatenate %1, %1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %3 = stablehlo.dynamic_reshape %a, %2 : (tensor<3xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %3 : tensor<?x?xf32>
}"""
    assert "a shape of 3 elements is needed for tensor<3xf32>, got (3, 3)" in _error(text)


def test_negative_lengths_are_refused() -> None:
    text = """func.func @main(%a: tensor<3xf32>) -> tensor<?xf32> {
  %0 = stablehlo.constant dense<3> : tensor<1xi32>
  %1 = stablehlo.negate %0 : tensor<1xi32>
  %2 = stablehlo.dynamic_iota %1, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
  return %2 : tensor<?xf32>
}"""
    needed = "stablehlo.dynamic_iota: a shape of lengths from 0 is needed, got (-3,)"
    assert _error(text) == f"{needed}\n  at f.mlir:4"


def test_what_the_text_says_must_come_out() -> None:
    text = """func.func @main(%a: tensor<3xf32>) -> tensor<4xf32> {
  %0 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<3xf32>) -> tensor<i32>
  %1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
  %2 = stablehlo.dynamic_iota %1, dim = 0 : (tensor<1xi32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}"""
    said = "stablehlo.dynamic_iota gives tensor<3xf32>, the text says tensor<4xf32>"
    assert _error(text) == f"{said}\n  at f.mlir:4"


def test_functions_that_call_themselves_are_refused() -> None:
    text = """func.func @main(%a: tensor<3xf32>) -> tensor<?xf32> {
  %0 = call @f(%a) : (tensor<3xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func private @f(%a: tensor<3xf32>) -> tensor<?xf32> {
  %0 = call @f(%a) : (tensor<3xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}"""
    assert _error(text) == "functions that don't call themselves are needed, got @f"


def test_shape_operands_must_be_there() -> None:
    text = """func.func @main(%a: tensor<3xf32>) -> tensor<?xf32> {
  %0 = stablehlo.custom_call @mine(%a) {indices_of_shape_operands = dense<1> : tensor<1xi64>}
    : (tensor<3xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}"""
    needed = "indices_of_shape_operands needs the place of an operand for each result, got (1,)"
    assert _error(text).startswith(needed)


def test_changes_are_counted_and_cut_off() -> None:
    text = """func.func @main(%a: tensor<3xf32>) -> tensor<?xf32> {
  %0 = stablehlo.abs %a : (tensor<3xf32>) -> tensor<?xf32>
  %1 = stablehlo.add %0, %0 : tensor<?xf32>
  return %1 : tensor<?xf32>
}"""
    with counting() as rewrites:
        run_passes(parse(text), ["refine-shapes"])
    assert rewrites.counts == {"refine-shapes/stablehlo.abs": 1, "refine-shapes/stablehlo.add": 1}
    with counting(limit=1):
        module = run_passes(parse(text), ["refine-shapes"])
    assert [str(o.result.type) for o in module.entry.operations] == [
        "tensor<3xf32>",
        "tensor<?xf32>",
    ]
    verify(module)
