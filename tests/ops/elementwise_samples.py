"""Samples of the elementwise operations."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np

from tests.ops import narrow_samples
from tests.ops.samples import Sample

BF16, F16, F32, F64 = ml_dtypes.bfloat16, np.float16, np.float32, np.float64
C64, C128 = np.complex64, np.complex128
INF, NAN = np.inf, np.nan
LOWEST, HIGHEST = -(2**31), 2**31 - 1

SPECIAL = [NAN, INF, -INF, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.5, -3.5, 60.0, -60.0, 1e-3]
COMPLEX = [0.5 + 0.25j, -1.5 + 0.5j, 2 - 1j, -0.25 - 0.75j]
SIGNED = [LOWEST, HIGHEST, 0, 1, -1, 7]
BYTES = [0, 1, 2, 127, 128, 255]
BITS = [True, True, False, False]
OTHER = [True, False, True, False]


def _array(values: Any, dtype: Any) -> np.ndarray[Any, Any]:
    with np.errstate(all="ignore"):
        return np.asarray(values).astype(dtype)


def _floats(values: list[float], away: list[float], extra: list[float]) -> list[Sample]:
    """Of one float operand: smooth ones, then IEEE's special values in each width."""
    return [
        Sample("f64", (_array(values, F64),)),
        Sample("f64_0d", (_array(away[0], F64),)),
        Sample("f64_empty", (np.zeros((0, 2)),)),
        *(
            Sample(f"{name}_special", (_array(SPECIAL + extra, dtype),), smooth=False)
            for name, dtype in (("f32", F32), ("bf16", BF16), ("f16", F16))
        ),
    ]


def _complex(values: list[complex]) -> list[Sample]:
    return [Sample("c64", (_array(values, C64),)), Sample("c128", (_array(values[:3], C128),))]


def _signed() -> list[Sample]:
    return [
        Sample("i32", (_array(SIGNED, np.int32),)),
        Sample("i8", (_array([-128, 127, 0, -5], np.int8),)),
    ]


# Smooth arguments of each op of one float operand, and whether it takes complex ones.
_UNARY: dict[str, tuple[list[float], bool]] = {
    "abs": ([0.5, -1.25, 2.0], False),
    "cbrt": ([0.5, -1.25, 2.0], False),
    "ceil": ([0.4, -1.25, 2.1], False),
    "cosine": ([0.5, -1.25, 2.0], True),
    "exponential": ([0.5, -1.25, 2.0], True),
    "exponential_minus_one": ([0.5, -1.25, 1e-3], True),
    "floor": ([0.4, -1.25, 2.1], False),
    "log": ([0.5, 1.25, 2.0], True),
    "log_plus_one": ([0.5, -0.25, 1e-3], True),
    "logistic": ([0.5, -1.25, 2.0], True),
    "negate": ([0.5, -1.25, 2.0], True),
    "round_nearest_afz": ([0.4, -1.25, 2.1], False),
    "round_nearest_even": ([0.4, -1.25, 2.1], False),
    "rsqrt": ([0.5, 1.25, 2.0], True),
    "sign": ([0.4, -1.25, 2.1], False),
    "sine": ([0.5, -1.25, 2.0], True),
    "sqrt": ([0.5, 1.25, 2.0], True),
    "tan": ([0.5, -1.25, 0.75], True),
    "tanh": ([0.5, -1.25, 2.0], True),
}
_HALVES = [0.49999997, -0.49999997, 1.5, -1.5, 2.5 - 2**-22, 8388609.0, 2.0**30]
_EXTRA = {"round_nearest_afz": _HALVES, "round_nearest_even": _HALVES, "logistic": [200.0, -200.0]}


def _unary(name: str) -> list[Sample]:
    values, takes_complex = _UNARY[name]
    found = _floats(values, values[1:], _EXTRA.get(name, []))
    if takes_complex:
        found += _complex(COMPLEX)
    if name in ("abs", "negate", "sign"):
        found += _signed()
    if name == "negate":
        found.append(Sample("u8", (_array(BYTES, np.uint8),)))
    if name in ("abs", "sign"):  # of a complex number: not holomorphic, so not smooth
        found.append(Sample("c64", (_array([*COMPLEX, 0j], C64),), smooth=False))
    return found


