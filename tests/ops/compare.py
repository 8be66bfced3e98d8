"""How near two results of one op must be, and where they are known to differ."""

from __future__ import annotations

from typing import Any

import numpy as np

from tracer.dtypes import finfo, is_inexact

Array = np.ndarray[Any, Any]

APPROXIMATE = frozenset(
    (
        *("atan2", "cbrt", "cosine", "exponential", "exponential_minus_one", "log", "log_plus_one"),
        *("logistic", "power", "rsqrt", "sine", "tan", "tanh"),
        *("convolution", "dot_general", "reduce", "reduce_window", "select_and_scatter"),
        *("cholesky", "custom_call", "fft", "triangular_solve"),
        *("batch_norm_grad", "batch_norm_inference", "batch_norm_training"),
    )
)
"""Ops whose results are approximations, or depend on the order of a sum.

The others don't compute, or IEEE 754 rounds them correctly: their results are equal to the bit.
"""

TOLERANCE: dict[str, float] = {
    "bfloat16": 2,  # both sides compute in float32 and round once, seldom to neighbours
    "float16": 2,  # likewise
    "float32": 32,  # XLA's vectorised approximations stay within a few units of the libm's
    "float64": 32,
    "complex64": 64,  # a part is composed of several functions
    "complex128": 64,
}
"""Units in the last place of the larger of 1 and the number, by dtype."""


def check(name: str, found: Array, expected: Array) -> None:
    """Raises AssertionError unless two results of an op are equal, near where it approximates."""
    kind = expected.dtype.kind
    if name in APPROXIMATE or kind == "c":
        near(found, expected)
        return
    assert found.dtype == expected.dtype
    assert found.shape == expected.shape
    if is_inexact(expected.dtype):
        found, expected = found.astype(np.float64), expected.astype(np.float64)
        zero = expected == 0
        np.testing.assert_array_equal(np.signbit(found[zero]), np.signbit(expected[zero]))
    np.testing.assert_array_equal(found, expected)


def near(found: Array, expected: Array, times: float = 1) -> None:
    """Raises AssertionError unless two arrays are alike, numbers within `times` the tolerance."""
    dtype = expected.dtype
    assert found.dtype == dtype
    assert found.shape == expected.shape
    if not is_inexact(dtype):
        np.testing.assert_array_equal(found, expected)
        return
    unit = float(finfo(dtype).eps) * TOLERANCE[dtype.name] * times
    wide = np.complex128 if dtype.kind == "c" else np.float64
    np.testing.assert_allclose(found.astype(wide), expected.astype(wide), rtol=unit, atol=unit)
