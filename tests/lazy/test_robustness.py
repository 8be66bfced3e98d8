"""What should not disturb a recording, and does not."""

from __future__ import annotations

import math
import subprocess
import sys
import warnings

import numpy as np
import pytest

import tracer as tr
from tracer import nn, optim
from tracer.events import Compile, observers
from tracer.ir import TensorType


def test_constants_that_are_live_at_the_limit_have_their_values(monkeypatch):
    monkeypatch.setattr(tr.config, "recording_limit", 3)
    z, one, x = tr.zeros((2, 2)), tr.ones(2), tr.asarray([1.0, 2.0])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        for _ in range(5):
            x = x + 1.0
    assert (z + 1.0).tolist() == [[1.0, 1.0], [1.0, 1.0]]
    assert (one.tolist(), x.tolist()) == ([1.0, 1.0], [6.0, 7.0])


def test_what_is_computed_while_a_program_is_compiled_is_recorded_apart():
    """As a destructor does that the garbage collector runs in between."""
    kept = []

    class Computing:
        def started(self, event):
            if isinstance(event, Compile):
                observers.remove(self)
                kept.append(tr.asarray([3.0]) * 2.0 + tr.zeros(1))

        def finished(self, event):
            pass

    observers.append(Computing())
    x = tr.asarray([1.0, 2.0])
    assert (x * 5.0).tolist() == [5.0, 10.0]
    assert kept[0].tolist() == [6.0]
    assert (x + 1.0).tolist() == [2.0, 3.0]


def test_a_number_too_large_for_its_dtype_is_an_infinity_whatever_numpy_is_told():
    with np.errstate(all="raise"):
        assert (tr.asarray([1.0]) * 1e300).tolist() == [math.inf]


def test_reading_what_ran_out_of_memory_raises(device):
    bits = tr.random.Generator(0, device=device).bits(1 << 43)
    with pytest.raises(tr.LoweringError):
        bits.numpy()
    del bits
    assert (tr.asarray([1.0]) + 1.0).tolist() == [2.0]


def test_a_shape_beyond_all_memory_raises_where_it_is_asked_for():
    with pytest.raises(ValueError, match="larger than any memory"):
        tr.zeros((1 << 40, 1 << 40))


def test_the_second_of_two_devices_works(tmp_path):
    code = (
        "import tracer as tr\n"
        "for backend in ('EAGER', 'XLA'):\n"
        "    d = tr.Device('CPU', 1, backend)\n"
        "    x = tr.asarray([1.0, 2.0], device=d) * 2.0 + tr.ones(2, device=d)\n"
        "    print(x.tolist(), x.to(tr.Device('CPU', 0, backend)).tolist(), x.device.ordinal)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={"TRACER_CPU_DEVICES": "2", "PATH": ""},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.stdout == "[3.0, 5.0] [3.0, 5.0] 1\n" * 2, done.stderr


def test_tracing_leaves_states_as_they_were(device):
    model = nn.Sequential(nn.BatchNorm(3), nn.Dropout(0.5, generator=tr.random.Generator(0))).to(
        device
    )
    with tr.learning_phase("training"):
        tr.trace(model, TensorType((4, 3), tr.float32))
    assert model[0].running_mean.value.tolist() == [0.0, 0.0, 0.0]
    with tr.learning_phase("training"):
        assert model(tr.ones((4, 3))).shape == (4, 3)


def test_tracing_returns_what_is_closed_over(device):
    constant = tr.asarray([1.0, 2.0])
    function = tr.trace(lambda x: (x * 7.0, constant), TensorType((2,), tr.float32))
    assert [str(v.type) for v in function.returns] == ["tensor<2xf32>"] * 2
    assert function.returns[1] is function.arguments[1]
    with pytest.raises(tr.DeviceError, match="a value on"):
        eager = constant.to(tr.Device.default_eager())
        tr.trace(lambda x: (x, eager), TensorType((2,), tr.float32))


class Tied(nn.Module):
    """One weight in two places."""

    def __init__(self):
        self.a = self.b = tr.asarray([1.0, 2.0])

    def __call__(self, x):
        return (self.a * x + self.b).sum()


def test_tied_weights_stay_tied(device):
    model, x = Tied(), tr.asarray([3.0, 4.0])
    optimizer = optim.SGD(model, 0.1)
    gradient = tr.grad(lambda m: m(x))(model)
    optimizer.update(model, gradient)
    assert model.a is model.b
    np.testing.assert_allclose(model.a.numpy(), [1.0 - 0.4, 2.0 - 0.5], rtol=1e-6)
    model.to(tr.Device.default_eager())
    assert model.a is model.b


def test_what_a_function_assigns_into_a_model_stays(device):
    model = Tied()
    model.count = tr.asarray([0, 0])

    def loss(m):
        m.count[0] = 5
        return m(tr.ones(2))

    tr.grad(loss)(model)
    assert model.count.tolist() == [5, 0]
