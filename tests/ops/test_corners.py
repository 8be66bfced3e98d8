"""The values that derivatives, and some ops, take where the mathematics leaves a choice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.ops.elementwise_samples import BINARY
from tests.ops.harness import BACKENDS, get, put
from tests.ops.reduction_samples import window
from tracer.ops import contraction, elementwise, movement, reduction
from tracer.ops import window as windows
from tracer.ops.bodies import combiner, total
from tracer.ops.table import FUNCTIONS
from tracer.tape import Tape
from tracer.values import Data

E = elementwise
F32 = np.float32
INF, NAN = np.inf, np.nan


def gradients(
    backend: str, f: Callable[..., Data], *arrays: Any, cotangent: Any = None
) -> list[Any]:
    """The cotangents of each array; of the sum of f's result, or given that of the result."""
    inputs = [put(np.asarray(x), backend) for x in arrays]
    with Tape() as tape:
        for x in inputs:
            tape.watch(x)
        y = f(*inputs)
    given = np.ones(y.type.shape) if cotangent is None else np.asarray(cotangent)
    found = tape.cotangents([(y, put(given.astype(y.type.dtype), backend))], inputs, E.add)
    return [None if x is None else get(x).tolist() for x in found]


def f32(*values: float) -> np.ndarray[Any, Any]:
    return np.asarray(values, F32)


def extremum(body: str) -> Callable[[Data], Data]:
    worst = -INF if body == "maximum" else INF

    def f(x: Data) -> Data:
        start = put(np.asarray(worst, x.type.dtype), x.device.backend)
        regions = (combiner(body, x.type.dtype),)
        return reduction.reduce(x, start, dimensions=(0,), regions=regions)

    return f


def pool(x: Data) -> Data:
    start = put(np.asarray(-INF, x.type.dtype), x.device.backend)
    pads = ((1, 0), (1, 0))
    attributes = window(2, window_dimensions=(2, 2), window_strides=(2, 2), padding=pads)
    regions = (combiner("maximum", x.type.dtype),)
    return windows.reduce_window(x, start, regions=regions, **attributes)


def spread(x: Data) -> Data:
    return movement.broadcast_in_dim(x, broadcast_dimensions=(0, 1, 2), shape=(2, 3, 4))


def widened(x: Data) -> Data:
    numbers = contraction.DotDimensionNumbers((), (), (0,), (0,))
    return contraction.dot_general(x, x, dot_dimension_numbers=numbers, dtype=np.dtype(F32))


def norm(x: Data, y: Data) -> Data:
    return E.sqrt(E.add(E.multiply(x, x), E.multiply(y, y)))


def falling(a: Data, b: Data) -> Data:
    return E.power(E.subtract(a, b), b)


SPLIT, NOTHING = [[0.5], [0.5]], [[0.0]]
GRADIENTS: dict[str, tuple[Callable[..., Data], tuple[Any, ...], Any]] = {
    "maximum splits a tie": (E.maximum, (f32(1), f32(1)), SPLIT),
    "minimum splits a tie": (E.minimum, (f32(1), f32(1)), SPLIT),
    "maximum splits zeros of two signs": (E.maximum, (f32(0), f32(-0.0)), SPLIT),
    "reduced maximum splits a tie": (extremum("maximum"), (f32(1, 3, 3),), [[0, 0.5, 0.5]]),
    "reduced minimum splits a tie": (extremum("minimum"), (f32(1, 3, 1),), [[0.5, 0, 0.5]]),
    "maximum with NaN splits": (E.maximum, (f32(NAN), f32(1)), SPLIT),
    "reduced maximum of NaN goes to it": (extremum("maximum"), (f32(1, NAN, 2),), [[0, 1, 0]]),
    "reduced minimum of NaN goes to it": (extremum("minimum"), (f32(1, NAN, 2),), [[0, 1, 0]]),
    "abs at 0": (E.abs, (f32(0.0, -0.0),), [[0, 0]]),
    "sqrt at 0": (E.sqrt, (f32(0, 4),), [[0, 0.25]]),
    "sqrt of a square at 0": (lambda x: E.sqrt(E.multiply(x, x)), (f32(0),), NOTHING),
    "norm away from 0": (norm, (np.float64(2), np.float64(2)), [0.5**0.5] * 2),
    "norm at 0": (norm, (f32(0), f32(0)), [[0], [0]]),
    "power 0 to the 0, and to the 1": (E.power, (f32(0, 0), f32(0, 1)), [[0, 1], [0, 0]]),
    "power with a whole exponent, of a negative": (E.power, (f32(-2), f32(3)), [[12], [0]]),
    "power with the scalar 0": (lambda x: E.add(E.power(x, 0.0), x), (f32(0),), [[1]]),
    "square at 0": (lambda x: E.power(x, 2.0), (f32(0, 1, -2),), [[0, 2, -4]]),
    "clamp at its edges": (lambda x: E.clamp(0.0, x, 6.0), (f32(0, 3, 6, 7),), [[0, 1, 0, 0]]),
    "tanh far out": (E.tanh, (f32(50, -50),), [[0, 0]]),
    "logistic far out": (E.logistic, (f32(200, -200),), [[0, 0]]),
    "broadcast sums back": (spread, (np.ones((1, 3, 1)),), [np.full((1, 3, 1), 8.0).tolist()]),
    "a wider product keeps the operand's type": (widened, (np.asarray([2], np.float16),), [[4]]),
    "sign has no slope": (lambda x: E.add(E.sign(x), x), (f32(0, 2),), [[1, 1]]),
    "pooling pads with -inf": (
        pool,
        (np.arange(1, 10, dtype=F32).reshape(3, 3),),
        [[[1, 0, 1], [0, 0, 0], [1, 0, 1]]],
    ),
    "pooling of negatives": (pool, (-np.ones((1, 1), F32),), [[[1]]]),
}


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("case", GRADIENTS)
def test_gradient_at_a_corner(case: str, backend: str) -> None:
    f, arrays, expected = GRADIENTS[case]
    found = gradients(backend, f, *arrays)
    for mine, right in zip(found, expected, strict=True):
        np.testing.assert_allclose(mine, right, rtol=1e-6)


