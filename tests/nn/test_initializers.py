"""Initialisers: bounds, variances, fans; and the generator they draw from."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import tracer as tr
from tests.functions.oracle import FLOATS, check
from tracer import nn

SHAPE = (3, 3, 40, 60)
IN, OUT = 9 * 40, 9 * 60
UNIFORM = {"glorot_uniform": 6 / (IN + OUT), "he_uniform": 6 / IN}
NORMAL = {"glorot_normal": 2 / (IN + OUT), "he_normal": 2 / IN}
COUNT = math.prod(SHAPE)


@pytest.fixture
def lazy() -> Iterator[None]:
    """The lazy device alone: numbers are the same everywhere, and here take fewer programs."""
    with tr.default_device(tr.Device.default_xla()):
        yield


@pytest.mark.parametrize("name", UNIFORM)
def test_uniform(name: str, lazy: None) -> None:
    limit = math.sqrt(UNIFORM[name])
    found = getattr(nn, name)(SHAPE, tr.random.Generator(0)).numpy()
    assert found.dtype == np.float32
    assert -limit <= found.min() < -0.999 * limit
    assert 0.999 * limit < found.max() <= limit
    assert abs(found.mean()) < 4 * limit / math.sqrt(3 * COUNT)
    np.testing.assert_allclose(found.var(), limit**2 / 3, rtol=0.02)


@pytest.mark.parametrize("name", NORMAL)
def test_truncated_normal(name: str, lazy: None) -> None:
    """The variance after truncation is the one that is named; the edge is two deviations out."""
    std = math.sqrt(NORMAL[name])
    found = getattr(nn, name)(SHAPE, tr.random.Generator(0)).numpy()
    edge = 2 * std / 0.87962566103423978
    assert 0.99 * edge < np.abs(found).max() <= edge * (1 + 1e-6)
    np.testing.assert_allclose(found.std(), std, rtol=0.01)
    assert abs(found.mean()) < 4 * std / math.sqrt(COUNT)
    inner = (np.abs(found) < edge / 2).mean()
    np.testing.assert_allclose(inner, 0.6827 / 0.9545, atol=0.01)


def test_limits_of_lenet(lazy: None) -> None:
    for shape, limit in (((5, 5, 1, 6), 0.185164), ((400, 120), 0.107417)):
        found = nn.glorot_uniform(shape, tr.random.Generator(0)).numpy()
        assert 0.9 * limit < np.abs(found).max() <= limit + 1e-6


def test_constants(device: tr.Device) -> None:
    generator = tr.random.Generator(0)
    check(nn.zeros((2, 3), generator), np.zeros((2, 3), np.float32))
    check(nn.ones((2,), generator, tr.float64), np.ones(2))


class TestGenerator:
    """Numbers from a counter."""

    def test_numbers_are_the_same_everywhere(self) -> None:
        devices = (tr.Device.default_eager(), tr.Device.default_xla())
        found = []
        for device in devices:
            generator = tr.random.Generator(5, device=device)
            drawn = [generator.bits(4), generator.uniform((3,)), generator.normal((2,))]
            found.append([x.tolist() for x in drawn])
        assert found[0][:2] == found[1][:2]
        np.testing.assert_allclose(found[0][2], found[1][2], rtol=1e-5)

    def test_draws_differ(self, device: tr.Device) -> None:
        generator = tr.random.Generator(5)
        draws = [tuple(generator.bits(2).tolist()) for _ in range(5)]
        assert len(set(draws)) == 5
        assert tuple(tr.random.Generator(5).bits(2).tolist()) == draws[0]
        assert tuple(tr.random.Generator(6).bits(2).tolist()) != draws[0]
        assert tr.random.Generator().bits(4).tolist() != tr.random.Generator().bits(4).tolist()

    @pytest.mark.parametrize("dtype", FLOATS, ids=str)
    def test_uniform(self, dtype: Any, device: tr.Device) -> None:
        found = tr.random.Generator(1).uniform((1000,), dtype=dtype)
        assert found.dtype == dtype
        values = found.numpy().astype(np.float64)
        assert values.min() >= 0
        assert values.max() < 1
        assert abs(values.mean() - 0.5) < 0.05

    def test_high_is_never_met(self, lazy: None) -> None:
        values = tr.random.Generator(1).uniform((20000,), 100.0, 100.0001).numpy()
        assert values.min() >= 100
        assert values.max() < np.float32(100.0001)

    def test_normal(self, lazy: None) -> None:
        values = tr.random.Generator(2).normal((100, 100), 3.0, 2.0).numpy()
        assert abs(values.mean() - 3) < 0.08
        assert abs(values.std() - 2) < 0.06
        assert abs((np.abs(values - 3) < 2).mean() - 0.6827) < 0.02

    def test_truncated_normal(self, lazy: None) -> None:
        values = tr.random.Generator(2).truncated_normal((100, 100), 1.0, 0.5).numpy()
        assert np.abs(values - 1).max() <= 1.000001

    def test_nothing(self, device: tr.Device) -> None:
        assert tr.random.Generator(0).uniform((0, 3)).shape == (0, 3)
        assert tr.random.Generator(0).normal().shape == ()

    def test_moving_keeps_the_sequence(self, device: tr.Device) -> None:
        generator, same = tr.random.Generator(3), tr.random.Generator(3)
        generator.bits(3), same.bits(3)
        other = tr.Device.default_eager() if device.lazy else tr.Device.default_xla()
        assert generator.to(other).device is other
        assert generator.bits(3).tolist() == same.bits(3).tolist()
