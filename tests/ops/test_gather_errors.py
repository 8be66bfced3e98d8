"""What gather, scatter and dynamic slices say of a wrong application."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.ops.gather_samples import BATCHED, ELEMENTS, ROWS
from tests.ops.harness import BACKENDS, put
from tests.ops.test_errors import Case, message
from tracer.ops.bodies import combiner
from tracer.ops.elementwise import add
from tracer.ops.gather import scatter, updater
from tracer.ops.numbers import GatherDimensionNumbers, ScatterDimensionNumbers
from tracer.tape import Tape

F32 = np.dtype(np.float32)
TABLE = np.zeros((3, 4), np.float32)
LINE = np.zeros(5, np.int32)
POINT = np.zeros((), np.int32)


def _read(indices: Any, numbers: Any, *sizes: int) -> Case:
    attributes = {"dimension_numbers": GatherDimensionNumbers(*numbers), "slice_sizes": sizes}
    return "gather", (TABLE, indices), attributes, ()


def _write(*operands: Any, numbers: Any = ROWS, body: Any = None) -> Case:
    attributes = {"scatter_dimension_numbers": ScatterDimensionNumbers(*numbers)}
    return "scatter", operands, attributes, (body or combiner("add", F32),)


def _rows(**changed: Any) -> tuple[Any, ...]:
    return tuple(GatherDimensionNumbers(*ROWS)._replace(**changed))


def _ones(*shape: int) -> np.ndarray[Any, Any]:
    return np.ones(shape, np.float32)


CASES: dict[str, Case] = {
    "TypeError: gather: an operand of int or uint dtype is needed, got tensor<5xf32>": _read(
        _ones(5), ROWS, 1, 4
    ),
    "ValueError: gather: index_vector_dim needs an int from 0 to 1, got 2": _read(
        LINE, _rows(index_vector_dim=2), 1, 4
    ),
    "ValueError: gather: offset_dims needs distinct axes below 2, got (2,)": _read(
        LINE, _rows(offset_dims=(2,)), 1, 4
    ),
    "ValueError: gather: offset_dims needs axes in order, got (2, 1)": _read(
        LINE, ((2, 1), (), (), (), (0,), 1), 1, 4
    ),
    "ValueError: gather: collapsed_slice_dims needs distinct axes below 2, got (2,)": _read(
        LINE, _rows(collapsed_slice_dims=(2,)), 1, 4
    ),
    (
        "ValueError: gather: start_index_map with operand_batching_dims needs distinct axes "
        "below 2, got (0, 0)"
    ): _read(LINE, ((), (1,), (0,), (0,), (0,), 1), 1, 1),
    (
        "ValueError: gather: start_indices_batching_dims with index_vector_dim needs distinct "
        "axes below 2, got (0, 0)"
    ): _read(LINE, ((), (1,), (0,), (0,), (1,), 0), 1, 1),
    (
        "ValueError: gather: each axis of tensor<3x4xf32> needs one place, got offset_dims (1,), "
        "collapsed_slice_dims (), operand_batching_dims ()"
    ): _read(LINE, _rows(collapsed_slice_dims=()), 1, 4),
    (
        "ValueError: gather: start_index_map needs 1 axes for indices tensor<5xi32>, got (0, 1)"
    ): _read(LINE, ELEMENTS, 1, 1),
    (
        "ValueError: gather: batching axes of equal lengths are needed, got [3] of "
        "tensor<3x4xf32> and [5] of tensor<5xi32>"
    ): _read(LINE, BATCHED, 1, 1),
    "ValueError: gather: slice_sizes needs one value for each of 2 axes, got (1,)": _read(
        LINE, ROWS, 1
    ),
    (
        "ValueError: gather: slice_sizes within tensor<3x4xf32>, and 1 where an axis goes, are "
        "needed, got (1, 5)"
    ): _read(LINE, ROWS, 1, 5),
    (
        "ValueError: gather: slice_sizes within tensor<3x4xf32>, and 1 where an axis goes, are "
        "needed, got (2, 4)"
    ): _read(LINE, ROWS, 2, 4),
    "TypeError: scatter: inputs, indices and as many updates are needed, got 2 operands": _write(
        TABLE, LINE
    ),
    (
        "TypeError: scatter: inputs of one shape are needed, got tensor<3x4xf32>, tensor<4xf32>"
    ): _write(TABLE, _ones(4), LINE, _ones(5, 4), _ones(5, 4)),
    (
        "TypeError: scatter: operands of one dtype are needed, got tensor<3x4xf32> and "
        "tensor<5x4xi32>"
    ): _write(TABLE, LINE, _ones(5, 4).astype(np.int32)),
    (
        "ValueError: scatter: updates of shape (5, 4), or of less along axes (1,), are needed, "
        "got tensor<5x5xf32>"
    ): _write(TABLE, LINE, _ones(5, 5)),
    (
        "ValueError: scatter: updates of shape (5, 4), or of less along axes (1,), are needed, "
        "got tensor<4x4xf32>"
    ): _write(TABLE, LINE, _ones(4, 4)),
    (
        "ValueError: scatter: inserted_window_dims with input_batching_dims needs distinct axes "
        "below 2, got (0, 0)"
    ): _write(TABLE, LINE, _ones(5, 4), numbers=((1,), (0,), (0,), (0,), (1,), 1)),
    (
        "TypeError: scatter: a region that takes tensor<f32>, tensor<f32> is needed, got "
        "tensor<f64>, tensor<f64>"
    ): _write(TABLE, LINE, _ones(5, 4), body=combiner("add", np.dtype(np.float64))),
    "ValueError: dynamic_slice: a slice needs one value for each of 2 axes, got (1,)": (
        "dynamic_slice",
        (TABLE, POINT, POINT),
        {"slice_sizes": (1,)},
        (),
    ),
    "ValueError: dynamic_slice: a slice of at most tensor<3x4xf32> is needed, got (1, 5)": (
        "dynamic_slice",
        (TABLE, POINT, POINT),
        {"slice_sizes": (1, 5)},
        (),
    ),
    "TypeError: dynamic_slice: 0-d start indices are needed, got tensor<5xi32>": (
        "dynamic_slice",
        (TABLE, POINT, LINE),
        {"slice_sizes": (1, 1)},
        (),
    ),
    "TypeError: dynamic_slice: operands of one type are needed, got tensor<i32> and tensor<i8>": (
        "dynamic_slice",
        (TABLE, POINT, POINT.astype(np.int8)),
        {"slice_sizes": (1, 1)},
        (),
    ),
    (
        "TypeError: dynamic_update_slice: operands of one dtype are needed, got tensor<3x4xf32> "
        "and tensor<5xi32>"
    ): ("dynamic_update_slice", (TABLE, LINE, POINT, POINT), {}, ()),
    (
        "ValueError: dynamic_update_slice: start_indices needs one value for each of 2 axes, got "
        "(tensor<i32>,)"
    ): ("dynamic_update_slice", (TABLE, TABLE, POINT), {}, ()),
}


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("expected", CASES)
def test_message(expected: str, backend: str) -> None:
    assert message(CASES[expected], backend) == expected


def _derivative(backend: str, body: Any) -> None:
    x, updates, indices = put(TABLE, backend), put(_ones(5, 4), backend), put(LINE, backend)
    with Tape() as tape:
        tape.watch(updates)
        numbers = ScatterDimensionNumbers(*ROWS)
        y = scatter(x, indices, updates, scatter_dimension_numbers=numbers, regions=(body,))
    tape.cotangents([(y, x)], [updates], add)


@pytest.mark.parametrize("backend", BACKENDS)
def test_bodies_without_a_derivative(backend: str) -> None:
    with pytest.raises(NotImplementedError, match=r"scatter has no derivative .* \(subtract\)\n"):
        _derivative(backend, combiner("subtract", F32))
    with pytest.raises(NotImplementedError, match=r"only for unique_indices=True\n"):
        _derivative(backend, updater("multiply", F32))
