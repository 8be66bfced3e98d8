"""Samples of the operations that read and write where indices say."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np

from tests.ops.samples import Sample, distinct, normal
from tracer.ir import Builder, TensorType
from tracer.ops import OPS
from tracer.ops.gather import updater
from tracer.ops.numbers import GatherDimensionNumbers, ScatterDimensionNumbers

BF16 = ml_dtypes.bfloat16
Array = np.ndarray[Any, Any]
Numbers = tuple[Any, ...]

ROWS: Numbers = ((1,), (0,), (), (), (0,), 1)
"""Whole rows of a matrix, by a line of indices."""
ELEMENTS: Numbers = ((), (0, 1), (), (), (0, 1), 1)
"""Elements of a matrix, by a table of index pairs."""
BATCHED: Numbers = ((), (1,), (0,), (0,), (1,), 1)
"""An element of each row of a matrix, by one index a row."""
SPEC: Numbers = ((3, 4), (1,), (0,), (1,), (2, 1), 3)
"""The numbers of the specification's example."""
LINE = np.asarray([2, 0, 0, -3, 7])
PAIRS = np.asarray([[0, 1], [2, 2], [0, 1], [-1, 0], [2, 9]])
SPEC_INDICES = np.asarray(
    [
        [[[0, 0], [1, 0], [2, 1]], [[0, 1], [1, 1], [0, 9]]],
        [[[0, 0], [2, 1], [2, 2]], [[1, 2], [0, 1], [1, 0]]],
    ]
)


def _read(name: str, x: Array, indices: Any, numbers: Numbers, *sizes: int) -> Sample:
    attributes = {"dimension_numbers": GatherDimensionNumbers(*numbers), "slice_sizes": sizes}
    return Sample(name, (x, np.asarray(indices)), attributes | {"indices_are_sorted": False})


def _gather() -> list[Sample]:
    table = np.arange(12).reshape(3, 4)
    return [
        _read("f64_rows", normal(0, 3, 4), LINE, ROWS, 1, 4),
        _read("f64_part_of_rows", normal(1, 3, 4), LINE.reshape(5, 1), ROWS, 1, 2),
        _read("f64_elements", normal(2, 3, 4), PAIRS, ELEMENTS, 1, 1),
        _read("f64_batched", normal(3, 5, 3), LINE, BATCHED, 1, 1),
        _read("f64_spec", normal(4, 2, 3, 4, 2), SPEC_INDICES, SPEC, 1, 1, 2, 2),
        _read("f64_window_first", normal(5, 3, 4), LINE, ((0,), (0,), (), (), (0,), 1), 1, 4),
        _read("f64_vector_first", normal(6, 3, 4), PAIRS.T, (*ELEMENTS[:5], 0), 1, 1),
        _read("f64_one_row", normal(7, 3, 4), 1, ((0,), (0,), (), (), (0,), 0), 1, 4),
        _read("no_index", table[0], np.zeros((3, 0), int), ((1,), (), (), (), (), 1), 2),
        _read("f64_0d", normal(9), np.zeros(0, int), _POINT),
        _read("f64_none", normal(10, 3, 4), np.zeros(0, int), ROWS, 1, 4),
        _read("f64_of_nothing", np.zeros((3, 0)), LINE, ROWS, 1, 0),
        _read("c128", normal(11, 3, 4, dtype=np.complex128), LINE, ROWS, 1, 4),
        _read("f32_nan", np.asarray([[np.nan, np.inf], [-0.0, 1]], np.float32), [1, 0], ROWS, 1, 2),
        *(
            _read(np.dtype(d).name, (table % 5).astype(d), LINE.astype(i), ROWS, 1, 4)
            for d, i in (
                (np.bool_, np.int8),
                (np.int8, np.int16),
                (np.uint16, np.int32),
                (BF16, np.int64),
            )
        ),
        _read("by_u8", table, np.asarray([250, 1], np.uint8), ROWS, 1, 4),
        _read("by_u64", table, np.asarray([2**63 + 5, 1], np.uint64), ROWS, 1, 4),
        _read("by_i8_of_many", np.arange(300), np.asarray([127, -128], np.int8), _VECTOR, 1),
    ]


