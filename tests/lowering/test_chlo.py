"""What operations of CHLO compute, expanded: held against SciPy, NumPy and Python's integers."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest
import scipy.special

from lowering import PASSES, interpret
from lowering.reader import parse
from tests.lowering.conftest import RNG
from tests.lowering.running import by_xla
from tracer.ir import Builder, Function, TensorType, opaque

Array = np.ndarray[Any, Any]


def type_of(x: Array) -> TensorType:
    return TensorType(x.shape, x.dtype)


def function_of(name: str, arrays: list[Array], result: TensorType) -> Function:
    """One operation of CHLO, without attributes."""
    builder = Builder()
    operands = [builder.argument(type_of(x)) for x in arrays]
    given = {"raw": (), "types": (result,)}
    return builder.function("main", builder.create(opaque(f"chlo.{name}"), operands, given))


def run(name: str, *operands: Any, result: TensorType | None = None) -> Array:
    """What the interpreter makes of one operation of CHLO."""
    arrays = [np.asarray(x) for x in operands]
    wanted = result or type_of(arrays[0])
    return interpret(function_of(name, arrays, wanted), *arrays)[0]


def parts(x: Array) -> list[Array]:
    return [x.real, x.imag] if x.dtype.kind == "c" else [x]


def assert_ulps(found: Array, wanted: Array, limit: float) -> None:
    """Within so many units in the last place, infinities and NaN in the same places."""
    assert found.dtype == wanted.dtype
    for a, b in zip(parts(found), parts(wanted), strict=True):
        np.testing.assert_array_equal(np.isnan(a), np.isnan(b))
        np.testing.assert_array_equal(np.isposinf(a), np.isposinf(b))
        np.testing.assert_array_equal(np.isneginf(a), np.isneginf(b))
        both = np.isfinite(a)
        unit = np.spacing(np.abs(b[both]))
        far = np.abs(a[both].astype(np.float64) - b[both]) / unit
        assert not far.size or far.max() <= limit, (far.max(), b[both][far.argmax()])


def assert_same(found: Any, wanted: Any) -> None:
    """Equal, the signs of zeros too."""
    found, wanted = (np.asarray(x, np.float64) for x in (found, wanted))
    np.testing.assert_array_equal(found, wanted)
    number = ~np.isnan(wanted)
    np.testing.assert_array_equal(np.signbit(found[number]), np.signbit(wanted[number]))


Oracle = Callable[..., Any]
REAL: dict[str, tuple[Oracle, float, float, float]] = {
    "acos": (np.arccos, -1, 1, 3),
    "acosh": (np.arccosh, 1, 100, 3),
    "asin": (np.arcsin, -1, 1, 3),
    "asinh": (np.arcsinh, -50, 50, 2),
    "atan": (np.arctan, -50, 50, 2),
    "atanh": (np.arctanh, -1, 1, 2),
    "bessel_i1e": (scipy.special.i1e, -50, 50, 12),
    "cosh": (np.cosh, -80, 80, 4),
    "erf": (scipy.special.erf, -4, 4, 5),
    "erfc": (scipy.special.erfc, -4, 4, 16),
    "erf_inv": (scipy.special.erfinv, -1, 1, 8),
    "lgamma": (scipy.special.gammaln, 3, 50, 6),
    "digamma": (scipy.special.digamma, 2, 50, 16),
    "sinh": (np.sinh, -80, 80, 4),
    "square": (np.square, -50, 50, 0),
    "tan": (np.tan, -10, 10, 2),
}
"""An oracle, the range of the arguments, and how far off the result may be: SciPy's is, too."""


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", REAL)
def test_real_functions_are_exact_to_a_few_units(name: str, dtype: str) -> None:
    oracle, low, high, limit = REAL[name]
    x = RNG.uniform(low, high, 400).astype(dtype)
    x = np.concatenate([x, x[:100] / 64 + (low if low >= 1 else 0)]).astype(dtype)
    with np.errstate(all="ignore"):
        wanted = oracle(x if name == "square" else x.astype(np.float64)).astype(dtype)
        assert_ulps(run(name, x), wanted, limit)


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16])
@pytest.mark.parametrize("name", ["acosh", "bessel_i1e", "digamma", "erf_inv", "sinh", "tan"])
def test_narrow_floats_are_rounded_once(name: str, dtype: Any) -> None:
    oracle, low, high, _ = REAL[name]
    x = RNG.uniform(max(low, -9), min(high, 9), 200).astype(dtype)
    wanted = oracle(x.astype(np.float64)).astype(dtype)
    np.testing.assert_array_equal(run(name, x), wanted)


