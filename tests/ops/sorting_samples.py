"""Samples of the operation that sorts: by one operand, by several, by what a body says."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np

from tests.ops.samples import Sample, distinct, normal
from tracer.ir import Block, Builder, Literal, TensorType
from tracer.ir.registry import OPS
from tracer.ops.bodies import comparer
from tracer.ops.sorting import ascending

F32 = np.dtype(np.float32)
SPECIAL = [np.inf, -0.0, np.nan, 1.0, 0.0, -np.inf, -np.nan, -1.0]


def _sort(name: str, *operands: Any, region: Block, smooth: bool = True, **given: Any) -> Sample:
    arrays = tuple(map(np.asarray, operands))
    attributes = {"dimension": arrays[0].ndim - 1, "is_stable": True} | given
    return Sample(name, arrays, attributes, (region,), smooth)


def _up(name: str, *operands: Any, keys: int = 1, **given: Any) -> Sample:
    region = ascending(*(np.asarray(x).dtype for x in operands), keys=keys)
    return _sort(name, *operands, region=region, **given)


def _total_order(dtype: Any) -> Block:
    """Every float has a place: -NaN first, -0 before 0."""
    builder = Builder()
    pair = [builder.argument(TensorType((), np.dtype(dtype))) for _ in range(2)]
    given = {"comparison_direction": "LT", "compare_type": "TOTALORDER"}
    return builder.block(builder.create(OPS["compare"], pair, given))


def _distance(dtype: Any) -> Block:
    """How near a constant: a body of several operations, one of which has no operand."""
    builder = Builder()
    a, b = (builder.argument(TensorType((), np.dtype(dtype))) for _ in range(2))
    (one,) = builder.create(OPS["constant"], (), {"value": Literal(np.asarray(1, dtype))})
    far = []
    for x in (a, b):
        (difference,) = builder.create(OPS["subtract"], (x, one))
        far += builder.create(OPS["abs"], (difference,))
    return builder.block(builder.create(OPS["compare"], far, {"comparison_direction": "LT"}))


def _samples() -> list[Sample]:
    x = distinct(0, 3, 4)
    ties = np.asarray([[2, 1, 2, 1], [0, 0, 0, 0]], np.int32)
    places = np.arange(8, dtype=np.int32).reshape(2, 4)
    found = [
        _up("f64", distinct(1, 5)),
        _up("f64_rows", x),
        _up("f64_columns", x, dimension=0),
        _up("f64_middle", distinct(2, 2, 3, 2), dimension=1),
        _up("f64_one", np.asarray([0.5])),
        _up("f64_nothing", np.zeros((2, 0))),
        _up("f64_no_lines", np.zeros((0, 3))),
        _up("f64_not_stable", distinct(3, 6), is_stable=False),
        _up("f64_with_f64", x, normal(4, 3, 4)),
        _up("f64_by_i32", ties, normal(5, 2, 4)),
        _up("f64_by_f64_and_two_more", x, normal(6, 3, 4), normal(7, 3, 4), dimension=0),
        _up("two_keys", ties, ties[:, ::-1].copy(), places, keys=2),
        _up("three_keys", ties, ties, ties[:, ::-1].copy(), places, keys=3),
        _sort("f64_down", distinct(8, 5), region=comparer("GT", np.dtype(np.float64))),
        _sort("f64_by_distance", distinct(9, 5) + 0.1, region=_distance(np.float64)),
        _sort("i32_down_with_ties", ties, region=comparer("GT", ties.dtype)),
    ]
    for dtype in (np.int8, np.uint8, np.int64, np.uint64, F32, np.float16, ml_dtypes.bfloat16):
        found.append(_up(np.dtype(dtype).name, np.asarray([3, 100, 0, 7, 7, 1]).astype(dtype)))
    for dtype in (F32, np.float64, ml_dtypes.bfloat16):
        values = np.asarray(SPECIAL).astype(dtype)
        name = f"{np.dtype(dtype).name}_total_order"
        found.append(_sort(name, values, region=_total_order(dtype), smooth=False))
    bits = np.asarray([True, False, True])
    found.append(_up("bool", bits))
    found.append(_up("c64_by_i32", np.asarray([2, 0, 1], np.int32), normal(0, 3, dtype="c8")))
    return found


SAMPLES: dict[str, list[Sample]] = {"sort": _samples()}
