"""Dot products in the forms for a CPU give what NumPy gives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lowering import interpret, run_passes
from lowering.statistics import counting
from tests.lowering.running import by_xla
from tracer.ir import Builder, Function, TensorType
from tracer.ops import OPS
from tracer.ops.contraction import DotDimensionNumbers

RANDOM = np.random.default_rng(0)
F32 = np.dtype(np.float32)


def product(x: tuple[int, ...], y: tuple[int, ...], *numbers: tuple[int, ...]) -> Function:
    """One dot product; the numbers are batched and contracted axes, left before right."""
    builder = Builder()
    operands = [builder.argument(TensorType(shape, F32)) for shape in (x, y)]
    attributes = {"dot_dimension_numbers": DotDimensionNumbers(*numbers), "dtype": F32}
    return builder.function("main", builder.create(OPS["dot_general"], operands, attributes))


def whole(*shape: int) -> Any:
    """Small whole numbers, whose sums are exact in any order."""
    return RANDOM.integers(-4, 5, shape).astype(np.float32)


@pytest.mark.parametrize(
    ("x", "y", "numbers", "sums"),
    [
        ((128, 64), (128, 8), ((), (), (0,), (0,)), "ka,kb->ab"),
        ((128, 64), (16, 128), ((), (), (0,), (1,)), "ka,bk->ab"),
        ((128, 16, 3), (128, 3, 5), ((), (), (0, 2), (0, 1)), "kal,klb->ab"),
        ((2, 3, 64, 32), (2, 64, 3, 8), ((0, 1), (0, 2), (2,), (1,)), "xyka,xkyb->xyab"),
        ((3, 64, 4, 2, 16), (64, 3, 4), ((0, 2), (1, 2), (1,), (0,)), "xkyab,kxy->xyab"),
        ((64, 128), (64,), ((), (), (0,), (0,)), "ka,k->a"),
    ],
)
def test_an_operand_on_the_other_side(x: Any, y: Any, numbers: Any, sums: str) -> None:
    function = product(x, y, *numbers)
    with counting() as rewrites:
        made = run_passes(function, ["dot-forms"], verify=True)
    assert rewrites.counts["dot-forms/dot_that_turns_less"] == 1
    assert run_passes(made, ["dot-forms"]) is made
    arrays = whole(*x), whole(*y)
    expected = np.einsum(sums, *arrays)
    np.testing.assert_array_equal(interpret(made, *arrays)[0], expected)
    np.testing.assert_array_equal(by_xla(made, arrays)[0], expected)