_VECTOR: Numbers = ((), (0,), (), (), (0,), 1)


def _write(
    name: str,
    body: str,
    x: Array,
    indices: Any,
    updates: Any,
    numbers: Numbers = ROWS,
    **given: bool,
) -> Sample:
    attributes = {
        "scatter_dimension_numbers": ScatterDimensionNumbers(*numbers),
        "indices_are_sorted": False,
        "unique_indices": given.pop("unique", False),
    }
    operands = (x, np.asarray(indices), np.asarray(updates, x.dtype))
    return Sample(name, operands, attributes, (updater(body, x.dtype),), **given)


def _scatter() -> list[Sample]:
    x, rows, few = normal(0, 3, 4), normal(1, 5, 4), np.asarray([2, -1, 0])
    apart = distinct(2, 8, 4)
    table = np.arange(12).reshape(3, 4)
    spec = normal(3, 2, 3, 4, 2), SPEC_INDICES, normal(4, 2, 2, 3, 2, 2)
    return [
        _write("f64_add_rows", "add", x, LINE, rows),
        _write("f64_add_part_of_rows", "add", x, LINE.reshape(5, 1), rows[:, :2]),
        _write("f64_add_elements", "add", x, PAIRS, rows[:, 0], ELEMENTS),
        _write("f64_add_batched", "add", normal(5, 5, 3), LINE, rows[:, 0], BATCHED),
        _write("f64_add_spec", "add", *spec, SPEC, smooth=False),
        _write("f64_set_rows", "set", x, few, rows[:3]),
        _write("f64_set_unique", "set", x, few, rows[:3], unique=True),
        _write("f64_set_last_of_several", "set", x, LINE, rows),
        _write("f64_set_elements", "set", x, PAIRS, rows[:, 0], ELEMENTS),
        _write("f64_multiply", "multiply", x, few, rows[:3], unique=True),
        _write("f64_maximum", "maximum", apart[:3], LINE, apart[3:]),
        _write("f64_minimum", "minimum", apart[:3], LINE, apart[3:]),
        _write("f64_one_row", "add", x, 1, rows[0], ((0,), (0,), (), (), (0,), 0)),
        _write(
            "partly_outside", "add", x, [[2], [0]], normal(10, 2, 2, 2), _ROW_PAIRS, smooth=False
        ),
        _write("f64_0d", "add", normal(6), np.zeros(0, int), normal(7), _POINT),
        _write("f64_none", "set", x, np.zeros(0, int), rows[:0]),
        _write("f64_into_nothing", "add", np.zeros((0, 4)), LINE, rows),
        _write("c128_add", "add", normal(8, 3, 4, dtype=np.complex128), LINE, rows),
        _write("c128_set", "set", normal(9, 3, 4, dtype=np.complex128), few, rows[:3] * 1j),
        _write("f32_nan", "maximum", np.float32([[1], [2]]), [0, 1, 1], [[np.nan], [np.inf], [3]]),
        *_narrow(table, few),
        _write("by_u8", "set", table, np.asarray([250, 1], np.uint8), table[:2]),
        _pair_of_updates(),
    ]


def _narrow(table: Array, few: Array) -> list[Sample]:
    return [
        _write("bool_or", "or", table[:, :2] > 4, few, [[True, False]] * 3),
        *(
            _write(f"{np.dtype(d).name}_{body}", body, (table % 5).astype(d), few, table[:3] % 3)
            for body, d in (
                ("add", np.int8),
                ("multiply", np.uint16),
                ("minimum", np.int32),
                ("set", BF16),
                ("set", np.bool_),
                ("add", np.float16),
            )
        ),
    ]


