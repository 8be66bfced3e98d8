"""The options that programs are compiled with follow from their form."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tracer as tr
from lowering import compile_options
from lowering.options import MANY, TINY
from tracer.ir import TensorType

UNOPTIMISED = (("xla_backend_optimization_level", 0),)


def options(f: Callable[..., Any], size: int, platform: str = "cpu") -> Any:
    """Those of f on one vector."""
    return compile_options(tr.trace(f, TensorType((size,), np.dtype(np.float32))), platform)


@pytest.mark.parametrize("f", [tr.exp, lambda x: x + 1.0, lambda x: x.reshape(-1, 1)])
def test_one_small_operation_is_not_optimised(f: Callable[..., Any]) -> None:
    assert options(f, TINY) == UNOPTIMISED
    assert options(f, TINY + 1) == ()
    assert options(f, TINY, "gpu") == ()


def test_what_could_be_contracted_or_has_a_region_is_optimised() -> None:
    assert options(lambda x: x * x + x, 3) == ()
    assert options(tr.sum, 3) == ()


def test_many_results_that_are_also_read_are_not_fused() -> None:
    def chain(x: tr.Tensor, n: int) -> list[tr.Tensor]:
        results = [x]
        for _ in range(n):
            results.append(results[-1] * x)
        return results[1:]

    assert options(lambda x: chain(x, MANY), 3) == ()  # the last is not read
    assert options(lambda x: chain(x, MANY + 1), 3) == (("xla_disable_hlo_passes", "fusion"),)


@pytest.mark.parametrize("f", [tr.exp, tr.log, tr.tanh, tr.sin, tr.expm1, tr.sigmoid, tr.rsqrt])
def test_bits_do_not_depend_on_them(f: Callable[..., Any]) -> None:
    device = tr.Device.default_eager()
    x = np.linspace(0.01, 20.0, TINY, dtype=np.float32)
    small = f(tr.asarray(x, device=device)).numpy()
    large = f(tr.asarray(np.tile(x, 2), device=device)).numpy()
    np.testing.assert_array_equal(small, large[:TINY])
