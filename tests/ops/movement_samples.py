"""Samples of the operations that make, move, join and cut elements."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np

from tests.ops.samples import Sample, normal
from tracer.dtypes import ALL
from tracer.ir import Literal

BF16 = ml_dtypes.bfloat16
CUBE = np.arange(24).reshape(2, 3, 4)


def _cubes(attributes: dict[str, Any]) -> list[Sample]:
    """The same movement of elements of several types, among them every width."""
    return [
        Sample(np.dtype(d).name, (CUBE.astype(d),), attributes)
        for d in (np.bool_, np.int8, np.uint16, BF16, np.float32, np.complex64)
    ]


def _constant() -> list[Sample]:
    arrays = [np.asarray([0, 1, 1]).astype(d) for d in ALL]
    arrays += [np.asarray([np.nan, -np.nan, np.inf, -0.0, 1e-45, 0.1], np.float32)]
    arrays += [np.asarray(-7, np.int64), np.full((2, 3), -0.0), np.zeros((0, 2), np.int8)]
    arrays += [np.asarray([1 - 2j, complex(-0.0, np.nan)], np.complex64), np.full(3, 2, BF16)]
    arrays += [np.asarray(True), np.arange(6, dtype=np.uint8).reshape(1, 2, 3)]
    return [
        Sample(f"{i}_{x.dtype.name}", attributes={"value": Literal(x)})
        for i, x in enumerate(arrays)
    ]


def _iota() -> list[Sample]:
    def make(axis: int, shape: tuple[int, ...], dtype: Any) -> Sample:
        name = f"{np.dtype(dtype).name}_{axis}_{'x'.join(map(str, shape))}"
        attributes = {"iota_dimension": axis, "shape": shape, "dtype": np.dtype(dtype)}
        return Sample(name, attributes=attributes)

    some = [make(0, (4,), d) for d in ALL if d != np.bool_]
    return [
        *some,
        make(1, (2, 3), np.int32),
        make(0, (0, 2), np.float32),
        make(1, (0, 2), np.uint8),
    ]


def _reshape() -> list[Sample]:
    def make(name: str, x: np.ndarray[Any, Any], *shape: int) -> Sample:
        return Sample(name, (x,), {"shape": shape})

    return [
        *_cubes({"shape": (4, 6)}),
        make("f64", normal(0, 2, 3), 3, 2),
        make("f64_to_0d", normal(1, 1, 1)),
        make("f64_from_0d", normal(2), 1, 1),
        make("f64_empty", np.zeros((0, 3)), 2, 0, 5),
    ]


def _transpose() -> list[Sample]:
    def make(name: str, x: np.ndarray[Any, Any], *permutation: int) -> Sample:
        return Sample(name, (x,), {"permutation": permutation})

    return [
        *_cubes({"permutation": (2, 0, 1)}),
        make("f64", normal(0, 2, 3, 2), 1, 2, 0),
        make("c128", normal(1, 2, 3, dtype=np.complex128), 1, 0),
        make("f64_0d", normal(2)),
        make("f64_empty", np.zeros((0, 3)), 1, 0),
    ]


def _broadcast() -> list[Sample]:
    def make(name: str, x: np.ndarray[Any, Any], axes: Any, shape: Any) -> Sample:
        return Sample(name, (x,), {"broadcast_dimensions": axes, "shape": shape})

    return [
        *_cubes({"broadcast_dimensions": (2, 0, 1), "shape": (3, 4, 2)}),
        make("f64_0d", normal(0), (), (2, 3)),
        make("f64_to_itself", normal(0), (), ()),
        make("f64_kept_ones", normal(1, 1, 3, 1), (0, 1, 2), (2, 3, 4)),
        make("f64_swapped", normal(2, 2, 1, 3), (3, 0, 1), (2, 3, 2, 2)),
        make("f64_empty_to_more", np.zeros((1, 0)), (1, 2), (2, 3, 0)),
        make("f64_one_to_none", normal(3, 1), (0,), (0,)),
        make("c128", normal(4, 2, dtype=np.complex128), (1,), (2, 2)),
    ]


def _concatenate() -> list[Sample]:
    a, b = normal(0, 2, 3), normal(1, 2, 1)
    return [
        Sample("f64", (a, b, a[:, :2]), {"dimension": 1}),
        Sample("f64_one", (a,), {"dimension": 0}),
        Sample("f64_with_empty", (a, np.zeros((2, 0)), b), {"dimension": 1}),
        Sample("f64_empty", (np.zeros((0, 3)), np.zeros((0, 3))), {"dimension": 0}),
        Sample("c128", (a.astype(np.complex128), 1j * b), {"dimension": 1}),
        *(
            Sample(np.dtype(d).name, (CUBE.astype(d), CUBE[:1].astype(d)), {"dimension": 0})
            for d in (np.bool_, np.int8, BF16)
        ),
    ]


def _slice() -> list[Sample]:
    def cut(low: Any, high: Any, strides: Any) -> dict[str, Any]:
        return {"start_indices": low, "limit_indices": high, "strides": strides}

    return [
        *_cubes(cut((0, 1, 0), (2, 3, 4), (1, 1, 3))),
        Sample("f64", (normal(0, 4, 7),), cut((1, 0), (4, 6), (2, 3))),
        Sample("f64_past_stride", (normal(1, 5),), cut((1,), (4,), (9,))),
        Sample("f64_nothing", (normal(2, 5),), cut((3,), (3,), (2,))),
        Sample("f64_0d", (normal(3),), cut((), (), ())),
        Sample("f64_empty", (np.zeros((0, 2)),), cut((0, 0), (0, 2), (1, 2))),
        Sample("c128", (normal(4, 5, dtype=np.complex128),), cut((1,), (5,), (3,))),
    ]


def _pad() -> list[Sample]:
    def make(name: str, x: Any, low: Any, high: Any, inside: Any, value: Any = 0.5) -> Sample:
        attributes = {
            "edge_padding_low": low,
            "edge_padding_high": high,
            "interior_padding": inside,
        }
        return Sample(name, (x, np.asarray(value).astype(x.dtype)), attributes)

    line = np.arange(1, 5)
    return [
        make("f64", normal(0, 2, 3), (1, 0), (2, 1), (0, 0)),
        make("f64_interior", normal(1, 2, 3), (1, 0), (0, 2), (1, 2)),
        make("f64_negative", normal(2, 4, 5), (-1, 2), (1, -2), (0, 0)),
        make("f64_negative_interior", normal(3, 4, 3), (-2, -1), (-1, 3), (2, 1)),
        make("f64_crop_past_all", normal(4, 3), (-3,), (4,), (0,)),
        make("f64_crop_all", normal(5, 3), (-1,), (-2,), (0,)),
        make("f64_empty_interior", np.zeros((0, 2)), (1, 0), (2, 0), (3, 1)),
        make("f64_0d", normal(6), (), (), ()),
        make("c128", normal(7, 3, dtype=np.complex128), (1,), (-1,), (1,), 1j),
        *(
            make(np.dtype(d).name, line.astype(d), (1,), (-1,), (1,), 1)
            for d in (np.bool_, np.int8, np.uint32, BF16, np.complex64)
        ),
        make("f32_infinite", line.astype(np.float32), (2,), (2,), (1,), -np.inf),
    ]


def _reverse() -> list[Sample]:
    return [
        *_cubes({"dimensions": (2, 0)}),
        Sample("f64", (normal(0, 2, 3),), {"dimensions": (1,)}),
        Sample("f64_no_axis", (normal(1, 2, 3),), {"dimensions": ()}),
        Sample("f64_0d", (normal(2),), {"dimensions": ()}),
        Sample("f64_empty", (np.zeros((0, 3)),), {"dimensions": (0, 1)}),
    ]


def _rng() -> list[Sample]:
    def make(shape: tuple[int, ...], dtype: Any) -> Sample:
        attributes = {"rng_algorithm": "THREE_FRY", "shape": shape, "dtype": np.dtype(dtype)}
        name = f"{np.dtype(dtype).name}_{'x'.join(map(str, shape))}"
        return Sample(name, (np.asarray([7, 2**40 + 3], np.uint64),), attributes)

    return [
        make((5,), np.uint32),
        make((2, 3), np.uint64),
        make((), np.uint32),
        make((0,), np.uint8),
    ]


SAMPLES: dict[str, list[Sample]] = {
    "constant": _constant(),
    "iota": _iota(),
    "reshape": _reshape(),
    "transpose": _transpose(),
    "broadcast_in_dim": _broadcast(),
    "concatenate": _concatenate(),
    "slice": _slice(),
    "pad": _pad(),
    "reverse": _reverse(),
    "rng_bit_generator": _rng(),
}
