"""What derivatives are where slopes are not defined, and where formulas lose their way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tracer as tr
from tests.functions.oracle import check

INF, NAN = np.inf, np.nan
Function = Callable[[tr.Tensor], tr.Tensor]

CORNERS: dict[str, tuple[Function, list[float], list[float]]] = {
    "abs": (tr.abs, [0.0, -0.0, -2.0], [0, 0, -1]),
    "relu": (tr.relu, [0.0, -0.0, 1.0, -1.0], [0, 0, 1, 0]),
    "relu6": (tr.relu6, [0.0, 6.0, 3.0, 7.0], [0, 0, 1, 0]),
    "clip": (lambda x: tr.clip(x, 0.0, 6.0), [0.0, 6.0, 3.0, 7.0], [0, 0, 1, 0]),
    "sqrt": (tr.sqrt, [0.0, 4.0], [0, 0.25]),
    "softplus": (tr.softplus, [0.0, 1e4, -1e4, INF], [0.5, 1, 0, 1]),
    "maximum of equals": (lambda x: tr.maximum(x, tr.asarray([1.0])), [1.0], [0.5]),
    "max of equals": (tr.max, [1.0, 3.0, 3.0], [0, 0.5, 0.5]),
    "min of equals": (tr.min, [1.0, 1.0, 3.0, 1.0], [1 / 3, 1 / 3, 0, 1 / 3]),
    "max of NaN": (tr.max, [1.0, NAN, 2.0], [0, 1, 0]),
    "std of a constant": (tr.std, [1.0, 1.0], [0, 0]),
    "var of a constant": (tr.var, [1.0, 1.0], [0, 0]),
    "norm at 0": (lambda x: tr.sqrt(tr.sum(x * x)), [0.0, 0.0], [0, 0]),
    "square at 0": (lambda x: (x - x * 0) ** 2, [0.0], [0]),
    "power of 0 to 0": (lambda x: x ** tr.asarray([0.0, 1.0]), [0.0, 0.0], [0, 1]),
    "x ** 0": (lambda x: x**0, [0.0], [0]),
    "x ** 1": (lambda x: x**1, [0.0], [1]),
    "x ** 2.0": (lambda x: x**2.0, [0.0, -3.0], [0, -6]),
    "exponent at base 0": (lambda x: tr.asarray([0.0]) ** x, [2.0], [0]),
    "tanh far out": (tr.tanh, [50.0, -50.0], [0, 0]),
    "sigmoid far out": (tr.sigmoid, [200.0, -200.0], [0, 0]),
    "logsumexp of nothing likely": (lambda x: tr.logsumexp(x, 0), [-INF, -INF], [0, 0]),
    "logsumexp with one": (lambda x: tr.logsumexp(x, 0), [-INF, 1.0], [0, 1]),
    "a safe dead branch": (
        lambda x: tr.where(x < 1, x, tr.sqrt(tr.where(x < 1, 1.0, x))),
        [0.0],
        [1],
    ),
    "rounding": (lambda x: tr.round(x) + tr.floor(x) + tr.ceil(x) + tr.sign(x), [0.3], [0]),
    "floor_divide": (lambda x: x // 2.0, [0.3, -5.0], [0, 0]),
    "comparison": (lambda x: (x > 0).astype(tr.float32) * 2, [0.0], [0]),
    "argmax": (lambda x: tr.argmax(x) * 1.0, [0.0, 2.0], [0, 0]),
    "through an integer": (lambda x: x.astype(tr.int32) * 1.0, [2.7], [0]),
}


@pytest.mark.parametrize("name", CORNERS)
def test_corner(name: str, device: tr.Device) -> None:
    f, x, expected = CORNERS[name]
    check(tr.grad(lambda v: tr.sum(f(v)))(tr.asarray(x)), np.array(expected), np.float32)


def test_ties_split_equally(device: tr.Device) -> None:
    for f in (tr.maximum, tr.minimum):
        found = tr.grad(lambda a, b, f=f: tr.sum(f(a, b)), (0, 1))(tr.ones(1), tr.ones(1))
        assert [g.item() for g in found] == [0.5, 0.5]


def test_second_derivatives_at_corners(device: tr.Device) -> None:
    def second(f: Function, x: float) -> float:
        return tr.grad(tr.grad(f))(tr.asarray(x)).item()  # type: ignore[no-any-return]

    assert second(tr.softplus, 0.0) == 0.25
    assert second(tr.relu, 0.0) == 0
    assert second(lambda x: x**2, 0.0) == 2
    assert second(lambda x: x**3, 0.0) == 0


def test_second_derivatives_of_a_power(device: tr.Device) -> None:
    power = lambda x, y: x**y
    at = (tr.asarray(4.0), tr.asarray(0.0))
    rows = [tr.grad(tr.grad(power, i), (0, 1))(*at) for i in (0, 1)]
    found = [[g.item() for g in row] for row in rows]
    np.testing.assert_allclose(found, [[0, 0.25], [0.25, np.log(4) ** 2]], rtol=1e-6)


def test_a_base_that_depends_on_the_exponent(device: tr.Device) -> None:
    _, pull = tr.vjp(lambda a, b: (a - b) ** b, tr.asarray(1.0), tr.asarray(1.0))
    assert [g.item() for g in pull(123.0)] == [123.0, -123.0]


def test_the_jacobian_of_a_square_is_diagonal(device: tr.Device) -> None:
    _, pull = tr.vjp(lambda x: x**2, tr.asarray([0.0, 1.0, 2.0, 3.0]))
    rows = [pull(row)[0].numpy() for row in np.eye(4, dtype=np.float32)]
    np.testing.assert_array_equal(rows, np.diag([0.0, 2.0, 4.0, 6.0]))


def test_the_sixth_derivative_of_a_reciprocal(device: tr.Device) -> None:
    f: Any = lambda x: 1 / x
    for _ in range(6):
        f = tr.grad(f)
    np.testing.assert_allclose(f(tr.asarray(np.float64(4))).item(), 720 / 4**7, rtol=1e-10)


def test_a_square_root_of_squares(device: tr.Device) -> None:
    found = tr.grad(lambda x, y: tr.sqrt(x * x + y * y), (0, 1))(tr.asarray(2.0), tr.asarray(2.0))
    np.testing.assert_allclose([g.item() for g in found], [0.5**0.5] * 2, rtol=1e-6)


def test_a_tensor_of_scalars_keeps_the_tape(device: tr.Device) -> None:
    w = tr.asarray([2.0, 3.0])
    found = tr.grad(lambda a, b: tr.sum(w * tr.asarray([a, b])), (0, 1))(1.0, 1.0)
    assert [g.item() for g in found] == [2.0, 3.0]


def test_an_update_that_widens(device: tr.Device) -> None:
    def f(a: tr.Tensor) -> tr.Tensor:
        a += tr.ones((3, 3, 3))
        a.numpy()
        return a**2

    _, pull = tr.vjp(f, tr.ones((3, 3)))
    check(pull(tr.ones((3, 3, 3)))[0], np.full((3, 3), 12, np.float32))


@pytest.mark.parametrize(("times", "expected"), [(2, 1.0), (3, 0.75)])
def test_a_loop_that_multiplies(times: int, expected: float, device: tr.Device) -> None:
    def f(x: tr.Tensor) -> tr.Tensor:
        product = tr.asarray(1.0)
        for _ in range(times):
            product *= x
        return product

    assert tr.grad(f)(0.5).item() == expected


def test_broadcast_axes_are_summed_back(device: tr.Device) -> None:
    found = tr.grad(lambda x: tr.sum(tr.broadcast_to(x, (2, 3, 4))))(tr.ones((1, 3, 1)))
    check(found, np.full((1, 3, 1), 8, np.float32))


def test_assignment_stops_and_carries_derivatives(device: tr.Device) -> None:
    def f(x: tr.Tensor, v: tr.Tensor) -> tr.Tensor:
        y = x * 1.0
        y[0, :] = v * 3
        return tr.sum(y * y)

    x, v = tr.ones((2, 2)), tr.ones(2)
    found = tr.grad(f, (0, 1))(x, v)
    check(found[0], np.array([[0, 0], [2, 2]], np.float32))
    check(found[1], np.array([18, 18], np.float32))


@pytest.mark.parametrize("dtype", [np.float16, tr.bfloat16], ids=str)
def test_narrow_cotangents_have_the_dtype_of_their_operand(dtype: Any, device: tr.Device) -> None:
    x = tr.asarray(np.array(2.0, dtype))
    found = tr.grad(lambda x: x.astype(tr.float32) * x)(x)
    assert found.dtype == dtype
    assert found.item() == 4


def test_cumprod_with_a_zero(device: tr.Device) -> None:
    found = tr.grad(lambda v: tr.sum(tr.cumprod(v) ** 2))(tr.asarray([1.0, 0.0]))
    check(found, np.array([2, 0], np.float32))
