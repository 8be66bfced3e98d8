"""Matrices without elements, singular ones, equal singular values, NaN, and other devices."""

from __future__ import annotations

import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import tracer as tr
from lowering import interpret
from tests.functions.oracle import check
from tracer.dtypes import float32
from tracer.ir import Builder, TensorType
from tracer.linalg import routines
from tracer.ops import OPS
from tracer.ops.custom import config_of
from tracer.ops.lapack import NONE, SOME, VECTORS, target

SQUARE = ("cholesky", "det", "eig", "eigh", "eigvals", "eigvalsh", "expm", "inv", "slogdet")
ANY = ("matrix_rank", "pinv", "qr", "svd", "svdvals")
NUMPY = {"expm": lambda x: x}


@pytest.mark.parametrize("shape", [(0, 0), (2, 0, 0), (0, 3, 3)])
@pytest.mark.parametrize("name", SQUARE)
def test_square_matrices_without_elements(name: str, shape: tuple[int, ...]) -> None:
    x = np.zeros(shape, np.float32)
    found = getattr(tr.linalg, name)(x)
    wanted = (NUMPY.get(name) or getattr(np.linalg, name))(x)
    pairs = zip(found, wanted, strict=True) if isinstance(wanted, tuple) else [(found, wanted)]
    for mine, theirs in pairs:
        assert mine.shape == theirs.shape
        if name not in ("eig", "eigvals"):  # NumPy's are real where there are none
            check(mine, theirs)


@pytest.mark.parametrize("shape", [(0, 3), (2, 3, 0), (0, 2, 3)])
@pytest.mark.parametrize("name", ANY)
def test_matrices_without_elements(name: str, shape: tuple[int, ...]) -> None:
    x = np.zeros(shape, np.float32)
    found, wanted = getattr(tr.linalg, name)(x), getattr(np.linalg, name)(x)
    pairs = zip(found, wanted, strict=True) if isinstance(wanted, tuple) else [(found, wanted)]
    for mine, theirs in pairs:
        check(mine, theirs, np.int32 if name == "matrix_rank" else None)


def test_systems_without_elements() -> None:
    square, none = np.zeros((0, 0), np.float32), np.zeros((0, 2), np.float32)
    check(tr.linalg.solve(square, none), none)
    check(tr.linalg.solve(np.eye(2, dtype=np.float32), none.T), none.T)
    check(tr.linalg.norm(none), np.float32(0))
    check(tr.linalg.matrix_power(square, 3), square)


def test_integers_become_float32() -> None:
    check(tr.linalg.det(np.asarray([[1, 2], [3, 4]])), np.float32(-2))


SINGULAR = np.asarray([[1.0, 2, 3], [2, 4, 6], [1, 0, 1]])


def test_singular_matrices(device: tr.Device) -> None:
    check(tr.linalg.det(SINGULAR), np.float64(0))
    sign, size = tr.linalg.slogdet(np.zeros((2, 2)))
    assert (sign.item(), size.item()) == (0.0, -np.inf)
    assert not np.isfinite(tr.linalg.inv(SINGULAR).numpy()).any()
    assert np.isnan(tr.linalg.cholesky(-np.eye(2)).numpy()).all()
    stack = tr.linalg.cholesky(np.stack([np.eye(2), -np.eye(2)])).numpy()
    assert (stack[0] == np.eye(2)).all() and np.isnan(stack[1]).all()


def _cofactors(a: Any) -> Any:
    """By their definition."""
    n = len(a)
    minors = [
        [np.linalg.det(np.delete(np.delete(a, i, 0), j, 1)) for j in range(n)] for i in range(n)
    ]
    return np.asarray(minors) * (-1.0) ** np.add.outer(range(n), range(n))


@pytest.mark.parametrize("rank", [4, 3, 2, 1, 0])
def test_the_derivative_of_a_determinant_is_the_cofactors(rank: int) -> None:
    draw = np.random.default_rng(rank)
    a = draw.normal(size=(4, rank)) @ draw.normal(size=(rank, 4))
    along = draw.normal(size=(4, 4))
    gradient = tr.grad(tr.linalg.det)
    second = tr.grad(lambda x: tr.sum(gradient(x) * along))
    step = 1e-5
    slope = (_cofactors(a + step * along) - _cofactors(a - step * along)) / (2 * step)
    check(gradient(tr.asarray(a)), _cofactors(a), tolerance=1e-10)
    check(second(tr.asarray(a)), slope, tolerance=1e-7)  # of a finite difference


def test_derivatives_of_one_by_one_and_of_empty_determinants() -> None:
    assert tr.grad(tr.linalg.det)(tr.asarray([[3.0]])).tolist() == [[1.0]]
    assert tr.grad(tr.linalg.det)(tr.zeros((0, 0))).shape == (0, 0)


