"""tr.debug.nans names the first operation that makes a NaN or an infinity, and its line."""

from __future__ import annotations

import numpy as np
import pytest

import tracer as tr
from tests.debug.said import message
from tracer import nn
from tracer.debug import nans

X = np.array([1.0, -2.0, 4.0], np.float32)


def _model(x: tr.Tensor) -> tr.Tensor:
    y = x * 2.0  # doubled
    z = tr.log(y)  # log
    return (z + 1.0).sum()


def test_lazily_at_the_cut(lazy, at):
    y = tr.asarray(X)

    def run() -> None:
        _model(y)
        result = _model(y)
        result.item()  # look

    assert message(run) == (
        "nans(): log made 1 NaN in tensor<3xf32>\n"
        f"  operand 0: tensor<3xf32>, from -4.0 to 8.0, of multiply at {at('doubled')}\n"
        f"  found by a look at a value at {at('look')}\n"
        f"  at {at('log')}"
    )


def test_eagerly_at_once(at):
    with tr.default_device(tr.Device.default_eager()):
        x = tr.asarray(X)
        assert message(lambda: _model(x)) == (
            "nans(): log made 1 NaN in tensor<3xf32>\n"
            "  operand 0: tensor<3xf32>, from -4.0 to 8.0\n"
            f"  at {at('log')}"
        )


def test_in_jit_at_the_call(device, at):
    f = tr.jit(_model)
    x = tr.asarray(X)
    f(x)

    def run() -> None:
        f(x)  # call

    assert message(run) == (
        "nans(): log made 1 NaN in tensor<3xf32>\n"
        f"  operand 0: tensor<3xf32>, from -4.0 to 8.0, of multiply at {at('doubled')}\n"
        f"  found by a call of a jitted function at {at('call')}\n"
        f"  at {at('log')}"
    )


def test_the_end_is_a_barrier(lazy, counted):
    x = tr.asarray(X)
    with nans():
        y = x * 3.0
        counted()
    assert counted()["cuts"] == {"barrier": 1}
    kept = []
    assert "log made 1 NaN" in message(lambda: kept.append(_model(y)))


def test_an_error_inside_comes_through(device):
    with pytest.raises(KeyError, match="mine"), nans():
        tr.log(tr.asarray(1.0))
        raise KeyError("mine")


class _Logs(nn.Module):
    def __init__(self) -> None:
        self.scale = tr.asarray([0.0, 1.0])

    def __call__(self, x: tr.Tensor) -> tr.Tensor:
        return tr.where(self.scale > 0.5, tr.log(self.scale) * x, 0.0).sum()  # masked


class _Outer(nn.Module):
    def __init__(self) -> None:
        self.inner = _Logs()

    def __call__(self, x: tr.Tensor) -> tr.Tensor:
        return self.inner(x)


@pytest.mark.parametrize("jitted", [False, True])
def test_in_a_gradient_with_the_layer(device, at, jitted):
    model, x = _Outer(), tr.asarray([1.0, 2.0])
    both = tr.value_and_grad(lambda model, x: model(x))
    f = tr.jit(both) if jitted else both
    said = message(lambda: f(model, x)[1].inner.scale.numpy(), infinity=False)
    assert said.startswith("nans(): divide made 1 NaN in tensor<2xf32> in grad(_Outer.inner)\n")
    assert "\n  operand 1: tensor<2xf32>, from 0.0 to 1.0" in said
    assert said.endswith(f"\n  at {at('masked')}")


def test_in_a_second_derivative(device, at):
    def f(x: tr.Tensor) -> tr.Tensor:
        return (x**1.5).sum()  # power

    x = tr.asarray([0.0, 4.0])
    with nans():
        np.testing.assert_allclose(tr.grad(f)(x).numpy(), [0.0, 3.0])
    said = message(lambda: tr.grad(lambda x: tr.grad(f)(x).sum())(x).numpy())
    assert said.startswith("nans(): power made 1 infinity in tensor<2xf32> in grad(grad)\n")
    assert said.endswith(f"\n  at {at('power')}")


def test_an_overflow_that_becomes_a_nan(lazy, at):
    x = tr.asarray([1.0, 1000.0])

    def run() -> None:
        y = tr.exp(x)  # overflow
        (y / (y + 1.0)).numpy()  # quotient

    said = message(run)
    assert said.startswith(
        "nans(): exponential made 1 infinity in tensor<2xf32>, of which divide at "
        f"{at('quotient')} made NaN\n  operand 0: tensor<2xf32>, from 1.0 to 1000.0, argument 0\n"
    )
    assert said.endswith(f"\n  at {at('overflow')}")
    said = message(run, infinity=False)
    assert said.startswith("nans(): divide made 1 NaN in tensor<2xf32>\n")
    assert "operand 0: tensor<2xf32>, 1 infinity, 2.7182" in said
    assert said.endswith(f"\n  at {at('quotient')}")


