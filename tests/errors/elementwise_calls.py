"""Wrong calls of elementwise functions and of dtypes."""

from __future__ import annotations

from typing import Any

import numpy as np

import tracer as tr
from tests.errors.function_calls import Call, t


def _complex() -> Any:
    return t(2, dtype=tr.complex64)


ELEMENTWISE: dict[str, Call] = {
    "a text as asinh's operand": (
        lambda: tr.asinh("x"),
        TypeError,
        "asinh needs tensors, arrays or numbers, got str",
    ),
    "erf of complex numbers": (
        lambda: tr.erf(_complex()),
        TypeError,
        "erf needs a real dtype, got tensor<2xcomplex<f32>>",
    ),
    "hypot of complex numbers": (
        lambda: tr.hypot(_complex(), 1.0),
        TypeError,
        "hypot needs a real dtype, got tensor<2xcomplex<f32>>",
    ),
    "copysign's shapes": (
        lambda: tr.copysign(t(2), t(3)),
        ValueError,
        "copysign needs shapes that broadcast, got (2,) and (3,)",
    ),
    "trunc of complex numbers": (
        lambda: tr.trunc(_complex()),
        TypeError,
        "trunc needs a real dtype, got tensor<2xcomplex<f32>>",
    ),
    "gcd of floats": (
        lambda: tr.gcd(t(2), t(2)),
        TypeError,
        "gcd needs integers, got tensor<2xf32>",
    ),
    "bitwise_count of bools": (
        lambda: tr.bitwise_count(t(2, dtype=bool)),
        TypeError,
        "bitwise_count needs integers, got tensor<2xi1>",
    ),
    "ldexp's exponents": (
        lambda: tr.ldexp(t(2), t(2)),
        TypeError,
        "ldexp needs integers as x2, got tensor<2xf32>",
    ),
    "too few bits": (
        lambda: tr.reduce_precision(t(2), 0, 3),
        ValueError,
        "reduce_precision: exponent_bits from 1 and mantissa_bits from 0 are needed, got 0 and 3",
    ),
    "a tensor as nan_to_num's nan": (
        lambda: tr.nan_to_num(t(2), nan="x"),
        TypeError,
        "nan_to_num needs a number, got 'x'",
    ),
    "float8 and float32": (
        lambda: t(2, dtype=tr.float8_e5m2) + t(2),
        TypeError,
        "float8_e5m2 and float32 promote to no dtype; convert one with astype",
    ),
    "int4 and int32": (
        lambda: t(2, dtype=tr.int4) * t(2, dtype=tr.int32),
        TypeError,
        "int4 and int32 promote to no dtype; convert one with astype",
    ),
    "an int that int4 can't hold": (
        lambda: t(2, dtype=tr.int4) + 8,
        OverflowError,
        "add: 8 does not fit int4",
    ),
    "xlogy of a list": (
        lambda: tr.xlogy(np.ones(2), [1.0, 2.0]),
        TypeError,
        "xlogy needs tensors, arrays or numbers, got list",
    ),
}
