"""Regions for samples: written as Python functions of values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tracer.ir import Block, Builder, Literal, TensorType, Value
from tracer.ops import OPS


class Region:
    """A region being made: operations on values, and constants."""

    def __init__(self) -> None:
        self.builder = Builder()

    def __call__(self, name: str, *operands: Value, regions: Any = (), **attributes: Any) -> Value:
        """The only result of one more operation."""
        return self.all(name, *operands, regions=regions, **attributes)[0]

    def all(self, name: str, *operands: Value, regions: Any = (), **attributes: Any) -> Any:
        """All its results."""
        return self.builder.create(OPS[name], operands, attributes, regions)

    def constant(self, value: Any, dtype: Any = None) -> Value:
        """A constant."""
        return self("constant", value=Literal(np.asarray(value, dtype)))


def region(body: Callable[..., tuple[Value, ...]], *types: TensorType) -> Block:
    """The region of `body(region, *arguments)`, which gives what it returns."""
    made = Region()
    arguments = [made.builder.argument(t) for t in types]
    return made.builder.block(body(made, *arguments))