def _pair(name: str, a: Any, b: Any, dtype: Any, smooth: bool = True) -> Sample:
    return Sample(name, (_array(a, dtype), _array(b, dtype)), smooth=smooth)


def _product(values: list[float]) -> tuple[list[float], list[float]]:
    return [a for a in values for _ in values], [b for _ in values for b in values]


_FEW = [NAN, INF, -INF, 0.0, -0.0, 1.0, -1.0, 2.5, -3.0]


def _float_pairs(a: list[float], b: list[float]) -> list[Sample]:
    left, right = _product(_FEW)
    return [
        _pair("f64", a, b, F64),
        _pair("f64_0d", a[0], b[0], F64),
        _pair("f64_empty", np.zeros((2, 0)), np.zeros((2, 0)), F64),
        _pair("f32_special", left, right, F32, smooth=False),
        _pair("bf16_special", left, right, BF16, smooth=False),
        _pair("f16_special", left, right, F16, smooth=False),
    ]


def _complex_pairs() -> list[Sample]:
    return [
        _pair("c64", COMPLEX, COMPLEX[::-1], C64),
        _pair("c128", COMPLEX[:3], COMPLEX[1:], C128),
    ]


def _integer_pairs() -> list[Sample]:
    a = [*SIGNED, 7, -7, LOWEST, 3, 0]
    b = [2, 3, 5, -1, HIGHEST, -2, 2, 3, LOWEST, 7, -3]
    return [
        _pair("i32", a, b, np.int32),
        _pair("u8", BYTES, [3, 2, 5, 7, 127, 2], np.uint8),
        _pair("i64", [2**40, -(2**62)], [3, 5], np.int64),
    ]


def _binary(name: str) -> list[Sample]:
    x, y = [0.5, -1.25, 2.0], [1.5, 0.75, -2.5]
    if name == "power":
        x, y = [0.5, 1.25, 2.0], [1.5, 0.75, -2.5]
    if name == "remainder":
        x, y = [0.5, -4.25, 7.0], [1.5, 0.75, -2.5]
    found = _float_pairs(x, y)
    if name == "atan2":
        return found
    if name == "power":
        found.append(_pair("f32_0d_half", -INF, 0.5, F32, smooth=False))
    found += _integer_pairs()
    if name in ("add", "subtract", "multiply", "maximum", "minimum"):
        found += narrow_samples.integers()
    if name in ("add", "multiply", "maximum", "minimum"):
        found.append(_pair("bool", BITS, OTHER, np.bool_))
    if name not in ("remainder", "maximum", "minimum"):
        found += _complex_pairs()
    if name in ("divide", "remainder"):
        found.append(_pair("i32_by_zero", [3, 0, LOWEST, -3], [0, 0, 0, 0], np.int32))
        found.append(_pair("i32_overflow", [LOWEST], [-1], np.int32))
        found.append(_pair("u8_by_zero", [3, 0, 255], [0, 0, 0], np.uint8))
    if name in ("add", "multiply", "subtract", "divide"):
        found.append(_pair("f32_subnormal", [1e-40, 2e-38], [0.5, 1e-38], F32, smooth=False))
    return found


def _logical() -> list[Sample]:
    return [
        _pair("bool", BITS, OTHER, np.bool_),
        _pair("i32", SIGNED, SIGNED[::-1], np.int32),
        _pair("u8", BYTES, BYTES[::-1], np.uint8),
        _pair("bool_empty", [], [], np.bool_),
        *narrow_samples.integers(),
    ]


def _shifts() -> list[Sample]:
    values = [LOWEST, HIGHEST, -1, 5, -5, 5, 5, -5]
    return [
        _pair("i32", values, [1, 31, 4, 0, 32, 32, 100, -1], np.int32),
        _pair("u8", BYTES, [7, 8, 1, 2, 200, 3], np.uint8),
        _pair("i8_0d", -128, 3, np.int8),
        *narrow_samples.integers(),
    ]


