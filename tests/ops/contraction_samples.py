"""Samples of the dot product and the convolution."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np

from tests.ops.samples import Sample, normal
from tracer.ops.contraction import DotDimensionNumbers
from tracer.ops.convolution import conv_numbers

BF16 = ml_dtypes.bfloat16
F64 = np.float64


def _ints(seed: int, *shape: int, dtype: Any) -> np.ndarray[Any, Any]:
    return np.random.default_rng(seed).integers(0, 6, shape).astype(dtype)


def _dot(
    name: str, numbers: tuple[Any, ...], left: Any, right: Any, *, dtype: Any = F64, to: Any = None
) -> Sample:
    make = _ints if np.dtype(dtype).kind in "biu" else normal
    operands = (make(0, *left, dtype=dtype), make(1, *right, dtype=dtype))
    attributes = {
        "dot_dimension_numbers": DotDimensionNumbers(*numbers),
        "dtype": np.dtype(to or dtype),
    }
    return Sample(f"{np.dtype(dtype).name}_{name}", operands, attributes)


_PLAIN = ((), (), (1,), (0,))
_ODD = ((3, 0), (1, 2), (1, 4), (4, 0))


def _dots() -> list[Sample]:
    return [
        _dot("plain", _PLAIN, (2, 3), (3, 2)),
        _dot("batched", ((0,), (0,), (2,), (1,)), (2, 2, 3), (2, 3, 2)),
        _dot("odd_orders", _ODD, (2, 3, 2, 3, 2), (2, 3, 2, 2, 3)),
        _dot("several_contracted", ((), (), (2, 0), (1, 2)), (2, 3, 4), (5, 4, 2)),
        _dot("outer", ((), (), (), ()), (2,), (3,)),
        _dot("vectors", ((), (), (0,), (0,)), (3,), (3,)),
        _dot("0d", ((), (), (), ()), (), ()),
        _dot("batch_only", ((0, 1), (1, 0), (), ()), (2, 3), (3, 2)),
        _dot("over_nothing", _PLAIN, (2, 0), (0, 3)),
        _dot("of_nothing", _PLAIN, (0, 2), (2, 3)),
        _dot("plain", _PLAIN, (2, 3), (3, 2), dtype=np.complex128),
        _dot("plain", _PLAIN, (2, 3), (3, 2), dtype=np.complex64),
        _dot("plain", _PLAIN, (2, 3), (3, 2), dtype=np.float32),
        _dot("plain", _PLAIN, (2, 8), (8, 2), dtype=BF16),
        _dot("to_f32", _PLAIN, (2, 8), (8, 2), dtype=BF16, to=np.float32),
        _dot("to_f32", _PLAIN, (2, 8), (8, 2), dtype=np.float16, to=np.float32),
        _dot("odd_orders", _ODD, (2, 3, 2, 3, 2), (2, 3, 2, 2, 3), dtype=np.int32),
        _dot("plain", _PLAIN, (2, 3), (3, 2), dtype=np.uint8),
        _dot("to_i32", _PLAIN, (2, 3), (3, 2), dtype=np.int8, to=np.int32),
        _dot("to_i32_beyond_i8", _PLAIN, (2, 60), (60, 2), dtype=np.int8, to=np.int32),
    ]


_NCHW = conv_numbers((0, 1, 2, 3), (0, 1, 2, 3), (0, 1, 2, 3))
_NHWC = conv_numbers((0, 3, 1, 2), (3, 2, 0, 1), (0, 3, 1, 2))
_ODD_CONV = conv_numbers((2, 0, 3, 1), (1, 3, 2, 0), (3, 2, 0, 1))
_LINE = conv_numbers((0, 1, 2), (0, 1, 2), (0, 1, 2))


def _conv(
    name: str, x: Any, w: Any, numbers: Any = _LINE, dtype: Any = F64, to: Any = None, **given: Any
) -> Sample:
    ones = (1,) * (len(x) - 2)
    attributes = {
        "window_strides": ones,
        "padding": ((0, 0),) * len(ones),
        "lhs_dilation": ones,
        "rhs_dilation": ones,
        "dimension_numbers": numbers,
        "feature_group_count": 1,
        "batch_group_count": 1,
        "dtype": np.dtype(to or dtype),
    }
    make = _ints if np.dtype(dtype).kind in "biu" else normal
    operands = (make(2, *x, dtype=dtype), make(3, *w, dtype=dtype))
    return Sample(f"{np.dtype(dtype).name}_{name}", operands, attributes | given)


def _convs() -> list[Sample]:
    pads = ((1, 0), (2, 1))
    everything: dict[str, Any] = {
        "window_strides": (2,),
        "padding": ((2, -1),),
        "lhs_dilation": (2,),
        "rhs_dilation": (2,),
    }
    return [
        _conv("plain", (2, 2, 5), (3, 2, 3)),
        _conv("images", (1, 2, 4, 3), (3, 2, 2, 2), _NCHW, padding=pads),
        _conv("channels_last", (1, 4, 4, 2), (3, 2, 2, 2), _NHWC, window_strides=(2, 1)),
        _conv("odd_axes", (2, 3, 2, 4), (2, 3, 2, 2), _ODD_CONV, padding=pads),
        _conv("stride_leaves_rest", (1, 1, 8), (1, 1, 3), window_strides=(3,)),
        _conv("negative_padding", (1, 2, 6), (2, 2, 2), padding=((-1, -2),)),
        _conv("input_dilated", (1, 2, 3), (2, 2, 2), lhs_dilation=(3,), padding=((1, 2),)),
        _conv("kernel_dilated", (1, 2, 6), (2, 2, 3), rhs_dilation=(2,)),
        _conv("everything", (2, 2, 5), (2, 2, 3), **everything),
        _conv("feature_groups", (2, 4, 4), (6, 2, 2), feature_group_count=2),
        _conv("depthwise", (1, 3, 4), (6, 1, 2), feature_group_count=3, **everything),
        _conv("batch_groups", (4, 2, 4), (6, 2, 2), batch_group_count=2),
        _conv("batch_groups_all", (4, 2, 5), (4, 2, 2), batch_group_count=4, **everything),
        _conv("no_window", (2, 3), (4, 3), conv_numbers((0, 1), (0, 1), (0, 1))),
        _conv("kernel_too_large", (1, 1, 2), (1, 1, 4)),
        _conv("no_batch", (0, 2, 4), (3, 2, 2)),
        _conv("no_features", (2, 0, 4), (3, 0, 2)),
        _conv("plain", (2, 2, 5), (3, 2, 3), dtype=np.complex128),
        _conv("plain", (2, 2, 5), (3, 2, 3), dtype=np.float32),
        _conv("plain", (2, 2, 5), (3, 2, 3), dtype=BF16),
        _conv("plain", (2, 2, 5), (3, 2, 3), dtype=np.int32),
        _conv("to_i32", (2, 60, 5), (3, 60, 3), dtype=np.int8, to=np.int32),
        _conv("plain", (2, 2, 5), (3, 2, 3), dtype=ml_dtypes.int4),
        _conv("to_f32", (2, 4, 5), (3, 4, 3), dtype=BF16, to=np.float32),
        _conv("batch_groups", (4, 2, 4), (6, 2, 2), dtype=np.float32, batch_group_count=2),
    ]


SAMPLES: dict[str, list[Sample]] = {"dot_general": _dots(), "convolution": _convs()}
