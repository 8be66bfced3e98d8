"""The functions of LAPACK that jaxlib registers with XLA on a CPU, and what they mean to NumPy.

Their names are `lapack_` + one letter for the dtype + the routine's name + `_ffi`; matrices stand
column by column in memory. Source of the meanings: LAPACK Users' Guide, 3rd edition, 1999.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tracer.dtypes import DType, complex64, complex128, float32, float64, kind
from tracer.ops.factorizations import factored, solved

Array = NDArray[Any]

LETTERS: dict[DType, str] = {float32: "s", float64: "d", complex64: "c", complex128: "z"}
_OF_COMPLEX = {"orgqr": "ungqr", "syevd": "heevd"}
"""Routines that have another name for complex matrices."""

ALL, SOME, NONE = (np.uint8(ord(letter)) for letter in "ASN")
"""How many singular vectors: all, as many as there are singular values, none."""
VECTORS, LOWER, UPPER, LEFT = (np.uint8(ord(letter)) for letter in "VLUL")


def target(routine: str, dtype: DType) -> str:
    """The name under which a routine for matrices of this dtype is registered."""
    name = _OF_COMPLEX.get(routine, routine) if kind(dtype) == "complex" else routine
    return f"lapack_{LETTERS[dtype]}{name}_ffi"


def _each(function: Callable[..., Any], *stacks: Array) -> tuple[Array, ...]:
    """The function of each matrix of a stack; its results as stacks.

    `stacks` beyond the first are of vectors.
    """
    batch = stacks[0].shape[:-2]
    rows = [function(*(x[place] for x in stacks)) for place in np.ndindex(batch)]
    return tuple(np.reshape(np.stack(x), (*batch, *x[0].shape)) for x in zip(*rows, strict=True))


def _lu(matrix: Array) -> tuple[Any, ...]:
    """L below the diagonal, U on it and above; which row was exchanged with each; whether done."""
    found, steps = matrix.copy(), min(matrix.shape)
    exchanged, info = np.zeros(steps, np.int32), 0
    for i in range(steps):
        best = i + int(np.argmax(np.abs(found[i:, i])))
        exchanged[i] = best + 1
        found[[i, best]] = found[[best, i]]
        if found[i, i] == 0:
            info = info or i + 1
            continue
        found[i + 1 :, i] /= found[i, i]
        found[i + 1 :, i + 1 :] -= np.outer(found[i + 1 :, i], found[i, i + 1 :])
    return found, exchanged, np.int32(info)


def _positive(a: Array, uplo: int) -> tuple[Any, ...]:
    """The Cholesky factor in one triangle, the rest as it was; where it could not be found."""
    found = factored(a, lower=uplo == LOWER)
    info = np.isnan(found).any((-2, -1)).astype(np.int32)
    here = np.tril(np.ones(a.shape, np.bool_))
    return np.where(here if uplo == LOWER else np.swapaxes(here, -1, -2), found, a), info


def _triangular(a: Array, b: Array, **form: int) -> Array:
    """The solution of a triangular system."""
    letters = {name: chr(value) for name, value in form.items()}
    transposes = {"N": "NO_TRANSPOSE", "T": "TRANSPOSE", "C": "ADJOINT"}
    return solved(
        a,
        b,
        left_side=letters["side"] == "L",
        lower=letters["uplo"] == "L",
        unit_diagonal=letters["diag"] == "U",
        transpose_a=transposes[letters["trans_x"]],
    )


def _reflectors(matrix: Array) -> tuple[Array, ...]:
    """R, and below it the vectors of the reflectors; their factors."""
    packed, factors = np.linalg.qr(matrix, mode="raw")
    return np.swapaxes(packed, -1, -2), factors


def _orthogonal(packed: Array, factors: Array) -> tuple[Array, ...]:
    """The first columns of the product of reflectors I - t v v^H."""
    rows, columns = packed.shape
    found = np.eye(rows, columns, dtype=packed.dtype)
    for i in reversed(range(len(factors))):
        vector = np.concatenate([np.zeros(i), [1], packed[i + 1 :, i]]).astype(packed.dtype)
        found -= factors[i] * np.outer(vector, np.conj(vector) @ found)
    return (found,)


def _symmetric(a: Array, mode: int, uplo: int) -> tuple[Any, ...]:
    values, vectors = np.linalg.eigh(a, "L" if uplo == LOWER else "U")
    return (vectors if mode == VECTORS else a), values, 0


def _singular(a: Array, mode: int) -> tuple[Any, ...]:
    u, s, vh = np.linalg.svd(a, full_matrices=mode == ALL)
    return a, s, u, vh, 0


def _general(a: Array, compute_left: int, compute_right: int) -> tuple[Any, ...]:
    values, vectors = np.linalg.eig(a)
    parts = (values,) if kind(a.dtype) == "complex" else (values.real, values.imag)
    return *parts, np.zeros_like(vectors), vectors, 0


_ROUTINES: dict[str, Callable[..., Any]] = {
    "potrf": _positive,
    "trsm": _triangular,
    "getrf": lambda a: _each(_lu, a),
    "geqrf": _reflectors,
    "orgqr": lambda a, factors: _each(_orthogonal, a, factors),
    "syevd": _symmetric,
    "gesdd": _singular,
    "geev": _general,
}
MEANINGS = {
    target(routine, dtype): meaning for routine, meaning in _ROUTINES.items() for dtype in LETTERS
}
"""What each target means, by its name."""
