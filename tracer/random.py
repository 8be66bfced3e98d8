"""Random numbers from a counter: the same on every device, and never a reason to compile anew."""

from __future__ import annotations

import math
import secrets
from collections.abc import Sequence
from typing import Any

import numpy as np

from tracer.device import Device
from tracer.dtypes import DType, float32, is_floating, kind, uint8, uint16, uint32, uint64
from tracer.errors import at_caller
from tracer.functions import elementwise as fn
from tracer.functions.creation import asarray
from tracer.functions.manipulation import astype
from tracer.functions.operands import need_dtype, shape_of, wrap
from tracer.functions.trigonometric import cos
from tracer.ops.bits import bitcast_convert
from tracer.ops.elementwise import or_, shift_right_logical
from tracer.ops.random import rng_bit_generator
from tracer.tensor import Tensor
from tracer.tree import Module, State

_UNSIGNED: dict[int, DType] = {1: uint8, 2: uint16, 4: uint32, 8: uint64}


class Generator(Module):
    """A source of random tensors; its state lives on a device, and each draw moves it on.

    Generators of one seed give the same numbers, on every device and in every mode. Without a seed
    the operating system gives one. The bits are ThreeFry's (Salmon et al., 2011), by StableHLO's
    rng_bit_generator.
    """

    def __init__(self, seed: int | None = None, *, device: Device | None = None) -> None:
        key = secrets.randbits(63) if seed is None else seed
        if not hasattr(key, "__index__") or not 0 <= key < 2**64:
            raise at_caller(ValueError(f"a seed is an int from 0 to 2**64 - 1, got {seed!r}"))
        self.state = State(asarray(np.array([key, 0], np.uint64), device=device))

    @property
    def device(self) -> Device:
        """Where draws are made."""
        return self.state.value.device

    def bits(self, shape: int | Sequence[int], dtype: Any = uint32) -> Tensor:
        """Random unsigned integers, every bit pattern equally likely.

        Raises TypeError for a dtype that is not of unsigned integers.
        """
        found = need_dtype(dtype)
        if kind(found) != "uint":
            raise at_caller(TypeError(f"random bits need an unsigned dtype, got {found}"))
        state, bits = rng_bit_generator.all(
            self.state.value._data,
            rng_algorithm="THREE_FRY",
            shape=shape_of("bits", shape),
            dtype=found,
        )
        self.state.value = wrap(state)
        return wrap(bits)

    def uniform(
        self,
        shape: int | Sequence[int] = (),
        low: float = 0.0,
        high: float = 1.0,
        dtype: Any = float32,
    ) -> Tensor:
        """Uniform in [low, high).

        Raises TypeError for a dtype that is not floating, ValueError unless low < high.
        """
        if not low < high:
            raise at_caller(ValueError(f"uniform needs low < high, got {low} and {high}"))
        found, shape = _floating(dtype), shape_of("uniform", shape)
        if found.itemsize == 1:
            below = np.nextafter(np.asarray(high, found), np.asarray(low, found)).item()
            return fn.minimum(astype(self.uniform(shape, low, high), found), below)
        mantissa = np.finfo(found).nmant if found.kind == "f" else 7
        width = found.itemsize * 8
        random = self.bits(shape, _UNSIGNED[found.itemsize])._data
        one = int(np.ones((), found).view(_UNSIGNED[found.itemsize]))
        pattern = or_(shift_right_logical(random, width - mantissa), one)
        unit = wrap(bitcast_convert(pattern, dtype=found, shape=pattern.type.shape)) - 1.0
        if (low, high) == (0.0, 1.0):
            return unit
        below = np.nextafter(np.asarray(high, found), np.asarray(low, found)).item()
        return fn.minimum(unit * (high - low) + low, below)  # where rounding would meet high

    def normal(
        self,
        shape: int | Sequence[int] = (),
        mean: float = 0.0,
        std: float = 1.0,
        dtype: Any = float32,
    ) -> Tensor:
        """Normally distributed (Box and Muller, 1958)."""
        found, shape = _floating(dtype), shape_of("normal", shape)
        wide = found if found.itemsize > 2 else float32
        radius = fn.sqrt(fn.log(1.0 - self.uniform(shape, dtype=wide)) * -2.0)
        angle = self.uniform(shape, dtype=wide) * (2 * math.pi)
        return astype(radius * cos(angle) * std + mean, found)

    def truncated_normal(
        self,
        shape: int | Sequence[int] = (),
        mean: float = 0.0,
        std: float = 1.0,
        dtype: Any = float32,
    ) -> Tensor:
        """Normally distributed, conditioned on lying within two standard deviations of the mean."""
        found, shape = _floating(dtype), shape_of("truncated_normal", shape)
        edge = math.erf(math.sqrt(2))
        wide = found if found.itemsize > 2 else float32
        unit = erfinv(self.uniform(shape, -edge, edge, wide)) * math.sqrt(2)
        return astype(fn.clip(unit, -2.0, 2.0) * std + mean, found)


def _floating(dtype: Any) -> DType:
    found = need_dtype(dtype)
    if not is_floating(found):
        raise at_caller(TypeError(f"random floats need a floating dtype, got {found}"))
    return found


# Giles, "Approximating the erfinv function", GPU Computing Gems (2011), single precision.
_CENTRAL = (
    2.81022636e-08,
    3.43273939e-07,
    -3.5233877e-06,
    -4.39150654e-06,
    0.00021858087,
    -0.00125372503,
    -0.00417768164,
    0.246640727,
    1.50140941,
)
_TAIL = (
    -0.000200214257,
    0.000100950558,
    0.00134934322,
    -0.00367342844,
    0.00573950773,
    -0.0076224613,
    0.00943887047,
    1.00167406,
    2.83297682,
)


def erfinv(x: Tensor) -> Tensor:
    """The inverse of the error function on (-1, 1), to about 1e-7 relative."""
    w = -fn.log((1.0 - x) * (1.0 + x))
    central, tail = w - 2.5, fn.sqrt(fn.maximum(w, 5.0)) - 3.0
    return x * fn.where(w < 5.0, _polynomial(_CENTRAL, central), _polynomial(_TAIL, tail))


def _polynomial(coefficients: Sequence[float], x: Tensor) -> Tensor:
    """Horner's scheme, highest power first."""
    result = x * coefficients[0] + coefficients[1]
    for coefficient in coefficients[2:]:
        result = result * x + coefficient
    return result
