"""LAPACK's routines on stacks of matrices, as custom calls: no derivatives here.

Matrices without elements never reach it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from tracer.dtypes import PART, WHOLE, DType, int32
from tracer.errors import at_caller
from tracer.functions.elementwise import isfinite, where
from tracer.functions.logic import logical_and
from tracer.functions.manipulation import concatenate
from tracer.functions.operands import wrap
from tracer.functions.reductions import all
from tracer.ir import TensorType
from tracer.linalg.matrices import as_complex, identity, is_complex, triangle, zeros
from tracer.ops.custom import config_of, custom_call
from tracer.ops.lapack import ALL, LEFT, LOWER, NONE, SOME, UPPER, VECTORS, target
from tracer.tensor import Tensor

Shape = tuple[int, ...]


def _call(
    name: str, routine: str, operands: Sequence[Tensor], results: Sequence[Any], **config: Any
) -> list[Tensor]:
    """A routine's results, given their (shape, dtype); of fewer axes than a matrix are vectors."""
    first = operands[0]
    if first.device.kind != "CPU":
        message = f"{name} needs LAPACK, which runs on a CPU, got a tensor on {first.device}"
        raise at_caller(NotImplementedError(message))
    made = tuple(TensorType(shape, dtype) for shape, dtype in results)
    found = custom_call.all(
        *(x._data for x in operands),
        call_target_name=target(routine, first.dtype),
        api_version=4,
        backend_config=config_of(**config),
        operand_layouts=tuple(_layout(x._data.type, first.ndim) for x in operands),
        result_layouts=tuple(_layout(t, first.ndim) for t in made),
        results=made,
    )
    return [wrap(x) for x in found]


def _iterated(
    name: str, routine: str, x: Tensor, results: Sequence[Any], **config: Any
) -> list[Tensor]:
    """The results but the last, which says whether it was done; NaN where it was not.

    Iterations must not see NaN or infinities: they may never end, or leave memory as it was.
    """
    sound = all(isfinite(x), (-2, -1))
    safe = where(sound[..., None, None], x, 0)
    *found, info = _call(name, routine, (safe,), [*results, (x.shape[:-2], int32)], **config)
    done = logical_and(sound, info == 0)
    shapes = ((*done.shape, *(1,) * (y.ndim - done.ndim)) for y in found)
    return [where(done.reshape(shape), y, math.nan) for shape, y in zip(shapes, found, strict=True)]


def _layout(type: TensorType, ndim: int) -> Shape:
    """Axes from the fastest in memory to the slowest: matrices stand there column by column."""
    order = tuple(range(type.ndim))[::-1]
    return (order[1], order[0], *order[2:]) if type.ndim == ndim else order


def _part(dtype: DType) -> DType:
    return PART.get(dtype, dtype)


def cholesky(x: Tensor) -> Tensor:
    """L of x = L L^H, of what stands on and below the diagonal; NaN where x is not positive."""
    if not x.size:
        return x
    batch = x.shape[:-2]
    results = [(x.shape, x.dtype), (batch, int32)]
    found, info = _call("cholesky", "potrf", (x,), results, uplo=LOWER)
    return where(info[..., None, None] == 0, triangle(found, lower=True), math.nan)


def back_substituted(upper: Tensor, b: Tensor) -> Tensor:
    """The solution of a system whose matrix is an upper triangle."""
    if not b.size:
        return b
    form = {"side": LEFT, "uplo": UPPER, "trans_x": NONE, "diag": NONE}
    return _call("solve", "trsm", (upper, b), [(b.shape, b.dtype)], **form)[0]


def lu(name: str, x: Tensor) -> tuple[Tensor, Tensor]:
    """L and U in one matrix, and the row (from 1) that was exchanged with each."""
    *batch, rows, columns = x.shape
    steps = (*batch, min(rows, columns))
    if not x.size:
        return x, zeros(steps, int32, x)
    found = _call(name, "getrf", (x,), [(x.shape, x.dtype), (steps, int32), (tuple(batch), int32)])
    return found[0], found[1]


def qr(x: Tensor, complete: bool) -> tuple[Tensor, Tensor]:
    """Q and R, of min(M, N) columns and rows; complete: Q is square."""
    *batch, rows, columns = x.shape
    count = min(rows, columns)
    width = rows if complete else count
    if not x.size:
        shape = (*batch, rows, width)
        return identity(shape, x.dtype, x), zeros((*batch, width, columns), x.dtype, x)
    factors = (*batch, count)
    packed, scales = _call("qr", "geqrf", (x,), [(x.shape, x.dtype), (factors, x.dtype)])
    r = triangle(packed)[..., :width, :]
    vectors = packed[..., :, :width]
    if width > columns:
        vectors = _widened(vectors, width)
    (q,) = _call("qr", "orgqr", (vectors, scales), [(vectors.shape, x.dtype)])
    return q, r


def _widened(x: Tensor, width: int) -> Tensor:
    """Matrices with columns of zeros on the right."""
    *batch, rows, columns = x.shape
    return concatenate([x, zeros((*batch, rows, width - columns), x.dtype, x)], -1)


def eigh(name: str, x: Tensor, vectors: bool = True) -> tuple[Tensor, Tensor]:
    """Ascending eigenvalues, and eigenvectors, of what stands on and below the diagonal."""
    *batch, n, _ = x.shape
    part, line = _part(x.dtype), (*batch, n)
    if not x.size:
        return zeros(line, part, x), x
    mode = VECTORS if vectors else NONE
    results = [(x.shape, x.dtype), (line, part)]
    right, values = _iterated(name, "syevd", x, results, mode=mode, uplo=LOWER)
    return values, right


def svd(name: str, x: Tensor, mode: str) -> tuple[Tensor, Tensor, Tensor]:
    """U, the descending singular values, and V^H; mode "all", "some" or "none" of the vectors."""
    *batch, rows, columns = x.shape
    count = min(rows, columns)
    heights = (columns, rows) if mode == "all" else (count, count)
    left, right = (*batch, rows, heights[1]), (*batch, heights[0], columns)
    line, part = (*batch, count), _part(x.dtype)
    if not x.size:
        return (
            identity(left, x.dtype, x),
            zeros(line, part, x),
            identity(right, x.dtype, x),
        )
    results = [(x.shape, x.dtype), (line, part), (left, x.dtype), (right, x.dtype)]
    chosen = {"all": ALL, "some": SOME, "none": NONE}[mode]
    if mode == "none":  # whose vectors are as large as all of them, and mean nothing
        results[2:] = [((*batch, rows, rows), x.dtype), ((*batch, columns, columns), x.dtype)]
    _, s, u, vh = _iterated(name, "gesdd", x, results, mode=chosen)
    return u, s, vh


def eig(name: str, x: Tensor, vectors: bool = True) -> tuple[Tensor, Tensor]:
    """The complex eigenvalues, in no order, and eigenvectors."""
    *batch, n, _ = x.shape
    wide, line = WHOLE.get(x.dtype, x.dtype), (*batch, n)
    if not x.size:
        return zeros(line, wide, x), zeros(x.shape, wide, x)
    parts = [(line, x.dtype)] * (1 if is_complex(x) else 2)
    results = [*parts, (x.shape, wide), (x.shape, wide)]
    mode = VECTORS if vectors else NONE
    *values, _, right = _iterated(name, "geev", x, results, compute_left=NONE, compute_right=mode)
    if is_complex(x):
        return values[0], right
    return as_complex(*values), right
