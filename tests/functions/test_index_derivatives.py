"""Derivatives of indexing, and of what reads and writes by indices, against jax.grad."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import tracer as tr
from tests.functions.oracle import by_jax, check, once, random

X, V, W = (random(n, 4, seed=n, dtype=np.float64) for n in (3, 4, 5))
V = V[:3]
S = slice
MANY, APART = np.asarray([2, 0, 0, -1, 2]), np.asarray([2, 0])
OUTSIDE = np.asarray([-9, 1, 7, 1, -3])
MASK = X > 0
IDS = np.asarray([0, 2, 2, -1, 5])
ALONG = np.asarray([[3, 0], [1, 1], [-1, 3]])

READS: dict[str, Callable[[Any, Any], Any]] = {
    "a row": lambda a, xp: a[1],
    "reversed steps": lambda a, xp: a[::-2, 1:3],
    "rows, some twice": lambda a, xp: a[xp.asarray(MANY)],
    "elements": lambda a, xp: a[xp.asarray(MANY), xp.asarray(MANY)],
    "columns of a slice": lambda a, xp: a[1:, None, xp.asarray([3, 3, 0])],
    "rows by a list": lambda a, xp: a[np.asarray([0, 0, 2])],
    "a mask": lambda a, xp: a[MASK],
    "a mask of a row": lambda a, xp: a[0, MASK[0]],
    "one by a tensor": lambda a, xp: a[xp.asarray(-1)],
    "take": lambda a, xp: xp.take(a, xp.asarray(MANY), 1),
    "take_along_axis": lambda a, xp: xp.take_along_axis(a, xp.asarray(ALONG), 1),
    "rows that broadcast": lambda a, xp: xp.take_along_axis(a[:1], xp.asarray(ALONG), 1),
}
WRITES: dict[str, Callable[[Any, Any, Any], Any]] = {
    "a row": lambda a, v, xp: a.at[1].set(v[0]),
    "steps": lambda a, v, xp: a.at[::-2, ::3].set(v[:2, :2]),
    "rows": lambda a, v, xp: a.at[xp.asarray(APART)].set(v[:2]),
    "rows by a list": lambda a, v, xp: a.at[np.asarray([2, 0])].set(v[:2]),
    "elements": lambda a, v, xp: a.at[xp.asarray(APART), xp.asarray([1, -1])].set(v[0, :2]),
    "rows out of range": lambda a, v, xp: a.at[xp.asarray([2, 9])].set(v[:2]),
    "a mask": lambda a, v, xp: a.at[MASK if xp is jnp else tr.asarray(MASK)].set(v[0, 0]),
    "added rows": lambda a, v, xp: a.at[xp.asarray(OUTSIDE)[:3]].add(v),
    "subtracted rows": lambda a, v, xp: a.at[xp.asarray(MANY)[:3]].subtract(v),
    "a region": lambda a, v, xp: a.at[1:, 1:].multiply(v[1:, 1:]),
    "an extremum": lambda a, v, xp: a.at[xp.asarray(MANY)[:3]].max(v),
    "another": lambda a, v, xp: a.at[xp.asarray(MANY)[:3]].min(v),
}


AGAIN = ("rows, some twice", "take_along_axis", "elements", "added rows", "an extremum")
"""Those that are differentiated twice."""


def _joined(xp: Any, parts: list[Any]) -> Any:
    """A number that depends on each element in its own way."""
    whole = xp.concatenate([x.reshape(-1) for x in parts])
    return xp.sum(xp.sin(whole) * np.cos(np.arange(whole.size)))


def _read(xp: Any, names: Any = READS) -> Callable[[Any], Any]:
    used = [f for name, f in READS.items() if name in names]
    return lambda a: _joined(xp, [f(a, xp) for f in used])


def _write(xp: Any, names: Any = WRITES) -> Callable[[Any, Any], Any]:
    used = [f for name, f in WRITES.items() if name in names]
    return lambda a, v: _joined(xp, [f(a, v, xp) for f in used])


def test_reading(device: tr.Device) -> None:
    expected = once("read", lambda: by_jax(jax.grad(_read(jnp)), X))
    check(tr.grad(_read(tr))(tr.asarray(X)), expected)


def test_writing(device: tr.Device) -> None:
    expected = once("write", lambda: by_jax(jax.grad(_write(jnp), (0, 1)), X, V))
    found = tr.grad(_write(tr), (0, 1))(tr.asarray(X), tr.asarray(V))
    for mine, right in zip(found, expected, strict=True):
        check(mine, right)


def test_second_order(device: tr.Device) -> None:
    def twice(xp: Any, grad: Any) -> Callable[[Any, Any], Any]:
        def first(a: Any, v: Any) -> Any:
            read, (x, y) = grad(_read(xp, AGAIN))(a), grad(_write(xp, AGAIN), (0, 1))(a, v)
            return xp.sum(read * read) + xp.sum(x * x) + xp.sum(xp.sin(y))

        return grad(first, (0, 1))

    expected = once("twice", lambda: by_jax(twice(jnp, jax.grad), X, V))
    found = twice(tr, tr.grad)(tr.asarray(X), tr.asarray(V))
    for mine, right in zip(found, expected, strict=True):
        check(mine, right)


def test_out_of_range(device: tr.Device) -> None:
    def clamped(a: Any) -> Any:
        return jnp.sum(a.at[OUTSIDE].get(mode="clip") * W)

    expected = once("clamped", lambda: by_jax(jax.grad(clamped), X))
    i = tr.asarray(OUTSIDE)
    check(tr.grad(lambda a: tr.sum(a[i] * W))(tr.asarray(X)), expected)


def test_multiplied(device: tr.Device) -> None:
    def by(xp: Any, **given: Any) -> Callable[[Any, Any], Any]:
        return lambda a, v: xp.sum(a.at[APART].multiply(v[:2], **given) * W[:3])

    expected = once("times", lambda: by_jax(jax.grad(by(jnp, unique_indices=True), (0, 1)), X, V))
    found = tr.grad(by(tr), (0, 1))(tr.asarray(X), tr.asarray(V))
    for mine, right in zip(found, expected, strict=True):
        check(mine, right)
    i = tr.asarray(APART)
    check(tr.grad(lambda a: tr.sum(a.at[i].multiply(V[:2]) * W[:3]))(tr.asarray(X)), expected[0])
    with pytest.raises(NotImplementedError, match="unique_indices"):
        tr.grad(lambda v: tr.sum(tr.asarray(X).at[i].multiply(v)))(tr.asarray(V[:2]))


def test_only_what_stays_has_a_derivative(device: tr.Device) -> None:
    for i in (np.asarray([1, 1, 0]), tr.asarray([1, 1, 0])):
        f = tr.grad(lambda a, v, i=i: tr.sum(a.at[i].set(v) * np.float32([2, 3, 4])), (0, 1))
        x, v = f(tr.asarray([5.0, 6.0, 7.0]), tr.asarray([1.0, 2.0, 3.0]))
        check(x, np.float32([0, 0, 4]))
        check(v, np.float32([0, 3, 2]))


def test_ties_split_equally(device: tr.Device) -> None:
    i = tr.asarray([0, 0, 1])
    f = tr.grad(lambda a, v: tr.sum(a.at[i].max(v)), (0, 1))
    x, v = f(tr.asarray([1.0, 4.0]), tr.asarray([5.0, 5.0, 4.0]))
    check(x, np.float32([0, 0.5]))
    check(v, np.float32([0.5, 0.5, 0.5]))


def test_sums_of_segments_and_places_along_an_axis(device: tr.Device) -> None:
    def f(a: Any, v: Any, xp: Any, segment_sum: Any, put: Any) -> Any:
        summed = segment_sum(a, xp.asarray(IDS), 3)
        placed = put(v, xp.asarray(ALONG), a[:3, :2], 1)
        return xp.sum(xp.sin(summed)) + xp.sum(placed * placed * V)

    def by(a: Any, v: Any) -> Any:
        dropped = jnp.where(IDS < 0, 99, IDS)
        return f(
            a,
            v,
            jnp,
            lambda x, ids, n: jax.ops.segment_sum(x, dropped, n),
            lambda *given: jnp.put_along_axis(*given, inplace=False),
        )

    expected = once("segments", lambda: by_jax(jax.grad(by, (0, 1)), W, V))
    mine = tr.grad(lambda a, v: f(a, v, tr, tr.segment_sum, tr.put_along_axis), (0, 1))
    for found, right in zip(mine(tr.asarray(W), tr.asarray(V)), expected, strict=True):
        check(found, right)
