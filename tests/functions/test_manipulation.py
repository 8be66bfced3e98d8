"""Functions that move elements, against NumPy."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

import tracer as tr
from tests.functions.oracle import check

X = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
CASES: dict[str, Callable[[Any, Any], Any]] = {
    "reshape": lambda m, x: m.reshape(x, (4, 6)),
    "reshape to what is left": lambda m, x: m.reshape(x, (3, -1)),
    "reshape to an int": lambda m, x: m.reshape(x, 24),
    "ravel": lambda m, x: m.ravel(x),
    "permute": lambda m, x: m.transpose(x, (2, 0, 1)),
    "permute from the end": lambda m, x: m.transpose(x, (-1, 0, 1)),
    "transpose": lambda m, x: m.transpose(x),
    "matrix transpose": lambda m, x: m.matrix_transpose(x),
    "moveaxis": lambda m, x: m.moveaxis(x, 0, -1),
    "moveaxis of two": lambda m, x: m.moveaxis(x, (0, 1), (2, 0)),
    "expand": lambda m, x: m.expand_dims(x, 1),
    "expand at the end": lambda m, x: m.expand_dims(x, -1),
    "squeeze": lambda m, x: m.squeeze(m.reshape(x, (1, 24, 1))),
    "squeeze one": lambda m, x: m.squeeze(m.reshape(x, (1, 24, 1)), 0),
    "squeeze two": lambda m, x: m.squeeze(m.reshape(x, (1, 24, 1)), (0, -1)),
    "broadcast": lambda m, x: m.broadcast_to(m.reshape(x, (2, 1, 12)), (3, 2, 5, 12)),
    "broadcast of a number": lambda m, x: m.broadcast_to(m.sum(x), (2, 2)),
    "concatenate": lambda m, x: m.concatenate([x, x[:, :1]], axis=1),
    "concatenate one": lambda m, x: m.concatenate([x]),
    "concatenate flat": lambda m, x: m.concatenate([x[0], x[:1, :1, :1]], axis=None),
    "concatenate nothing": lambda m, x: m.concatenate([x, x[:0]]),
    "stack": lambda m, x: m.stack([x, x + 1]),
    "stack at the end": lambda m, x: m.stack([x, x + 1], axis=-1),
    "flip": lambda m, x: m.flip(x),
    "flip one": lambda m, x: m.flip(x, 1),
    "flip two": lambda m, x: m.flip(x, (0, -1)),
    "pad": lambda m, x: m.pad(x, 1),
    "pad by a pair": lambda m, x: m.pad(x, (1, 2)),
    "pad by pairs": lambda m, x: m.pad(x, ((0, 0), (1, 0), (0, 2)), constant_values=7),
    "T": lambda m, x: x.T,
    "mT": lambda m, x: x.mT,
    "method reshape": lambda m, x: x.reshape(6, -1),
    "method reshape of a tuple": lambda m, x: x.reshape((6, 4)),
    "method transpose": lambda m, x: x.transpose(1, 0, 2),
    "method transpose of a tuple": lambda m, x: x.transpose((1, 0, 2)),
    "method transpose of none": lambda m, x: x.transpose(),
}


@cache
def _found(device: tr.Device) -> dict[str, tr.Tensor]:
    x = tr.asarray(X, device=device)
    return {name: case(tr, x) for name, case in CASES.items()}


@pytest.mark.parametrize("name", CASES)
def test_as_numpy(name: str, device: tr.Device) -> None:
    check(_found(device)[name], CASES[name](np, X))


def test_nothing_can_be_reshaped(device: tr.Device) -> None:
    none = tr.zeros((0, 3))
    assert tr.reshape(none, (-1, 3)).shape == (0, 3)
    assert tr.reshape(none, (5, 0)).shape == (5, 0)
    assert tr.reshape(none, -1).shape == (0,)
    assert tr.reshape(tr.asarray(1.0), (1, 1)).shape == (1, 1)


def test_what_is_joined_promotes(device: tr.Device) -> None:
    check(tr.concatenate([tr.asarray([1]), tr.asarray([0.5])]), np.array([1, 0.5], np.float32))
    check(tr.concatenate([np.ones(1, np.int8), tr.asarray([2])]), np.array([1, 2], np.int32))
    check(tr.stack([tr.asarray(1.0), 2]), np.array([1, 2], np.float32))


def test_values_of_padding(device: tr.Device) -> None:
    check(tr.pad(tr.asarray([True]), 1, constant_values=True), np.ones(3, bool))
    check(tr.pad(tr.asarray(2.0), 3), np.float32(2))
    check(tr.pad(tr.asarray([1]), 1, constant_values=-2), np.array([-2, 1, -2], np.int32))


def test_results_never_alias(device: tr.Device) -> None:
    x = tr.zeros(4)
    y = x.reshape(2, 2)
    x = x + 1
    x[0] = 9.0
    check(y, np.zeros((2, 2), np.float32))
