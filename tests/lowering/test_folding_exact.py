"""What is folded has the bits that XLA gives at run time: each operation that is called exact."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from lowering import interpret
from lowering.rules.exact import is_exact
from tests.lowering.running import by_xla
from tests.lowering.test_rules_arithmetic import numbers, same
from tracer import dtypes
from tracer.dtypes import DType, kind
from tracer.ir import Builder, Operation, TensorType, Value, make_operation
from tracer.ops import OPS

Array = np.ndarray[Any, Any]
CHOSEN = (dtypes.float32, dtypes.float8_e4m3fn, dtypes.int8, dtypes.complex64)


def ordinary(array: Array) -> Array:
    """Which elements are neither NaN nor subnormal."""
    if kind(array.dtype) == "complex":
        return np.logical_and(ordinary(array.real), ordinary(array.imag))
    if kind(array.dtype) != "float":
        return np.ones(array.shape, bool)
    normal: Array = np.abs(array) >= dtypes.finfo(array.dtype).smallest_normal
    found: Array = ~np.isnan(array) & (normal | (array == 0))
    return found


def operands(dtype: DType) -> list[Array]:
    """Each pair of odd numbers, none of them NaN, and of some others."""
    scalars = np.asarray(numbers(TensorType((), dtype)))
    scalars = scalars[~np.isnan(scalars)] if kind(dtype) in ("float", "complex") else scalars
    if kind(dtype) == "float":
        others = np.random.default_rng(0).normal(0, 9, 30)
        scalars = np.concatenate([scalars, others.astype(dtype)])
    left, right = np.meshgrid(scalars, scalars)
    return [left.reshape(-1).astype(dtype), right.reshape(-1).astype(dtype)]


def exact_operations(values: list[Value]) -> Iterator[Operation]:
    """The exact elementwise operations that take one of the values, or both."""
    attributes: dict[str, list[dict[str, Any]]] = {
        "compare": [{"comparison_direction": direction} for direction in ("EQ", "LT", "GE")],
        "convert": [{"dtype": dtype} for dtype in (dtypes.float32, dtypes.int32, dtypes.bool_)],
    }
    for name, op in OPS.items():
        if "elementwise" not in op.traits:
            continue
        for given in attributes.get(name, [{}]):
            for count in (1, 2):
                try:
                    made = make_operation(op, values[:count], given)
                except (TypeError, ValueError):
                    continue
                if is_exact(made):
                    yield made


@pytest.mark.parametrize("dtype", CHOSEN, ids=str)
def test_xla_gives_the_same_bits(dtype: DType) -> None:
    arrays = operands(dtype)
    builder = Builder()
    values = [builder.argument(TensorType(array.shape, dtype)) for array in arrays]
    made = list(exact_operations(values))
    results = [builder.append(operation)[0] for operation in made]
    function = builder.function("main", results)
    assert len(made) > 4
    quick = (("xla_backend_optimization_level", 0),)
    wanted, found = interpret(function, *arrays), by_xla(function, arrays, options=quick)
    for operation, a, b in zip(made, found, wanted, strict=True):
        chosen = ordinary(b)
        assert same(a[chosen], b[chosen]), operation.name
