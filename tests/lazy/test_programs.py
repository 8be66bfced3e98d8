"""Which recordings share a program."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

import tracer as tr
from tracer import data, losses, models, nn, optim


def step(model, optimizer, images, labels):
    """One training step."""
    with tr.learning_phase("training"):
        loss, gradient = tr.value_and_grad(
            lambda m: losses.softmax_cross_entropy(m(images), labels)
        )(model)
    optimizer.update(model, gradient)
    tr.barrier()
    return loss


def test_training_is_one_program_and_validation_two(device, counted):
    mnist = data.MNIST(500)
    model = models.LeNet(generator=tr.random.Generator(0)).to(device)
    optimizer = optim.SGD(model, 0.1)
    tr.barrier()
    compiles = [counted()["compiles"]]
    for _ in range(2):
        for batch in mnist.training:
            step(model, optimizer, tr.asarray(batch.images), tr.asarray(batch.labels))
        compiles.append(counted()["compiles"])
        for rows in (300, 300, 100):
            model(tr.asarray(batch.images[:rows])).argmax(1).numpy()
        compiles.append(counted()["compiles"])
    assert [after - before for before, after in pairwise(compiles)] == [1, 2, 0, 0]


@pytest.mark.parametrize("kind", [optim.SGD, optim.Adam])
def test_a_changing_learning_rate_costs_one_compile(kind, device, counted):
    model = nn.Dense(3, 2, generator=tr.random.Generator(0)).to(device)
    images, labels = tr.ones((4, 3)), tr.asarray([0, 1, 0, 1])
    optimizer = kind(model, 0.1)
    tr.barrier()
    step(model, optimizer, images, labels)
    compiled = counted()["compiles"]
    for i in range(10):
        optimizer.learning_rate = 0.1 / (i + 2)
        step(model, optimizer, images, labels)
    assert counted()["compiles"] == compiled + 1


def test_a_scalar_that_becomes_another_keeps_its_own_place(counted):
    """Values are never shared by value: the structure alone makes the arguments."""
    x = tr.asarray([1.0, 2.0])
    for rate in (0.1, 1e-8, 0.3, 1e-8):
        y = x * rate + 1e-8
        np.testing.assert_allclose(y.numpy(), np.array([1, 2], np.float32) * rate + 1e-8, 1e-6)
    assert counted()["compiles"] == 2


def test_zeros_of_two_signs_differ():
    x = tr.asarray(1.0)
    assert [(1.0 / (x * k)).item() for k in (0.0, -0.0)] == [math.inf, -math.inf]


def test_scalars_of_three_types_differ():
    x = tr.asarray([1, 2])
    assert [(x + k).dtype for k in (1, 1.0, True)] == [tr.int32, tr.float32, tr.int32]
    assert [(x + k).tolist() for k in (1, 1.0, True)] == [[2, 3], [2.0, 3.0], [2, 3]]


def test_scalars_whose_hashes_are_equal_differ():
    x = tr.asarray(1.0)
    assert [(x * k).item() for k in (-1, -2)] == [-1.0, -2.0]


def test_nan_finds_its_program(counted):
    x = tr.asarray(1.0)
    for _ in range(3):
        assert math.isnan((x * math.nan).item())
    assert counted()["compiles"] == 1


def test_a_thousand_scalars_are_two_programs(counted):
    x = tr.asarray(2.0)
    for k in range(1000):
        assert (x * float(k)).item() == 2.0 * k
    assert counted()["compiles"] == 2


def test_arrays_are_never_part_of_a_program(counted):
    for value in range(5):
        x = tr.asarray(np.full(3, value, np.float32))
        assert (x + 1.0).tolist() == [value + 1.0] * 3
    assert counted()["compiles"] == 1


def test_random_numbers_cost_one_program_and_never_repeat(device, counted):
    draws = []
    for _ in range(2):
        generator = tr.random.Generator(7, device=device)
        for _ in range(10):
            draws.append(generator.normal((4,)).numpy().copy())
    assert counted()["compiles"] == 1
    assert len({d.tobytes() for d in draws[:10]}) == 10
    np.testing.assert_array_equal(draws[:10], draws[10:])


def test_two_devices_do_not_share_programs(device, counted):
    for place in (device, tr.Device.default_eager()):
        x = tr.asarray([[[1.0], [2.0]]], device=place)  # a shape of this test's own
        assert (x * 3.0).tolist() == [[[3.0], [6.0]]]
    assert counted()["compiles"] == 2


def test_a_buffer_given_twice_is_one_parameter():
    x = tr.asarray([1.0, 2.0])
    same = x.to(x.device)
    assert (x + same).tolist() == [2.0, 4.0]
    assert (x * tr.stop_gradient(x)).tolist() == [1.0, 4.0]


@pytest.mark.parametrize("width", [None, 2])
def test_a_loop_over_indices_needs_no_program_for_each(counted, width):
    x = tr.asarray(np.arange(24.0).reshape(8, 3))
    for i in range(7):
        found = x[i] if width is None else x[i : i + width]
        assert (
            found.tolist() == (x.numpy()[i] if width is None else x.numpy()[i : i + width]).tolist()
        )
    assert counted()["compiles"] == 3  # at 0, elsewhere, and where it changes


def test_an_eager_loop_over_indices_needs_no_program_for_each():
    x = tr.asarray(np.arange(45.0).reshape(9, 5), device=tr.Device.default_eager())
    before = tr.metrics.snapshot()
    assert [row.tolist() for row in x] == x.tolist()
    found = tr.metrics.difference(tr.metrics.snapshot(), before)
    assert found["compiles"] <= 3  # slice at 0, dynamic_slice elsewhere, reshape
