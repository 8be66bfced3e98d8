"""Tensor's methods and operators, and how it meets NumPy and Python."""

from __future__ import annotations

import copy
import operator
import pickle
from typing import Any

import numpy as np
import pytest

import tracer as tr
from tests.functions.oracle import check

OPERATORS = [
    getattr(operator, name)
    for name in [
        "add",
        "sub",
        "mul",
        "truediv",
        "floordiv",
        "mod",
        "pow",
        "eq",
        "ne",
        "lt",
        "le",
        "gt",
        "ge",
        "matmul",
    ]
]
BITWISE = [operator.and_, operator.or_, operator.xor, operator.lshift, operator.rshift]


@pytest.mark.parametrize("op", OPERATORS, ids=lambda op: op.__name__)
def test_operators(op: Any, device: tr.Device) -> None:
    a, b = np.array([5.0, -3.0, 2.0], np.float32), np.array([2.0, 2.0, 2.0], np.float32)
    check(op(tr.asarray(a), tr.asarray(b)), op(a, b))
    check(op(tr.asarray(a), b), op(a, b))
    check(op(a, tr.asarray(b)), op(a, b))
    if op is not operator.matmul:
        check(op(tr.asarray(a), 2), op(a, np.float32(2)))
        check(op(2.5, tr.asarray(b)), op(np.float32(2.5), b))


@pytest.mark.parametrize("op", BITWISE, ids=lambda op: op.__name__)
def test_operators_on_bits(op: Any, device: tr.Device) -> None:
    a, b = np.array([5, -3, 2], np.int32), np.array([1, 2, 3], np.int32)
    check(op(tr.asarray(a), tr.asarray(b)), op(a, b))
    check(op(tr.asarray(a), 2), op(a, np.int32(2)))
    check(op(6, tr.asarray(b)), op(np.int32(6), b))


def test_unary_operators(device: tr.Device) -> None:
    x = tr.asarray([1.0, -2.0])
    check(-x, np.array([-1, 2], np.float32))
    check(+x, np.array([1, -2], np.float32))
    check(abs(x), np.array([1, 2], np.float32))
    check(~tr.asarray([1, -2]), np.array([-2, 1], np.int32))
    check(~tr.asarray([True]), np.array([False]))


@pytest.mark.parametrize(
    "name", ["sum", "mean", "var", "std", "max", "min", "argmax", "argmin", "all", "any"]
)
def test_methods(name: str, device: tr.Device) -> None:
    x = tr.asarray([[1.0, -2.0], [3.0, 0.5]])
    for keepdims in (False, True):
        found = getattr(x, name)(1, keepdims=keepdims)
        check(found, getattr(tr, name)(x, 1, keepdims=keepdims).numpy())


def test_attributes_run_nothing(device: tr.Device) -> None:
    x = tr.ones((2, 3)) * 2
    before = tr.metrics.snapshot()
    assert (x.shape, x.ndim, x.size, x.dtype, x.device) == ((2, 3), 2, 6, tr.float32, device)
    assert len(x) == 2
    after = tr.metrics.snapshot()
    assert tr.metrics.difference(after, before)["cuts"] == {}


def test_numbers(device: tr.Device) -> None:
    x = tr.asarray([[2.5]])
    assert (x.item(), float(x), int(x), complex(x), bool(x)) == (2.5, 2.5, 2, 2.5 + 0j, True)
    assert [10, 20, 30][tr.asarray(1)] == 20
    assert not tr.asarray(0)
    assert f"{tr.asarray(2.5):.2f}" == "2.50"
    assert f"{tr.asarray([1, 2])}" == "[1 2]"
    assert 2.5 in x
    assert tr.asarray([[1, 2]]).tolist() == [[1, 2]]


def test_numpy_reads_tensors(device: tr.Device) -> None:
    x = tr.asarray([1.0, 2.0])
    check(np.asarray(x), np.array([1, 2], np.float32))
    check(np.asarray(x, np.float64), np.array([1, 2], np.float64))
    assert np.array(x, copy=True).flags.writeable
    with pytest.raises(ValueError, match="copy"):
        np.array(x, np.float64, copy=False)


def test_text(device: tr.Device) -> None:
    x = tr.asarray([1.0, 2.0])
    assert repr(x) == f"Tensor([1., 2.], dtype=float32, device={device!r})"
    assert str(x) == "[1. 2.]"


def test_copies(device: tr.Device) -> None:
    x = tr.asarray([1.0, 2.0])
    for made in (copy.copy(x), copy.deepcopy(x), pickle.loads(pickle.dumps(x))):
        assert made is not x
        assert made.device is device
        made[0] = 5.0
        check(made, np.array([5, 2], np.float32))
    check(x, np.array([1, 2], np.float32))


def test_conversions(device: tr.Device) -> None:
    x = tr.asarray([1.5])
    assert x.to(tr.int32).dtype == x.astype("int32").dtype == tr.int32
    assert x.to(device) is x
    other = tr.Device.default_eager() if device.lazy else tr.Device.default_xla()
    moved = x.to(other)
    assert moved.device is other
    check(moved + 1, np.array([2.5], np.float32))
    check(tr.asarray(x, device=other), np.array([1.5], np.float32))


def test_hashes_are_identities(device: tr.Device) -> None:
    x, y = tr.ones(1), tr.ones(1)
    assert len({x, y, x}) == 2


def test_methods_of_numpy(device: tr.Device) -> None:
    x = np.arange(6.0, dtype=np.float32).reshape(1, 2, 3)
    t = tr.asarray(x)
    for name in ("ravel", "flatten", "squeeze", "prod", "cumsum", "conj"):
        np.testing.assert_array_equal(getattr(t, name)().numpy(), getattr(x, name)())
    np.testing.assert_array_equal(t.clip(1, 4).numpy(), x.clip(1, 4))
    z = t + 2j * t
    np.testing.assert_array_equal(z.imag.numpy(), 2 * z.real.numpy())


@pytest.mark.parametrize("sequence", [[1, 2], (1, 2)], ids=["list", "tuple"])
def test_a_sequence_is_no_operand_and_is_not_repeated(sequence: Any, device: tr.Device) -> None:
    t = tr.asarray(2)
    for f in (lambda: t * sequence, lambda: sequence * t):
        with pytest.raises(TypeError, match="multiply needs tensors, arrays or numbers"):
            f()
