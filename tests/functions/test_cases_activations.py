"""Corners of activations that other libraries got wrong once; more are in test_corners.py."""

from __future__ import annotations

import numpy as np

import tracer as tr
from tests.functions.oracle import check


def test_edges(device: tr.Device) -> None:
    """As in PyTorch: those of hard_tanh and hard_sigmoid are 0 at both."""
    slopes = lambda f, *x: tr.grad(lambda v: tr.sum(f(v)))(tr.asarray(x))
    check(slopes(tr.hard_sigmoid, -3.0, 3.0, 0.0), np.array([0, 0, 1 / 6], np.float32))
    check(slopes(tr.hard_swish, -3.0, 3.0), np.array([0, 1], np.float32))
    check(slopes(tr.hard_tanh, -1.0, 1.0, 1.1), np.array([0, 0, 0], np.float32))


def test_equal_arguments(device: tr.Device) -> None:
    """Half of the slope for each, and log_sigmoid's is that of a sigmoid."""
    both = tr.grad(lambda a, b: tr.logaddexp(a, b), (0, 1))(tr.asarray(0.0), tr.asarray(0.0))
    assert [g.item() for g in both] == [0.5, 0.5]
    assert tr.grad(tr.log_sigmoid)(tr.asarray(0.0)).item() == 0.5
