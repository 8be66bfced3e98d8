"""Programs that convolve are compiled with options of their own, which change no more than bits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tracer as tr
from lowering import compile_options
from lowering.options import CONVOLVING
from tests.lowering.running import by_xla
from tracer.ir import Function, TensorType

SHAPES = ((2, 8, 9, 16), (3, 3, 16, 8))


def convolving(dtype: Any = np.float32) -> Function:
    """One convolution of two arguments."""
    types = [TensorType(shape, np.dtype(dtype)) for shape in SHAPES]
    return tr.trace(lambda x, w: tr.conv(x, w, padding="same"), *types)


def test_only_those_that_convolve_float32_on_the_cpu() -> None:
    assert compile_options(convolving(), "cpu") == CONVOLVING
    assert compile_options(convolving(), "gpu") == ()
    assert compile_options(convolving(np.float64), "cpu") == ()
    matrices = [TensorType((80, 80), np.dtype(np.float32))] * 2
    assert compile_options(tr.trace(tr.matmul, *matrices), "cpu") == ()


def test_as_near_to_float64_as_without() -> None:
    random = np.random.default_rng(0)
    exact = [random.normal(size=shape).astype(np.float32).astype(np.float64) for shape in SHAPES]
    (wanted,) = by_xla(convolving(np.float64), exact)
    given = [x.astype(np.float32) for x in exact]
    for options in ((), CONVOLVING):
        (found,) = by_xla(convolving(), given, options=options)
        assert np.abs(found - wanted).max() < 2e-6 * np.abs(wanted).max()


@pytest.mark.parametrize("odd", [np.nan, np.inf, -np.inf])
def test_what_is_not_finite_goes_where_it_goes_without(odd: float) -> None:
    x, w = (np.ones(shape, np.float32) for shape in SHAPES)
    x[1, 4, 4, 3] = odd
    (without,), (found,) = (by_xla(convolving(), [x, w], options=o) for o in ((), CONVOLVING))
    np.testing.assert_allclose(found, without, rtol=1e-6)
    assert np.isfinite(found).sum() == found.size - 9 * SHAPES[1][-1]