_ROW_PAIRS: Numbers = ((1, 2), (), (), (), (0,), 1)
_POINT: Numbers = ((), (), (), (), (), 0)


def _pair_of_updates() -> Sample:
    """Two tensors written to at once: each gets what the other had, where their sum grows."""
    sample = _write("pair", "add", np.arange(3.0, dtype=np.float32), [0, 2], [5, -5], _VECTOR)
    x, indices, updates = sample.operands
    whole = x.astype(np.int32), updates.astype(np.int32)
    operands = (x, whole[0], indices, updates, whole[1])
    return Sample("pair", operands, sample.attributes, (_swapped(),))


def _swapped() -> Any:
    builder = Builder()
    scalars = [TensorType((), np.dtype(d)) for d in (np.float32, np.int32)] * 2
    a, p, b, q = map(builder.argument, scalars)
    (first,) = builder.create(OPS["add"], (a, b))
    (second,) = builder.create(OPS["subtract"], (q, p))
    return builder.block((first, second))


def _starts(*values: Any, dtype: Any = np.int32) -> tuple[Array, ...]:
    return tuple(np.asarray(v, dtype) for v in values)


def _dynamic_slice() -> list[Sample]:
    def make(name: str, x: Array, starts: tuple[Array, ...], *sizes: int) -> Sample:
        return Sample(name, (x, *starts), {"slice_sizes": sizes})

    table = np.arange(12).reshape(3, 4)
    return [
        make("f64", normal(0, 3, 4), _starts(1, 0), 2, 3),
        make("f64_clamped", normal(1, 3, 4), _starts(-5, 9), 2, 3),
        make("f64_nothing", normal(2, 3, 4), _starts(1, 1), 0, 3),
        make("f64_of_nothing", np.zeros((0, 4)), _starts(1, 1), 0, 3),
        make("f64_0d", normal(3), ()),
        make("c128", normal(4, 5, dtype=np.complex128), _starts(2), 3),
        make("by_u8", table, _starts(200, 1, dtype=np.uint8), 1, 2),
        make("by_u64", table, _starts(2**63 + 1, 1, dtype=np.uint64), 1, 2),
        *(
            make(np.dtype(d).name, (table % 5).astype(d), _starts(1, 9, dtype=i), 2, 2)
            for d, i in ((np.bool_, np.int8), (np.uint16, np.int64), (BF16, np.int16))
        ),
    ]


def _dynamic_update_slice() -> list[Sample]:
    def make(name: str, x: Array, update: Array, starts: tuple[Array, ...]) -> Sample:
        return Sample(name, (x, update.astype(x.dtype), *starts))

    x, table = normal(0, 3, 4), np.arange(12).reshape(3, 4)
    return [
        make("f64", x, normal(1, 2, 3), _starts(1, 0)),
        make("f64_clamped", x, normal(2, 2, 3), _starts(-5, 9)),
        make("f64_whole", x, normal(3, 3, 4), _starts(1, 1)),
        make("f64_nothing", x, normal(4, 0, 3), _starts(1, 1)),
        make("f64_into_nothing", np.zeros((0, 4)), normal(5, 0, 3), _starts(1, 1)),
        make("f64_0d", normal(6), normal(7), ()),
        make("c128", normal(8, 5, dtype=np.complex128), normal(9, 2), _starts(2)),
        make("by_u8", table, -table[:1, :2], _starts(200, 1, dtype=np.uint8)),
        *(
            make(np.dtype(d).name, (table % 5).astype(d), table[:2, :2] % 2, _starts(1, 9, dtype=i))
            for d, i in ((np.bool_, np.int8), (np.uint16, np.int64), (BF16, np.int16))
        ),
    ]


SAMPLES: dict[str, list[Sample]] = {
    "gather": _gather(),
    "scatter": _scatter(),
    "dynamic_slice": _dynamic_slice(),
    "dynamic_update_slice": _dynamic_update_slice(),
}
