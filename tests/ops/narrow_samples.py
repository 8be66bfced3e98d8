"""Samples of the dtypes of a byte or less that are no plain integers."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np

from tests.ops.samples import Sample
from tracer.dtypes import FLOAT8, NARROW_INTEGERS, DType, iinfo

INF, NAN = np.inf, np.nan
FAR = [NAN, INF, -INF, 3e9, -1.0, -20.0, 100.0, 7.0, 8.0, -8.0, -9.0, 1.5, -2.5, 0.4, -0.0]
WHOLE = [0, 1, -1, 2, -2, 3, 5, 100, -100, 2**31 - 1]


def numbers(dtype: DType) -> np.ndarray[Any, Any]:
    """Of an integer dtype all, of a float one those that matter."""
    if dtype in FLOAT8:
        with np.errstate(all="ignore"):
            return np.asarray(FAR).astype(dtype)
    return np.arange(int(iinfo(dtype).min), int(iinfo(dtype).max) + 1).astype(dtype)


def conversions() -> list[Sample]:
    """To and from float32 and int32."""
    found = []
    wide = (np.asarray(FAR, np.float32), np.asarray(WHOLE, np.int32))
    for dtype in (*FLOAT8, *NARROW_INTEGERS):
        for x in wide:
            names = (dtype.name, x.dtype.name)
            found.append(Sample("_".join(names), (numbers(dtype),), {"dtype": x.dtype}, (), False))
            found.append(Sample("_".join(names[::-1]), (x,), {"dtype": dtype}, (), False))
    return found


def integers() -> list[Sample]:
    """Every pair of int4 numbers, and of uint4 ones."""
    found = []
    for dtype in (np.dtype(ml_dtypes.int4), np.dtype(ml_dtypes.uint4)):
        values = numbers(dtype)
        left, right = (x.reshape(-1) for x in np.meshgrid(values, values))
        found.append(Sample(dtype.name, (left, right)))
    return found
