"""Wrong indices and wrong calls of what takes them; error and message."""

from __future__ import annotations

from typing import Any

import numpy as np

import tracer as tr
from tests.errors.function_calls import Call, t

WHAT = "indexing needs ints, slices, ..., None, and arrays or tensors of integers or bools, got "


def _assign(x: tr.Tensor, key: Any, value: Any) -> None:
    x[key] = value


INDEXING: dict[str, Call] = {
    "a text as index": (lambda: t(2)["a"], IndexError, WHAT + "str"),
    "floats as indices": (lambda: t(2)[t(2)], IndexError, WHAT + "an array of float32"),
    "an array of floats as indices": (
        lambda: t(2)[np.zeros(2)],
        IndexError,
        WHAT + "an array of float64",
    ),
    "a ragged list": (lambda: t(2)[[[0], [0, 1]]], IndexError, WHAT + "a ragged list"),
    "an array out of range": (
        lambda: t(2, 3)[:, [0, -4]],
        IndexError,
        "index -4 is out of range for axis 1 of length 3",
    ),
    "indices that do not broadcast": (
        lambda: t(2, 3)[[0, 1], [0, 1, 2]],
        IndexError,
        "indexing needs shapes that broadcast, got (2,) and (3,)",
    ),
    "a mask of another shape": (
        lambda: t(2, 3)[:, t(2) > 0],
        IndexError,
        "a mask of shape (3,) is needed for shape (2, 3), got (2,)",
    ),
    "a mask of too many axes": (
        lambda: t(2)[t(2, 2) > 0],
        IndexError,
        "indexing needs at most 1 indices for shape (2,), got 2",
    ),
    "assignment by a mask of another shape": (
        lambda: _assign(t(2), t(3) > 0, 1),
        IndexError,
        "a mask of shape (2,) is needed for shape (2,), got (3,)",
    ),
    "nothing to index": (
        lambda: t(0, 2)[tr.asarray([1])],
        IndexError,
        "indexing of nothing, shape (0, 2), by a tensor",
    ),
    "assignment of too many": (
        lambda: _assign(t(3), [0, 1], t(3)),
        ValueError,
        "assignment needs shapes that broadcast, got (3,) and (2,)",
    ),
    "assignment that would broadcast x": (
        lambda: _assign(t(3), [0], t(3)),
        ValueError,
        "assignment needs a value of shape (1,), got (3,)",
    ),
    "at's value": (
        lambda: t(3).at[0].add("a"),
        TypeError,
        "at[...].add needs tensors, arrays or numbers, got str",
    ),
    "at's number": (
        lambda: t(3, dtype=tr.uint8).at[0].set(300),
        OverflowError,
        "at[...].set: 300 does not fit uint8",
    ),
    "at.subtract of bools": (
        lambda: t(3, dtype=bool).at[[0]].subtract(True),
        TypeError,
        "at[...].subtract has no meaning for bool",
    ),
    "at.max of complex numbers": (
        lambda: t(3, dtype=tr.complex64).at[0].max(1),
        TypeError,
        "at[...].max has no meaning for complex64",
    ),
    "take's axis": (
        lambda: tr.take(t(3), [0], 1),
        np.exceptions.AxisError,
        "take needs an axis of 1 dimensions, got 1",
    ),
    "take's mask": (
        lambda: tr.take(t(3), t(3) > 0, 0),
        TypeError,
        "take needs integer indices, got bool",
    ),
    "take's slice": (
        lambda: tr.take(t(3), slice(2), 0),
        TypeError,
        "take needs integer indices, got slice",
    ),
    "take's range": (
        lambda: tr.take(t(3), [5], 0),
        IndexError,
        "index 5 is out of range for axis 0 of length 3",
    ),
    "take_along_axis's axes": (
        lambda: tr.take_along_axis(t(3, 2), tr.asarray([0]), 0),
        ValueError,
        "take_along_axis needs indices of 2 dimensions, got 1",
    ),
    "take_along_axis's shapes": (
        lambda: tr.take_along_axis(t(3, 2), tr.zeros((3, 4), tr.int32), 0),
        ValueError,
        "take_along_axis needs shapes that broadcast, got (1, 2) and (1, 4)",
    ),
    "take_along_axis of nothing": (
        lambda: tr.take_along_axis(t(0, 2), tr.zeros((1, 2), tr.int32), 0),
        IndexError,
        "take_along_axis of nothing, shape (0, 2), by a tensor",
    ),
    "put_along_axis's shapes": (
        lambda: tr.put_along_axis(t(1, 2), tr.zeros((3, 2), tr.int32), 1, 1),
        ValueError,
        "put_along_axis needs a value of shape (1, 2), got (3, 2)",
    ),
    "nonzero of a point": (
        lambda: tr.nonzero(t()),
        ValueError,
        "nonzero needs at least 1 dimension, got 0",
    ),
    "segments of floats": (
        lambda: tr.segment_sum(t(3), t(3), 2),
        TypeError,
        "segment_sum needs integer segment_ids, got tensor<3xf32>",
    ),
    "segments of another length": (
        lambda: tr.segment_sum(t(3, 2), tr.arange(2), 2),
        ValueError,
        "segment_sum needs data (n, ...) and segment_ids (n,), got tensor<3x2xf32> and "
        "tensor<2xi32>",
    ),
    "a number of segments": (
        lambda: tr.segment_sum(t(3), tr.arange(3), 2.0),
        TypeError,
        "segment_sum needs an int num_segments, got 2.0",
    ),
    "a negative number of segments": (
        lambda: tr.segment_sum(t(3), tr.arange(3), -2),
        ValueError,
        "segment_sum needs num_segments from 0, got -2",
    ),
}
