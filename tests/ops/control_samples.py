"""Samples of control flow and of batch normalization."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np

from tests.ops.regions import Region, region
from tests.ops.samples import Sample, normal
from tracer.ir import Block, TensorType, Value
from tracer.ops.bodies import combiner

BF16 = ml_dtypes.bfloat16
Array = np.ndarray[Any, Any]


def types_of(*arrays: Array) -> tuple[TensorType, ...]:
    """The type of each array."""
    return tuple(TensorType(x.shape, x.dtype) for x in arrays)


def loop(name: str, cond: Any, body: Any, *state: Any) -> Sample:
    """A `while` from this state on."""
    arrays = tuple(map(np.asarray, state))
    types = types_of(*arrays)
    return Sample(name, arrays, {}, (region(cond, *types), region(body, *types)), smooth=False)


def _below(r: Region, i: Value, *_: Value) -> tuple[Value, ...]:
    return (r("compare", i, r.constant(5, i.type.dtype), comparison_direction="LT"),)


def _count(r: Region, i: Value, *others: Value) -> tuple[Value, ...]:
    return (r("add", i, r.constant(1, i.type.dtype)), *others)


def _double(r: Region, i: Value, x: Value) -> tuple[Value, ...]:
    return (*_count(r, i), r("add", x, x))


def _small(r: Region, x: Value) -> tuple[Value, ...]:
    zero = r.constant(0, x.type.dtype)
    regions = (combiner("add", x.type.dtype),)
    norm = r("reduce", r("multiply", x, x), zero, dimensions=(0,), regions=regions)
    return (r("compare", norm, r.constant(100, x.type.dtype), comparison_direction="LT"),)


def _nested(r: Region, i: Value, x: Value) -> tuple[Value, ...]:
    """A loop within the loop, and in it a branch, which use values around them."""

    def tripled(r: Region, j: Value, y: Value) -> tuple[Value, ...]:
        even = r("compare", i, r.constant(2, i.type.dtype), comparison_direction="EQ")
        added = region(lambda r: (r("add", x, y),))
        return (*_count(r, j), r("if", even, regions=(added, region(lambda r: (y,)))))

    inner = (i.type, x.type)
    regions = (region(_below, *inner), region(tripled, *inner))
    start = r.constant(3, i.type.dtype)
    return (*_count(r, i), r.all("while", start, x, regions=regions)[1])


def _loops() -> list[Sample]:
    i32, line = np.int32(0), np.asarray([1.0, -0.0, np.nan, np.inf], np.float32)
    return [
        loop("i32", _below, _count, i32),
        loop("never", _below, _count, np.int64(7)),
        loop("f32_special", _below, _double, i32, line),
        loop("u8_wraps", _below, _double, i32, np.full(2, 100, np.uint8)),
        loop("bf16", _below, _double, i32, np.asarray([0.5, -3], BF16)),
        loop("c64", _below, _double, np.uint8(3), normal(0, 2, dtype=np.complex64)),
        loop("f64_empty", _below, _double, np.float64(0), np.zeros((0, 2))),
        loop("f64_norm", _small, lambda r, x: (r("add", x, x),), normal(1, 3)),
        loop("nested", _below, _nested, i32, np.asarray([[1.5]], np.float32)),
        loop("bool", lambda r, p: (p,), lambda r, p: (r("not", p),), np.asarray(True)),
    ]


def _giving(*arrays: Any) -> Block:
    """A branch that takes nothing and gives constants."""
    return region(lambda r: tuple(r.constant(x) for x in arrays))


_VALUES: dict[str, tuple[Any, ...]] = {
    "f32_special": (np.float32([1, np.nan]), np.float32([-np.inf, -0.0])),
    "f64_0d": (np.float64(1.5), np.float64(-2)),
    "bf16": (np.asarray([[1]], BF16), np.asarray([[2]], BF16)),
    "c128_empty": (np.zeros((0, 2), np.complex128),) * 2,
    "u8": (np.uint8([1, 255]), np.uint8([0, 3])),
    "bool": (np.asarray(True), np.asarray(False)),
}


def _ifs() -> list[Sample]:
    found = [
        Sample(f"{name}_{pred}".lower(), (np.asarray(pred),), {}, (_giving(one), _giving(other)))
        for pred, (name, (one, other)) in zip([True, False] * 3, _VALUES.items(), strict=True)
    ]
    several = (_giving(np.int32(1), np.float32([2, 3])), _giving(np.int32(4), np.float32([5, 6])))
    nested = region(lambda r: r.all("if", r.constant(False), regions=several))
    return [
        *found,
        Sample("several", (np.asarray(True),), {}, several),
        Sample("nested", (np.asarray(False),), {}, (several[0], nested)),
    ]


def _cases() -> list[Sample]:
    found = [
        Sample(name, (np.int32(index),), {}, tuple(map(_giving, values)))
        for index, (name, values) in enumerate(_VALUES.items(), start=-1)
    ]
    several = tuple(_giving(np.int16(i), np.float64([i, -i])) for i in range(3))
    ends = (2**31 - 1, -(2**31), 1)
    return [
        *found,
        *(Sample(f"several_{i}", (np.int32(i),), {}, several) for i in ends),
        Sample("one", (np.int32(0),), {}, several[:1]),
    ]


def _barriers() -> list[Sample]:
    special = np.asarray([np.nan, -0.0, np.inf], np.float32)
    return [
        Sample("f64", (normal(0, 2, 3),)),
        Sample("f64_pair", (normal(1, 2), normal(2))),
        Sample("c128", (normal(1, 2, dtype=np.complex128),)),
        Sample("several", (special, np.int8([1, -2]), np.asarray(True), np.zeros((0, 3), BF16))),
    ]


def _normalized(*vectors: int, like: bool = False) -> Callable[..., Sample]:
    """Samples of an operand and vectors of one number a feature, positive ones where it says 1."""

    def made(label: str, shape: tuple[int, ...], axis: int, dtype: Any = np.float64) -> Sample:
        features = shape[axis]
        rows = [normal(20 + i, features) for i in range(len(vectors))]
        given = [np.abs(x) + 1 if sign else x for x, sign in zip(rows, vectors, strict=True)]
        operands = [normal(30, *shape), *given, *([normal(31, *shape)] if like else [])]
        attributes = {"epsilon": 1e-3, "feature_index": axis}
        return Sample(label, tuple(x.astype(dtype) for x in operands), attributes)

    return made


def _norms(made: Callable[..., Sample]) -> list[Sample]:
    return [
        made("f64", (2, 3, 2), 1),
        made("f64_first", (2, 3), 0),
        made("f64_last", (3, 1, 2), 2),
        made("f64_1d", (3,), 0),
        made("f32", (4, 3), 1, np.float32),
        made("bf16", (4, 2), 1, BF16),
        made("f16", (2, 4), 0, np.float16),
        made("f32_no_feature", (2, 0), 1, np.float32),
    ]


SAMPLES: dict[str, list[Sample]] = {
    "while": _loops(),
    "if": _ifs(),
    "case": _cases(),
    "optimization_barrier": _barriers(),
    "batch_norm_inference": _norms(_normalized(0, 0, 0, 1)),
    "batch_norm_training": _norms(_normalized(0, 0)),
    "batch_norm_grad": _norms(_normalized(0, 0, 1, like=True)),
}
