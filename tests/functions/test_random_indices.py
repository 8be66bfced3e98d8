"""Random keys, mixed of all that NumPy allows: reading and assignment agree with NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tracer as tr
from tests.functions.oracle import check

SHAPE = (3, 4, 2, 3)
X = np.arange(72, dtype=np.float32).reshape(SHAPE)
INTEGERS = ("int8", "int16", "int32", "int64")


@st.composite
def slices(draw: Any, n: int) -> slice:
    """Any start, stop and step."""
    ends = st.none() | st.integers(-n - 1, n + 1)
    return slice(draw(ends), draw(ends), draw(st.sampled_from([None, 1, 2, 3, -1, -2])))


@st.composite
def arrays(draw: Any, n: int, common: tuple[int, ...]) -> np.ndarray[Any, Any]:
    """Indices of an axis of length n, of a shape that broadcasts to the common one."""
    shape = draw(st.sampled_from([(), (1,), common, common[-1:], (1,) * len(common)]))
    size = int(np.prod(shape))
    values = draw(st.lists(st.integers(-n, n - 1), min_size=size, max_size=size))
    return np.asarray(values, draw(st.sampled_from(INTEGERS))).reshape(shape)


@st.composite
def masks(draw: Any, shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    """Any mask of this shape."""
    size = int(np.prod(shape))
    return np.asarray(draw(st.lists(st.booleans(), min_size=size, max_size=size))).reshape(shape)


@st.composite
def keys(draw: Any) -> tuple[Any, ...]:
    """Parts for some of the axes."""
    parts: list[Any] = []
    axis, common = 0, draw(st.sampled_from([(2,), (3,), (2, 3)]))
    kinds = ["int", "slice", "slice", "array", "array", "new", "mask", "face", "point", "end"]
    while axis < len(SHAPE):
        found, n = draw(st.sampled_from(kinds)), SHAPE[axis]
        if found == "end":
            break
        if found in ("mask", "face", "point"):  # one mask: two must choose as many
            kinds = [k for k in kinds if k not in ("mask", "face", "point")]
            width = min({"mask": 1, "face": 2, "point": 0}[found], len(SHAPE) - axis)
            parts.append(draw(masks(SHAPE[axis : axis + width])))
            axis += width
        elif found == "new":
            parts.append(None)
        else:
            any_int = st.integers(-n, n - 1)
            chosen = {"int": any_int, "slice": slices(n), "array": arrays(n, common)}
            parts.append(draw(chosen[found]))
            axis += 1
    if draw(st.booleans()):
        parts.insert(draw(st.integers(0, len(parts))), ...)
    return tuple(parts)


def is_valid(key: tuple[Any, ...]) -> bool:
    """Whether NumPy takes it: an ellipsis may have moved parts to shorter axes."""
    try:
        X[key]
    except IndexError:
        return False
    return True


MANY = st.lists(keys().filter(is_valid), min_size=8, max_size=8)


@pytest.mark.parametrize("as_tensors", [False, True], ids=["arrays", "tensors"])
@settings(
    max_examples=2,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
@given(many=MANY)
def test_as_numpy(as_tensors: bool, device: tr.Device, many: list[tuple[Any, ...]]) -> None:
    pairs = []
    for key in many:
        given_key = tuple(
            tr.asarray(p) if as_tensors and isinstance(p, np.ndarray) else p for p in key
        )
        x, written = tr.asarray(X), X.copy()
        update = -np.arange(1, X[key].size + 1, dtype=np.float32).reshape(X[key].shape)
        pairs.append((x[given_key], X[key]))
        x[given_key] = update
        written[key] = update
        pairs.append((x, written))
    for found, expected in pairs:
        check(found, expected)
