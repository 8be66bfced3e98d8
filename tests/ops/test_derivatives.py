"""The derivative of an op is that of its NumPy meaning, first and second order, in both modes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from tests.ops.harness import BACKENDS, PAIRS, Array, by_numpy, get, put, run_op
from tests.ops.samples import Sample, normal
from tracer.dtypes import is_inexact
from tracer.ops.elementwise import add
from tracer.tape import Tape
from tracer.values import Data

STEP = 1e-5
SMOOTH = [(name, s) for name, s in PAIRS if s.wide]
IDS = [f"{name}-{s.name}" for name, s in SMOOTH]

FIRST = {name: sample for name, sample in reversed(SMOOTH)}
TWICE = [(name, s, "XLA") for name, s in SMOOTH]
TWICE += [(name, s, "EAGER") for name, s in FIRST.items()]  # each op compiles programs of its own
TWICE_IDS = [f"{name}-{s.name}-{backend}" for name, s, backend in TWICE]


def moving(sample: Sample) -> list[int]:
    """The positions of the operands that derivatives are taken of."""
    return [i for i, x in enumerate(sample.operands) if is_inexact(x.dtype)]


def pullback(
    name: str, sample: Sample, operands: Sequence[Data], cotangents: Sequence[Data]
) -> list[Array | Data]:
    """The cotangents of the moving operands; zeros where the tape has none."""
    positions = moving(sample)
    with Tape() as tape:
        for i in positions:
            tape.watch(operands[i])
        results = run_op(name, sample, operands, operands[0].device.backend)
    pairs = [(r, g) for r, g in zip(results, cotangents, strict=True) if is_inexact(r.type.dtype)]
    found = tape.cotangents(pairs, [operands[i] for i in positions], add)
    zeros = (np.zeros(operands[i].type.shape, operands[i].type.dtype) for i in positions)
    return [zero if x is None else x for x, zero in zip(found, zeros, strict=True)]


def values(found: Sequence[Array | Data]) -> list[Array]:
    """Arrays of what may be pending."""
    return [get(x) if isinstance(x, Data) else x for x in found]


def nudged(arrays: Sequence[Array], positions: Sequence[int], directions: Any, by: float) -> Any:
    """The arrays, some of them moved along directions."""
    moved = list(arrays)
    for i, direction in zip(positions, directions, strict=True):
        moved[i] = moved[i] + by * direction
    return moved


def dot(left: Sequence[Array], right: Sequence[Array]) -> Any:
    """The sum of all products; nothing is conjugated."""
    return sum((np.sum(a * b) for a, b in zip(left, right, strict=True)), np.float64(0))


def random(seed: int, arrays: Sequence[Array]) -> list[Array]:
    """A random array like each."""
    return [normal(seed + i, *x.shape, dtype=x.dtype) for i, x in enumerate(arrays)]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("name", "sample"), SMOOTH, ids=IDS)
def test_first_derivative(name: str, sample: Sample, backend: str) -> None:
    positions = moving(sample)
    cotangents = random(20, by_numpy(name, sample))
    operands = [put(x, backend) for x in sample.operands]
    found = values(pullback(name, sample, operands, [put(g, backend) for g in cotangents]))
    for i, mine in zip(positions, found, strict=True):
        expected = np.zeros_like(sample.operands[i])
        assert mine.shape == expected.shape and mine.dtype == expected.dtype
        for place in np.ndindex(expected.shape):
            unit = np.zeros_like(expected)
            unit[place] = 1
            ahead, behind = (
                by_numpy(name, sample, nudged(sample.operands, [i], [unit], h))
                for h in (STEP, -STEP)
            )
            slopes = [
                (a - b) / (2 * STEP) if is_inexact(a.dtype) else np.zeros(a.shape)
                for a, b in zip(ahead, behind, strict=True)
            ]
            expected[place] = dot(slopes, cotangents)
        np.testing.assert_allclose(mine, expected, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize(("name", "sample", "backend"), TWICE, ids=TWICE_IDS)
def test_second_derivative(name: str, sample: Sample, backend: str) -> None:
    """<v, d pullback(x; u)> along u = <u, pullback of the pullback (v)>, for random u and v."""
    positions = moving(sample)
    cotangents = random(20, by_numpy(name, sample))
    moved = [sample.operands[i] for i in positions]
    along, weights, turned = random(30, moved), random(40, moved), random(50, cotangents)

    def first(by: float) -> list[Array]:
        operands = [put(x, backend) for x in nudged(sample.operands, positions, along, by)]
        given = [put(g + by * t, backend) for g, t in zip(cotangents, turned, strict=True)]
        return values(pullback(name, sample, operands, given))

    operands = [put(x, backend) for x in sample.operands]
    given = [put(g, backend) for g in cotangents]
    inputs = [operands[i] for i in positions] + given
    with Tape() as tape:
        for x in inputs:
            tape.watch(x)
        once = pullback(name, sample, operands, given)
    pairs = [
        (x, put(w, backend)) for x, w in zip(once, weights, strict=True) if isinstance(x, Data)
    ]
    twice = tape.cotangents(pairs, inputs, add)
    pulled = dot(
        [get(x) for x in twice if x is not None],
        [d for d, x in zip(along + turned, twice, strict=True) if x is not None],
    )
    slope = (dot(first(STEP), weights) - dot(first(-STEP), weights)) / (2 * STEP)
    np.testing.assert_allclose(pulled, slope, rtol=1e-5, atol=1e-6)
