"""Random bits of the NumPy meaning are XLA's, bit for bit."""

from __future__ import annotations

import numpy as np
import pytest

from lowering import interpret
from tests.lowering.running import by_xla
from tracer.dtypes import DType, int32, uint8, uint16, uint32, uint64
from tracer.ir import Builder, Function, TensorType
from tracer.ops import OPS

SHAPES = [(), (1,), (2,), (3,), (7,), (1000,), (7, 3), (3, 7), (4, 3), (3, 4), (3, 3), (5, 5, 5)]
SHAPES += [(0,), (3, 0), (0, 3), (2, 0, 5), (1, 1), (1, 5, 1), (6, 6), (1, 2, 3), (3, 1, 7)]
STATES = [(5, 7), (2**63 + 12345, 2**64 - 3), (2**40 + 1, 2**32 - 2)]


def generator(shapes: list[tuple[int, ...]], dtype: DType) -> Function:
    """A program that draws each shape from the same state."""
    builder = Builder()
    state = builder.argument(TensorType((2,), uint64))
    results = []
    for shape in shapes:
        attributes = {"rng_algorithm": "THREE_FRY", "shape": shape, "dtype": dtype}
        results += builder.create(OPS["rng_bit_generator"], [state], attributes)
    return builder.function("main", results)


@pytest.mark.parametrize("dtype", [uint8, uint16, uint32, uint64], ids=str)
def test_bits_and_state_are_xlas(dtype: DType) -> None:
    function = generator(SHAPES, dtype)
    runs = [[np.array(state, np.uint64)] for state in STATES]
    wanted = by_xla(function, *runs)
    got = [array for run in runs for array in interpret(function, *run)]
    for a, b in zip(got, wanted, strict=True):
        np.testing.assert_array_equal(a, b, strict=True)


def test_known_answers() -> None:
    """Counters 0 and 1 under the key 0. Source: the test vectors of Random123, threefry2x32, 20."""
    state, bits = interpret(generator([(2,)], uint64), np.zeros(2, np.uint64))
    assert state.tolist() == [0, 2]
    assert bits[0] == 0x6B200159 | 0x99BA4EFE << 32


def test_a_state_goes_on_where_it_ended() -> None:
    start = np.array([3, 4], np.uint64)
    after, first = interpret(generator([(4,)], uint64), start)
    _, second = interpret(generator([(4,)], uint64), after)
    _, both = interpret(generator([(8,)], uint64), start)
    np.testing.assert_array_equal(np.concatenate([first, second]), both)


def test_signed_elements_are_refused() -> None:
    with pytest.raises(TypeError, match="uint dtype is needed, got tensor<2xi32>"):
        generator([(2,)], int32)
