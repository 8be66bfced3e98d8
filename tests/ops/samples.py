"""Samples of every operation: what the tests generated from the op table are run on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tracer.dtypes import is_inexact
from tracer.ir import Block, TensorType


@dataclass(frozen=True, eq=False)
class Sample:
    """One application of an op. `smooth` says that it stands away from kinks and poles."""

    name: str
    operands: tuple[np.ndarray[Any, Any], ...] = ()
    attributes: dict[str, Any] = field(default_factory=dict)
    regions: tuple[Block, ...] = ()
    smooth: bool = True

    @property
    def types(self) -> tuple[TensorType, ...]:
        """The types of the operands."""
        return tuple(TensorType(x.shape, x.dtype) for x in self.operands)

    @property
    def wide(self) -> bool:
        """Whether finite differences can be taken: smooth, and of 8 bytes a part."""
        inexact = [x.dtype.name for x in self.operands if is_inexact(x.dtype)]
        return self.smooth and bool(inexact) and {*inexact} <= {"float64", "complex128"}


def normal(seed: int, *shape: int, dtype: Any = np.float64) -> np.ndarray[Any, Any]:
    """Normal numbers, the same each time."""
    draw = np.random.default_rng(seed)
    values = draw.normal(size=shape)
    if np.dtype(dtype).kind == "c":
        values = values + 1j * draw.normal(size=shape)
    return values.astype(dtype)


def distinct(seed: int, *shape: int, dtype: Any = np.float64) -> np.ndarray[Any, Any]:
    """Numbers no two of which are near each other: no ties."""
    size = int(np.prod(shape))
    order = np.random.default_rng(seed).permutation(size)
    return (order * 0.75 - size / 3).astype(dtype).reshape(shape)
