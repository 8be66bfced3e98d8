"""One warning for what is compiled again and again at one place; none for what has to be."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import tracer as tr
from tracer import nn, optim


def rows(n):
    return tr.asarray(np.ones((n, 3), np.float32))


def look(n):
    return (tr.sin(rows(n)) * 2.0).numpy()


def test_a_shape_that_varies_is_warned_of_once_with_its_line(device):
    with pytest.warns(RuntimeWarning) as caught:
        for n in range(2, 9):
            x = tr.sin(rows(n)) * 2.0
            x.numpy()
    (warning,) = caught
    assert (warning.filename, warning.lineno) == (__file__, line_of("            x.numpy()"))
    place = f"test_recompiles.py:{line_of('            x = tr.sin')}"
    assert str(warning.message) == (
        "the program that is cut here was compiled 3 times in a row. What differs: argument 0, "
        f"first used at {place}: tensor<4x3xf32>, was tensor<3x3xf32>\n"
        "  a program is compiled for fixed shapes, once for each: few are no harm; where there are "
        "many, pad what varies, or leave out the last batch"
    )


def line_of(text):
    """The first line of this file that has a text."""
    with open(__file__, encoding="utf-8") as file:
        return next(n for n, line in enumerate(file, 1) if text in line)


def test_a_known_program_in_between_is_none_too_many(device, counted):
    for n in range(2, 6):
        for _ in range(2):
            look(n)
    assert counted()["compiles"] == 4


def test_a_function_that_is_called_at_several_lines_is_none_too_many(device, counted):
    look(2)
    look(3)
    look(4)
    look(5)
    assert counted()["compiles"] == 4


def test_a_training_step_needs_its_first_compiles(device, counted):
    model = nn.Dense(300, 200, generator=tr.random.Generator(0))
    optimizer = optim.SGD(model, 0.1, momentum=0.9)
    held = None
    for step in range(8):
        x = tr.asarray(np.full((4, 300), step, np.float32))
        loss, gradient = tr.value_and_grad(lambda m, x=x: (m(x) ** 2).mean())(model)
        optimizer.learning_rate = 0.1 / (step + 1)
        optimizer.update(model, gradient)
        if step == 3:
            held = model.weight
        tr.barrier()
        if step == 5:
            held = None
    assert held is None
    assert counted()["compiles"] <= 5
    assert np.isfinite(float(loss))


def test_epochs_of_few_batches_need_each_a_program_of_their_own(device, counted):
    """The first starts from what is initialized, the second goes on, the third is smaller."""
    model = nn.Dense(3, 2, generator=tr.random.Generator(0))
    optimizer = optim.Adam(model)
    for _ in range(2):
        for n in (8, 8, 5):
            gradient = tr.grad(lambda m, x: m(x).sum())(model, rows(n))
            optimizer.update(model, gradient)
            tr.barrier()
        for n in (6, 4):
            model(rows(n)).numpy()
    assert counted()["compiles"] >= 5


def test_functions_that_are_tried_one_after_another_are_none_too_many(device, counted):
    for function in (tr.sum, tr.max, tr.min, tr.prod):
        float(function(rows(4)))
    assert counted()["compiles"] == 4


def test_axes_are_warned_of_with_advice_that_helps(device, counted):
    x = tr.asarray(np.ones((2, 3, 4), np.float32))
    with pytest.warns(RuntimeWarning, match=r"(?s)dimensions \(2,\), was \(1,\)\n.*after the loop"):
        for axis in range(3):
            x.sum(axis).numpy()
    sums = [x.sum(axis) for axis in range(3)]
    assert [y.numpy().shape for y in sums] == [(3, 4), (2, 4), (2, 3)]
    assert counted()["compiles"] == 3 + 1


def test_a_warning_that_is_an_error_leaves_what_is_pending(device):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        results = []
        with pytest.raises(RuntimeWarning, match="3 times in a row"):
            for n in (2, 3, 4):
                results.append(tr.sin(rows(n)) * 2.0)
                results[-1].numpy()
    np.testing.assert_allclose(results[-1].numpy(), np.full((4, 3), 2 * np.sin(1.0)), rtol=1e-6)


def test_operations_that_vary_are_warned_of(device):
    x = rows(2)
    with pytest.warns(RuntimeWarning, match=r"more operations: add at test_recompiles\.py:\d+"):
        for n in range(4):
            y = tr.sin(tr.cos(tr.tanh(x)))
            for _ in range(n):
                y = y + x
            y.numpy()


def test_a_jitted_function_is_warned_of_once(device):
    double = tr.jit(lambda batch: batch * 2.0)
    with pytest.warns(RuntimeWarning) as caught:
        for n in range(2, 7):
            double(rows(n))
    (warning,) = caught
    assert (warning.filename, warning.lineno) == (__file__, line_of("            double(rows(n))"))
    assert str(warning.message).startswith(
        "<lambda>, a jitted function, was compiled 3 times in a row. What differs: "
        "batch: tensor<4x3xf32>, was tensor<3x3xf32>\n  a program is compiled for fixed shapes"
    )


def test_a_jitted_function_that_is_used_in_between_is_none_too_many(device):
    double = tr.jit(lambda batch: batch * 2.0)
    for n in range(2, 7):
        for _ in range(2):
            double(rows(n))
    triple = tr.jit(lambda batch: batch * 3.0)
    triple(rows(2))
    triple(rows(3))
    triple(rows(4))
