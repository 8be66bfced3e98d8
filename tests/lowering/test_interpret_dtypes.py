"""The interpreter knows what every operation means for every dtype that its type rule takes."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from lowering import interpret
from lowering.mlir import verify
from tests.lowering.random_maker import numbers
from tracer.dtypes import ALL, bool_
from tracer.ir import Builder, Function, TensorType
from tracer.ops import OPS

SHAPE = (30,)
ATTRIBUTES: dict[str, list[dict[str, Any]]] = {
    "compare": [{"comparison_direction": direction} for direction in ("EQ", "LT", "GE")],
    "convert": [{"dtype": dtype} for dtype in ALL],
    "reduce_precision": [{"exponent_bits": 4, "mantissa_bits": 3}],
}


def applications(name: str) -> Iterator[Function]:
    """A function of the operation alone for each dtype and number of operands that it takes."""
    for dtype in ALL:
        for count in (1, 2, 3):
            for attributes in ATTRIBUTES.get(name, [{}]):
                builder = Builder()
                types = [TensorType(SHAPE, dtype)] * count
                if name == "select":
                    types[0] = TensorType(SHAPE, bool_)
                arguments = list(map(builder.argument, types))
                try:
                    results = builder.create(OPS[name], arguments, attributes)
                except TypeError:
                    continue
                yield builder.function("main", results)


@pytest.mark.parametrize("name", [name for name, op in OPS.items() if "elementwise" in op.traits])
def test_elementwise_operations_mean_something_for_every_dtype(name: str) -> None:
    random, functions = Random(0), list(applications(name))
    assert functions
    for function in functions:
        arrays = [numbers(random, v.type) for v in function.arguments]
        (result,) = interpret(function, *arrays)
        assert result.shape == SHAPE
        verify(function)
