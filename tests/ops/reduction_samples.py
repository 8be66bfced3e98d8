"""Samples of the operations that reduce, over axes and over windows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np

from tests.ops.regions import Region, region
from tests.ops.samples import Sample, distinct, normal
from tracer.ir import Block, TensorType, Value
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
    return found + _general_reduces() + _paired_reduces()


def _body(operands: int, dtype: Any, body: Callable[..., tuple[Value, ...]]) -> Block:
    """A region of scalars of one dtype."""
    return region(body, *[TensorType((), np.dtype(dtype))] * operands)


def _log_add(r: Region, a: Value, b: Value) -> tuple[Value, ...]:
    return (r("log", r("add", r("exponential", a), r("exponential", b))),)


def _affine(r: Region, a: Value, b: Value, c: Value, d: Value) -> tuple[Value, ...]:
    """Composes x -> a x + b with x -> c x + d."""
    return r("multiply", a, c), r("add", r("multiply", c, b), d)


def _halved(r: Region, a: Value, b: Value) -> tuple[Value, ...]:
    """Of positive numbers, 1 / (1 / a + 1 / b)."""
    one = r.constant(1, a.type.dtype)
    return (r("divide", one, r("add", r("divide", one, a), r("divide", one, b))),)


def _reshaped(r: Region, a: Value, b: Value) -> tuple[Value, ...]:
    """a + b, by means that see one pair at a time."""
    line = r("concatenate", *(r("reshape", x, shape=(1,)) for x in (a, b)), dimension=0)
    zero = r.constant(0, a.type.dtype)
    added = combiner("add", a.type.dtype)
    return (r("reduce", line, zero, dimensions=(0,), regions=(added,)),)


def _general_reduces() -> list[Sample]:
    """Bodies of several operations: all associative, none with an operation of its own."""
    zero = np.asarray(0.0)
    log_add, affine = _body(2, np.float64, _log_add), _body(4, np.float64, _affine)
    halved, reshaped = _body(2, np.float64, _halved), _body(2, np.float32, _reshaped)
    positive = 1 + np.abs(normal(12, 2, 5))
    maps = (normal(13, 3, 2), normal(14, 3, 2), np.asarray(1.0), zero)
    return [
        Sample(
            "log_add_f64", (normal(11, 2, 5), np.asarray(0.5)), {"dimensions": (1,)}, (log_add,)
        ),
        Sample("log_add_f64_axes", (normal(11, 2, 3), zero), {"dimensions": (1, 0)}, (log_add,)),
        Sample(
            "log_add_f64_over_nothing", (np.zeros((2, 0)), zero), {"dimensions": (1,)}, (log_add,)
        ),
        Sample("halved_f64", (positive, np.asarray(3.0)), {"dimensions": (0,)}, (halved,)),
        Sample("affine_f64", maps, {"dimensions": (0,)}, (affine,)),
        Sample(
            "multiply_f64",
            (normal(15, 3, 2), np.asarray(0.5)),
            {"dimensions": (0,)},
            (combiner("multiply", np.dtype(np.float64)),),
        ),
        Sample(
            "maximum_f64_started",
            (distinct(16, 2, 3), np.asarray(0.1)),
            {"dimensions": (1,)},
            (combiner("maximum", np.dtype(np.float64)),),
        ),
        Sample(
            "reshaped_f32",
            (normal(17, 2, 3, dtype=np.float32), np.float32(1)),
            {"dimensions": (1,)},
            (reshaped,),
            False,
        ),
    ]


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


def _windowed(name: str, body: str, dtype: Any, start: float | None = None) -> Sample:
    shape, given = (_WINDOWS | _DILATED)[name]
    x = distinct(6, *shape, dtype=dtype)
    label = f"{body}_{np.dtype(dtype).name}_{name}"
    initial = _initial(body, dtype) if start is None else np.asarray(start, dtype)
    regions = (combiner(body, np.dtype(dtype)),)
    return Sample(label, (x, initial), window(len(shape), **given), regions)


def _folded(name: str) -> Sample:
    """A window's log of a sum of exponentials, which starts at a number."""
    shape, given = _WINDOWS[name]
    operands = (normal(18, *shape), np.asarray(0.25))
    regions = (_body(2, np.float64, _log_add),)
    return Sample(f"log_add_{name}", operands, window(len(shape), **given), regions)


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
    far = [_windowed(name, "maximum", np.float64, -50) for name in _DILATED]  # a hole is -50, too
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
        _windowed("all_dilated", "multiply", np.float64),
        _windowed("base_dilated", "minimum", np.float64, 50),
        _windowed("0d", "multiply", np.float64),
        _folded("plain"),
        _folded("strided"),
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
        _scattered("strided", "GT"),
        _scattered("strided", "LT"),
        _scattered("padded", "GE", np.float32),
        _scattered("strided", "GE", BF16),
        _scattered("strided", "LE", np.int32),
    ],
}
