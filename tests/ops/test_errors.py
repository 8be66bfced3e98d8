"""What each type rule says of a wrong application: what was needed, what came, and where."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from tests.ops.harness import BACKENDS, put
from tests.ops.reduction_samples import window
from tracer.device import Device
from tracer.dispatch import apply
from tracer.ops import OPS
from tracer.ops.bodies import combiner, comparer
from tracer.ops.contraction import DotDimensionNumbers
from tracer.ops.convolution import conv_numbers
from tracer.ops.sorting import ascending

F32 = np.dtype(np.float32)
INTS = np.zeros(3, np.int32)
LINE = np.zeros(3, np.float32)
TABLE = np.zeros((2, 3), np.float32)
ZERO = np.zeros((), np.float32)
MASK = np.zeros(3, np.bool_)
INT4 = np.dtype(ml_dtypes.int4)
ADD = (combiner("add", F32),)
PLAIN = {"dtype": F32}
CONV = {
    "window_strides": (1,),
    "padding": ((0, 0),),
    "lhs_dilation": (1,),
    "rhs_dilation": (1,),
    "dimension_numbers": conv_numbers((0, 1, 2), (0, 1, 2), (0, 1, 2)),
    "feature_group_count": 1,
    "batch_group_count": 1,
    "dtype": F32,
}
IMAGE = np.zeros((2, 4, 5), np.float32)
KERNEL = np.zeros((3, 4, 2), np.float32)
SCATTER = (comparer("GE", F32), combiner("add", F32))

Case = tuple[str, tuple[Any, ...], dict[str, Any], tuple[Any, ...]]


def _of(name: str, *operands: Any, regions: tuple[Any, ...] = (), **attributes: Any) -> Case:
    return name, operands, attributes, regions


def _dot(*numbers: Any) -> dict[str, Any]:
    return {"dot_dimension_numbers": DotDimensionNumbers(*numbers), "dtype": F32}


def _scatter_window(**given: Any) -> dict[str, Any]:
    names = ("window_dimensions", "window_strides", "padding")
    return {k: v for k, v in window(1, **given).items() if k in names}


CASES: list[Case] = [
    _of("add", LINE, TABLE),
    _of("add", LINE, INTS),
    _of("sine", INTS),
    _of("and", LINE, LINE),
    _of("shift_left", MASK, MASK),
    _of("abs", MASK),
    _of("abs", INTS.astype(np.uint32)),
    _of("sign", INTS.astype(np.uint32)),
    _of("sine", LINE, LINE),
    _of("multiply", LINE),
    _of("is_finite", INTS),
    _of("compare", LINE, INTS, comparison_direction="EQ"),
    _of("compare", LINE, LINE, comparison_direction="equal"),
    _of("compare", *[np.zeros(2, np.complex64)] * 2, comparison_direction="LT"),
    _of("select", LINE, LINE, LINE),
    _of("select", MASK[:2], LINE, LINE),
    _of("select", MASK, LINE, INTS),
    _of("clamp", TABLE, LINE, ZERO),
    _of("clamp", INTS, LINE, LINE),
    _of("complex", INTS, INTS),
    _of("complex", LINE, TABLE),
    _of("real", INTS),
    _of("imag", MASK),
    _of("popcnt", LINE),
    _of("count_leading_zeros", MASK),
    _of("reduce_precision", LINE, exponent_bits=0, mantissa_bits=3),
    _of("reduce_precision", INTS, exponent_bits=5, mantissa_bits=3),
    _of("bitcast_convert", np.zeros(2, INT4), dtype=np.dtype(np.int8), shape=(1,)),
    _of("bitcast_convert", MASK, dtype=np.dtype(np.int8), shape=(3,)),
    _of("bitcast_convert", LINE, dtype=np.dtype(np.int16), shape=(3, 3)),
    _of("iota", iota_dimension=2, shape=(2, 3), dtype=F32),
    _of("iota", iota_dimension=0, shape=(2,), dtype=np.dtype(np.bool_)),
    _of("reshape", TABLE, shape=(4,)),
    _of("transpose", TABLE, permutation=(0, 0)),
    _of("broadcast_in_dim", LINE, broadcast_dimensions=(0, 1), shape=(3, 3)),
    _of("broadcast_in_dim", LINE, broadcast_dimensions=(2,), shape=(3, 3)),
    _of("broadcast_in_dim", LINE, broadcast_dimensions=(0,), shape=(4,)),
    _of("concatenate", LINE, TABLE, dimension=0),
    _of("concatenate", LINE, INTS, dimension=0),
    _of("concatenate", LINE, LINE, dimension=1),
    _of("slice", LINE, start_indices=(0,), limit_indices=(4,), strides=(1,)),
    _of("slice", LINE, start_indices=(0, 0), limit_indices=(4,), strides=(1,)),
    _of("pad", LINE, LINE, edge_padding_low=(0,), edge_padding_high=(0,), interior_padding=(0,)),
    _of("pad", LINE, ZERO, edge_padding_low=(0,), edge_padding_high=(0,), interior_padding=(-1,)),
    _of("pad", LINE, ZERO, edge_padding_low=(-4,), edge_padding_high=(0,), interior_padding=(0,)),
    _of("reverse", LINE, dimensions=(1,)),
    _of("reduce", TABLE, ZERO, dimensions=(2,), regions=ADD),
    _of("reduce", TABLE, LINE, dimensions=(0,), regions=ADD),
    _of("reduce", TABLE, LINE, ZERO, dimensions=(0,), regions=ADD),
    _of("reduce_window", LINE, ZERO, regions=ADD, **window(2)),
    _of("reduce_window", LINE, ZERO, regions=ADD, **window(1, window_strides=(0,))),
    _of("select_and_scatter", LINE, TABLE, ZERO, regions=SCATTER, **_scatter_window()),
    _of("select_and_scatter", LINE, LINE, LINE, regions=SCATTER, **_scatter_window()),
    _of("dot_general", TABLE, TABLE, **_dot((), (), (1,), (0,))),
    _of("dot_general", TABLE, TABLE, **_dot((), (), (2,), (0,))),
    _of("dot_general", LINE, INTS, **_dot((), (), (0,), (0,))),
    _of("convolution", IMAGE, KERNEL[:, :3], **CONV),
    _of("convolution", IMAGE, KERNEL, **CONV | {"window_strides": (1, 1)}),
    _of("convolution", IMAGE, KERNEL[:, :, :0], **CONV),
    _of("convolution", IMAGE, KERNEL, **CONV | {"batch_group_count": 2}),
    _of("convolution", IMAGE, KERNEL[:, :2], **CONV | {"feature_group_count": 2}),
    _of("convolution", IMAGE, KERNEL, **CONV | {"feature_group_count": 2, "batch_group_count": 2}),
    _of("convolution", LINE, LINE, **CONV),
    _of("compare", LINE, LINE, comparison_direction="LT", compare_type="SIGNED"),
    _of("compare", INTS, INTS, comparison_direction="LT", compare_type="TOTALORDER"),
    _of("sort", LINE, TABLE, dimension=0, is_stable=True, regions=(ascending(F32, F32),)),
    _of("sort", LINE, dimension=-1, is_stable=True, regions=(ascending(F32),)),
    _of("sort", ZERO, dimension=0, is_stable=True, regions=(ascending(F32),)),
    _of("sort", INTS, dimension=0, is_stable=True, regions=(ascending(F32),)),
    _of("sort", LINE, LINE, dimension=0, is_stable=True, regions=(ascending(F32),)),
    _of("sort", LINE, dimension=0, is_stable=True, regions=ADD),
]
GOLDEN = [
    "TypeError: add: operands of one type are needed, got tensor<3xf32> and tensor<2x3xf32>",
    "TypeError: add: operands of one type are needed, got tensor<3xf32> and tensor<3xi32>",
    "TypeError: sine: an operand of float or complex dtype is needed, got tensor<3xi32>",
    "TypeError: and: an operand of bool or int or uint dtype is needed, got tensor<3xf32>",
    "TypeError: shift_left: an operand of int or uint dtype is needed, got tensor<3xi1>",
    "TypeError: abs: an operand of int or float or complex dtype is needed, got tensor<3xi1>",
    "TypeError: abs: an operand of int or float or complex dtype is needed, got tensor<3xui32>",
    "TypeError: sign: an operand of int or float or complex dtype is needed, got tensor<3xui32>",
    "TypeError: sine: 1 operand is needed, got 2",
    "TypeError: multiply: 2 operands are needed, got 1",
    "TypeError: is_finite: an operand of float dtype is needed, got tensor<3xi32>",
    "TypeError: compare: operands of one type are needed, got tensor<3xf32> and tensor<3xi32>",
    "ValueError: compare: a direction of EQ, NE, LT, LE, GT, GE is needed, got equal",
    (
        "TypeError: compare: an operand of bool or int or uint or float dtype is needed, got "
        "tensor<2xcomplex<f32>>"
    ),
    "TypeError: select: an operand of bool dtype is needed, got tensor<3xf32>",
    "TypeError: select: a predicate of shape () or (3,) is needed, got tensor<2xi1>",
    "TypeError: select: operands of one type are needed, got tensor<3xf32> and tensor<3xi32>",
    ("TypeError: clamp: edges of shape () or (3,) are needed, got tensor<2x3xf32> and tensor<f32>"),
    (
        "TypeError: clamp: operands of one dtype are needed, got tensor<3xi32> and "
        "tensor<3xf32> and tensor<3xf32>"
    ),
    "TypeError: complex: operands of float32 or float64 are needed, got tensor<3xi32>",
    "TypeError: complex: operands of one type are needed, got tensor<3xf32> and tensor<2x3xf32>",
    "TypeError: real: an operand of float or complex dtype is needed, got tensor<3xi32>",
    "TypeError: imag: an operand of float or complex dtype is needed, got tensor<3xi1>",
    "TypeError: popcnt: an operand of int or uint dtype is needed, got tensor<3xf32>",
    "TypeError: count_leading_zeros: an operand of int or uint dtype is needed, got tensor<3xi1>",
    (
        "ValueError: reduce_precision: exponent_bits from 1 and mantissa_bits from 0 are "
        "needed, got 0 and 3"
    ),
    "TypeError: reduce_precision: an operand of float dtype is needed, got tensor<3xi32>",
    "TypeError: bitcast_convert: bits of int4 can't be reinterpreted, got tensor<2xi4> and int8",
    ("TypeError: bitcast_convert: bits of bool can't be reinterpreted, got tensor<3xi1> and int8"),
    ("TypeError: bitcast_convert: tensor<3xf32> has not the bits of shape (3, 3) and dtype int16"),
    "ValueError: iota: iota_dimension needs distinct axes below 2, got (2,)",
    (
        "TypeError: iota: an operand of int or uint or float or complex dtype is needed, got "
        "tensor<2xi1>"
    ),
    "ValueError: reshape: a shape of 6 elements is needed for tensor<2x3xf32>, got (4,)",
    "ValueError: transpose: a permutation of 2 axes is needed, got (0, 0)",
    (
        "ValueError: broadcast_in_dim: broadcast_dimensions needs one value for each of 1 "
        "axes, got (0, 1)"
    ),
    "ValueError: broadcast_in_dim: broadcast_dimensions needs distinct axes below 2, got (2,)",
    "ValueError: broadcast_in_dim: tensor<3xf32> can't be broadcast to shape (4,)",
    (
        "ValueError: concatenate: operands that differ along axis 0 alone are needed, got "
        "tensor<3xf32>, tensor<2x3xf32>"
    ),
    (
        "TypeError: concatenate: operands of one dtype are needed, got tensor<3xf32> and "
        "tensor<3xi32>"
    ),
    "ValueError: concatenate: dimension needs distinct axes below 1, got (1,)",
    (
        "ValueError: slice: 0 <= start <= limit <= length and stride > 0 are needed for "
        "tensor<3xf32>, got [(0, 4, 1)]"
    ),
    "ValueError: slice: start_indices needs one value for each of 1 axes, got (0, 0)",
    "TypeError: pad: a 0-d padding value is needed, got tensor<3xf32>",
    "ValueError: pad: interior padding can't be negative, got (-1,)",
    "ValueError: pad: padding of tensor<3xf32> leaves a negative length, (-1,)",
    "ValueError: reverse: dimensions needs distinct axes below 1, got (1,)",
    "ValueError: reduce: dimensions needs distinct axes below 2, got (2,)",
    "TypeError: reduce: a 0-d initial value is needed, got tensor<3xf32>",
    "TypeError: reduce: inputs and as many initial values are needed, got 3 operands",
    "ValueError: reduce_window: a window needs one value for each of 1 axes, got (1, 1)",
    (
        "ValueError: reduce_window: a window of lengths, strides and dilations of 1 or more "
        "is needed, got (1,), (0,), (1,), (1,)"
    ),
    (
        "TypeError: select_and_scatter: a source of type tensor<3xf32> is needed, got "
        "tensor<2x3xf32>"
    ),
    "TypeError: select_and_scatter: an initial tensor<f32> is needed, got tensor<3xf32>",
    (
        "ValueError: dot_general: batched and contracted axes of equal lengths are needed, "
        "got [3] of tensor<2x3xf32> and [2] of tensor<2x3xf32>"
    ),
    "ValueError: dot_general: the left side needs distinct axes below 2, got (2,)",
    (
        "TypeError: dot_general: operands of one dtype are needed, got tensor<3xf32> and "
        "tensor<3xi32>"
    ),
    (
        "ValueError: convolution: a kernel for 4 input features is needed, got "
        "tensor<2x4x5xf32> and tensor<3x3x2xf32>"
    ),
    "ValueError: convolution: a window needs one value for each of 1 axes, got (1, 1)",
    (
        "ValueError: convolution: a kernel, strides and dilations of 1 or more are needed, "
        "got tensor<3x4x0xf32>, (1,), (1,) and (1,)"
    ),
    (
        "ValueError: convolution: output features in 2 equal groups are needed, got "
        "tensor<3x4x2xf32>"
    ),
    (
        "ValueError: convolution: output features in 2 equal groups are needed, got "
        "tensor<3x2x2xf32>"
    ),
    (
        "ValueError: convolution: groups of features or of batches, not both, are needed, got "
        "2 and 2"
    ),
    "ValueError: convolution: the input needs distinct axes below 1, got (0, 1, 2)",
    (
        "TypeError: compare: a compare_type of FLOAT or TOTALORDER is needed for tensor<3xf32>, "
        "got SIGNED"
    ),
    "TypeError: compare: a compare_type of SIGNED is needed for tensor<3xi32>, got TOTALORDER",
    "TypeError: sort: operands of one shape are needed, got tensor<3xf32>, tensor<2x3xf32>",
    "ValueError: sort: dimension needs distinct axes below 1, got (-1,)",
    "ValueError: sort: dimension needs distinct axes below 0, got (0,)",
    (
        "TypeError: sort: a comparator of two elements of each of tensor<3xi32> is needed, got "
        "(tensor<f32>, tensor<f32>) -> (tensor<i1>)"
    ),
    (
        "TypeError: sort: a comparator of two elements of each of tensor<3xf32>, tensor<3xf32> "
        "is needed, got (tensor<f32>, tensor<f32>) -> (tensor<i1>)"
    ),
    (
        "TypeError: sort: a comparator of two elements of each of tensor<3xf32> is needed, got "
        "(tensor<f32>, tensor<f32>) -> (tensor<f32>)"
    ),
]
"""Of each case, the class and the message; the place follows it."""


def message(case: Case, backend: str) -> str:
    """What is raised, with the class before and without the place."""
    name, operands, attributes, regions = case
    given = [put(x, backend) for x in operands]
    device = Device("CPU", 0, backend)
    try:
        apply(OPS[name], given, tuple(attributes.items()), regions, device)
    except (TypeError, ValueError) as error:
        text, place = str(error).split("\n  at ")
        file, line = place.rsplit(":", 1)
        assert file == __file__ and int(line) > 0
        return f"{type(error).__name__}: {text}"
    return "nothing"


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("case", "expected"), list(zip(CASES, GOLDEN, strict=True)))
def test_message(case: Case, expected: str, backend: str) -> None:
    assert message(case, backend) == expected


def test_unknown_and_missing_attributes() -> None:
    assert "has no attribute 'angle'; its attributes: none" in message(
        _of("sine", LINE, angle=1), "XLA"
    )
    assert "needs the attribute 'comparison_direction'" in message(
        _of("compare", LINE, LINE), "XLA"
    )
