"""Values against NumPy, in both modes and all dtypes; what is not unique by what defines it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
import scipy.linalg

import tracer as tr
from tests.functions.oracle import Array, check

F32, F64, C64, C128 = (np.dtype(x) for x in (np.float32, np.float64, np.complex64, np.complex128))
INF = float("inf")


def adjoint(x: Any) -> Any:
    """The conjugate transpose of a stack of arrays or tensors."""
    return np.conj(np.swapaxes(np.asarray(x), -1, -2))


@cache
def inputs(dtype: Any) -> dict[str, Array]:
    """Matrices of each kind that a function may want."""
    draw = np.random.default_rng(0)

    def normal(*shape: int) -> Array:
        found = draw.normal(size=shape)
        return (found + 1j * draw.normal(size=shape) if dtype.kind == "c" else found).astype(dtype)

    square = normal(2, 4, 4) + 2 * np.eye(4, dtype=dtype)
    hermitian = square + adjoint(square)
    return {
        "square": square,
        "tall": normal(2, 5, 3),
        "wide": normal(2, 3, 5),
        "hermitian": hermitian,
        "positive": square @ adjoint(square) + np.eye(4, dtype=dtype),
        "columns": normal(2, 4, 2),
        "vector": normal(4),
        "deficient": normal(2, 5, 2) @ normal(2, 2, 4),
    }


Case = Callable[[Any, dict[str, Any]], Any]
UNIQUE: dict[str, Case] = {
    "cholesky": lambda la, m: la.cholesky(m["positive"]),
    "cholesky of a triangle": lambda la, m: la.cholesky(np.tril(m["positive"])),
    "cond": lambda la, m: la.cond(m["tall"]),
    "cond in norm 1": lambda la, m: la.cond(m["square"], 1),
    "cond by the smallest": lambda la, m: la.cond(m["square"], -2),
    "cross": lambda la, m: la.cross(m["tall"], m["tall"][:1, ::-1]),
    "det": lambda la, m: la.det(m["square"]),
    "diagonal": lambda la, m: la.diagonal(m["tall"], offset=-1),
    "eigvalsh": lambda la, m: la.eigvalsh(m["hermitian"]),
    "inv": lambda la, m: la.inv(m["square"]),
    "matmul": lambda la, m: la.matmul(m["square"], m["columns"]),
    "matrix_power": lambda la, m: la.matrix_power(m["square"], 5),
    "matrix_power of 0": lambda la, m: la.matrix_power(m["square"], 0),
    "matrix_power below 0": lambda la, m: la.matrix_power(m["square"], -3),
    "matrix_transpose": lambda la, m: la.matrix_transpose(m["tall"]),
    "multi_dot": lambda la, m: la.multi_dot([m["vector"], m["square"][0], m["columns"][1]]),
    "multi_dot to a vector": lambda la, m: la.multi_dot([m["columns"][0].T, m["vector"]]),
    "norm": lambda la, m: la.norm(m["tall"]),
    "norm of vectors": lambda la, m: la.norm(m["tall"], axis=1, keepdims=True),
    "norm of matrices": lambda la, m: la.norm(m["tall"], 1, (2, 0), True),
    "norm of a matrix": lambda la, m: la.norm(m["tall"][0], "nuc"),
    "outer": lambda la, m: la.outer(m["vector"], m["vector"][:3]),
    "pinv": lambda la, m: la.pinv(m["tall"]),
    "pinv of a wide one": lambda la, m: la.pinv(m["wide"]),
    "pinv to a tolerance": lambda la, m: la.pinv(m["square"], rtol=np.asarray([0.5, 0.1])),
    "slogdet": lambda la, m: la.slogdet(m["square"]),
    "solve": lambda la, m: la.solve(m["square"], m["columns"]),
    "solve for a vector": lambda la, m: la.solve(m["square"], m["vector"]),
    "solve for several": lambda la, m: la.solve(m["square"][0], m["columns"]),
    "svdvals": lambda la, m: la.svdvals(m["wide"]),
    "tensordot": lambda la, m: la.tensordot(m["square"], m["columns"], axes=((2,), (1,))),
    "trace": lambda la, m: la.trace(m["wide"], offset=1),
    "vecdot": lambda la, m: la.vecdot(m["columns"], m["vector"][:, None], axis=-2),
    **{
        f"matrix_norm {order}": lambda la, m, order=order: la.matrix_norm(m["wide"], ord=order)
        for order in ("fro", "nuc", 1, -1, 2, -2, INF, -INF)
    },
    **{
        f"vector_norm {order}": lambda la, m, order=order: la.vector_norm(
            m["tall"], ord=order, axis=(0, 2), keepdims=True
        )
        for order in (2, 1, 0, 3, -1, 0.5, INF, -INF)
    },
}


def _pinned(la: Any, m: dict[str, Any], *, rank: bool) -> Any:
    """lstsq of NumPy without the residuals, which it lacks below full rank."""
    found = la.lstsq(m["tall"][0], m["vector"][[0, 1, 2, 3, 0]], rcond=None)
    return found[2] if rank else (found[0], found[3])


def _singular(la: Any, a: Any, full: bool) -> Any:
    u, s, vh = la.svd(a, full_matrices=full)
    k = s.shape[-1]
    whole = (u[..., :k] * s[..., None, :]) @ vh[..., :k, :]
    return whole, tr.matmul(_h(u), u), tr.matmul(vh, _h(vh)), s


def _h(x: tr.Tensor) -> tr.Tensor:
    return tr.matrix_transpose(tr.conj(x))


def _qr(la: Any, a: Any, mode: str) -> Any:
    q, r = la.qr(a, mode=mode)
    return q @ r, _h(q) @ q, r - tr.triu(r)


def _eigh(la: Any, a: Any) -> Any:
    values, vectors = la.eigh(a)
    return (vectors * values[..., None, :]) @ _h(vectors), values


def _eig(la: Any, a: Any) -> Any:
    values, vectors = la.eig(a)
    return a @ vectors - vectors * values[..., None, :], tr.sum(tr.abs(vectors) ** 2, -2)


def _eye(n: int, like: Array) -> Array:
    return np.broadcast_to(np.eye(n, dtype=like.dtype), (2, n, n))


def _svd_facts(a: Array, full: bool) -> Any:
    rows, columns = a.shape[-2:]
    left, right = (rows, columns) if full else (min(rows, columns),) * 2
    return a, _eye(left, a), _eye(right, a), np.linalg.svdvals(a)


def _qr_facts(a: Array, mode: str) -> Any:
    rows, columns = a.shape[-2:]
    width = rows if mode == "complete" else min(rows, columns)
    return a, _eye(width, a), np.zeros((2, width, columns), a.dtype)


def _eig_facts(a: Array) -> Any:
    wide = np.result_type(a.dtype, np.complex64)
    return np.zeros(a.shape, wide), np.ones(a.shape[:-1], wide.type(0).real.dtype)


DEFINED: dict[str, tuple[Case, Callable[[dict[str, Array]], Any]]] = {
    "eig": (lambda la, m: _eig(la, m["square"]), lambda m: _eig_facts(m["square"])),
    "eigh": (
        lambda la, m: _eigh(la, m["hermitian"]),
        lambda m: (m["hermitian"], np.linalg.eigvalsh(m["hermitian"])),
    ),
    "eigvals": (
        lambda la, m: tr.prod(la.eigvals(m["square"]), axis=-1),
        lambda m: np.linalg.det(m["square"]) + 0j,
    ),
    "expm": (lambda la, m: la.expm(m["square"]), lambda m: scipy.linalg.expm(m["square"])),
    "expm of small": (
        lambda la, m: la.expm(m["square"] / 100),
        lambda m: scipy.linalg.expm(m["square"] / 100),
    ),
    "cholesky, upper": (
        lambda la, m: la.cholesky(m["positive"], upper=True),
        lambda m: adjoint(np.linalg.cholesky(m["positive"])),
    ),
    "lstsq": (
        lambda la, m: _pinned(la, m, rank=False),
        lambda m: _pinned(np.linalg, m, rank=False),
    ),
    "rank of lstsq": (lambda la, m: _pinned(la, m, rank=True), lambda m: np.int32(3)),
    "matrix_rank": (
        lambda la, m: la.matrix_rank(m["deficient"]),
        lambda m: np.asarray([2, 2], np.int32),
    ),
    **{
        f"{name} of a {kind} one, {how}": (
            lambda la, m, f=f, kind=kind, how=how: f(la, m[kind], how),
            lambda m, facts=facts, kind=kind, how=how: facts(m[kind], how),
        )
        for kind in ("tall", "wide")
        for name, f, facts, ways in (
            ("qr", _qr, _qr_facts, ("reduced", "complete")),
            ("svd", _singular, _svd_facts, (False, True)),
        )
        for how in ways
    },
}


FEW = (
    *("cholesky", "det", "solve", "svdvals", "matrix_norm fro", "vector_norm 3"),
    *("eig", "eigh", "qr of a tall one, reduced", "svd of a wide one, True"),
)
"""One or more of each of LAPACK's routines."""
MODES = {
    ("XLA", F32): [*UNIQUE, *DEFINED],
    ("XLA", C128): [*UNIQUE, *DEFINED],
    ("XLA", F64): FEW,
    ("XLA", C64): FEW,
    ("EAGER", F64): FEW,
}