def _compare() -> list[Sample]:
    found = []
    left, right = _product(_FEW)
    for direction in ("EQ", "NE", "LT", "LE", "GT", "GE"):
        attributes = {"comparison_direction": direction}
        pairs = [
            _pair("f32_special", left, right, F32, smooth=False),
            _pair("bf16", left, right, BF16, smooth=False),
            _pair("f64", [0.5, -1.25, 2.0], [1.5, 0.75, -2.5], F64),
            _pair("i32", SIGNED, SIGNED[::-1], np.int32),
            _pair("u8", BYTES, BYTES[::-1], np.uint8),
            _pair("bool", BITS, OTHER, np.bool_),
        ]
        if direction in ("EQ", "NE"):
            pairs.append(_pair("c64", COMPLEX, [COMPLEX[0], *COMPLEX[:3]], C64, smooth=False))
        found += [
            Sample(f"{s.name}_{direction}", s.operands, attributes, smooth=s.smooth) for s in pairs
        ]
    for type, pair in (("TOTALORDER", pairs[0]), ("TOTALORDER", pairs[1])):
        attributes = {"comparison_direction": "LT", "compare_type": type}
        found.append(Sample(f"{pair.name}_{type}", pair.operands, attributes, smooth=False))
    return found


def _select() -> list[Sample]:
    wide, other = np.asarray([0.5, -1.25, 2.0]), np.asarray([1.5, 0.75, -2.5])
    mask = np.asarray([True, False, True])
    found = [
        Sample(np.dtype(d).name, (mask, _array([1, 0, 3], d), _array([4, 5, 1], d)), smooth=False)
        for d in (np.bool_, np.int8, np.uint64, F16, BF16, C64)
    ]
    return [
        *found,
        Sample("f64", (mask, wide, other)),
        Sample("f64_scalar_predicate", (np.asarray(False), wide, other)),
        Sample("f64_0d", (np.asarray(True), wide[0], other[0])),
        Sample("f64_empty", (mask[:0], wide[:0], other[:0])),
        Sample("f32_nan_behind", (mask, _array([1, NAN, -0.0], F32), _array([INF, 2, NAN], F32))),
    ]


def _clamp() -> list[Sample]:
    low, x, high = [-1.0] * 4, [-2.0, 0.5, 3.0, 0.25], [1.0] * 4
    special = [NAN, INF, -INF, -0.0, 0.5, 2.0]

    def three(name: str, dtype: Any, a: Any, b: Any, c: Any, smooth: bool = True) -> Sample:
        return Sample(name, (_array(a, dtype), _array(b, dtype), _array(c, dtype)), smooth=smooth)

    return [
        three("f64", F64, low, x, high),
        three("f64_scalar_edges", F64, -1.0, x, 1.0),
        three("f64_0d", F64, -1.0, 0.5, 1.0),
        three("f64_empty", F64, np.zeros((0, 2)), np.zeros((0, 2)), np.zeros((0, 2))),
        three("f32_special", F32, [-1] * 6, special, [1] * 6, False),
        three("bf16_special", BF16, [-1] * 6, special, [1] * 6, False),
        three("i32", np.int32, [-1] * 6, SIGNED, [5] * 6),
        three("u8_crossed", np.uint8, [200] * 6, BYTES, [100] * 6),
    ]


_WHOLE = [0, 1, -1, 255, -128, HIGHEST, LOWEST, 16777217]


