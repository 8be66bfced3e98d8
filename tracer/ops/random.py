"""Random bits from a counter: the state goes in and comes out."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tracer.dtypes import DType, uint64
from tracer.ir import Attribute, TensorType
from tracer.ops.rules import need_kind
from tracer.ops.table import ZERO, define

Array = NDArray[Any]
Ints = tuple[int, ...]
Words = tuple[Array, Array]

_ROTATIONS = ((13, 15, 26, 6), (17, 29, 16, 24))
_PARITY = np.uint32(0x1BD11BDA)
_HALF = np.uint64(32)


def _rng_type(
    initial_state: TensorType, rng_algorithm: str, shape: Ints, dtype: DType
) -> tuple[TensorType, TensorType]:
    """A state of uint64; the next one, and bits in the shape and dtype asked for."""
    state = TensorType((2,), uint64)
    if initial_state is not state:
        raise TypeError(f"a state of type {state} is needed, got {initial_state}")
    if rng_algorithm != "THREE_FRY":
        raise ValueError(f"the algorithm THREE_FRY is needed, got {rng_algorithm}")
    # XLA gives unsigned elements where signed ones are asked for: bitcast_convert makes them.
    return initial_state, need_kind(TensorType(tuple(shape), dtype), ("uint",))


def _words(x: Array) -> Words:
    """The low and the high 32 bits of 64."""
    return x.astype(np.uint32), (x >> _HALF).astype(np.uint32)


def threefry(key: Words, counter: Words) -> Words:
    """Twenty rounds of Threefry-2x32.

    Source: Salmon, Moraes, Dror, Shaw: Parallel Random Numbers: As Easy as 1, 2, 3 (SC 2011).
    """
    keys = (*key, key[0] ^ key[1] ^ _PARITY)
    a, b = counter[0] + keys[0], counter[1] + keys[1]
    for i in range(5):
        for rotation in _ROTATIONS[i % 2]:
            a = a + b
            b = a ^ (b << np.uint32(rotation) | b >> np.uint32(32 - rotation))
        a, b = a + keys[(i + 1) % 3], b + keys[(i + 2) % 3] + np.uint32(i + 1)
    return a, b


def _draw(state: Array, count: int) -> tuple[Array, Words]:
    """The next state, and a pair of words for each of `count` counters."""
    counters = state[1:] + np.arange(count, dtype=np.uint64)
    advanced = state + np.array([0, count], np.uint64)
    return advanced, threefry(_words(state[:1]), _words(counters))


def _paired_axis(shape: Ints) -> int:
    """The axis along which neighbours share a counter: the first even one, else the longest."""
    even = (axis for axis, n in enumerate(shape) if n % 2 == 0)
    return next(even, max(range(len(shape)), key=shape.__getitem__))


def _rng_bits(
    initial_state: Array, rng_algorithm: str, shape: Ints, dtype: DType
) -> tuple[Array, Array]:
    """As XLA does it: a counter gives 64 bits, which are one element or two neighbours.

    Elements of 8 and 16 bits are the low bits of 32.
    """
    with np.errstate(over="ignore"):
        if dtype.itemsize == 8:
            state, (low, high) = _draw(initial_state, int(np.prod(shape)))
            bits = low.astype(np.uint64) | high.astype(np.uint64) << _HALF
            return state, bits.astype(dtype).reshape(shape)
        return _narrow(initial_state, shape or (1,), shape, dtype)


def _narrow(state: Array, drawn: Ints, shape: Ints, dtype: DType) -> tuple[Array, Array]:
    axis = _paired_axis(drawn)
    half = (*drawn[:axis], -(-drawn[axis] // 2), *drawn[axis + 1 :])
    state, words = _draw(state, int(np.prod(half)))
    pairs = np.stack([w.reshape(half) for w in words], axis + 1)
    whole = (*half[:axis], 2 * half[axis], *half[axis + 1 :])
    cut = pairs.reshape(whole)[tuple(map(slice, drawn))]
    return state, cut.astype(dtype).reshape(shape)


rng_bit_generator = define(
    "rng_bit_generator",
    _rng_type,
    _rng_bits,
    ZERO,
    attributes=(
        Attribute("rng_algorithm", "rng_algorithm"),
        Attribute("shape", "shape"),
        Attribute("dtype", "dtype"),
    ),
)
