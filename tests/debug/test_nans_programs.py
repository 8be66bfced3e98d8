"""What nans() does to what runs inside: donation, loops, threads, pieces; and finds there."""

from __future__ import annotations

import threading
from functools import cache
from typing import Any

import numpy as np
import pytest

import tracer as tr
from tests.debug.said import message
from tests.observing import observed
from tracer.debug import nans
from tracer.events import Run

X = np.array([1.0, -2.0, 4.0], np.float32)


def test_tensors_stay_usable(lazy):
    x = tr.asarray(X)
    with pytest.raises(FloatingPointError), nans():
        y = tr.log(x)
        z = x + 1.0
        z.numpy()
    assert z.tolist() == [2.0, -1.0, 5.0]
    assert np.isnan(y.numpy()).tolist() == [False, True, False]
    assert (z * 2.0).tolist() == [4.0, -2.0, 10.0]


def test_what_was_donated_is_found(lazy):
    def step(w: tr.Tensor) -> None:
        w[:] = tr.log(w)

    w = tr.full((256, 256), 0.5)
    tr.barrier()
    f = tr.jit(step)
    with nans():
        f(w)
    said = message(lambda: f(w))
    assert said.startswith("nans(): log made 65536 NaN in tensor<256x256xf32>\n")
    assert "operand 0: tensor<256x256xf32>, -0.69" in said
    assert np.isnan(w.numpy()).all()


def test_what_a_barrier_donates_is_found(lazy):
    w = tr.full((256, 256), -0.5)
    tr.barrier()

    def run() -> None:
        nonlocal w
        w = tr.sqrt(w)
        tr.barrier()

    assert "operand 0: tensor<256x256xf32>, -0.5, argument 0" in message(run)


LOOP = """
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %many = stablehlo.constant dense<5> : tensor<i32>
  %c = stablehlo.constant dense<1.0> : tensor<3xf32>
  %r:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<3xf32>
    cond {
      %p = stablehlo.compare LT, %i, %many : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %a = stablehlo.add %i, %one : tensor<i32>
      %s = stablehlo.subtract %v, %c : tensor<3xf32>
      %w = stablehlo.sqrt %s : tensor<3xf32>
      stablehlo.return %a, %w : tensor<i32>, tensor<3xf32>
    }
  return %r#1 : tensor<3xf32>
}
"""
CHOICE = """
func.func @main(%x: tensor<3xf32>, %p: tensor<i1>) -> tensor<3xf32> {
  %r = "stablehlo.if"(%p) ({
    %a = stablehlo.log %x : tensor<3xf32>
    stablehlo.return %a : tensor<3xf32>
  }, { stablehlo.return %x : tensor<3xf32> }) : (tensor<i1>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}
"""


_loaded = cache(lambda text: tr.load(text, trusted=True))


@pytest.mark.parametrize("jitted", [False, True])
def test_inside_a_loop(device, jitted):
    f = _loaded(LOOP)
    x = tr.asarray([2.0, 300.0, 9000.0])
    said = message(lambda: (tr.jit(f) if jitted else f)(x).numpy())
    assert said.startswith("nans(): sqrt made 1 NaN in tensor<3xf32>\n  in turn 3 of while")
    assert "\n  operand 0: tensor<3xf32>, from -1.0 to " in said
    assert said.endswith("\n  at <text>:14")


def test_inside_a_branch(device):
    f = _loaded(CHOICE)
    x = tr.asarray(X)
    with nans():
        assert f(x, tr.asarray(False)).tolist() == X.tolist()
    said = message(lambda: f(x, tr.asarray(True)).numpy())
    assert said.startswith("nans(): log made 1 NaN in tensor<3xf32>\n  in if")
    assert said.endswith("\n  at <text>:4")


def test_what_no_operation_makes_alone(lazy, at, monkeypatch):
    def finite(self: Any, block: Any, given: Any, outer: Any, wanted: Any) -> Any:
        return [self.put(np.zeros(v.type.shape, v.type.dtype)) for v in wanted]

    monkeypatch.setattr("tracer.debug.stepping.Machine.run", finite)
    x = tr.asarray(X)
    said = message(lambda: tr.log(x).numpy())  # together
    assert said.startswith(
        "nans(): a result of the program, tensor<3xf32>, has what it should not have, and no "
        "operation makes it where the values on the way are kept; the last one is log\n"
    )
    assert said.endswith(f"\n  at {at('together')}")


def test_finding_is_not_counted(lazy, counted):
    f = tr.jit(lambda x: tr.log(x * 2.0).sum())
    x = tr.asarray(X)
    f(x)
    counted()
    message(lambda: f(x))
    seen = counted()
    assert (seen["compiles"], seen["cuts"], seen["ops_executed"]) == (0, {}, 3)


def test_other_threads_are_left_alone(device):
    found: list[Any] = []

    def run() -> None:
        with tr.default_device(device):
            found.append(tr.log(tr.asarray(X)).tolist())

    with nans():
        thread = threading.Thread(target=run)
        thread.start()
        thread.join()
    assert np.isnan(found[0][1])


def test_every_observer_is_told(lazy):
    with pytest.raises(FloatingPointError), nans(), observed(Run) as runs:
        tr.log(tr.asarray(X)).numpy()
    assert len(runs) == 1


def test_prints_come_before_the_error(lazy, capsys):
    def run() -> None:
        y = tr.log(tr.asarray(X) * 3.0)
        tr.debug.print("{}", y.sum())
        tr.barrier()

    assert "log made 1 NaN" in message(run)
    assert capsys.readouterr().out == "nan\n"


def test_a_function_that_is_recorded_is_no_place_for_it(device, at):
    @tr.jit
    def f(x: tr.Tensor) -> tr.Tensor:
        with nans():  # entered
            return x + 1.0

    with pytest.raises(tr.TracingError) as caught:
        f(tr.asarray(X))
    assert str(caught.value) == (
        "nans() was entered in a function that is recorded whole: enter it around a call\n"
        f"  at {at('entered')}"
    )


@pytest.mark.filterwarnings("ignore:10 operations were recorded")
def test_a_recording_in_pieces(lazy, monkeypatch):
    monkeypatch.setattr(tr.config, "recording_limit", 10)
    monkeypatch.setattr("tracer.pieces.SIZE", 4)
    x = tr.asarray(3.0)

    def run() -> None:
        y = x
        for _ in range(12):
            y = tr.sqrt(y - 1.0)

    assert message(run).startswith("nans(): sqrt made NaN in tensor<f32>\n")
