"""Samples of the operations that reduce, over axes and over windows."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np

from tests.ops.samples import Sample, distinct, normal
from tracer.ops.bodies import combiner, comparer
from tracer.ops.window import picker

BF16 = ml_dtypes.bfloat16
WORST = {"maximum": -np.inf, "minimum": np.inf, "add": 0, "multiply": 1, "and": True, "or": False}


def _initial(body: str, dtype: Any) -> np.ndarray[Any, Any]:
    """The identity of a body."""
    info = np.iinfo(dtype) if np.dtype(dtype).kind in "iu" else None
    if info and body in ("maximum", "minimum"):
        return np.asarray(info.min if body == "maximum" else info.max, dtype)
    return np.asarray(WORST[body]).astype(dtype)


def _reduce(
    name: str, body: str, x: np.ndarray[Any, Any], *axes: int, smooth: bool = True
) -> Sample:
    region = combiner(body, x.dtype)
    start = _initial(body, x.dtype)
    return Sample(f"{body}_{name}", (x, start), {"dimensions": axes}, (region,), smooth)


def _reduces() -> list[Sample]:
    specials = np.asarray([[1, np.nan, 2], [np.inf, 3, -0.0], [-np.inf, 1, 1]], np.float32)
    found = [
        _reduce("f64", "add", normal(0, 2, 3, 2), 1),
        _reduce("f64_axes", "add", normal(0, 2, 3, 2), 2, 0),
        _reduce("f64_no_axis", "add", normal(0, 2, 3)),
        _reduce("f64_0d", "add", normal(0)),
        _reduce("f64_over_nothing", "add", np.zeros((2, 0, 2)), 1),
        _reduce("f64_of_nothing", "add", np.zeros((2, 0, 2)), 0),
        _reduce("c128", "add", normal(1, 2, 3, dtype=np.complex128), 0),
        _reduce("c64", "add", normal(1, 2, 3, dtype=np.complex64), 0),
        _reduce("i32", "multiply", np.arange(1, 7, dtype=np.int32).reshape(2, 3), 1),
        _reduce("u8_wraps", "add", np.full((3, 3), 100, np.uint8), 0),
        _reduce("f32", "multiply", normal(2, 2, 3, dtype=np.float32), 0, 1),
        _reduce("bf16", "add", normal(3, 2, 3, dtype=BF16), 1),
        _reduce("bool", "and", np.asarray([[True, False], [True, True]]), 1),
        _reduce("bool", "or", np.asarray([[True, False], [False, False]]), 1),
    ]
    for body in ("maximum", "minimum"):
        found += [
            _reduce("f64", body, distinct(4, 2, 3, 2), 1),
            _reduce("f64_axes", body, distinct(5, 2, 3, 2), 2, 0),
            _reduce("f64_no_axis", body, distinct(5, 2, 3)),
            _reduce("f64_of_nothing", body, np.zeros((2, 0, 2)), 0),
            _reduce("f32_over_nothing", body, np.zeros((2, 0), np.float32), 1),
            _reduce("f32_special", body, specials, 1, smooth=False),
            _reduce("i8", body, np.asarray([[-128, 127, 3]], np.int8), 1),
            _reduce("u64", body, np.asarray([[0, 2**64 - 1, 3]], np.uint64), 1),
        ]
    return found + _paired_reduces()


def _paired_reduces() -> list[Sample]:
    """Two inputs folded at once: an extremum, and what stands beside it."""
    keys = np.asarray([[3.0, 1.0, 3.0], [0.5, 0.25, 0.125]], np.float32)
    values = np.arange(6, dtype=np.float32).reshape(2, 3)
    zero = np.asarray(0.0, np.float32)
    return [
        Sample(
            f"picker_{direction}",
            (keys, values, _initial(body, np.float32), zero),
            {"dimensions": (1,)},
            (picker(direction, np.dtype(np.float32)),),
        )
        for direction, body in (("GE", "maximum"), ("LE", "minimum"))
    ]


def window(ndim: int, **given: Any) -> dict[str, Any]:
    """The attributes of a window, those left out neutral."""
    ones = (1,) * ndim
    neutral = {
        "window_dimensions": ones,
        "window_strides": ones,
        "base_dilations": ones,
        "window_dilations": ones,
        "padding": ((0, 0),) * ndim,
    }
    return neutral | given


_WINDOWS: dict[str, tuple[tuple[int, ...], dict[str, Any]]] = {
    "plain": ((5,), {"window_dimensions": (3,)}),
    "strided": ((3, 6), {"window_dimensions": (2, 3), "window_strides": (1, 2)}),
    "padded": (
        (3, 4),
        {"window_dimensions": (2, 2), "window_strides": (2, 2), "padding": ((1, 0), (1, 1))},
    ),
    "cropped": ((4, 5), {"window_dimensions": (2, 2), "padding": ((-1, 1), (1, -2))}),
    "larger_than_input": ((2, 3), {"window_dimensions": (3, 1)}),
    "remainder_left": ((7,), {"window_dimensions": (2,), "window_strides": (3,)}),
    "0d": ((), {}),
    "empty": ((0, 2), {"window_dimensions": (1, 2)}),
}
_DILATED: dict[str, tuple[tuple[int, ...], dict[str, Any]]] = {
    "window_dilated": ((7,), {"window_dimensions": (3,), "window_dilations": (2,)}),
    "base_dilated": (
        (3, 2),
        {"window_dimensions": (2, 2), "base_dilations": (2, 3), "padding": ((1, 0), (0, 2))},
    ),
    "all_dilated": (
        (4,),
        {
            "window_dimensions": (2,),
            "window_strides": (2,),
            "base_dilations": (3,),
            "window_dilations": (3,),
            "padding": ((2, -1),),
        },
    ),
}


def _windowed(name: str, body: str, dtype: Any, smooth: bool = True) -> Sample:
    shape, given = (_WINDOWS | _DILATED)[name]
    x = distinct(6, *shape, dtype=dtype)
    label = f"{body}_{np.dtype(dtype).name}_{name}"
    operands = (x, _initial(body, dtype))
    regions = (combiner(body, np.dtype(dtype)),)
    return Sample(label, operands, window(len(shape), **given), regions, smooth)


def _picked(name: str, direction: str) -> Sample:
    shape, given = (_WINDOWS | _DILATED)[name]
    keys, values = distinct(7, *shape), normal(8, *shape)
    start = np.asarray(-np.inf if direction == "GE" else np.inf)
    operands = (keys, values, start, np.asarray(0.0))
    regions = (picker(direction, np.dtype(np.float64)),)
    return Sample(f"picker_{direction}_{name}", operands, window(len(shape), **given), regions)


def _reduce_windows() -> list[Sample]:
    sums = [_windowed(name, "add", np.float64) for name in _WINDOWS | _DILATED]
    best = [_windowed(name, "maximum", np.float64) for name in _WINDOWS]
    # the scatter of a dilated window's extremum is not an operation: no derivative
    far = [_windowed(name, "maximum", np.float64, smooth=False) for name in _DILATED]
    return [
        *sums,
        *best,
        *far,
        _windowed("padded", "minimum", np.float64),
        _windowed("padded", "maximum", np.int8),
        _windowed("padded", "add", BF16),
        _windowed("strided", "add", np.float32),
        _windowed("strided", "minimum", np.uint8),
        _windowed("strided", "multiply", np.float32),
        _picked("padded", "GE"),
        _picked("strided", "LE"),
        _picked("cropped", "GE"),
    ]


def _scattered(name: str, direction: str = "GE", dtype: Any = np.float64) -> Sample:
    shape, given = _WINDOWS[name]
    ones = window(len(shape), **given)
    attributes = {k: ones[k] for k in ("window_dimensions", "window_strides", "padding")}
    x = distinct(9, *shape, dtype=dtype)
    outputs = [
        max(0, (low + n + high - w) // s + 1)
        for n, w, s, (low, high) in zip(shape, *attributes.values(), strict=True)
    ]
    source = normal(10, *outputs, dtype=dtype)
    regions = (comparer(direction, np.dtype(dtype)), combiner("add", np.dtype(dtype)))
    label = f"{direction}_{np.dtype(dtype).name}_{name}"
    return Sample(label, (x, source, np.asarray(0, dtype)), attributes, regions)


SAMPLES: dict[str, list[Sample]] = {
    "reduce": _reduces(),
    "reduce_window": _reduce_windows(),
    "select_and_scatter": [
        *(_scattered(name) for name in _WINDOWS if name != "0d"),
        _scattered("padded", "LE"),
        _scattered("padded", "GE", np.float32),
        _scattered("strided", "GE", BF16),
        _scattered("strided", "LE", np.int32),
    ],
}
