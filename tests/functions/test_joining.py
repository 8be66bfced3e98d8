"""Joining, splitting, repeating and turning, grids and triangles, against NumPy."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import tracer as tr
from tests.functions.oracle import by_jax, check, jax_gradient

X = np.arange(24, dtype=np.float64).reshape(2, 3, 4)
V = np.array([3, 1, 2], np.int32)
Z = np.zeros((0, 3), np.float32)
COUNTS = np.array([2, 0, 1])
CASES: dict[str, Callable[[Any, Any, Any], Any]] = {
    "atleast 1": lambda m, x, v: (m.atleast_1d(v[0]), m.atleast_1d(x)),
    "atleast 2": lambda m, x, v: (m.atleast_2d(v[0]), m.atleast_2d(v), m.atleast_2d(x)),
    "atleast 3": lambda m, x, v: (m.atleast_3d(v[0]), m.atleast_3d(v), m.atleast_3d(x[0])),
    "hstack": lambda m, x, v: (m.hstack([v, v[:1]]), m.hstack([x, x[:, :1]])),
    "vstack": lambda m, x, v: (m.vstack([v, v]), m.vstack([x, x[:1]])),
    "dstack": lambda m, x, v: (m.dstack([v, v]), m.dstack([x, x[..., :1]])),
    "column_stack": lambda m, x, v: (m.column_stack([v, x[0]]), m.column_stack([v, v])),
    "append": lambda m, x, v: (m.append(x, v), m.append(x, x[:1], axis=0)),
    "delete": lambda m, x, v: (m.delete(x, 5), m.delete(x, [0, -1], 2), m.delete(v, slice(1))),
    "insert": lambda m, x, v: (m.insert(x, 1, 7, 1), m.insert(v, [0, 0, 3], v + 6)),
    "insert blocks": lambda m, x, v: (m.insert(x, -1, x[0], 0), m.insert(x, [1, 0], x[:, :1], 1)),
    "unstack": lambda m, x, v: (*m.unstack(x), *m.unstack(x, axis=-1), *m.unstack(v)),
    "split": lambda m, x, v: (*m.split(x, 2, axis=2), *m.split(v, [1, 1, 5])),
    "array_split": lambda m, x, v: (*m.array_split(v, 2), *m.array_split(x, 5, axis=-1)),
    "hsplit": lambda m, x, v: (*m.hsplit(v, 3), *m.hsplit(x, [2])),
    "vsplit": lambda m, x, v: (*m.vsplit(x, 2), *m.dsplit(x, [-1])),
    "flips": lambda m, x, v: (m.flipud(x), m.fliplr(x)),
    "rot90": lambda m, x, v: tuple(m.rot90(x, k, (0, 2)) for k in range(-1, 5)),
    "swapaxes": lambda m, x, v: (m.swapaxes(x, 0, -1), m.swapaxes(x, 1, 1)),
    "expand_dims": lambda m, x, v: (m.expand_dims(x, (0, -1)), m.expand_dims(x, (3, 1))),
    "broadcast": lambda m, x, v: m.broadcast_arrays(x[0, 0], v[:, None], v[0]),
    "tile": lambda m, x, v: (m.tile(x, 2), m.tile(x, (2, 1, 2, 1)), m.tile(v, (2, 0))),
    "roll": lambda m, x, v: (m.roll(x, 5), m.roll(x, -1, axis=1), m.roll(v, 7, axis=0)),
    "roll two": lambda m, x, v: (m.roll(x, (1, 2), axis=(0, -1)), m.roll(x, 1, axis=(0, 2))),
    "repeat": lambda m, x, v: (m.repeat(x, 2), m.repeat(x, 0, axis=1), m.repeat(v[0], 2)),
    "repeat each": lambda m, x, v: (m.repeat(x, COUNTS, axis=1), m.repeat(v, [1, 0, 3])),
    "tri": lambda m, x, v: tuple(m.tril(x, k=k) + 2 * m.triu(x, k=k) for k in (-9, -1, 0, 2)),
    "tri of bools": lambda m, x, v: (m.tril(x > 3), m.triu(x[0] > 3)),
    "vander": lambda m, x, v: (m.vander(x[0, 0]), m.vander(x[1, 1], 2, increasing=True)),
    "meshgrid": lambda m, x, v: (*m.meshgrid(v, x[0, 0], v[0]), *m.meshgrid(v), *m.meshgrid()),
    "meshgrid ij": lambda m, x, v: tuple(m.meshgrid(v, x[0, 0], v[:0], indexing="ij")),
}


@cache
def _found(device: tr.Device) -> dict[str, Any]:
    x, v = tr.asarray(X, device=device), tr.asarray(V, device=device)
    return {name: case(tr, x, v) for name, case in CASES.items()}


@pytest.mark.parametrize("name", CASES)
def test_as_numpy(name: str, device: tr.Device) -> None:
    found, wanted = _found(device)[name], CASES[name](np, X, V)
    assert len(found) == len(wanted)
    for a, b in zip(found, wanted, strict=True):
        check(a, b)


def test_nothing(device: tr.Device) -> None:
    z = tr.asarray(Z)
    check(tr.roll(z, 3, axis=0), Z)
    check(tr.tile(z, (2, 2)), np.tile(Z, (2, 2)))
    check(tr.repeat(z, [], axis=0), Z)
    check(tr.tril(z), Z)
    assert tr.unstack(z) == ()
    assert len(tr.unstack(z, axis=1)) == 3


def test_made_matrices(device: tr.Device) -> None:
    check(tr.identity(2, tr.int8), np.identity(2, np.int8))
    check(tr.tri(2, 3, 1), np.tri(2, 3, 1, np.float32))
    check(tr.eye(3, k=2**40), np.zeros((3, 3), np.float32))
    check(tr.eye(0), np.zeros((0, 0), np.float32))


def test_spaces(device: tr.Device) -> None:
    check(tr.logspace(0, 2, 3), np.logspace(0, 2, 3).astype(np.float32))
    check(tr.logspace(0, 3, 4, tr.int32, base=2), np.array([1, 2, 4, 8], np.int32))
    check(tr.geomspace(1, 8, 4), np.geomspace(1, 8, 4).astype(np.float32))
    check(tr.linspace(0, 1j, 3), np.linspace(0, 1j, 3).astype(np.complex64))
    check(tr.linspace(0, 1j, 3, endpoint=False, dtype=complex), np.linspace(0, 1j, 4)[:3], "c8")


def test_a_tensor_says_how_often(device: tr.Device) -> None:
    check(tr.repeat(tr.asarray(V), tr.asarray([1, 2, 0])), np.repeat(V, [1, 2, 0]))
    check(tr.repeat(tr.asarray(V), tr.asarray([2])), np.repeat(V, 2))


def test_derivatives(device: tr.Device) -> None:
    def f(m: Any, x: Any) -> Any:
        y = m.tile(m.roll(m.repeat(x, np.array([1, 0, 2]), axis=1), 2, axis=1), (2, 1, 1))
        a, b = m.split(m.rot90(y), 2, axis=1)
        return m.sum(m.sin(m.tril(a)) * m.triu(b, k=1) + m.hstack([a, b])[:, 1:3] ** 2)

    x = np.linspace(-1, 1, 24).reshape(2, 3, 4)
    value, slope = jax_gradient(lambda x: f(jnp, x), x)
    found, gradient = tr.value_and_grad(lambda x: f(tr, x))(tr.asarray(x))
    check(found, value)
    check(gradient, slope)
    second = tr.grad(lambda x: tr.sum(tr.grad(lambda x: f(tr, x))(x) ** 2))(tr.asarray(x))
    slopes = jax.grad(lambda x: f(jnp, x))
    check(second, by_jax(jax.grad(lambda x: jnp.sum(slopes(x) ** 2)), x))


def test_places_as_numpy_takes_them(device: tr.Device) -> None:
    x = np.array([1.0, 2.0, 3.0], np.float32)
    mask = np.array([True, False])
    check(tr.insert(tr.asarray(x), mask, 5.0), np.insert(x, mask, 5.0))
    parts = tr.array_split(tr.asarray(x), np.int64(2))
    assert [part.tolist() for part in parts] == [[1, 2], [3]]
