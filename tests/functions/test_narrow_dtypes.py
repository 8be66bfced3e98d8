"""float8 and the integers of less than a byte; conversions of every dtype to every other."""

from __future__ import annotations

import pickle
from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest

import tracer as tr
from lowering import emit, parse
from tests.functions.oracle import Array, check
from tracer.dtypes import ALL, FLOAT8, NARROW_INTEGERS, DType, iinfo, is_integer, kind
from tracer.errors import LoweringError
from tracer.ops import OPS

NUMBERS = [np.nan, np.inf, -np.inf, 3e9, -1.0, 0.4, -0.4, 1.5, -2.5, 7.0, 8.0, -9.0, 15.0, 16.0]
NUMBERS += [100.0, 127.0, 128.0, -129.0, 255.0, 256.0, 3e4, -4e4, 65504.0, 5e9, -5e9, 1e19, -1e30]
WHOLE = [
    0,
    1,
    -1,
    2,
    -2,
    3,
    7,
    8,
    -8,
    15,
    16,
    100,
    -100,
    127,
    -128,
    255,
    30000,
    2**31 - 1,
    -(2**31),
]
WHOLE += [2**53 + 1, 2**63 - 1, -(2**63)]


def _numbers(dtype: DType) -> Array:
    """Of a float NaN, infinities and what surrounds the ends of integers; of these, their ends."""
    found = kind(dtype)
    if found in ("float", "complex"):
        with np.errstate(all="ignore"):
            return np.array(NUMBERS).astype(dtype)
    if found == "bool":
        return np.array([True, False])
    low, high = int(iinfo(dtype).min), int(iinfo(dtype).max)
    inside = [n for n in WHOLE if low <= n <= high]
    plain: Any = np.int8 if dtype in NARROW_INTEGERS else dtype
    return np.array([*inside, low, high], plain).astype(dtype)


def _saturated(x: Array, dtype: DType) -> list[int]:
    """What a float is as an integer: truncated, held within its limits, 0 of NaN."""
    low, high = int(iinfo(dtype).min), int(iinfo(dtype).max)
    wide = np.clip(np.nan_to_num(x.astype(np.float64)), -1e300, 1e300)
    return [max(low, min(high, int(value))) for value in wide]


def _targets(source: DType) -> tuple[DType, ...]:
    """Of floats every integer; of others the narrow dtypes: the samples of convert hold more."""
    narrow = (*FLOAT8, *NARROW_INTEGERS)
    return tuple(d for d in ALL if is_integer(d)) if kind(source) == "float" else narrow


@pytest.mark.parametrize("source", ALL, ids=str)
def test_every_conversion(source: DType, device: tr.Device) -> None:
    """On the devices as in the NumPy meaning; from floats to integers as computed in Python."""
    x = _numbers(source)
    tensor = tr.asarray(x)
    lazy = device.backend == "XLA"
    targets = _targets(source) if lazy else (tr.int4, tr.int32, tr.float32, FLOAT8[0])
    found = {target: tensor.astype(target) for target in targets}
    for target, made in found.items():
        array = made.numpy()
        assert array.dtype == target
        _same(array, OPS["convert"].numpy(x, dtype=target))
        if kind(source) == "float" and kind(target) in ("int", "uint"):
            assert [int(value) for value in array] == _saturated(x, target), target
        if not lazy:
            _same(tr.asarray(x, target).numpy(), array)


def _same(found: Array, expected: Array) -> None:
    """NaN equals NaN, of a dtype that NumPy knows nothing of, too."""
    assert found.dtype == expected.dtype
    if kind(expected.dtype) == "float":
        found, expected = found.astype(np.float64), expected.astype(np.float64)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("dtype", FLOAT8, ids=str)
def test_float8_arithmetic(dtype: DType, device: tr.Device) -> None:
    """As JAX: of one float8 dtype, of Python's numbers and of integers; rounded once."""
    x, y = np.array([1.0, -2.5, 0.75, 3.0]).astype(dtype), np.array([2.0, 0.5, -1.5, 3.0])
    y = y.astype(dtype)
    a, b = tr.asarray(x), tr.asarray(y)
    wide, other = x.astype(np.float32), y.astype(np.float32)
    for found, expected in (
        (a + b, wide + other),
        (a * b, wide * other),
        (a * 1.5, wide * 1.5),
        (a + 1, wide + 1),
        (tr.maximum(a, b), np.maximum(wide, other)),
        (tr.where(a > 0, a, b), np.where(wide > 0, wide, other)),
        (a + tr.asarray([1]), wide + 1),
    ):
        assert found.dtype == dtype
        rounded = expected.astype(dtype).astype(np.float32)
        np.testing.assert_array_equal(found.numpy().astype(np.float32), rounded)
    check(a == b, x == y)
    check(tr.full((2,), 1.5, dtype).astype(tr.float32), np.full(2, 1.5, np.float32))


