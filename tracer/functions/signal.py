"""Signals: convolution and correlation of sequences, phases made continuous, tapers."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from tracer.device import Device
from tracer.dtypes import bool_, float32, is_integer, result_type
from tracer.errors import at_caller
from tracer.functions.complexes import conj
from tracer.functions.convolution import conv
from tracer.functions.cumulative import cumulative_sum, diff
from tracer.functions.elementwise import abs, where
from tracer.functions.manipulation import concatenate, flip
from tracer.functions.operands import (
    axis_of,
    data_of,
    need_dtype,
    placed,
    promoted,
    put,
    shape_of,
    wrap,
)

if TYPE_CHECKING:
    from tracer.functions.operands import ArrayLike
    from tracer.tensor import Tensor

__all__ = [
    "bartlett",
    "blackman",
    "convolve",
    "correlate",
    "hamming",
    "hanning",
    "kaiser",
    "unwrap",
]


def convolve(a: ArrayLike, v: ArrayLike, mode: str = "full") -> Tensor:
    """The sums of a[i] * v[k - i] of two sequences.

    mode "full" gives all len(a) + len(v) - 1 of them, "same" the middle max(len(a), len(v)),
    "valid" those where the shorter one lies inside the longer. Raises ValueError for empty ones and
    for another number of axes than 1.
    """
    x, y = _sequences("convolve", a, v)
    if len(y) > len(x):
        x, y = y, x
    return _slid("convolve", x, flip(y), mode)


def correlate(a: ArrayLike, v: ArrayLike, mode: str = "valid") -> Tensor:
    """The sums of a[i + k] * conj(v[i]) of two sequences; mode as in `convolve`."""
    x, y = _sequences("correlate", a, v)
    if len(y) > len(x):
        return flip(_slid("correlate", conj(y), x, mode))
    return _slid("correlate", x, conj(y), mode)


def _sequences(name: str, a: ArrayLike, v: ArrayLike) -> tuple[Tensor, Tensor]:
    x, y = (wrap(data) for data in promoted(name, a, v))
    if x.ndim != 1 or y.ndim != 1 or not x.size or not y.size:
        message = f"{name} needs two sequences of one element or more, got {x.shape} and {y.shape}"
        raise at_caller(ValueError(message))
    if x.dtype == bool_:
        raise at_caller(TypeError(f"{name} needs numbers, got bool"))
    return x, y


def _slid(name: str, long: Tensor, short: Tensor, mode: str) -> Tensor:
    """The product of the short one with each stretch of the long one."""
    n = len(short)
    edges = {"full": (n - 1, n - 1), "same": (n // 2, n - 1 - n // 2), "valid": (0, 0)}
    if mode not in edges:
        raise at_caller(ValueError(f'{name} needs mode "full", "same" or "valid", got {mode!r}'))
    return conv(long[None, :, None], short[:, None, None], padding=[edges[mode]])[0, :, 0]


def unwrap(
    p: ArrayLike, discont: float | None = None, axis: int = -1, *, period: float = 2 * math.pi
) -> Tensor:
    """Whole periods added along an axis, so that no step is larger than half a period.

    Steps smaller than discont (half a period by default) stay as they are.
    """
    tensor = wrap(data_of("unwrap", p))
    place = axis_of("unwrap", axis, tensor.ndim)
    tensor = tensor.astype(result_type(tensor.dtype, int if isinstance(period, int) else float))
    steps = diff(tensor, axis=place)
    half = period // 2 if is_integer(tensor.dtype) else period / 2
    short = (steps + half) % period - half
    if not is_integer(tensor.dtype) or not period % 2:
        short = where((short == -half) & (steps > 0), half, short)
    small = abs(steps) < (period / 2 if discont is None else discont)
    added = cumulative_sum(where(small, 0, short - steps), axis=place)
    before = (slice(None),) * place
    first, rest = tensor[(*before, slice(1))], tensor[(*before, slice(1, None))]
    return concatenate([first, rest + added], place)


def _taper(name: str, values: Callable[..., Any], m: Any, dtype: Any, device: Any) -> Tensor:
    (length,) = shape_of(name, m)
    found = float32 if dtype is None else need_dtype(dtype)
    return wrap(put(values(length).astype(found), placed(device)))


def bartlett(m: int, dtype: Any = None, *, device: Device | None = None) -> Tensor:
    """m values of a triangle with 0 at both ends; float32 by default."""
    return _taper("bartlett", np.bartlett, m, dtype, device)


def blackman(m: int, dtype: Any = None, *, device: Device | None = None) -> Tensor:
    """m values of 0.42 - 0.5 cos(t) + 0.08 cos(2 t), t from 0 to 2 pi; float32 by default."""
    return _taper("blackman", np.blackman, m, dtype, device)


def hamming(m: int, dtype: Any = None, *, device: Device | None = None) -> Tensor:
    """m values of 0.54 - 0.46 cos(t), t from 0 to 2 pi; float32 by default."""
    return _taper("hamming", np.hamming, m, dtype, device)


def hanning(m: int, dtype: Any = None, *, device: Device | None = None) -> Tensor:
    """m values of 0.5 - 0.5 cos(t), t from 0 to 2 pi; float32 by default."""
    return _taper("hanning", np.hanning, m, dtype, device)


def kaiser(m: int, beta: float, dtype: Any = None, *, device: Device | None = None) -> Tensor:
    """m values of i0(beta sqrt(1 - t ** 2)) / i0(beta), t from -1 to 1; float32 by default."""
    if type(beta) not in (int, float):
        raise at_caller(TypeError(f"kaiser needs a number for beta, got {beta!r}"))
    return _taper("kaiser", lambda n: np.kaiser(n, beta), m, dtype, device)