@pytest.mark.parametrize("backend", BACKENDS)
def test_base_that_depends_on_the_exponent(backend: str) -> None:
    found = gradients(backend, falling, np.float64(1), np.float64(1), cotangent=123.0)
    assert found == [123, -123]


@pytest.mark.parametrize("backend", BACKENDS)
def test_hessian_of_power_where_the_exponent_is_0(backend: str) -> None:
    x, y = (put(np.float64(v), backend) for v in (4, 0))
    rows = []
    for position in range(2):
        with Tape() as outer:
            outer.watch(x)
            outer.watch(y)
            with Tape() as inner:
                inner.watch(x)
                inner.watch(y)
                z = E.power(x, y)
            one = put(np.float64(1), backend)
            first = inner.cotangents([(z, one)], (x, y), E.add)[position]
        assert first is not None
        second = outer.cotangents([(first, one)], (x, y), E.add)
        rows.append([0.0 if s is None else float(get(s)) for s in second])
    np.testing.assert_allclose(rows, [[0, 0.25], [0.25, np.log(4) ** 2]], rtol=1e-6)


@pytest.mark.parametrize("backend", BACKENDS)
def test_mean_of_a_tie_among_many_sums_to_one(backend: str) -> None:
    (found,) = gradients(backend, extremum("maximum"), np.ones(7, F32))
    np.testing.assert_allclose(found, np.full(7, 1 / 7), rtol=1e-6)


@pytest.mark.parametrize("backend", BACKENDS)
def test_total_over_no_axis_is_the_value(backend: str) -> None:
    x = put(f32(1, 2), backend)
    assert total(x, ()) is x


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("position", [0, 1])
@pytest.mark.parametrize("name", BINARY)
def test_a_python_scalar_is_a_tensor_to_the_derivative(
    name: str, position: int, backend: str
) -> None:
    def applied(x: Data, other: Any) -> Data:
        operands = (x, other) if position == 0 else (other, x)
        return FUNCTIONS[name](*operands)

    x, full = np.asarray([0.5, 1.25]), np.full(2, 1.5)
    (expected, _) = gradients(backend, applied, x, full)
    assert gradients(backend, lambda x: applied(x, 1.5), x) == [expected]


VALUES: dict[str, tuple[Callable[..., Data], tuple[Any, ...], Any]] = {
    "NaN wins in maximum": (E.maximum, (f32(1, NAN), f32(NAN, 1)), [NAN, NAN]),
    "NaN wins in minimum": (E.minimum, (f32(1, NAN), f32(NAN, 1)), [NAN, NAN]),
    "NaN wins in a reduced maximum": (extremum("maximum"), (f32(1, NAN, 2),), NAN),
    "sign of NaN": (E.sign, (f32(NAN),), [NAN]),
    "just under a half rounds to 0": (E.round_nearest_afz, (f32(0.49999997),), [0]),
    "maximum of negative zeros": (extremum("maximum"), (np.full(8193, -0.0, F32),), -0.0),
    "unsigned numbers are unsigned": (
        E.divide,
        (np.asarray([200, 200], np.uint8), np.asarray([3, 100], np.uint8)),
        [66, 2],
    ),
    "float to int saturates": (
        lambda x: E.convert(x, dtype=np.dtype(np.int32)),
        (f32(NAN, INF, -INF, 3e9, -1),),
        [0, 2**31 - 1, -(2**31), 2**31 - 1, -1],
    ),
    "NaN survives a product with 0": (E.multiply, (f32(NAN, INF), f32(0, 0)), [NAN, NAN]),
}


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("case", VALUES)
def test_value_at_a_corner(case: str, backend: str) -> None:
    f, arrays, expected = VALUES[case]
    found = get(f(*(put(x, backend) for x in arrays)))
    np.testing.assert_array_equal(found, np.asarray(expected, found.dtype))