@cache
def found(backend: str, dtype: Any) -> dict[str, Any]:
    """What the cases of a mode give: lazily, in one program."""
    names = MODES[backend, dtype]
    with tr.default_device(tr.Device("CPU", 0, backend)):
        given = {name: tr.asarray(x) for name, x in inputs(dtype).items()}
        numpy = inputs(dtype)
        unique = {name: UNIQUE[name](tr.linalg, numpy) for name in names if name in UNIQUE}
        defined = {name: DEFINED[name][0](tr.linalg, given) for name in names if name in DEFINED}
        return unique | defined


def compare(results: Any, expected: Any) -> None:
    """Raises AssertionError unless each of several results is near."""
    if not isinstance(expected, tuple):
        results, expected = (results,), (expected,)
    for one, other in zip(results, expected, strict=True):
        wanted = np.asarray(other)
        # of condition some 1e2, so two digits are lost
        check(one, wanted, tolerance={4: 2e-4, 8: 1e-10}[wanted.real.dtype.itemsize])


CASES = [(name, *mode) for mode, names in MODES.items() for name in names]
IDS = [f"{name}-{backend}-{dtype}" for name, backend, dtype in CASES]


@pytest.mark.parametrize(("name", "backend", "dtype"), CASES, ids=IDS)
def test_value(name: str, backend: str, dtype: Any) -> None:
    given = inputs(dtype)
    wanted = UNIQUE[name](np.linalg, given) if name in UNIQUE else DEFINED[name][1](given)
    compare(found(backend, dtype)[name], wanted)
