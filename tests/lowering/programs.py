"""A program in StableHLO text for each operation of the table, and inputs to run it on."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from tracer.ir import Function

_FLOATS = (
    "abs cbrt ceil cosine exponential exponential_minus_one floor log log_plus_one logistic negate "
    "round_nearest_afz round_nearest_even rsqrt sign sine sqrt tan tanh"
)
_PAIRS = "add atan2 divide maximum minimum multiply power remainder subtract"
_INTEGERS = "and or xor shift_left shift_right_arithmetic shift_right_logical"


def _one(name: str, line: str, arguments: str, results: str) -> str:
    """A function of one operation, `line`, that gives %r."""
    count = results.count("tensor<")
    returned = ", ".join(f"%r#{i}" for i in range(count)) if count > 1 else "%r"
    target = f"%r:{count}" if count > 1 else "%r"
    return (
        f"func.func @{name}({arguments}) -> ({results}) {{\n"
        f"  {target} = {line}\n  return {returned} : {results}\n}}\n"
    )


def _elementwise() -> dict[str, str]:
    found = {}
    for name in _FLOATS.split():
        found[name] = _one(
            name, f"stablehlo.{name} %x : tensor<2x3xf32>", "%x: tensor<2x3xf32>", "tensor<2x3xf32>"
        )
    for names, element in ((_PAIRS, "f32"), (_INTEGERS, "i32")):
        type = f"tensor<4x{element}>"
        for name in names.split():
            line = f"stablehlo.{name} %x, %y : {type}"
            found[name] = _one(name, line, f"%x: {type}, %y: {type}", type)
    return found


_REDUCER = """({{
  ^bb0(%a: tensor<{0}>, %b: tensor<{0}>):
    %c = stablehlo.{1} %a, %b : tensor<{0}>
    stablehlo.return %c : tensor<{0}>
  }})"""
_SELECTOR = """({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  })"""

# name: the operation, the arguments, the results
_OTHERS = {
    "bitcast_convert": (
        "stablehlo.bitcast_convert %x : (tensor<3xf32>) -> tensor<3x2xui16>",
        "%x: tensor<3xf32>",
        "tensor<3x2xui16>",
    ),
    "broadcast_in_dim": (
        "stablehlo.broadcast_in_dim %x, dims = [2, 0] : (tensor<3x1xf32>) -> tensor<2x4x3xf32>",
        "%x: tensor<3x1xf32>",
        "tensor<2x4x3xf32>",
    ),
    "clamp": (
        "stablehlo.clamp %a, %x, %b : tensor<5xf32>",
        "%a: tensor<5xf32>, %x: tensor<5xf32>, %b: tensor<5xf32>",
        "tensor<5xf32>",
    ),
    "compare": (
        "stablehlo.compare LE, %x, %y, SIGNED : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>",
        "%x: tensor<5xi32>, %y: tensor<5xi32>",
        "tensor<5xi1>",
    ),
    "concatenate": (
        "stablehlo.concatenate %x, %y, dim = 1 : (tensor<2x1xf32>, tensor<2x3xf32>)"
        " -> tensor<2x4xf32>",
        "%x: tensor<2x1xf32>, %y: tensor<2x3xf32>",
        "tensor<2x4xf32>",
    ),
    "constant": (
        "stablehlo.constant dense<[[1.5, -0.0], [0x7F800000, 3.25]]> : tensor<2x2xf32>",
        "",
        "tensor<2x2xf32>",
    ),
    "convert": (
        "stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xi16>",
        "%x: tensor<4xf32>",
        "tensor<4xi16>",
    ),
    "convolution": (
        "stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, f, 0, 1],"
        " window = {stride = [2, 1], pad = [[1, 0], [0, 2]], rhs_dilate = [1, 2]}"
        " {batch_group_count = 1 : i64, feature_group_count = 2 : i64,"
        " precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}"
        " : (tensor<2x5x6x4xf32>, tensor<3x2x2x6xf32>) -> tensor<2x6x2x6xf32>",
        "%x: tensor<2x5x6x4xf32>, %w: tensor<3x2x2x6xf32>",
        "tensor<2x6x2x6xf32>",
    ),
    "dot_general": (
        "stablehlo.dot_general %x, %y, batching_dims = [0] x [2], contracting_dims = [2] x [0],"
        " precision = [DEFAULT, DEFAULT] : (tensor<2x3x4xf32>, tensor<4x5x2xf32>)"
        " -> tensor<2x3x5xf32>",
        "%x: tensor<2x3x4xf32>, %y: tensor<4x5x2xf32>",
        "tensor<2x3x5xf32>",
    ),
    "iota": ("stablehlo.iota dim = 1 : tensor<2x3xi32>", "", "tensor<2x3xi32>"),
    "is_finite": (
        "stablehlo.is_finite %x : (tensor<3xf32>) -> tensor<3xi1>",
        "%x: tensor<3xf32>",
        "tensor<3xi1>",
    ),
    "not": ("stablehlo.not %x : tensor<3xi1>", "%x: tensor<3xi1>", "tensor<3xi1>"),
    "pad": (
        "stablehlo.pad %x, %v, low = [1, -1], high = [0, 2], interior = [0, 1]"
        " : (tensor<2x3xf32>, tensor<f32>) -> tensor<3x6xf32>",
        "%x: tensor<2x3xf32>, %v: tensor<f32>",
        "tensor<3x6xf32>",
    ),
    "reduce": (
        "stablehlo.reduce(%x init: %v) applies stablehlo.maximum across dimensions = [0, 2]"
        " : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<3xf32>",
        "%x: tensor<2x3x4xf32>, %v: tensor<f32>",
        "tensor<3xf32>",
    ),
    "reduce_window": (
        f'"stablehlo.reduce_window"(%x, %v) <{{window_dimensions = array<i64: 2, 2>}}>'
        f" {_REDUCER.format('f32', 'maximum')}"
        " : (tensor<3x4xf32>, tensor<f32>) -> tensor<2x3xf32>",
        "%x: tensor<3x4xf32>, %v: tensor<f32>",
        "tensor<2x3xf32>",
    ),
    "reshape": (
        "stablehlo.reshape %x : (tensor<2x3xf32>) -> tensor<3x1x2xf32>",
        "%x: tensor<2x3xf32>",
        "tensor<3x1x2xf32>",
    ),
    "reverse": (
        "stablehlo.reverse %x, dims = [1] : tensor<2x3xf32>",
        "%x: tensor<2x3xf32>",
        "tensor<2x3xf32>",
    ),
    "rng_bit_generator": (
        "stablehlo.rng_bit_generator %x, algorithm = THREE_FRY : (tensor<2xui64>)"
        " -> (tensor<2xui64>, tensor<3x5xui32>)",
        "%x: tensor<2xui64>",
        "tensor<2xui64>, tensor<3x5xui32>",
    ),
    "select": (
        "stablehlo.select %p, %x, %y : tensor<4xi1>, tensor<4xf32>",
        "%p: tensor<4xi1>, %x: tensor<4xf32>, %y: tensor<4xf32>",
        "tensor<4xf32>",
    ),
    "select_and_scatter": (
        f'"stablehlo.select_and_scatter"(%x, %s, %v) <{{window_dimensions = array<i64: 2, 2>,'
        f" window_strides = array<i64: 2, 2>}}> {_SELECTOR}"
        " : (tensor<4x4xf32>, tensor<2x2xf32>, tensor<f32>) -> tensor<4x4xf32>",
        "%x: tensor<4x4xf32>, %s: tensor<2x2xf32>, %v: tensor<f32>",
        "tensor<4x4xf32>",
    ),
    "slice": (
        "stablehlo.slice %x [0:3:2, 1:4] : (tensor<3x5xf32>) -> tensor<2x3xf32>",
        "%x: tensor<3x5xf32>",
        "tensor<2x3xf32>",
    ),
    "transpose": (
        "stablehlo.transpose %x, dims = [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>",
        "%x: tensor<2x3x4xf32>",
        "tensor<4x2x3xf32>",
    ),
}

PROGRAMS = _elementwise() | {name: _one(name, *parts) for name, parts in _OTHERS.items()}


def inputs(function: Function) -> list[np.ndarray[Any, Any]]:
    """Numbers for each argument, positive and the same each time; initial values are zero."""
    draw = np.random.default_rng(0)
    found = []
    for argument in function.arguments:
        shape, dtype = argument.type.shape, argument.type.dtype
        values = draw.uniform(0.5, 4, shape) if shape else np.zeros(())
        if dtype == np.bool_:
            values = values > 2
        found.append(values.astype(dtype))
    return found


def single(text: str) -> str:
    """The text with its function named main, as XLA and the reference interpreter want it."""
    return re.sub(r"func\.func @\w+", "func.func @main", text, count=1)
