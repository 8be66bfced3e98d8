"""Samples of complex numbers and their parts, and of operations on bits."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np

from tests.ops.samples import Sample
from tracer.dtypes import NARROW_INTEGERS, iinfo

INF, NAN = np.inf, np.nan
PARTS = [0.5, -0.0, 0.0, INF, -INF, NAN, 3.0]
BFLOAT16 = np.dtype(ml_dtypes.bfloat16)


def _grid(dtype: Any) -> np.ndarray[Any, Any]:
    """Every pair of parts."""
    found = np.empty((len(PARTS), len(PARTS)), dtype)
    found.real, found.imag = np.asarray(PARTS)[:, None], PARTS
    return found


def _parts() -> list[Sample]:
    return [
        *(
            Sample(np.dtype(d).name, (_grid(d),), smooth=False)
            for d in (np.complex64, np.complex128)
        ),
        Sample("c64_0d", (np.asarray(1.5 - 2j, np.complex64),), smooth=False),
        Sample("c128_empty", (np.zeros((0, 2), np.complex128),), smooth=False),
        Sample("f64", (np.asarray([0.5, -1.25, 2.0]),)),
        Sample("f64_0d", (np.asarray(-1.25),)),
        Sample("f32_special", (np.asarray(PARTS, np.float32),), smooth=False),
        Sample("bf16_special", (np.asarray(PARTS, BFLOAT16),), smooth=False),
    ]


def _whole() -> list[Sample]:
    def pair(name: str, a: Any, b: Any, dtype: Any) -> Sample:
        return Sample(name, (np.asarray(a, dtype), np.asarray(b, dtype)), smooth=False)

    return [
        pair("f32_special", PARTS, PARTS[::-1], np.float32),
        pair("f64", [0.5, -1.25], [1.5, 2.0], np.float64),
        pair("f64_0d", 0.5, INF, np.float64),
        pair("f32_empty", np.zeros((0, 2)), np.zeros((0, 2)), np.float32),
    ]


INTEGERS = [np.dtype(f"{sign}{size}") for sign in "iu" for size in (1, 2, 4, 8)]


def _bits() -> list[Sample]:
    found = []
    for dtype in (*INTEGERS, *NARROW_INTEGERS):
        low, high = int(iinfo(dtype).min), int(iinfo(dtype).max)
        plain = np.int8 if dtype in NARROW_INTEGERS else dtype
        values = np.asarray([low, high, 0, 1, high // 2, high // 3, low // 2], plain)
        found.append(Sample(dtype.name, (values.astype(dtype),)))
    return [
        *found,
        Sample("i32_0d", (np.asarray(-1, np.int32),)),
        Sample("u8_empty", (np.zeros((2, 0), np.uint8),)),
    ]


_EXACT = [1.0, 1.5, -1.25, 1 + 2**-5, 1 + 3 * 2**-5, 3.999, 200.0, 1e-3, 300.0, 7e4, -1e5, 2**-14]
_EXACT += [0.0, -0.0, INF, -INF, NAN]


def _precision() -> list[Sample]:
    found = []
    with np.errstate(over="ignore"):
        operands = [np.asarray(_EXACT).astype(d) for d in (np.float16, BFLOAT16, "f4", "f8")]
    for exponent_bits, mantissa_bits in ((8, 7), (5, 10), (4, 3), (5, 2), (8, 23), (11, 52)):
        bits = {"exponent_bits": exponent_bits, "mantissa_bits": mantissa_bits}
        for x in operands:
            name = f"{x.dtype.name}_{exponent_bits}_{mantissa_bits}"
            found.append(Sample(name, (x,), bits, (), False))
    exact = {"exponent_bits": 11, "mantissa_bits": 52}
    return [
        *found,
        Sample("f64", (np.asarray([0.5, -1.25, 2.0]),), exact),
        Sample("f64_0d", (np.asarray(0.1),), exact),
        Sample("f32_empty", (np.zeros((0, 2), np.float32),), exact),
    ]


SAMPLES: dict[str, list[Sample]] = {
    "complex": _whole(),
    "real": _parts(),
    "imag": _parts(),
    "popcnt": _bits(),
    "count_leading_zeros": _bits(),
    "reduce_precision": _precision(),
}
