"""The bits and the kinds of floating values: signs, infinities, NaN."""

from __future__ import annotations

import math

import numpy as np

from tracer.dtypes import DType
from tracer.functions.composed import compared
from tracer.ops import elementwise as ops
from tracer.ops.bits import bitcast_convert
from tracer.values import Data


def bits(x: Data) -> Data:
    """The bits of a float as a signed integer."""
    dtype: DType = np.dtype(f"i{x.type.dtype.itemsize}")
    return bitcast_convert(x, dtype=dtype, shape=x.type.shape)


def from_bits(x: Data, dtype: DType) -> Data:
    """The float of these bits."""
    return bitcast_convert(x, dtype=dtype, shape=x.type.shape)


def signed(x: Data) -> Data:
    """Whether the sign bit of a float is set: of -0.0 and of a NaN, too."""
    return compared(bits(x), "LT", 0)


def copysign(x: Data, y: Data) -> Data:
    """|x| with the sign bit of y, both floats of one type."""
    return ops.select(ops.xor(signed(x), signed(y)), ops.negate(x), x)


def nan(x: Data) -> Data:
    """Whether x is NaN."""
    return compared(x, "NE", x)


def infinite(x: Data) -> Data:
    """Whether a float is an infinity."""
    return compared(ops.abs(x), "EQ", math.inf)


def finite(x: Data) -> Data:
    """Whether a float is neither an infinity nor NaN."""
    return ops.is_finite(x)