INF, NAN = math.inf, math.nan
CORNERS: dict[str, list[tuple[float, float]]] = {
    "acos": [(1, 0.0), (-1, math.pi), (2, NAN), (INF, NAN), (NAN, NAN)],
    "acosh": [(1, 0.0), (0.5, NAN), (INF, INF), (1e308, 709.889355822726), (NAN, NAN)],
    "asin": [(0.0, 0.0), (-0.0, -0.0), (1, math.pi / 2), (-2, NAN)],
    "asinh": [(-0.0, -0.0), (INF, INF), (-INF, -INF), (-1e308, -709.889355822726), (NAN, NAN)],
    "atan": [(-0.0, -0.0), (INF, math.pi / 2), (-INF, -math.pi / 2), (NAN, NAN)],
    "atanh": [(-0.0, -0.0), (1, INF), (-1, -INF), (2, NAN), (NAN, NAN)],
    "bessel_i1e": [(-0.0, -0.0), (INF, 0.0), (-INF, -0.0), (1e-300, 5e-301), (NAN, NAN)],
    "cosh": [(-0.0, 1), (-INF, INF), (710, math.cosh(710)), (NAN, NAN)],
    "digamma": [(INF, INF), (-1, NAN), (-2, NAN), (1, -0.5772156649015329), (NAN, NAN)],
    "erf": [(-0.0, -0.0), (INF, 1), (-INF, -1), (NAN, NAN)],
    "erf_inv": [(-0.0, -0.0), (1, INF), (-1, -INF), (1.5, NAN), (NAN, NAN)],
    "erfc": [(INF, 0.0), (-INF, 2), (0.0, 1), (NAN, NAN)],
    "lgamma": [(1, 0.0), (2, 0.0), (0.0, INF), (-1, INF), (INF, INF), (-INF, INF), (NAN, NAN)],
    "sinh": [(-0.0, -0.0), (-INF, -INF), (710, math.sinh(710)), (NAN, NAN)],
    "tan": [(-0.0, -0.0), (INF, NAN), (NAN, NAN)],
}


@pytest.mark.parametrize("name", CORNERS)
def test_corners(name: str) -> None:
    x, wanted = np.asarray(CORNERS[name]).T
    found = run(name, x)
    np.testing.assert_allclose(found, wanted, rtol=3e-15)
    zero = wanted == 0
    np.testing.assert_array_equal(np.signbit(found[zero]), np.signbit(wanted[zero]))


COMPLEX = ("acos", "acosh", "asin", "asinh", "atan", "atanh", "cosh", "sinh", "tan", "square")


def complex_oracle(name: str) -> Oracle:
    return getattr(np, name.replace("a", "arc", 1) if name[0] == "a" else name)


@pytest.mark.parametrize("name", COMPLEX)
def test_complex_functions_are_exact_to_a_few_units_in_each_part(name: str) -> None:
    z = RNG.normal(size=(3, 400)) * [[0.01], [1.0], [8.0]] + 1j * RNG.normal(size=(3, 400))
    narrow = z.astype(np.complex64)
    wanted = complex_oracle(name)(narrow.astype(np.complex128)).astype(np.complex64)
    assert_ulps(run(name, narrow), wanted, 6)


