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

_BRANCHES = """({
    %a = stablehlo.sine %x : tensor<3xf32>
    stablehlo.return %a, %x : tensor<3xf32>, tensor<3xf32>
  }, {
    %a = stablehlo.add %x, %x : tensor<3xf32>
    %b = stablehlo.add %a, %x : tensor<3xf32>
    stablehlo.return %x, %b : tensor<3xf32>, tensor<3xf32>
  })"""
_LOOP = """stablehlo.while(%i = %n, %y = %x) : tensor<i32>, tensor<3xf32>
  cond {
    %four = stablehlo.constant dense<4> : tensor<i32>
    %c = stablehlo.compare LT, %i, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %z = stablehlo.add %y, %x : tensor<3xf32>
    stablehlo.return %j, %z : tensor<i32>, tensor<3xf32>
  }"""
_LINE, _ROWS = "tensor<3xf32>", "tensor<2x3xf32>"
_NORM = "{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}"

# name: the operation, the arguments, the results
_OTHERS = {
    "batch_norm_grad": (
        f'"stablehlo.batch_norm_grad"(%x, %a, %b, %c, %x) {_NORM} : '
        f"({_ROWS}, {_LINE}, {_LINE}, {_LINE}, {_ROWS}) -> ({_ROWS}, {_LINE}, {_LINE})",
        f"%x: {_ROWS}, %a: {_LINE}, %b: {_LINE}, %c: {_LINE}",
        f"{_ROWS}, {_LINE}, {_LINE}",
    ),
    "batch_norm_inference": (
        f'"stablehlo.batch_norm_inference"(%x, %a, %b, %a, %b) {_NORM} : '
        f"({_ROWS}, {_LINE}, {_LINE}, {_LINE}, {_LINE}) -> {_ROWS}",
        f"%x: {_ROWS}, %a: {_LINE}, %b: {_LINE}",
        _ROWS,
    ),
    "batch_norm_training": (
        f'"stablehlo.batch_norm_training"(%x, %a, %b) {_NORM} : '
        f"({_ROWS}, {_LINE}, {_LINE}) -> ({_ROWS}, {_LINE}, {_LINE})",
        f"%x: {_ROWS}, %a: {_LINE}, %b: {_LINE}",
        f"{_ROWS}, {_LINE}, {_LINE}",
    ),
    "case": (
        f'"stablehlo.case"(%i) {_BRANCHES} : (tensor<i32>) -> ({_LINE}, {_LINE})',
        f"%i: tensor<i32>, %x: {_LINE}",
        f"{_LINE}, {_LINE}",
    ),
    "if": (
        f'"stablehlo.if"(%p) {_BRANCHES} : (tensor<i1>) -> ({_LINE}, {_LINE})',
        f"%p: tensor<i1>, %x: {_LINE}",
        f"{_LINE}, {_LINE}",
    ),
    "optimization_barrier": (
        f"stablehlo.optimization_barrier %x, %p : {_LINE}, tensor<2xi1>",
        f"%x: {_LINE}, %p: tensor<2xi1>",
        f"{_LINE}, tensor<2xi1>",
    ),
    "while": (_LOOP, f"%n: tensor<i32>, %x: {_LINE}", f"tensor<i32>, {_LINE}"),
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
    "complex": (
        "stablehlo.complex %x, %y : tensor<3xcomplex<f32>>",
        "%x: tensor<3xf32>, %y: tensor<3xf32>",
        "tensor<3xcomplex<f32>>",
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
    "custom_call": (
        "stablehlo.custom_call @lapack_ssyevd_ffi(%x) {api_version = 4 : i32, backend_config ="
        " {mode = 86 : ui8, uplo = 76 : ui8}, operand_layouts = [dense<[1, 2, 0]> :"
        " tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> :"
        " tensor<2xindex>, dense<0> : tensor<1xindex>]} : (tensor<2x3x3xf32>)"
        " -> (tensor<2x3x3xf32>, tensor<2x3xf32>, tensor<2xi32>)",
        "%x: tensor<2x3x3xf32>",
        "tensor<2x3x3xf32>, tensor<2x3xf32>, tensor<2xi32>",
    ),
    "count_leading_zeros": (
        "stablehlo.count_leading_zeros %x : tensor<3xi32>",
        "%x: tensor<3xi32>",
        "tensor<3xi32>",
    ),
    "dot_general": (
        "stablehlo.dot_general %x, %y, batching_dims = [0] x [2], contracting_dims = [2] x [0],"
        " precision = [DEFAULT, DEFAULT] : (tensor<2x3x4xf32>, tensor<4x5x2xf32>)"
        " -> tensor<2x3x5xf32>",
        "%x: tensor<2x3x4xf32>, %y: tensor<4x5x2xf32>",
        "tensor<2x3x5xf32>",
    ),
    "dynamic_slice": (
        "stablehlo.dynamic_slice %x, %i, %i, sizes = [2, 3]"
        " : (tensor<3x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>",
        "%x: tensor<3x4xf32>, %i: tensor<i32>",
        "tensor<2x3xf32>",
    ),
    "dynamic_update_slice": (
        "stablehlo.dynamic_update_slice %x, %u, %i, %i"
        " : (tensor<3x4xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<3x4xf32>",
        "%x: tensor<3x4xf32>, %u: tensor<2x3xf32>, %i: tensor<i32>",
        "tensor<3x4xf32>",
    ),
    "gather": (
        '"stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2],'
        " collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims ="
        " [0], start_index_map = [2, 1], index_vector_dim = 2>, indices_are_sorted = true,"
        " slice_sizes = array<i64: 1, 1, 2>}>"
        " : (tensor<2x3x4xf32>, tensor<2x5x2xi32>) -> tensor<2x5x2xf32>",
        "%x: tensor<2x3x4xf32>, %i: tensor<2x5x2xi32>",
        "tensor<2x5x2xf32>",
    ),
    "imag": (
        "stablehlo.imag %x : (tensor<3xcomplex<f32>>) -> tensor<3xf32>",
        "%x: tensor<3xcomplex<f32>>",
        "tensor<3xf32>",
    ),
    "iota": ("stablehlo.iota dim = 1 : tensor<2x3xi32>", "", "tensor<2x3xi32>"),
    "cholesky": (
        "stablehlo.cholesky %x, lower = true : tensor<1x1xf32>",
        "%x: tensor<1x1xf32>",
        "tensor<1x1xf32>",
    ),
    "fft": (
        "stablehlo.fft %x, type = IRFFT, length = [3, 6]"
        " : (tensor<2x3x4xcomplex<f32>>) -> tensor<2x3x6xf32>",
        "%x: tensor<2x3x4xcomplex<f32>>",
        "tensor<2x3x6xf32>",
    ),
    "triangular_solve": (
        '"stablehlo.triangular_solve"(%x, %y) <{left_side = true, lower = true, transpose_a ='
        " #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}>"
        " : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>",
        "%x: tensor<3x3xf32>, %y: tensor<3x2xf32>",
        "tensor<3x2xf32>",
    ),
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
    "popcnt": ("stablehlo.popcnt %x : tensor<3xui8>", "%x: tensor<3xui8>", "tensor<3xui8>"),
    "real": (
        "stablehlo.real %x : (tensor<3xcomplex<f32>>) -> tensor<3xf32>",
        "%x: tensor<3xcomplex<f32>>",
        "tensor<3xf32>",
    ),
    "reduce": (
        "stablehlo.reduce(%x init: %v) applies stablehlo.maximum across dimensions = [0, 2]"
        " : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<3xf32>",
        "%x: tensor<2x3x4xf32>, %v: tensor<f32>",
        "tensor<3xf32>",
    ),
    "reduce_precision": (
        "stablehlo.reduce_precision %x, format = e5m10 : tensor<3xf32>",
        "%x: tensor<3xf32>",
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
    "scatter": (
        '"stablehlo.scatter"(%x, %i, %u) <{indices_are_sorted = false, scatter_dimension_numbers ='
        " #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0],"
        " scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}>"
        f" {_REDUCER.format('f32', 'add')}"
        " : (tensor<3x4xf32>, tensor<5xi32>, tensor<5x4xf32>) -> tensor<3x4xf32>",
        "%x: tensor<3x4xf32>, %i: tensor<5xi32>, %u: tensor<5x4xf32>",
        "tensor<3x4xf32>",
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
    "sort": (
        '"stablehlo.sort"(%x, %y) <{dimension = 1 : i64, is_stable = true}> ({\n'
        "  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %p: tensor<i32>, %q: tensor<i32>):\n"
        "    %c = stablehlo.compare LT, %a, %b, TOTALORDER"
        " : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
        "    stablehlo.return %c : tensor<i1>\n"
        "  }) : (tensor<2x5xf32>, tensor<2x5xi32>) -> (tensor<2x5xf32>, tensor<2x5xi32>)",
        "%x: tensor<2x5xf32>, %y: tensor<2x5xi32>",
        "tensor<2x5xf32>, tensor<2x5xi32>",
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
