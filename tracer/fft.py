"""Discrete Fourier transforms: the array API standard's extension.

Integers, bools and 16-bit floats become float32. `norm` says which way is scaled by 1/N:
"backward" (the inverse), "forward", or "ortho", both by 1/sqrt(N).
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tracer.device import Device
from tracer.dtypes import WHOLE, float32
from tracer.errors import at_caller
from tracer.functions.creation import asarray
from tracer.functions.manipulation import moveaxis
from tracer.functions.operands import as_dtype, axes_of, axis_of, data_of, floating, need_real, wrap
from tracer.functions.padding import pad
from tracer.functions.repetition import roll
from tracer.ops import fourier
from tracer.ops.factorizations import conjugate
from tracer.tensor import Tensor

if TYPE_CHECKING:
    from tracer.functions.operands import ArrayLike

__all__ = [
    "fft",
    "fftfreq",
    "fftn",
    "fftshift",
    "hfft",
    "ifft",
    "ifftn",
    "ifftshift",
    "ihfft",
    "irfft",
    "irfftn",
    "rfft",
    "rfftfreq",
    "rfftn",
]

Lengths = Sequence[int] | None
_OTHER_WAY = {"backward": "forward", "forward": "backward", "ortho": "ortho"}


def fft(x: ArrayLike, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Tensor:
    """The transform along an axis, cropped or padded with zeros to n; complex.

    Raises ValueError for a length below 1.
    """
    return _complex("fft", x, _one(n), (axis,), norm)


def ifft(
    x: ArrayLike, /, *, n: int | None = None, axis: int = -1, norm: str = "backward"
) -> Tensor:
    """The inverse of `fft`."""
    return _complex("ifft", x, _one(n), (axis,), norm)


def fftn(
    x: ArrayLike, /, *, s: Lengths = None, axes: Lengths = None, norm: str = "backward"
) -> Tensor:
    """The transform along axes, by default as many of the last as s has lengths, or all."""
    return _complex("fftn", x, s, axes, norm)


def ifftn(
    x: ArrayLike, /, *, s: Lengths = None, axes: Lengths = None, norm: str = "backward"
) -> Tensor:
    """The inverse of `fftn`."""
    return _complex("ifftn", x, s, axes, norm)


def rfft(
    x: ArrayLike, /, *, n: int | None = None, axis: int = -1, norm: str = "backward"
) -> Tensor:
    """The first n // 2 + 1 frequencies of a real signal: the others are their conjugates."""
    return _real("rfft", x, _one(n), (axis,), norm)


def rfftn(
    x: ArrayLike, /, *, s: Lengths = None, axes: Lengths = None, norm: str = "backward"
) -> Tensor:
    """`rfft` along the last of the axes, `fft` along the others."""
    return _real("rfftn", x, s, axes, norm)


def irfft(
    x: ArrayLike, /, *, n: int | None = None, axis: int = -1, norm: str = "backward"
) -> Tensor:
    """The inverse of `rfft`: a real signal of length n, by default 2 (m - 1) for m frequencies."""
    return _hermitian("irfft", x, _one(n), (axis,), norm)


def irfftn(
    x: ArrayLike, /, *, s: Lengths = None, axes: Lengths = None, norm: str = "backward"
) -> Tensor:
    """The inverse of `rfftn`."""
    return _hermitian("irfftn", x, s, axes, norm)


def hfft(
    x: ArrayLike, /, *, n: int | None = None, axis: int = -1, norm: str = "backward"
) -> Tensor:
    """The real transform, of length n, of a signal whose other half is conjugate to this one."""
    turned = wrap(conjugate(_numbers("hfft", x)._data))
    return _hermitian("hfft", turned, _one(n), (axis,), _OTHER_WAY.get(norm, norm))


def ihfft(
    x: ArrayLike, /, *, n: int | None = None, axis: int = -1, norm: str = "backward"
) -> Tensor:
    """The inverse of `hfft`: n // 2 + 1 complex numbers."""
    found = _real("ihfft", x, _one(n), (axis,), _OTHER_WAY.get(norm, norm))
    return wrap(conjugate(found._data))


def _one(n: int | None) -> Lengths:
    return None if n is None else (n,)


def _numbers(name: str, x: ArrayLike) -> Tensor:
    """As floats of 32 bits or more."""
    data = floating(name, x)
    return wrap(as_dtype(data, float32) if data.type.dtype.itemsize < 4 else data)


def _complex(name: str, x: ArrayLike, s: Lengths, axes: Lengths, norm: str) -> Tensor:
    """The complex transform or, where the name starts with an i, its inverse."""
    tensor = _numbers(name, x)
    tensor = tensor.astype(WHOLE.get(tensor.dtype, tensor.dtype))
    places, lengths = _places(name, tensor, s, axes)
    fitted = _fitted(tensor, places, lengths)
    kind = "IFFT" if name.startswith("i") else "FFT"
    return _scaled(_over(fitted, places, kind), name, lengths, norm)


def _real(name: str, x: ArrayLike, s: Lengths, axes: Lengths, norm: str) -> Tensor:
    """The transform of a real signal."""
    tensor = _numbers(name, x)
    need_real(name, tensor._data)
    places, lengths = _places(name, tensor, s, axes)
    fitted = _fitted(tensor, places, lengths)
    found = _transformed(fitted, places[-3:], "RFFT")
    return _scaled(_over(found, places[:-3], "FFT"), "rfft", lengths, norm)