CUTS = {
    "acos": (-2.5, 2.5),
    "asin": (-2.5, 2.5),
    "acosh": (-2.5, 0.5),
    "atanh": (-2.5, 2.5),
    "asinh": (-2.5j, 2.5j),
    "atan": (-2.5j, 2.5j),
}
"""Points of the branch cuts."""


@pytest.mark.parametrize("name", CUTS)
def test_the_sign_of_a_zero_chooses_the_side_of_a_branch_cut(name: str) -> None:
    along = [complex(z.real, zero) if z.real else complex(zero, z.imag) for z in CUTS[name]
             for zero in (0.0, -0.0)]  # fmt: skip
    z = np.asarray(along)
    found, wanted = run(name, z), complex_oracle(name)(z)
    np.testing.assert_allclose(found, wanted, rtol=1e-14, atol=1e-16)
    for a, b in zip(parts(found), parts(wanted), strict=True):
        np.testing.assert_array_equal(np.signbit(a[b != 0]), np.signbit(b[b != 0]))


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_logarithms_of_large_complex_numbers_are_finite(dtype: Any) -> None:
    """asinh(z) is log(2 z) there, and a whole family follows: |log(2 z)| = log(2 |z|)."""
    largest = float(np.finfo(dtype).max)
    z = np.asarray([complex(largest, largest), complex(-largest, largest)], dtype)
    size, quarter = math.log(largest) + 1.5 * math.log(2), math.pi / 4
    angle, sides = np.asarray([quarter, 3 * quarter]), np.asarray([1, -1])
    np.testing.assert_allclose(run("acosh", z), size + 1j * angle, rtol=1e-6)
    np.testing.assert_allclose(run("acos", z), angle - 1j * size, rtol=1e-6)
    np.testing.assert_allclose(run("asin", z), sides * quarter + 1j * size, rtol=1e-6)
    np.testing.assert_allclose(run("asinh", z), sides * size + 1j * quarter, rtol=1e-6)


def test_the_square_of_a_complex_number_of_equal_parts_is_imaginary() -> None:
    z = np.asarray([3 + 3j, 3 - 3j, complex(1e300, 1e300), complex(INF, 2), complex(2, -INF)])
    wanted = [18j, -18j, complex(0, INF), complex(INF, INF), complex(-INF, -INF)]
    np.testing.assert_array_equal(run("square", z), wanted)


def test_the_kernel_of_complex_asin() -> None:
    """cos(w) cosh(v) and |v| of asin(z) = w + iv."""
    z = np.asarray([0.3 + 0.4j, -2 + 0.001j, 5 - 3j, -0.5 - 1e-9j, 1e200 + 3e200j, 2j])
    w = np.arcsin(z)
    with np.errstate(over="ignore"):
        real = np.where(abs(z) > 1e9, abs(z.imag), np.cos(w.real) * np.cosh(w.imag))
    np.testing.assert_allclose(run("_asin_acos_kernel", z), real + 1j * abs(w.imag), rtol=1e-12)


def test_zeta() -> None:
    s, q = RNG.uniform(1.01, 40, 300), RNG.uniform(0.01, 60, 300)
    np.testing.assert_allclose(run("zeta", s, q), scipy.special.zeta(s, q), rtol=5e-14)
    whole, below = RNG.integers(2, 12, 300).astype(float), RNG.uniform(-9, 0, 300)
    wanted = scipy.special.polygamma(whole.astype(int) - 1, below)
    scale = scipy.special.gamma(whole) * (-1) ** whole
    np.testing.assert_allclose(run("zeta", whole, below), wanted / scale, rtol=1e-12)
    corners = [(1, 2, INF), (0.5, 2, NAN), (2, 0, INF), (3, -1, NAN), (2.5, -1.5, NAN), (2, INF, 0)]
    corners += [(INF, 1, 1), (INF, 2, 0), (INF, 0.5, INF), (NAN, 2, NAN), (2, NAN, NAN)]
    s, q, wanted = np.asarray(corners, float).T
    np.testing.assert_array_equal(run("zeta", s, q), wanted)


