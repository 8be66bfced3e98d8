"""Wrong calls of what sorts, counts and runs along an axis; error and message."""

from __future__ import annotations

import numpy as np

import tracer as tr
from tests.errors.function_calls import Call, t

ORDER: dict[str, Call] = {
    "sort along an axis": (
        lambda: tr.sort(t(2), 1),
        np.exceptions.AxisError,
        "sort needs an axis of 1 dimensions, got 1",
    ),
    "argsort of a number": (
        lambda: tr.argsort(t()),
        np.exceptions.AxisError,
        "argsort needs an axis of 0 dimensions, got -1",
    ),
    "sort of a text": (
        lambda: tr.sort("a"),
        TypeError,
        "sort needs tensors, arrays or numbers, got str",
    ),
    "top_k": (lambda: tr.top_k(t(2), 3), ValueError, "top_k needs a k from 0 to 2, got 3"),
    "top_k of complex numbers": (
        lambda: tr.top_k(t(2, dtype=tr.complex64), 1),
        TypeError,
        "top_k needs a real dtype, got tensor<2xcomplex<f32>>",
    ),
    "searchsorted in a matrix": (
        lambda: tr.searchsorted(t(2, 2), 1.0),
        ValueError,
        "searchsorted needs a 1-d x1, got tensor<2x2xf32>",
    ),
    "a side": (
        lambda: tr.searchsorted(t(2), 1.0, side="up"),
        ValueError,
        'searchsorted needs side "left" or "right", got \'up\'',
    ),
    "a sorter": (
        lambda: tr.searchsorted(t(2), 1.0, sorter=t(3)),
        ValueError,
        "searchsorted needs a sorter of shape (2,), got (3,)",
    ),
    "a quantile": (
        lambda: tr.quantile(t(2), 1.5),
        ValueError,
        "quantile needs q from 0 to 1, got 1.5",
    ),
    "a percentile": (
        lambda: tr.percentile(t(2), [0, -1]),
        ValueError,
        "percentile needs q from 0 to 100, got [0, -1]",
    ),
    "a method": (
        lambda: tr.quantile(t(2), 0.5, method="best"),
        ValueError,
        "quantile needs a method of linear, lower, higher, midpoint, nearest, inverted_cdf, "
        "averaged_inverted_cdf, interpolated_inverted_cdf, hazen, weibull, median_unbiased, "
        "normal_unbiased, got 'best'",
    ),
    "median of nothing": (
        lambda: tr.median(t(0, 2)),
        ValueError,
        "median of nothing is not defined, got shape (0, 2)",
    ),
    "cumulative_sum without an axis": (
        lambda: tr.cumulative_sum(t(2, 2)),
        ValueError,
        "cumulative_sum needs an axis for a tensor of 2 dimensions",
    ),
    "cumulative_prod of a number": (
        lambda: tr.cumulative_prod(t()),
        ValueError,
        "cumulative_prod needs an axis for a tensor of 0 dimensions",
    ),
    "cumsum along an axis": (
        lambda: tr.cumsum(t(2), 1),
        np.exceptions.AxisError,
        "cumsum needs an axis of 1 dimensions, got 1",
    ),
    "cummax of complex numbers": (
        lambda: tr.cummax(t(2, dtype=tr.complex64)),
        TypeError,
        "cummax needs a real dtype, got tensor<2xcomplex<f32>>",
    ),
    "diff": (
        lambda: tr.diff(t(2), -1),
        ValueError,
        "diff needs lengths that are not negative, got (-1,)",
    ),
    "diff, one and a half times": (
        lambda: tr.diff(t(2), 1.5),
        TypeError,
        "diff needs a shape of ints, got (1.5,)",
    ),
    "bincount's minlength": (
        lambda: tr.bincount(t(2, dtype=tr.int32), minlength="a"),
        TypeError,
        "bincount needs a shape of ints, got ('a',)",
    ),
    "diff of a number": (
        lambda: tr.diff(t()),
        np.exceptions.AxisError,
        "diff needs an axis of 0 dimensions, got -1",
    ),
    "weights of another shape": (
        lambda: tr.average(t(2, 3), 0, t(3)),
        ValueError,
        "average needs weights of shape (2, 3) or of one axis, got tensor<3xf32>",
    ),
    "ptp of nothing": (
        lambda: tr.ptp(t(0)),
        ValueError,
        "ptp of nothing is not defined, got shape (0,)",
    ),
    "bincount of floats": (
        lambda: tr.bincount(t(2)),
        TypeError,
        "bincount needs integers, got tensor<2xf32>",
    ),
    "bincount of a matrix": (
        lambda: tr.bincount(t(2, 2, dtype=tr.int32)),
        ValueError,
        "bincount needs 1 dimension, got tensor<2x2xi32>",
    ),
    "bincount below 0": (
        lambda: tr.bincount(-t(2, dtype=tr.int32)),
        ValueError,
        "bincount needs integers from 0, got -1",
    ),
    "bincount's weights": (
        lambda: tr.bincount(t(2, dtype=tr.int32), t(3)),
        ValueError,
        "bincount needs weights of shape (2,), got (3,)",
    ),
    "no intervals": (
        lambda: tr.histogram(t(2), 0),
        ValueError,
        "histogram needs 1 interval or more, got 0",
    ),
    "edges that are a matrix": (
        lambda: tr.histogram(t(2), t(2, 2)),
        ValueError,
        "histogram needs 1-d edges, got (2, 2)",
    ),
    "a range that falls": (
        lambda: tr.histogram(t(2), 2, (1, 0)),
        ValueError,
        "histogram needs a finite, rising range, got (1, 0)",
    ),
    "bins that are a matrix": (
        lambda: tr.digitize(t(2), t(2, 2)),
        ValueError,
        "digitize needs 1-d bins, got tensor<2x2xf32>",
    ),
    "edges that fall": (
        lambda: tr.histogram(t(2), [2, 1]),
        ValueError,
        "histogram needs rising edges, got [2, 1]",
    ),
}
