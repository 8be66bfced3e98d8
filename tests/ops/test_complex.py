"""Derivatives of complex numbers are JAX's, and its convention: nothing is conjugated."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from tests.functions.oracle import by_jax, once
from tests.ops.harness import BACKENDS, get, put
from tests.ops.samples import normal
from tracer.ops import bits, elementwise
from tracer.ops import complex as complexes
from tracer.tape import Tape
from tracer.values import Data

E, C = elementwise, complexes
Z = np.asarray([0.5 + 0.25j, -1.5 + 0.5j, 2 - 1j, -0.25j, 0.75])
A, B = np.asarray([0.5, -1.25, 2.0]), np.asarray([1.5, 0.75, -2.5])

CASES: dict[str, tuple[Callable[..., Data], Callable[..., Any], tuple[Any, ...]]] = {
    "complex": (C.complex, lax.complex, (A, B)),
    "real": (C.real, jnp.real, (Z,)),
    "imag": (C.imag, jnp.imag, (Z,)),
    "real of a real": (C.real, jnp.real, (A,)),
    "abs": (E.abs, jnp.abs, (Z,)),
    "sign": (E.sign, lambda z: z / jnp.abs(z), (Z,)),  # older releases of JAX say 0
    "divide": (E.divide, jnp.divide, (Z, Z[::-1].copy())),
    "power": (E.power, jnp.power, (Z[:3], Z[1:4])),
    "sqrt": (E.sqrt, jnp.sqrt, (Z,)),
    "tanh": (E.tanh, jnp.tanh, (Z,)),
    "a loss": (
        lambda z: E.multiply(C.real(E.multiply(z, E.exponential(z))), C.imag(E.sine(z))),
        lambda z: jnp.real(z * jnp.exp(z)) * jnp.imag(jnp.sin(z)),
        (Z,),
    ),
}


def pulled(f: Callable[..., Data], inputs: list[Data], g: Data) -> list[Data]:
    """The cotangents of the inputs."""
    with Tape() as tape:
        for x in inputs:
            tape.watch(x)
        y = f(*inputs)
    found = tape.cotangents([(y, g)], inputs, E.add)
    return [E.zeros_like(x) if c is None else c for x, c in zip(inputs, found, strict=True)]


def _by_jax(oracle: Callable[..., Any], *arrays: Any) -> tuple[Any, ...]:
    """A cotangent of the result, weights of those of the arrays, these, and theirs in turn."""
    with jax.enable_x64(True):
        y = jax.eval_shape(oracle, *arrays)
        g = normal(3, *y.shape, dtype=y.dtype)
        weights = tuple(normal(4 + i, *x.shape, dtype=x.dtype) for i, x in enumerate(arrays))

    def both(g: Any, weights: Any, *xs: Any) -> Any:
        def pull(*xs: Any) -> Any:
            return jax.vjp(oracle, *xs)[1](g)

        first, again = jax.vjp(pull, *xs)
        return first, again(weights)

    return g, weights, *by_jax(both, g, weights, *arrays)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("case", CASES)
def test_first_and_second_derivatives_are_those_of_jax(case: str, backend: str) -> None:
    f, oracle, arrays = CASES[case]
    g, weights, first, twice = once(f"complex {case}", lambda: _by_jax(oracle, *arrays))
    inputs, seed = [put(x, backend) for x in arrays], put(g, backend)
    with Tape() as tape:
        for x in inputs:
            tape.watch(x)
        found = pulled(f, inputs, seed)
    pairs = [(x, put(w, backend)) for x, w in zip(found, weights, strict=True)]
    again = tape.cotangents(pairs, inputs, E.add)
    for mine, right in zip(found, first, strict=True):
        np.testing.assert_allclose(get(mine), right, rtol=1e-12, atol=1e-12)
    for mine, right in zip(again, twice, strict=True):
        value = np.zeros_like(right) if mine is None else get(mine)
        np.testing.assert_allclose(value, right, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("backend", BACKENDS)
def test_abs_and_sign_at_zero_have_no_slope(backend: str) -> None:
    zero = [put(np.zeros(1, np.complex64), backend)]
    found = pulled(E.abs, zero, put(np.ones(1, np.float32), backend))
    assert get(found[0]).tolist() == [0]


@pytest.mark.parametrize("backend", BACKENDS)
def test_reduced_precision_reduces_its_cotangent(backend: str) -> None:
    def f(x: Data) -> Data:
        return bits.reduce_precision(x, exponent_bits=8, mantissa_bits=2)

    found = pulled(f, [put(np.ones(1, np.float32), backend)], put(np.full(1, 1.1, "f4"), backend))
    assert get(found[0]).tolist() == [1.0]