def test_polygamma() -> None:
    n, x = RNG.integers(0, 12, 300).astype(float), RNG.uniform(0.1, 40, 300)
    wanted = scipy.special.polygamma(n.astype(int), x)
    np.testing.assert_allclose(run("polygamma", n, x), wanted, rtol=1e-13)
    narrow = run("polygamma", np.float32(n), np.float32(x))
    wanted = scipy.special.polygamma(n.astype(int), np.float32(x).astype(float))
    np.testing.assert_allclose(narrow, wanted, rtol=5e-6)
    corners = [(-1, 2, NAN), (0.5, 2, NAN), (1, 0, INF), (2, 0, NAN), (NAN, 1, NAN), (1, NAN, NAN)]
    n, x, wanted = np.asarray(corners, float).T
    np.testing.assert_array_equal(run("polygamma", n, x), wanted)


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16, np.float32, np.float64])
def test_next_after(dtype: Any) -> None:
    odd = [0.0, -0.0, 1, -1, INF, -INF, NAN, 6e-8, 65504]
    x, y = (a.ravel().astype(dtype) for a in np.meshgrid(odd, odd))
    with np.errstate(all="ignore"):
        # of equals with 16 bits older NumPys give the first; C, and we, the second
        assert_same(run("next_after", x, y), np.where(x == y, y, np.nextafter(x, y)))


def test_infinities() -> None:
    x = np.float32([0, INF, -INF, NAN, 3e38])
    bools = TensorType(x.shape, np.dtype(bool))
    for name, oracle in {
        "is_inf": np.isinf,
        "is_pos_inf": np.isposinf,
        "is_neg_inf": np.isneginf,
    }.items():
        np.testing.assert_array_equal(run(name, x, result=bools), oracle(x))


def test_conjugates() -> None:
    z = np.asarray([1 + 2j, complex(-0.0, 0.0)])
    assert_same(run("conj", z).imag, [-2.0, -0.0])
    np.testing.assert_array_equal(run("conj", z.real), z.real)


@pytest.mark.parametrize("kind", "iu")
@pytest.mark.parametrize("size", [1, 2, 4, 8])
def test_the_high_half_of_a_product(kind: str, size: int) -> None:
    limits = np.iinfo(f"{kind}{size}")
    x, y = RNG.integers(limits.min, limits.max, (2, 50), limits.dtype, endpoint=True)
    x[:4], y[:4] = [limits.min, limits.min, limits.max, 1], [limits.min, limits.max, limits.max, 0]
    wanted = [int(a) * int(b) >> limits.bits for a, b in zip(x, y, strict=True)]
    np.testing.assert_array_equal(run("mulhi", x, y), np.asarray(wanted, limits.dtype))


def test_xla_agrees() -> None:
    """The smallest floats aside, which XLA takes for 0."""
    text = """func.func @main(%x: tensor<5xf32>, %z: tensor<2xcomplex<f32>>)
        -> (tensor<5xf32>, tensor<5xf32>, tensor<2xcomplex<f32>>) {
      %0 = chlo.asinh %x : tensor<5xf32> -> tensor<5xf32>
      %1 = chlo.next_after %x, %0 : tensor<5xf32>, tensor<5xf32> -> tensor<5xf32>
      %2 = chlo.acos %z : tensor<2xcomplex<f32>> -> tensor<2xcomplex<f32>>
      return %0, %1, %2 : tensor<5xf32>, tensor<5xf32>, tensor<2xcomplex<f32>>
    }"""
    module = parse(text)
    given = [np.float32([-3, -0.0, 0.3, 9, NAN]), np.complex64([2 - 3j, 3e38 + 3e38j])]
    expanded = PASSES["expand-chlo"].run(module)
    assert not any(o.op.is_opaque for o in expanded.entry.operations)
    for found in (interpret(expanded, *given), by_xla(expanded, given)):
        for a, b in zip(found, interpret(module, *given), strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-5)
