"""Samples of the Fourier transform, of factorizations, and of calls of LAPACK."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.ops.samples import Sample, normal
from tracer.dtypes import PART
from tracer.ir import TensorType
from tracer.ops.custom import config_of
from tracer.ops.lapack import LEFT, LETTERS, LOWER, NONE, UPPER, VECTORS, target

F32, F64, C64, C128 = (np.dtype(x) for x in (np.float32, np.float64, np.complex64, np.complex128))
I32 = np.dtype(np.int32)


def _fft(name: str, fft_type: str, length: tuple[int, ...], x: Any, smooth: bool = True) -> Sample:
    attributes = {"fft_type": fft_type, "fft_length": length}
    return Sample(f"{fft_type}_{x.dtype.name}_{name}", (x,), attributes, smooth=smooth)


def _ffts() -> list[Sample]:
    line = normal(0, 2, 6, dtype=C128)
    special = np.asarray([np.nan, 1, 2, 3], F32)
    real = [  # finite differences are of complex functions, or of real ones: these are neither
        _fft("line", "RFFT", (6,), normal(1, 2, 6), smooth=False),
        _fft("odd", "RFFT", (5,), normal(1, 2, 5), smooth=False),
        _fft("one", "RFFT", (1,), normal(1, 2, 1), smooth=False),
        _fft("box", "RFFT", (2, 3, 4), normal(2, 2, 3, 4, dtype=F32), smooth=False),
        _fft("nothing", "RFFT", (0,), normal(1, 2, 0), smooth=False),
        _fft("line", "IRFFT", (6,), normal(3, 2, 4, dtype=C128), smooth=False),
        _fft("odd", "IRFFT", (5,), normal(3, 2, 3, dtype=C128), smooth=False),
        _fft("one", "IRFFT", (1,), normal(3, 2, 1, dtype=C128), smooth=False),
        _fft("table", "IRFFT", (3, 4), normal(4, 3, 3, dtype=C64), smooth=False),
        _fft("no_rows", "IRFFT", (4,), normal(4, 0, 3, dtype=C64), smooth=False),
        _fft("special", "RFFT", (4,), special, smooth=False),
    ]
    return [
        _fft("line", "FFT", (6,), line),
        _fft("line", "IFFT", (6,), line),
        _fft("prime", "FFT", (7,), normal(5, 7, dtype=C64)),
        _fft("table", "FFT", (2, 3), normal(6, 2, 2, 3, dtype=C128)),
        _fft("box", "IFFT", (2, 3, 2), normal(7, 2, 3, 2, dtype=C128)),
        _fft("box", "IFFT", (2, 3, 2), normal(7, 2, 3, 2, dtype=C64)),
        _fft("one", "FFT", (1,), line[:, :1]),
        _fft("nothing", "FFT", (0,), line[:, :0]),
        _fft("no_rows", "IFFT", (6,), line[:0]),
        *real,
    ]


def positive(seed: int, *shape: int, dtype: Any = F64) -> np.ndarray[Any, Any]:
    """Positive definite matrices, but for what stands above the diagonal."""
    root = normal(seed, *shape, dtype=dtype)
    whole = root @ np.conj(np.swapaxes(root, -1, -2)) + 3 * np.eye(shape[-1])
    return np.tril(whole) + np.triu(normal(seed + 1, *shape, dtype=dtype), 1).astype(dtype)


def _cholesky(name: str, a: Any, lower: bool = True, smooth: bool = True) -> Sample:
    given = a if lower else np.conj(np.swapaxes(a, -1, -2))
    return Sample(f"{a.dtype.name}_{name}", (given.astype(a.dtype),), {"lower": lower}, (), smooth)


def _choleskys() -> list[Sample]:
    none = np.asarray([[[1, 0], [2, 1]], [[4, 0], [2, 5]]], F64)
    return [
        _cholesky("plain", positive(10, 3, 3)),
        _cholesky("upper", positive(11, 3, 3), lower=False),
        _cholesky("stack", positive(12, 2, 3, 3)),
        _cholesky("one", positive(13, 1, 1)),
        _cholesky("empty", np.zeros((2, 0, 0))),
        _cholesky("no_matrices", np.zeros((0, 2, 2))),
        _cholesky("not_positive", none, smooth=False),
        _cholesky("plain", positive(14, 3, 3, dtype=F32).astype(F32)),
        # the conjugate in it is neither a complex function nor a real one
        _cholesky("plain", positive(15, 3, 3, dtype=C128), smooth=False),
        _cholesky("upper", positive(16, 2, 2, dtype=C64).astype(C64), lower=False),
    ]


def _triangular(name: str, a: Any, b: Any, smooth: bool = True, **given: Any) -> Sample:
    attributes = {
        "left_side": True,
        "lower": True,
        "unit_diagonal": False,
        "transpose_a": "NO_TRANSPOSE",
    }
    return Sample(f"{a.dtype.name}_{name}", (a, b), attributes | given, (), smooth)


def _triangulars() -> list[Sample]:
    def a(*shape: int, dtype: Any = F64) -> Any:
        return (normal(20, *shape, dtype=dtype) + 3 * np.eye(shape[-1])).astype(dtype)

    def b(*shape: int, dtype: Any = F64) -> Any:
        return normal(21, *shape, dtype=dtype)

    right: dict[str, Any] = {"left_side": False, "lower": False}
    adjoint: dict[str, Any] = {"transpose_a": "ADJOINT"}
    transposed: dict[str, Any] = {"transpose_a": "TRANSPOSE"}
    return [
        _triangular("plain", a(3, 3), b(3, 2)),
        _triangular("stack", a(2, 2, 2), b(2, 2, 3), lower=False),
        _triangular("transposed", a(3, 3), b(3, 2), **transposed),
        _triangular("adjoint", a(3, 3), b(3, 2), **adjoint, lower=False),
        _triangular("unit", a(3, 3), b(3, 2), unit_diagonal=True),
        _triangular("right", a(3, 3), b(2, 3), **right),
        _triangular("right_transposed", a(3, 3), b(2, 3), **right, **transposed),
        _triangular("right_unit", a(3, 3), b(2, 3), left_side=False, unit_diagonal=True, **adjoint),
        _triangular("plain", a(3, 3, dtype=C128), b(3, 2, dtype=C128)),
        _triangular("right", a(3, 3, dtype=C128), b(2, 3, dtype=C128), **right, **transposed),
        # the conjugate in it is neither a complex function nor a real one
        _triangular("adjoint", a(3, 3, dtype=C128), b(3, 2, dtype=C128), smooth=False, **adjoint),
        _triangular("plain", a(3, 3, dtype=F32), b(3, 2, dtype=F32)),
        _triangular("plain", *(np.rint(x).astype(np.float16) for x in (a(3, 3), b(3, 2)))),
        _triangular("adjoint", a(2, 2, dtype=C64), b(2, 2, dtype=C64), **adjoint),
        _triangular("nothing", np.zeros((0, 0)), np.zeros((0, 2))),
        _triangular("no_columns", a(3, 3), np.zeros((3, 0))),
        _triangular("no_matrices", np.zeros((0, 2, 2)), np.zeros((0, 2, 1))),
    ]


def _layout(type: TensorType, vector: bool) -> tuple[int, ...]:
    """Matrices column by column, vectors in a row."""
    order = list(range(type.ndim))[::-1]
    return tuple(order if vector else [order[1], order[0], *order[2:]])


def _call(name: str, routine: str, operands: Any, results: Any, **config: Any) -> Sample:
    """Of a routine; results are (shape, dtype), those of fewer axes than the matrix are vectors."""
    ndim = operands[0].ndim
    given = [TensorType(x.shape, x.dtype) for x in operands]
    made = tuple(TensorType(shape, dtype) for shape, dtype in results)
    attributes = {
        "call_target_name": target(routine, operands[0].dtype),
        "backend_config": config_of(**config),
        "api_version": 4,
        "operand_layouts": tuple(_layout(t, t.ndim < ndim) for t in given),
        "result_layouts": tuple(_layout(t, t.ndim < ndim) for t in made),
        "results": made,
    }
    return Sample(
        f"{routine}_{operands[0].dtype}_{name}", tuple(operands), attributes, smooth=False
    )


def _calls(dtype: Any) -> list[Sample]:
    """Of the routines all of whose results mean something, whatever they are asked for."""
    real = PART.get(dtype, dtype)
    tall, square = normal(30, 2, 4, 3, dtype=dtype), normal(31, 2, 3, 3, dtype=dtype)
    symmetric = (square + np.conj(np.swapaxes(square, -1, -2))).astype(dtype)
    packed, factors = np.zeros((2, 4, 3), dtype), np.zeros((2, 3), dtype)
    for i in range(2):
        raw, factors[i] = np.linalg.qr(tall[i], mode="raw")
        packed[i] = raw.T
    info = ((2,), I32)
    lu = [(tall.shape, dtype), ((2, 3), I32), info]
    eigh = [(square.shape, dtype), ((2, 3), real), info]
    form = {"side": LEFT, "uplo": UPPER, "trans_x": NONE, "diag": NONE}
    upper = (square + 3 * np.eye(3)).astype(dtype)
    definite = positive(32, 2, 3, 3, dtype=dtype).astype(dtype)
    return [
        _call("lower", "potrf", (definite,), [(square.shape, dtype), info], uplo=LOWER),
        _call("upper", "trsm", (upper, square), [(square.shape, dtype)], **form),
        _call("tall", "getrf", (tall,), lu),
        _call("tall", "geqrf", (tall,), [(tall.shape, dtype), ((2, 3), dtype)]),
        _call("tall", "orgqr", (packed, factors), [(tall.shape, dtype)]),
        _call("vectors", "syevd", (symmetric,), eigh, mode=VECTORS, uplo=LOWER),
    ]


SAMPLES: dict[str, list[Sample]] = {
    "fft": _ffts(),
    "cholesky": _choleskys(),
    "triangular_solve": _triangulars(),
    "custom_call": [sample for dtype in LETTERS for sample in _calls(dtype)],
}
