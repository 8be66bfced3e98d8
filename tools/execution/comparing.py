"""How far two results are apart, and whether that is too far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tracer.dtypes import PART, DType, finfo, float32, is_inexact, kind
from tracer.ir import TensorType

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Tolerance:
    """What is near enough: |found - expected| <= atol + rtol |expected|, or `ulp` units.

    None stands for the default of the dtype: rtol as many times its epsilon as rounding explains,
    atol the same of the largest expected magnitude, and at least what XLA takes for zero; integers
    and bools must be equal. With `signs` zeros must have the same sign.
    """

    rtol: float | None = None
    atol: float | None = None
    ulp: float | None = None
    signs: bool = False


@dataclass(frozen=True, slots=True)
class Difference:
    """One result beside what was expected of it. The errors are the largest of any element.

    `at` is the place of the worst element, `found` and `expected` what stands there; `differing`
    counts those past the tolerance, of `elements`; `nans` those that are NaN in both.
    """

    type: TensorType
    differing: int
    elements: int
    absolute: float
    relative: float
    ulps: float
    at: tuple[int, ...]
    found: Any
    expected: Any
    nans: int

    @property
    def ok(self) -> bool:
        """Whether every element is near enough."""
        return not self.differing

    def __str__(self) -> str:
        both = f" ({portion(self.nans, self.elements)} in both)" if self.nans else ""
        return f"{self._words()}{both}"

    def _words(self) -> str:
        errors = f"abs {self.absolute:.3g}, rel {self.relative:.3g}, ulp {self.ulps:.0f}"
        if self.ok:
            return f"equal within tolerance: {errors}" if self.absolute else "equal"
        place = f" at {list(self.at)}" if self.at else ""
        values = f"{self.found} where {self.expected} is expected"
        return f"{self.differing} of {self.elements} differ: {errors}; worst{place}: {values}"


def portion(count: int, elements: int) -> str:
    """How many are NaN, of how many."""
    return f"{count} of {elements} {'is' if count == 1 else 'are'} NaN"


def nans(array: Array) -> Array:
    """Where the elements are NaN."""
    return np.isnan(array) if is_inexact(array.dtype) else np.zeros(array.shape, bool)


_EPSILONS = {1: 1.0, 2: 4.0, 4: 128.0, 8: 128.0}
"""Of a float of so many bytes, put down to rounding: the wider types are for longer sums."""


def compare(found: Array, expected: Array, tolerance: Tolerance) -> Difference:
    """Two arrays of one type, element by element. NaN equals NaN."""
    with np.errstate(all="ignore"):
        absolute, magnitude = _distance(found, expected)
        relative = np.where(absolute == 0, 0.0, absolute / np.where(magnitude, magnitude, np.nan))
        relative = np.where(np.isnan(relative), np.inf, relative)
        units = _ulps(found, expected, absolute)
        wrong = ~_near(absolute, magnitude, units, expected.dtype, tolerance)
        if tolerance.signs:
            wrong |= _of_other_sign(found, expected)
    at = _worst(absolute, wrong)
    return Difference(
        TensorType(expected.shape, expected.dtype),
        int(wrong.sum()),
        expected.size,
        absolute=float(absolute.max(initial=0.0)),
        relative=float(relative.max(initial=0.0)),
        ulps=float(units.max(initial=0.0)),
        at=at,
        found=found[at].item() if expected.size else None,
        expected=expected[at].item() if expected.size else None,
        nans=int((nans(found) & nans(expected)).sum()),
    )


def _distance(found: Array, expected: Array) -> tuple[Array, Array]:
    """|found - expected|, 0 for what is the same, infinite where one alone is; and |expected|."""
    wide = np.complex128 if kind(expected.dtype) == "complex" else np.float64
    a, b = found.astype(wide), expected.astype(wide)
    apart = np.abs(a - b)
    if not is_inexact(expected.dtype):
        # of 64 bits a double does not see the last ones
        return np.where(found == expected, 0.0, np.maximum(apart, 1.0)), np.abs(b)
    same = (a == b) | (np.isnan(a) & np.isnan(b))
    return np.where(same, 0.0, np.where(np.isnan(apart), np.inf, apart)), np.abs(b)


def _near(
    absolute: Array, magnitude: Array, units: Array, dtype: DType, tolerance: Tolerance
) -> Array:
    if tolerance.ulp is not None:
        return np.asarray(units <= tolerance.ulp)
    rtol, atol = tolerance.rtol, tolerance.atol
    finite = magnitude[np.isfinite(magnitude)]
    if rtol is None:
        rtol = _default(dtype)
        least = max(rtol * float(finite.max(initial=0.0)), _flushed(dtype))
        atol = least if atol is None else atol
    allowed = (atol or 0.0) + rtol * np.where(np.isfinite(magnitude), magnitude, 0.0)
    return np.asarray(absolute <= allowed)


def _of_other_sign(found: Array, expected: Array) -> Array:
    """Where one is 0.0 and the other -0.0; of complex numbers in either part."""
    if not is_inexact(expected.dtype):
        return np.zeros(expected.shape, bool)
    if kind(expected.dtype) == "complex":
        parts = ((found.real, expected.real), (found.imag, expected.imag))
        return np.logical_or(*(_of_other_sign(a, b) for a, b in parts))
    zeros = (found == 0) & (expected == 0)
    return np.asarray(zeros & (np.signbit(found) != np.signbit(expected)))


def _default(dtype: DType) -> float:
    if not is_inexact(dtype):
        return 0.0
    return float(finfo(dtype).eps) * _EPSILONS[PART.get(dtype, dtype).itemsize]


def _flushed(dtype: DType) -> float:
    """XLA computes with zero in place of numbers below this: in float32 at least."""
    if not is_inexact(dtype):
        return 0.0
    least = float(finfo(dtype).tiny)
    return least if least <= float(finfo(float32).tiny) else 0.0


def _ulps(found: Array, expected: Array, absolute: Array) -> Array:
    """Units in the last place between two numbers; of complex ones those of the worse part."""
    if not is_inexact(expected.dtype):
        return absolute
    if kind(expected.dtype) == "complex":
        parts = ((found.real, expected.real), (found.imag, expected.imag))
        return np.maximum(*(_ulps(a, b, absolute) for a, b in parts))
    a, b = _ordered(found), _ordered(expected)
    # of different signs their difference may be too large for an integer
    near = (a < 0) == (b < 0)
    steps = np.where(near, np.abs(a - b), np.abs(a.astype(np.float64) - b.astype(np.float64)))
    return np.where(absolute == 0, 0.0, np.where(np.isinf(absolute), np.inf, steps))


def _ordered(array: Array) -> Array:
    """The bits of floats as integers that are ordered as they are; -0.0 and 0.0 are one."""
    size = array.dtype.itemsize
    bits = np.ascontiguousarray(array).view(f"i{size}").reshape(array.shape).astype(np.int64)
    return np.where(bits < 0, -(1 << (8 * size - 1)) - bits, bits)


def _worst(absolute: Array, wrong: Array) -> tuple[int, ...]:
    if not absolute.size:
        return ()
    among = np.where(wrong, absolute, -1.0) if wrong.any() else absolute
    return tuple(int(i) for i in np.unravel_index(int(np.argmax(among)), absolute.shape))
