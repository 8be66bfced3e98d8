"""Covariances and correlations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tracer.dtypes import kind
from tracer.errors import at_caller
from tracer.functions.complexes import conj, imag, real
from tracer.functions.diagonals import diagonal
from tracer.functions.elementwise import clip, maximum, sqrt
from tracer.functions.linalg import matmul
from tracer.functions.manipulation import concatenate, transpose
from tracer.functions.operands import data_of, floating, promoted, wrap
from tracer.functions.reductions import mean, sum

if TYPE_CHECKING:
    from tracer.functions.operands import ArrayLike
    from tracer.tensor import Tensor

__all__ = ["corrcoef", "cov"]


def cov(  # noqa: PLR0913  numpy.cov's arguments
    x: ArrayLike,
    y: ArrayLike | None = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: int | None = None,
    fweights: ArrayLike | None = None,
    aweights: ArrayLike | None = None,
) -> Tensor:
    """The covariances of variables, by default the rows of x and y, columns with rowvar=False.

    The sum is divided by n - ddof, which is 1 by default, 0 with bias. fweights say how often an
    observation was made, aweights how much it counts. A single variable's variance is 0-d.

    Raises ValueError for more than 2 axes, and for weights that don't fit.
    """
    rows = _rows("cov", x, y, rowvar)
    less = (0 if bias else 1) if ddof is None else ddof
    if type(less) is not int:
        raise at_caller(TypeError(f"cov needs an int for ddof, got {ddof!r}"))
    n = rows.shape[1]
    weights = _weights(n, fweights, aweights, rows)
    if weights is None:
        center, divisor = mean(rows, 1, keepdims=True), float(max(n - less, 0))
        return _products(rows - center, rows - center, divisor)
    total = sum(weights)
    center = sum(rows * weights, 1, keepdims=True) / total
    lost: Any = less
    if less and aweights is not None:
        lost = less * sum(weights * _row("cov", "aweights", aweights, n, rows)) / total
    return _products(rows - center, (rows - center) * weights, maximum(total - lost, 0.0))


def _products(a: Tensor, b: Tensor, divisor: Any) -> Tensor:
    found: Tensor = matmul(a, conj(transpose(b))) / divisor
    return found[0, 0] if found.shape == (1, 1) else found


def _rows(name: str, x: ArrayLike, y: ArrayLike | None, rowvar: bool) -> Tensor:
    """The variables, one a row."""
    given = [x] if y is None else [x, y]
    parts = [wrap(floating(name, wrap(data))) for data in promoted(name, *given)]
    if any(part.ndim > 2 for part in parts):
        shapes = " and ".join(str(part.shape) for part in parts)
        raise at_caller(ValueError(f"{name} needs at most 2 axes, got {shapes}"))
    rows = [_as_rows(part, rowvar) for part in parts]
    if rows[0].shape[1] != rows[-1].shape[1]:
        shapes = " and ".join(str(part.shape) for part in parts)
        raise at_caller(ValueError(f"{name} needs as many observations of x and y, got {shapes}"))
    return rows[0] if y is None else concatenate(rows)


def _as_rows(part: Tensor, rowvar: bool) -> Tensor:
    if part.ndim < 2:
        return part.reshape(1, part.size)
    return part if rowvar else transpose(part)


def _weights(n: int, fweights: Any, aweights: Any, rows: Tensor) -> Tensor | None:
    """Of each observation; None where all weigh 1."""
    given = {"fweights": fweights, "aweights": aweights}
    found = [_row("cov", name, w, n, rows) for name, w in given.items() if w is not None]
    if not found:
        return None
    return found[0] if len(found) == 1 else found[0] * found[1]


def _row(name: str, what: str, weights: ArrayLike, n: int, rows: Tensor) -> Tensor:
    found = wrap(data_of(name, weights, rows.device))
    if found.shape != (n,):
        message = f"{name} needs {what} of shape ({n},), got {found.shape}"
        raise at_caller(ValueError(message))
    return found.astype(real(rows).dtype)


def corrcoef(x: ArrayLike, y: ArrayLike | None = None, rowvar: bool = True) -> Tensor:
    """The covariances divided by both standard deviations, held within [-1, 1]; as in `cov`."""
    covariances = cov(_rows("corrcoef", x, y, rowvar))
    if not covariances.ndim:
        return covariances / covariances
    spread = sqrt(real(diagonal(covariances)))
    found = covariances / spread[:, None] / spread
    if kind(found.dtype) != "complex":
        return clip(found, -1.0, 1.0)
    return clip(real(found), -1.0, 1.0) + clip(imag(found), -1.0, 1.0) * 1j