@pytest.mark.parametrize("name", ["svdvals", "eigvalsh", "matrix_norm", "vector_norm", "pinv"])
def test_derivatives_at_equal_singular_values(name: str) -> None:
    """Of the sum of the results, whose slope is that of the trace, or of the norm."""
    at = tr.asarray(np.eye(3))
    found = tr.grad(lambda x: tr.sum(getattr(tr.linalg, name)(x)))(at).numpy()
    wanted = {
        "matrix_norm": np.eye(3) / np.sqrt(3),
        "vector_norm": np.eye(3) / np.sqrt(3),
        "pinv": -np.ones((3, 3)),
    }
    check(found, wanted.get(name, np.eye(3)))


def test_vectors_of_equal_singular_values_add_nothing() -> None:
    at = tr.asarray(np.eye(3))
    for f in (lambda x: tr.linalg.eigh(x)[1][0, 0], lambda x: tr.linalg.svd(x)[0][0, 0]):
        assert not tr.grad(f)(at).numpy().any()


@pytest.mark.parametrize("order", [2, 1, 3, 0.5, float("inf")])
def test_the_slope_of_a_norm_at_zero(order: float) -> None:
    found = tr.grad(lambda x: tr.linalg.vector_norm(x, ord=order))(tr.zeros(3))
    assert not found.numpy().any()


def test_what_is_not_a_number_spreads(device: tr.Device) -> None:
    x = np.full((2, 2), np.nan)
    assert np.isnan(tr.linalg.det(x).item())
    assert np.isnan(tr.linalg.solve(x, np.ones(2)).numpy()).all()
    assert np.isnan(tr.linalg.vector_norm(x).item())


@pytest.mark.parametrize("name", ["eig", "eigvalsh", "svd", "svdvals"])
def test_iterations_end_whatever_they_are_given(name: str) -> None:
    """One matrix of a stack that holds no numbers spoils no other."""
    x = np.stack([np.eye(3)] * 3)
    x[0, 1, 0], x[1, 1, 0] = np.nan, np.inf
    found = getattr(tr.linalg, name)(x)
    for part in found if isinstance(found, tuple) else (found,):
        assert np.isnan(part.numpy()[:2]).all()
        assert np.isfinite(part.numpy()[2]).all()


def test_vectors_that_are_not_determined_have_no_derivative() -> None:
    tall = tr.ones((3, 2))
    with pytest.raises(NotImplementedError, match="use full_matrices=False\n  at "):
        tr.grad(lambda x: tr.sum(tr.linalg.svd(x)[0]))(tall)
    with pytest.raises(NotImplementedError, match='in mode "complete" for M > N\n  at '):
        tr.grad(lambda x: tr.sum(tr.linalg.qr(x, mode="complete")[0]))(tall)
    assert tr.grad(lambda x: tr.sum(tr.linalg.svd(x)[1]))(tall).shape == (3, 2)


def test_lapack_is_on_a_cpu() -> None:
    elsewhere = SimpleNamespace(ndim=2, device=SimpleNamespace(kind="GPU", __str__="GPU:0"))
    with pytest.raises(NotImplementedError, match="svd needs LAPACK, which runs on a CPU"):
        routines._call("svd", "gesdd", (elsewhere,), [])  # type: ignore[arg-type]


def test_lapack_leaves_jax_alone() -> None:
    code = (
        "import sys, tracer as tr\n"
        "assert tr.linalg.det(tr.eye(2)).item() == 1.0\n"
        "print('jax' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def _call(routine: str, x: Any, shapes: Any, **config: Any) -> Any:
    """The NumPy meaning of a routine, by the interpreter."""
    builder = Builder()
    attributes = {
        "call_target_name": target(routine, float32),
        "api_version": 4,
        "backend_config": config_of(**config),
        "results": tuple(TensorType(shape, np.dtype(dtype)) for shape, dtype in shapes),
    }
    results = builder.create(
        OPS["custom_call"], [builder.argument(TensorType(x.shape, x.dtype))], attributes
    )
    return interpret(builder.function("main", results), x)


def test_meanings_whose_results_are_partly_memory() -> None:
    """What of gesdd and geev means something is LAPACK's and NumPy's."""
    x = np.random.default_rng(0).normal(size=(3, 3)).astype(np.float32)
    line, square = ((3,), np.float32), ((3, 3), np.float32)
    _, s, u, vh, info = _call("gesdd", x, [square, line, square, square, ((), np.int32)], mode=SOME)
    check((u * s) @ vh, x)
    wide = ((3, 3), np.complex64)
    shapes = [line, line, wide, wide, ((), np.int32)]
    real, imag, _, v, _ = _call("geev", x, shapes, compute_left=NONE, compute_right=VECTORS)
    check(x @ v, v * (real + 1j * imag), tolerance=1e-5)
    assert info == 0


def test_tolerances_are_on_the_device_of_the_matrix() -> None:
    x = tr.eye(2, device=tr.Device.default_xla())
    assert tr.linalg.pinv(x).tolist() == x.tolist()
    assert tr.linalg.matrix_rank(x, rtol=0.1).item() == 2
    assert tr.linalg.lstsq(x, x[0]).x.tolist() == [1, 0]
