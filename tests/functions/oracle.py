"""What tests compare with: NumPy in float64, jax.numpy, and how near is near enough."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest

import tracer as tr

Array = np.ndarray[Any, Any]
BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
FLOATS = (np.dtype(np.float16), np.dtype(np.float32), np.dtype(np.float64), BFLOAT16)
SIGNED = tuple(np.dtype(f"int{bits}") for bits in (8, 16, 32, 64))
UNSIGNED = tuple(np.dtype(f"uint{bits}") for bits in (8, 16, 32, 64))

TOLERANCE: dict[str, float] = {
    "bfloat16": 2e-2,  # 8 bits: two roundings, one of a sum
    "float16": 4e-3,  # 11 bits, likewise
    "float32": 2e-5,  # sums of hundreds of terms in another order
    "float64": 1e-12,  # likewise
    "complex64": 2e-5,  # two float32
    "complex128": 1e-12,  # two float64
}
"""Relative and absolute, by dtype."""
QUICK = {"xla_backend_optimization_level": 0, "xla_llvm_disable_expensive_passes": True}
"""An oracle runs once: what it takes is its compilation."""


@pytest.fixture(params=["EAGER", "XLA"])
def device(request: pytest.FixtureRequest) -> Iterator[tr.Device]:
    """The default device of a test: it runs once eagerly and once lazily."""
    eager = request.param == "EAGER"
    chosen = tr.Device.default_eager() if eager else tr.Device.default_xla()
    with tr.default_device(chosen):
        yield chosen


def check(found: Any, expected: Any, dtype: Any = None, tolerance: float | None = None) -> None:
    """Raises AssertionError unless values, dtype and shape agree; NaN equals NaN."""
    array, wanted = np.asarray(found), np.asarray(expected)
    wanted_dtype = np.dtype(wanted.dtype if dtype is None else dtype)
    assert array.dtype == wanted_dtype
    assert array.shape == wanted.shape
    if wanted_dtype.name not in TOLERANCE:
        np.testing.assert_array_equal(array, wanted)
        return
    near = TOLERANCE[wanted_dtype.name] if tolerance is None else tolerance
    wide: Any = np.complex128 if wanted_dtype.kind == "c" else np.float64
    with np.errstate(over="ignore", invalid="ignore"):
        rounded = wanted.astype(wanted_dtype).astype(wide)
    np.testing.assert_allclose(array.astype(wide), rounded, rtol=near, atol=near)


def by_jax(f: Callable[..., Any], *arguments: Any) -> Any:
    """f of jax arrays, 64-bit ones included, jitted; its results as NumPy arrays."""
    with jax.enable_x64(True):
        given = jax.tree.map(jnp.asarray, arguments)
        return jax.tree.map(np.asarray, jax.jit(f, compiler_options=QUICK)(*given))


def jax_gradient(f: Callable[..., Any], *arguments: Any, argnums: Any = 0) -> Any:
    """(value, gradient) of f by jax.value_and_grad."""
    return by_jax(jax.value_and_grad(f, argnums), *arguments)


def random(*shape: int, seed: int = 0, dtype: Any = np.float32) -> Array:
    """Normally distributed numbers, the same in every run."""
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


Cases = dict[str, tuple[Any, ...]]
"""By name, a function of a namespace and arrays, and the arrays."""


def check_case(cases: Cases, name: str, device: tr.Device) -> None:
    """Raises AssertionError unless a case gives with tracer what it gives with NumPy.

    The cases share one recording on a device, so one program on the lazy one.
    """
    key = (id(cases), device)
    if key not in _computed:
        put = lambda x: tr.asarray(x, device=device)
        _computed[key] = {n: f(tr, *map(put, arrays)) for n, (f, *arrays) in cases.items()}
    found = _computed[key][name]
    f, *arrays = cases[name]
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = f(np, *arrays)
    assert isinstance(found, tuple) == isinstance(expected, tuple | list)
    if not isinstance(found, tuple):
        found, expected = (found,), (expected,)
    for ours, numpys in zip(found, expected, strict=True):
        check(ours, numpys, ours.dtype)


_computed: dict[tuple[int, tr.Device], dict[str, Any]] = {}


def once(key: str, oracle: Callable[[], Any]) -> Any:
    """What an oracle says, asked once for both devices."""
    if key not in _said:
        _said[key] = oracle()
    return _said[key]


_said: dict[str, Any] = {}