def test_masks_of_infinities_are_meant(device):
    scores, mask = tr.asarray(X), tr.asarray([True, False, True])
    attention = lambda: tr.softmax(tr.where(mask, scores, -tr.inf))
    with nans():
        masked = tr.where(mask, scores, -tr.inf)
        np.testing.assert_allclose(attention().numpy().sum(), 1.0, rtol=1e-6)
        tr.jit(attention)()
        kept = tr.minimum(tr.asarray(np.inf), scores)
        tr.asarray([1.0, np.inf]) * 2.0
        tr.max(tr.zeros((0, 3)), axis=1)
    assert masked.tolist() == [1.0, -np.inf, 4.0]
    assert kept.tolist() == X.tolist()


def test_a_nan_of_a_masks_infinities_is_not_the_masks(device, at):
    row = tr.asarray([False, False])

    def run() -> None:
        masked = tr.where(row, tr.asarray([1.0, 2.0]), -tr.inf)
        (masked - masked.max()).numpy()  # difference

    said = message(run)
    assert said.startswith("nans(): subtract made 2 NaN in tensor<2xf32>\n")
    assert "operand 0: tensor<2xf32>, 2 infinities" in said
    assert said.endswith(f"\n  at {at('difference')}")


def test_an_infinity_beside_a_masks(device):
    x = tr.asarray([1.0, 0.0])
    said = message(lambda: tr.where(tr.asarray([False, True]), 1.0 / x, -tr.inf).numpy())
    assert said.startswith("nans(): divide made 1 infinity in tensor<2xf32>\n")


@pytest.mark.parametrize("jitted", [False, True])
def test_a_nan_that_came_in(device, at, jitted):
    x = tr.asarray(np.array([1.0, np.nan], np.float32))
    f = lambda y, x: x * y
    f = tr.jit(f) if jitted else f
    said = message(lambda: f(tr.asarray([2.0, 2.0]), x).numpy())  # used
    assert said.startswith("nans(): 1 NaN came in with argument ")
    assert ", tensor<2xf32>; first used by multiply" in said


def test_a_nan_that_came_in_and_goes_is_fine(device):
    x = tr.asarray(np.array([1.0, np.nan], np.float32))
    with nans():
        assert tr.nansum(x).item() == 1.0


def test_a_literal_nan(lazy, at):
    said = message(lambda: tr.where(tr.asarray([True, False]), tr.nan, 1.0).numpy())  # literal
    assert said.startswith("nans(): NaN stands in the program, tensor<f32>; first used by ")
    assert said.endswith(f"\n  at {at('literal')}")


@pytest.mark.parametrize(
    "dtype", [tr.bfloat16, tr.float16, tr.float64, tr.complex64, tr.float8_e5m2, tr.float8_e4m3fn]
)
def test_dtypes(device, dtype):
    x = tr.asarray([0.0, 1.0]).astype(dtype)
    assert message(lambda: (x / x).numpy()).startswith("nans(): divide made 1 NaN in tensor<2x")


def test_integers_zero_sizes_and_scalars(device):
    with nans():
        (tr.asarray([1, 2]) * 3).numpy()
        tr.log(tr.zeros((0, 2))).numpy()
        tr.log(tr.asarray(2.0)).item()
    said = message(lambda: tr.log(tr.asarray(-2.0)).item())
    assert said.startswith("nans(): log made NaN in tensor<f32>\n  operand 0: tensor<f32>, -2.0")


def test_options(device):
    x = tr.asarray([1.0, 0.0])
    with nans(infinity=False):
        assert (1.0 / x).tolist() == [1.0, np.inf]
    with nans(nan=False):
        assert np.isnan((x / x).numpy()).tolist() == [False, True]
    assert "divide made 1 infinity" in message(lambda: (1.0 / x).numpy(), nan=False)
    with pytest.raises(ValueError, match="nan=True or infinity=True"), nans(False, False):
        pass


def test_an_eager_program_that_is_known_is_blamed_where_it_runs(device, at):
    def run() -> None:
        tr.log(tr.asarray([0.5, 1.0]) + 1.0).numpy()
        tr.log(tr.asarray([0.0, 1.0])).numpy()  # again

    assert message(run).endswith(f"\n  at {at('again')}")