def _hermitian(name: str, x: ArrayLike, s: Lengths, axes: Lengths, norm: str) -> Tensor:
    """The inverse: a real signal of the frequencies that are not conjugates of others."""
    tensor = _numbers(name, x)
    tensor = tensor.astype(WHOLE.get(tensor.dtype, tensor.dtype))
    places, lengths = _places(name, tensor, s, axes, half=True)
    kept = [*lengths[:-1], lengths[-1] // 2 + 1]
    others = _over(_fitted(tensor, places, kept), places[:-3], "IFFT")
    found = _transformed(others, places[-3:], "IRFFT", lengths[-1])
    return _scaled(found, "irfft", lengths, norm)


def _places(
    name: str, x: Tensor, s: Lengths, axes: Lengths, half: bool = False
) -> tuple[list[int], list[int]]:
    """The axes, and the length of the transform along each. Raises ValueError for a wrong one."""
    given = None if s is None else list(s)
    if axes is None:
        axes = range(x.ndim) if given is None else range(-len(given), 0)
    if not isinstance(axes, Iterable):
        raise at_caller(TypeError(f"{name} needs a sequence of axes, got {axes!r}"))
    places = [axis_of(name, axis, x.ndim) for axis in axes]
    if not places or len(set(places)) != len(places):
        raise at_caller(
            ValueError(f"{name} needs one axis or more, all distinct, got {tuple(axes)}")
        )
    if given is None:
        given = [x.shape[place] for place in places]
        if half:
            given[-1] = 2 * (given[-1] - 1)
    if len(given) != len(places):
        message = f"{name} needs a length for each of {len(places)} axes, got {tuple(given)}"
        raise at_caller(ValueError(message))
    return places, [_length(name, n) for n in given]


def _length(name: str, n: Any) -> int:
    try:
        length = operator.index(n)
    except TypeError:
        raise at_caller(TypeError(f"{name} needs an int as length, got {n!r}")) from None
    if length < 1:
        raise at_caller(ValueError(f"{name} needs a length of 1 or more, got {length}"))
    return length


def _fitted(x: Tensor, places: Sequence[int], lengths: Sequence[int]) -> Tensor:
    """Cropped, or padded with zeros at the end."""
    widths, part = [(0, 0)] * x.ndim, [slice(None)] * x.ndim
    for place, n in zip(places, lengths, strict=True):
        widths[place] = (0, max(n - x.shape[place], 0))
        part[place] = slice(n)
    if any(after for _, after in widths):
        x = pad(x, widths)
    return (
        x if all(x.shape[i] == n for i, n in zip(places, lengths, strict=True)) else x[tuple(part)]
    )


def _over(x: Tensor, places: Sequence[int], kind: str) -> Tensor:
    """A complex transform along axes, three at a time, as the operation has it."""
    for i in range(0, len(places), 3):
        x = _transformed(x, places[i : i + 3], kind)
    return x


def _transformed(x: Tensor, places: Sequence[int], kind: str, last: int | None = None) -> Tensor:
    """One operation along up to three axes; `last`, the length of the last where it grows."""
    ends = range(-len(places), 0)
    moved = moveaxis(x, places, ends)
    lengths = moved.shape[-len(places) :]
    if last is not None:
        lengths = (*lengths[:-1], last)
    found = fourier.fft(moved._data, fft_type=kind, fft_length=lengths)
    return moveaxis(wrap(found), ends, places)


def _scaled(x: Tensor, name: str, lengths: Sequence[int], norm: str) -> Tensor:
    """As norm says; the operation itself scales inverses by 1/N. Raises ValueError for another."""
    if norm not in _OTHER_WAY:
        shown = '"backward", "ortho" or "forward"'
        raise at_caller(ValueError(f"a Fourier transform needs norm {shown}, got {norm!r}"))
    if norm == "backward":
        return x
    count = math.prod(lengths)
    by = count if norm == "forward" else math.sqrt(count)
    return x * by if name.startswith("i") else x / by


def fftfreq(
    n: int, /, *, d: float = 1.0, dtype: Any = None, device: Device | None = None
) -> Tensor:
    """The frequencies of `fft` for n samples at a distance d; float32 by default."""
    values = np.fft.fftfreq(_length("fftfreq", n), d)
    return asarray(values, float32 if dtype is None else dtype, device=device)


def rfftfreq(
    n: int, /, *, d: float = 1.0, dtype: Any = None, device: Device | None = None
) -> Tensor:
    """The frequencies of `rfft` for n samples at a distance d; float32 by default."""
    values = np.fft.rfftfreq(_length("rfftfreq", n), d)
    return asarray(values, float32 if dtype is None else dtype, device=device)


def fftshift(x: ArrayLike, /, *, axes: int | Sequence[int] | None = None) -> Tensor:
    """Frequency 0 in the middle of axes, by default of all."""
    return _shifted("fftshift", x, axes, lambda n: n // 2)


def ifftshift(x: ArrayLike, /, *, axes: int | Sequence[int] | None = None) -> Tensor:
    """The inverse of `fftshift`."""
    return _shifted("ifftshift", x, axes, lambda n: -(n // 2))


def _shifted(name: str, x: ArrayLike, axes: Any, by: Any) -> Tensor:
    tensor = wrap(data_of(name, x))
    places = axes_of(name, axes, tensor.ndim)
    shifts = [by(tensor.shape[i]) for i in places]
    return roll(tensor, shifts, axis=places) if places else tensor
