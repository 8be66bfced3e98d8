"""einsum against numpy.einsum, its derivatives against jax.grad of jax.numpy.einsum."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import tracer as tr
from tests.functions.oracle import Array, by_jax, check, jax_gradient, once, random

CASES: list[tuple[str, tuple[tuple[int, ...], ...]]] = [
    ("ij,jk->ik", ((2, 3), (3, 4))),
    ("ij, jk", ((2, 3), (3, 4))),
    ("ba", ((2, 3),)),
    ("ii", ((3, 3),)),
    ("ii->i", ((3, 3),)),
    ("iji->j", ((3, 2, 3),)),
    ("iii->i", ((2, 2, 2),)),
    ("ijij->ji", ((2, 3, 2, 3),)),
    ("ii,ij->j", ((3, 3), (3, 2))),
    ("ij->", ((2, 3),)),
    ("ij->ji", ((2, 3),)),
    ("i,j->ji", ((2,), (3,))),
    ("ij,i->", ((2, 3), (2,))),
    ("...ij,...jk->...ik", ((5, 2, 3), (3, 4))),
    ("...ij,jk", ((5, 2, 3), (3, 4))),
    ("i...->...", ((2, 3, 4),)),
    ("...,...", ((2, 3), (4, 2, 3))),
    ("ij,jk->ik", ((2, 1), (3, 4))),
    ("i,i->i", ((1,), (3,))),
    ("bhqd,bhkd->bhqk", ((2, 2, 3, 4), (2, 2, 5, 4))),
    ("ab,bc,cd->ad", ((2, 3), (3, 4), (4, 5))),
    ("ij,ij,ij->j", ((2, 3), (2, 3), (2, 3))),
    ("a,b,c,d->dcba", ((2,), (3,), (1,), (2,))),
    ("ij,jk->ik", ((2, 0), (0, 4))),
    ("ij,jk->ik", ((0, 2), (2, 4))),
    ("ii->i", ((0, 0),)),
    ("", ((),)),
    (",->", ((), ())),
]


def _some(shapes: tuple[tuple[int, ...], ...], dtype: Any = np.float32) -> list[Array]:
    return [random(*shape, seed=seed, dtype=dtype) for seed, shape in enumerate(shapes)]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_as_numpy(case: Any, device: tr.Device) -> None:
    subscripts, shapes = case
    operands = _some(shapes)
    check(tr.einsum(subscripts, *map(tr.asarray, operands)), np.einsum(subscripts, *operands))


PATHS = ["greedy", "optimal", True, False, [(1, 2), (0, 1)], ((0, 1, 2),), ((0,), (0, 1), (0, 1))]


@pytest.mark.parametrize("optimize", PATHS, ids=str)
def test_paths(optimize: Any, device: tr.Device) -> None:
    operands = _some(((2, 3), (3, 4), (4, 5)))
    found = tr.einsum("ab,bc,cd->da", *map(tr.asarray, operands), optimize=optimize)
    check(found, np.einsum("ab,bc,cd->da", *operands))


def test_sublists(device: tr.Device) -> None:
    a, b = _some(((2, 3), (3, 4)))
    x, y = tr.asarray(a), tr.asarray(b)
    check(tr.einsum(x, [0, 1], y, [1, 2], [2, 0]), (a @ b).T)
    check(tr.einsum(x, [7, 8], b, (8, 9)), a @ b)
    check(tr.einsum(x, [..., 0], [...]), a.sum(1))
    check(tr.einsum(x, [0, 1], []), a.sum())


GRADIENTS = ["ii,ij->j", "ij,ik->", "ji,jk->ki", "ij,kl->jl"]


@pytest.mark.parametrize("subscripts", GRADIENTS)
def test_derivatives(subscripts: str, device: tr.Device) -> None:
    a, b = _some(((3, 3), (3, 3)), np.float64)

    def cost(m: Any, x: Any, y: Any) -> Any:
        z = m.einsum(subscripts, x, y)
        return m.sum(z * z * z)

    def bend(m: Any, grad: Any) -> Any:
        first = grad(lambda x, y: cost(m, x, y))
        return lambda x, y: m.sum(first(x, y) * m.sin(y))

    def second() -> Any:
        return by_jax(jax.grad(bend(jnp, jax.grad), (0, 1)), a, b)

    _, wanted = once(subscripts, lambda: jax_gradient(lambda *v: cost(jnp, *v), a, b))
    x, y = tr.asarray(a), tr.asarray(b)
    check(tr.grad(lambda *v: cost(tr, *v))(x, y), wanted)
    for found, expected in zip(
        tr.grad(bend(tr, tr.grad), (0, 1))(x, y), once(f"2 {subscripts}", second), strict=True
    ):
        check(found, expected, tolerance=1e-10)  # sums of products of seven factors


DTYPES = [np.int8, np.uint8, np.int32, np.int64, np.float16, tr.bfloat16, np.float64, np.complex64]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_dtypes(dtype: Any, device: tr.Device) -> None:
    a = np.arange(12).reshape(3, 4)
    a = (a % 5).astype(dtype)
    b = np.arange(8).reshape(4, 2).astype(dtype)
    expected = np.einsum("ij,jk", a.astype(np.complex128), b.astype(np.complex128))
    check(tr.einsum("ij,jk", tr.asarray(a), tr.asarray(b)), expected.real, dtype)


def test_operands_promote(device: tr.Device) -> None:
    half = np.ones(3, np.float16)
    check(tr.einsum("i,i", half, tr.ones(3)), np.float32(3))
    check(tr.einsum("i,", tr.asarray([1, 2]), 0.5), np.array([0.5, 1], np.float32))


def test_sums_in_another_dtype(device: tr.Device) -> None:
    small = tr.asarray(np.full((2, 3), 100, np.int8))
    sums = lambda form, *x, dtype: tr.einsum(form, *x, preferred_element_type=dtype)
    check(sums("ij,kj->ik", small, small, dtype=tr.int32), np.full((2, 2), 30000, np.int32))
    check(sums("ij->i", small, dtype=tr.int32), np.array([300, 300], np.int32))
    many = tr.asarray(np.full(4096, 1.5, np.float16))
    product = sums("i,i,->", many, many, tr.asarray(np.float16(20)), dtype=tr.float32)
    check(product, np.float32(4096 * 2.25 * 20))


def test_nothing_crosses_a_diagonal(device: tr.Device) -> None:
    """What stands beside it is not multiplied by 0."""
    x = np.where(np.eye(3) > 0, -0.0, np.nan).astype(np.float32)
    found = tr.einsum("ii->i", tr.asarray(x)).numpy()
    check(found, np.zeros(3, np.float32))
    assert np.signbit(found).all()


STEPS = {
    "ij,jk->ik": ["dot_general"],
    "ij,jk->ki": ["dot_general"],
    "bij,bkj->bki": ["dot_general"],
    "ij,kj->ijk": ["dot_general", "transpose"],
    "ij,jk,kl->il": ["dot_general", "dot_general"],
    "ij->ji": ["transpose"],
    "ij->ij": [],
}


@pytest.mark.parametrize("subscripts", STEPS)
def test_a_step_is_one_product(subscripts: str) -> None:
    inputs, _ = subscripts.split("->")
    operands = [tr.ones((3,) * len(labels)) for labels in inputs.split(",")]
    traced = tr.trace(lambda *x: tr.einsum(subscripts, *x), *operands)
    assert [operation.op.name for operation in traced.body.operations] == STEPS[subscripts]
