"""Random programs: eager = lazy, and derivatives = finite differences, first and second."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tracer as tr

pytestmark = pytest.mark.filterwarnings("ignore:the program that is cut here was compiled")
"""Every example is another program, at the same lines."""
SMOOTH: dict[str, Callable[[tr.Tensor], tr.Tensor]] = {
    "sin": tr.sin,
    "tanh": tr.tanh,
    "sigmoid": tr.sigmoid,
    "softplus": tr.softplus,
    "squash": lambda x: x / (1 + x * x),
    "root": lambda x: tr.sqrt(1 + x * x),
    "log": lambda x: tr.log(1 + x * x),
    "softmax": tr.softmax,
    "transposed": lambda x: x.T * 0.5,
    "rows": lambda x: tr.mean(x, 0) + x * 0.3,
    "columns": lambda x: tr.logsumexp(x, 1, keepdims=True) - x * 0.1,
    "var": lambda x: tr.var(x, 1) * x,
    "flat": lambda x: tr.flip(x.reshape(9)).reshape(3, 3),
    "shifted": lambda x: tr.pad(x[1:, :], ((1, 0), (0, 0))),
    "joined": lambda x: tr.concatenate([x[:, 2:], x[:, :2]], 1),
    "negative": lambda x: -x,
}
PAIRS: dict[str, Callable[[tr.Tensor, tr.Tensor], tr.Tensor]] = {
    "add": lambda x, y: x + y,
    "multiply": lambda x, y: x * tr.tanh(y),
    "matmul": lambda x, y: x @ y * 0.3,
    "divide": lambda x, y: x / (2 + y * y),
    "where": lambda x, y: tr.where(tr.stop_gradient(x) > 0.2, x, y),
}
PROGRAMS = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(sorted(SMOOTH)), st.integers(0, 3), st.just(0)),
        st.tuples(st.sampled_from(sorted(PAIRS)), st.integers(0, 3), st.integers(0, 3)),
    ),
    min_size=1,
    max_size=4,
)
RANDOM = settings(
    max_examples=12,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
EAGER_LAZY = 1e-5
"""float32: fusion may change the order of sums, and XLA contracts products and sums."""
FIRST, SECOND = 1e-7, 1e-5
"""float64: central differences at a step of 1e-5, of the value and of the gradient."""


def _program(steps: Sequence[tuple[str, int, int]]) -> Callable[[tr.Tensor, tr.Tensor], tr.Tensor]:
    def cost(x: tr.Tensor, y: tr.Tensor) -> tr.Tensor:
        values = [x, y]
        for name, i, j in steps:
            a, b = values[i % len(values)], values[j % len(values)]
            values.append(SMOOTH[name](a) if name in SMOOTH else PAIRS[name](a, b))
        return tr.sum(values[-1] * tr.sin(values[-2]))

    return cost


def _inputs(seed: int, dtype: Any) -> list[np.ndarray[Any, Any]]:
    generator = np.random.default_rng(seed)
    return [generator.uniform(-2, 2, (3, 3)).astype(dtype) for _ in range(2)]


@RANDOM
@given(PROGRAMS, st.integers(0, 99))
def test_eager_is_lazy(steps: list[tuple[str, int, int]], seed: int) -> None:
    results = []
    for device in (tr.Device.default_eager(), tr.Device.default_xla()):
        given = [tr.asarray(v, device=device) for v in _inputs(seed, np.float32)]
        value, gradients = tr.value_and_grad(_program(steps), (0, 1))(*given)
        results.append([value.numpy(), *(g.numpy() for g in gradients)])
    for eager, lazy in zip(*results, strict=True):
        np.testing.assert_allclose(lazy, eager, rtol=EAGER_LAZY, atol=EAGER_LAZY)


@RANDOM
@given(PROGRAMS, st.integers(0, 99))
def test_derivatives_are_differences(steps: list[tuple[str, int, int]], seed: int) -> None:
    cost = _program(steps)
    x, y = _inputs(seed, np.float64)
    along = np.random.default_rng(seed + 1).uniform(-1, 1, (3, 3))
    device = tr.Device.default_xla()

    def first(a: tr.Tensor, b: tr.Tensor) -> tr.Tensor:
        return tr.sum(tr.grad(cost)(a, b) * along)

    at = lambda h: [tr.asarray(v, device=device) for v in (x + h * along, y)]
    step = 1e-5
    centre, ahead, behind = at(0.0), at(step), at(-step)
    values = [cost(*ahead), cost(*behind), first(*centre)]
    values += [first(*ahead), first(*behind), tr.sum(tr.grad(first)(*centre) * along)]
    up, down, slope, slope_up, slope_down, bend = (v.item() for v in values)
    near = 1 + abs(slope) + abs(bend)
    assert abs((up - down) / (2 * step) - slope) < FIRST * near
    assert abs((slope_up - slope_down) / (2 * step) - bend) < SECOND * near
