"""The discrete Fourier transform."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tracer.dispatch import splat
from tracer.dtypes import PART, WHOLE
from tracer.ir import Attribute, TensorType
from tracer.ops.complex import complex, real
from tracer.ops.elementwise import compare, multiply, or_, select, zeros_like
from tracer.ops.movement import iota, pad, slice
from tracer.ops.table import define
from tracer.values import Data

Array = NDArray[Any]
Ints = tuple[int, ...]

KINDS = ("FFT", "IFFT", "RFFT", "IRFFT")


def _half(length: int) -> int:
    """How many of the frequencies of a real signal are kept: the others are their conjugates."""
    return length // 2 + 1 if length else 0


def _fft_type(x: TensorType, fft_type: str, fft_length: Ints) -> TensorType:
    """Complex numbers, of RFFT real ones; complex numbers, of IRFFT real ones."""
    if fft_type not in KINDS:
        raise ValueError(f"a type of {', '.join(KINDS)} is needed, got {fft_type}")
    count = len(fft_length)
    if not 1 <= count <= min(3, x.ndim):
        raise ValueError(f"lengths of 1 to 3 axes of {x} are needed, got {fft_length}")
    dtypes = WHOLE if fft_type == "RFFT" else PART
    if x.dtype not in dtypes:
        shown = " or ".join(dtype.name for dtype in dtypes)
        raise TypeError(f"an operand of dtype {shown} is needed, got {x}")
    short = (*fft_length[:-1], _half(fft_length[-1]))
    before, after = short if fft_type == "IRFFT" else fft_length, fft_length
    if x.shape[-count:] != before:
        raise ValueError(f"last axes of lengths {before} are needed, got {x}")
    if fft_type == "RFFT":
        after = short
    shape = (*x.shape[:-count], *after)
    return TensorType(shape, x.dtype if fft_type in ("FFT", "IFFT") else dtypes[x.dtype])


_NUMPY = {"FFT": np.fft.fftn, "IFFT": np.fft.ifftn, "RFFT": np.fft.rfftn, "IRFFT": np.fft.irfftn}


def _fft(x: Array, fft_type: str, fft_length: Ints) -> Array:
    type = _fft_type(TensorType(x.shape, x.dtype), fft_type, fft_length)
    if not type.size:
        return np.zeros(type.shape, type.dtype)
    axes = tuple(range(-len(fft_length), 0))
    with np.errstate(all="ignore"):
        found = _NUMPY[fft_type](x, fft_length, axes)  # type: ignore[operator]
    return found.astype(type.dtype, copy=False)  # type: ignore[no-any-return]


def _fft_rule(g: Data, y: Data, x: Data, fft_type: str, fft_length: Ints) -> Data:
    """The transform is linear: its transpose. Cotangents of complex values aren't conjugated."""
    if not x.type.size or not g.type.size:
        return zeros_like(x)
    if fft_type == "RFFT":
        return _real_rule(g, x, fft_length)
    if fft_type == "IRFFT":
        return _half_rule(g, x, fft_length)
    return fft(g, fft_type=fft_type, fft_length=fft_length)


def _real_rule(g: Data, x: Data, fft_length: Ints) -> Data:
    """The real part of the transform of g, zero at the frequencies that were left out."""
    ndim = x.type.ndim
    whole = pad(
        g,
        splat(0j, g.type.with_shape(()), g.device),
        edge_padding_low=(0,) * ndim,
        edge_padding_high=(*(0,) * (ndim - 1), fft_length[-1] - g.type.shape[-1]),
        interior_padding=(0,) * ndim,
    )
    return real(fft(whole, fft_type="FFT", fft_length=fft_length))


def _half_rule(g: Data, x: Data, fft_length: Ints) -> Data:
    """The inverse transform of g; twice where a frequency stands for its conjugate, too."""
    whole = fft(complex(g, zeros_like(g)), fft_type="IFFT", fft_length=fft_length)
    shape = x.type.shape
    ones = (1,) * len(shape)
    kept = slice(whole, start_indices=(0,) * len(shape), limit_indices=shape, strides=ones)
    at = iota(iota_dimension=len(shape) - 1, shape=shape, dtype=g.type.dtype, device=g.device)
    first = compare(at, 0.0, comparison_direction="EQ")
    middle = compare(at, fft_length[-1] / 2, comparison_direction="EQ")
    return select(or_(first, middle), kept, multiply(kept, 2.0 + 0j))


fft = define(
    "fft",
    _fft_type,
    _fft,
    (_fft_rule,),
    attributes=(Attribute("fft_type", "fft_type"), Attribute("fft_length", "i64s")),
)