def _convert() -> list[Sample]:
    far = [NAN, INF, -INF, 3e9, -1.0, -20.0, 5e9, 300.0, -300.0, 2.5, -2.5, 1e20]
    cases: list[tuple[str, Any, Any, Any]] = [
        ("f64_f64", [0.5, -1.25, 2.0], F64, F64),
        ("f64_0d", 0.5, F64, F64),
        ("c128_c128", COMPLEX, C128, C128),
        *(
            (f"f32_{np.dtype(d).name}", far, F32, d)
            for d in (np.int8, np.int32, np.uint32, np.int64)
        ),
        ("f64_int64", [2.0**63, -(2.0**63), 1e300, 0.999], F64, np.int64),
        ("f64_uint64", [2.0**64, 2.0**63, -1.0, 1e300], F64, np.uint64),
        ("bf16_int16", [300.0, 1e6, -1e6], BF16, np.int16),
        ("f32_bool", [NAN, 0.0, -0.0, 0.25, INF], F32, np.bool_),
        ("i32_bool", [0, 256, -1], np.int32, np.bool_),
        ("c64_bool", [0j, 1j, 1 + 0j, -0.0 - 2j], C64, np.bool_),
        ("bool_f32", BITS, np.bool_, F32),
        ("bool_i8", BITS, np.bool_, np.int8),
        *(
            (f"i32_{np.dtype(d).name}", _WHOLE, np.int32, d)
            for d in (np.int8, np.uint8, F32, BF16, F16)
        ),
        ("u8_i8", BYTES, np.uint8, np.int8),
        ("f64_f32", [1e300, 0.1, -0.0, NAN], F64, F32),
        ("f64_bf16", [1e300, 0.1, 1 + 2**-8 + 2**-40, NAN], F64, BF16),
        ("f32_bf16", [3.4e38, 0.1, 1 + 2**-8, 1 + 3 * 2**-8, NAN], F32, BF16),
        ("f32_f16", [7e4, 0.1, 1 + 2**-11, 6e-8, NAN], F32, F16),
        ("f32_c64", [1.5, NAN], F32, C64),
        ("c64_f32", COMPLEX, C64, F32),
        ("empty", np.zeros((0, 3)), F32, np.int8),
    ]
    return [
        Sample(
            n,
            (_array(x, a),),
            {"dtype": np.dtype(b)},
            smooth=n in ("f64_f64", "f64_0d", "c128_c128"),
        )
        for n, x, a, b in cases
    ]


def _bitcast() -> list[Sample]:
    def cast(name: str, x: np.ndarray[Any, Any], dtype: Any, shape: tuple[int, ...]) -> Sample:
        return Sample(name, (x,), {"dtype": np.dtype(dtype), "shape": shape}, smooth=False)

    floats = _array([1.5, -0.0, INF], F32)
    return [
        cast("f32_u32", floats, np.uint32, (3,)),
        cast("f32_i8", floats, np.int8, (3, 4)),
        cast("f32_0d_u16", floats[0], np.uint16, (2,)),
        cast("i8_i32", np.arange(8, dtype=np.int8).reshape(2, 4), np.int32, (2,)),
        cast("u16_f32_0d", _array([0, 0x3FC0], np.uint16), F32, ()),
        cast("bf16_i16", _array([1.5, -2.0], BF16), np.int16, (2,)),
        cast("u64_f64", _array([0x3FF8 << 48, 0], np.uint64), F64, (2,)),
        cast("transposed", floats.reshape(3, 1).T.astype(F64), np.uint32, (1, 3, 2)),
        cast("empty", np.zeros((0,), F32), np.uint16, (0, 2)),
        cast("bool_bool", _array(BITS, np.bool_), np.bool_, (len(BITS),)),
    ]


BINARY = (
    "add",
    "subtract",
    "multiply",
    "divide",
    "remainder",
    "power",
    "maximum",
    "minimum",
    "atan2",
)
SAMPLES: dict[str, list[Sample]] = {
    **{name: _unary(name) for name in _UNARY},
    **{name: _binary(name) for name in BINARY},
    **{name: _logical() for name in ("and", "or", "xor")},
    **{f"shift_{name}": _shifts() for name in ("left", "right_arithmetic", "right_logical")},
    "not": [Sample(s.name, s.operands[:1]) for s in _logical()],
    "is_finite": _floats([0.5, -1.25, 2.0], [0.5], []),
    "compare": _compare(),
    "select": _select(),
    "clamp": _clamp(),
    "convert": _convert() + narrow_samples.conversions(),
    "bitcast_convert": _bitcast(),
}