@pytest.mark.parametrize("dtype", NARROW_INTEGERS, ids=str)
def test_narrow_integers(dtype: DType, device: tr.Device) -> None:
    low, high = int(iinfo(dtype).min), int(iinfo(dtype).max)
    values = np.arange(low, high + 1).astype(dtype)
    x = tr.asarray(values)
    wide = values.astype(np.int64)
    assert x.tolist() == wide.tolist()
    for found, expected in ((x + x, wide + wide), (x * x, wide * wide), (x - 1, wide - 1)):
        assert found.dtype == dtype
        wrapped = (expected - low) % (high - low + 1) + low
        assert found.tolist() == wrapped.tolist()
    check(x > 0, wide > 0)
    check(tr.bitwise_count(x), np.bitwise_count(np.abs(wide)))
    assert x.astype(tr.int32).astype(dtype).tolist() == wide.tolist()
    assert pickle.loads(pickle.dumps(x)).tolist() == wide.tolist()


def test_what_does_not_promote_is_refused_as_in_jax(device: tr.Device) -> None:
    eight, four = tr.zeros((2,), tr.float8_e4m3fn), tr.zeros((2,), tr.int4)
    for pair in ((eight, tr.ones(2)), (four, tr.ones(2)), (four, tr.asarray([1, 1]))):
        with pytest.raises(TypeError, match=r"promote to no dtype; convert one with astype\n  at "):
            pair[0] + pair[1]
        with pytest.raises(jax.dtypes.TypePromotionError):
            jnp.zeros(2, pair[0].dtype) + jnp.zeros(2, pair[1].dtype)
    with pytest.raises(TypeError, match="int4 and float promote to no dtype"):
        four / 2


NOT_OURS = ("float6_e2m3fn", "float6_e3m2fn", "float4_e2m1fn", "float8_e8m0fnu")


@pytest.mark.parametrize("name", NOT_OURS)
def test_dtypes_that_xla_lacks_are_refused(name: str, device: tr.Device) -> None:
    """XLA ends the process on float6, and converts float4 to integers wrongly."""
    dtype = np.dtype(getattr(ml_dtypes, name))
    calls = (
        lambda: tr.asarray(np.ones(2).astype(dtype)),
        lambda: tr.ones(2).astype(dtype),
        lambda: tr.zeros((2,), dtype),
        lambda: tr.ones(2) + np.ones(2).astype(dtype),
        lambda: tr.asarray([1.0], dtype),
        lambda: tr.asarray([1.0], name),
    )
    for call in calls:
        with pytest.raises(TypeError, match=f"dtype {name} is not supported|needs|a dtype"):
            call()


@pytest.mark.parametrize("element", ["f6E2M3FN", "f6E3M2FN", "f4E2M1FN", "f8E8M0FNU"])
def test_programs_of_dtypes_that_xla_lacks_are_carried_and_not_run(element: str) -> None:
    type = f"tensor<2x{element}>"
    texts = (
        f"func.func @main(%x: {type}) -> {type} {{ return %x : {type} }}",
        f"func.func @main() -> {type} {{\n  %0 = stablehlo.constant dense<1.0> : {type}\n"
        f"  return %0 : {type}\n}}",
        f"func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {{\n"
        f"  %0 = stablehlo.convert %x : (tensor<2xf32>) -> {type}\n"
        f"  %1 = stablehlo.convert %0 : ({type}) -> tensor<2xf32>\n  return %1 : tensor<2xf32>\n}}",
    )
    for text in texts:
        module = parse(text)
        assert type in emit(module)
        assert emit(parse(emit(module))) == emit(module)
        with pytest.raises(LoweringError, match="our dtypes"):
            tr.load(text, trusted=True)


@pytest.mark.parametrize("dtype", FLOAT8, ids=str)
def test_float8_without_infinity_has_limits_all_the_same(dtype: DType, device: tr.Device) -> None:
    x = tr.asarray(np.array([1.0, -2.0, 0.5]).astype(dtype))
    assert (tr.max(x).item(), tr.min(x).item()) == (1, -2)
    assert tr.clip(x, 0.0).tolist() == [1, 0, 0.5]
    assert tr.arange(3, dtype=dtype).tolist() == [0, 1, 2]
    drawn = tr.random.Generator(0).uniform((20,), dtype=dtype)
    assert np.isfinite(drawn.numpy().astype(np.float32)).all()


def test_sums_of_narrow_integers_are_wide_and_pools_of_float8_are_finite(device: tr.Device) -> None:
    x = tr.asarray([1, 2, 3]).astype(tr.int4)
    assert [f(x).dtype for f in (tr.sum, tr.prod, tr.cumulative_sum)] == [tr.int32] * 3
    assert tr.one_hot(x, 4).tolist() == np.eye(4)[1:].tolist()
    image = tr.asarray(-np.ones((1, 2, 2, 1), np.float32)).astype(tr.float8_e4m3fn)
    assert tr.max_pool(image, (2, 2), padding="same").astype(tr.float32).tolist() == [[[[-1.0]]]]
