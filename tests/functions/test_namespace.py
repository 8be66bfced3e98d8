"""What the array API standard asks of the namespace itself; its suite tests the functions."""

from __future__ import annotations

import math
import operator
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import tracer as tr
from tests.functions.oracle import check


class Polite:
    """What answers where a tensor does not."""

    def __radd__(self, other: Any) -> str:
        return "radd"

    def __eq__(self, other: object) -> Any:
        return "eq"

    def __lt__(self, other: Any) -> str:
        return "lt"

    __hash__ = object.__hash__


def test_constants() -> None:
    assert (tr.e, tr.inf, tr.pi, tr.newaxis) == (math.e, math.inf, math.pi, None)
    assert math.isnan(tr.nan)
    assert tr.__array_api_version__ == "2025.12"


def test_a_tensor_knows_its_namespace() -> None:
    x = tr.ones(1)
    assert x.__array_namespace__() is x.__array_namespace__(api_version="2023.12") is tr
    with pytest.raises(ValueError, match=r"needs a version of .*, got '2020.10'"):
        x.__array_namespace__(api_version="2020.10")


def test_information(device: tr.Device) -> None:
    info = tr.__array_namespace_info__()
    assert info.capabilities()["data-dependent shapes"] is True
    assert info.default_device() is device
    assert device in info.devices()
    defaults = info.default_dtypes(device=device)
    assert defaults["real floating"] == tr.asarray(1.0).dtype
    assert defaults["complex floating"] == tr.asarray(1j).dtype
    assert defaults["integral"] == tr.asarray(1).dtype
    assert defaults["indexing"] == tr.argmax(tr.ones(2)).dtype
    assert list(info.dtypes(kind=("bool", "unsigned integer"))) == [
        "bool",
        "uint8",
        "uint16",
        "uint32",
        "uint64",
    ]
    assert len(info.dtypes()) == 13
    with pytest.raises(TypeError, match="a Device was needed, got 'cpu'"):
        info.dtypes(device="cpu")  # type: ignore[arg-type]


def test_the_largest_number_of_dimensions(device: tr.Device) -> None:
    most = tr.__array_namespace_info__().capabilities()["max dimensions"]
    check(tr.flip(tr.ones((1,) * most)), np.ones((1,) * most, np.float32))


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "complex64", "complex128"])
def test_limits_of_floats(dtype: str) -> None:
    found, wanted = tr.finfo(dtype), np.finfo(dtype)
    assert found == tr.finfo(tr.zeros(1, dtype))
    assert (found.bits, found.dtype) == (wanted.bits, wanted.dtype)
    for name in ("eps", "max", "min", "smallest_normal", "smallest_subnormal"):
        assert type(getattr(found, name)) is float
        assert getattr(found, name) == getattr(wanted, name)


def test_limits_of_others() -> None:
    assert tr.finfo(tr.bfloat16).max == float(ml_dtypes.finfo(ml_dtypes.bfloat16).max)
    assert (tr.iinfo(np.int8).min, tr.iinfo(np.ones(1, np.uint64)).max) == (-128, 2**64 - 1)


@pytest.mark.parametrize("name", ["int8", "uint16", "int64", "float32", "complex128"])
def test_casts_as_numpy_within_a_kind(name: str) -> None:
    for other in ("int16", "uint8", "int64", "float64", "complex64", "bool"):
        if np.dtype(other).kind == np.dtype(name).kind or other == "bool":
            assert tr.can_cast(name, other) == np.can_cast(name, other)
            assert tr.can_cast(tr.zeros(1, name), other) == np.can_cast(name, other)


def test_kinds_of_dtypes() -> None:
    for dtype in (np.int8, np.uint64, np.float32, np.complex64, np.bool_):
        for kind in ("bool", "integral", "real floating", "complex floating", "numeric"):
            assert tr.isdtype(dtype, kind) == np.isdtype(dtype, kind)
    assert tr.isdtype(tr.bfloat16, "real floating")
    assert tr.isdtype(tr.int8, ("bool", tr.int8))


def test_foreign_operands(device: tr.Device) -> None:
    x, polite = tr.ones(2), Polite()
    assert ((x == None), (x != None)) == (False, True)  # noqa: E711
    assert (x == "a") is False
    assert (x + polite, x == polite, x > polite) == ("radd", "eq", "lt")
    for op in (operator.add, operator.matmul, operator.pow, operator.and_, operator.lt):
        with pytest.raises(TypeError, match="'Tensor' and 'str'"):
            op(x, "a")
    assert x not in [None, "a"]


def test_in_place_operators_rebind(device: tr.Device) -> None:
    x = tr.asarray([1, 2])
    before = x
    x += 1
    x /= 2
    check(x, np.array([1, 1.5], np.float32))
    check(before, np.array([1, 2], np.int32))


def test_to_device(device: tr.Device) -> None:
    x = tr.ones(2)
    assert x.to_device(device) is x
    with pytest.raises(ValueError, match="to_device needs stream=None, got 1"):
        x.to_device(device, stream=1)  # type: ignore[arg-type]


def test_astype(device: tr.Device) -> None:
    x = tr.asarray([1.5, 0.0])
    assert tr.astype(x, tr.float32, copy=False) is x
    assert tr.astype(x, tr.float32) is not x
    other = tr.Device.default_eager() if device.lazy else tr.Device.default_xla()
    moved = tr.astype(x, bool, device=other)
    assert moved.device is other
    check(moved, np.array([True, False]))
