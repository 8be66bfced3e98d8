"""What observers are told of cuts, compiles, runs and transfers; what they forbid."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import tracer as tr
from tests.observing import Keeper, Refused, observed, refusing
from tracer import nn, optim
from tracer.errors import source_line
from tracer.events import Compile, Cut, Run, Transfer, observers

KINDS = (Cut, Compile, Run, Transfer)


def line() -> int:
    """The line of who calls."""
    return inspect.currentframe().f_back.f_lineno


def at(event) -> tuple[str, int]:
    return source_line(event.location)


def test_a_cut_holds_a_compile_and_a_run_in_order(device):
    x = tr.asarray([1.0, 2.0])
    with observed() as events:
        y = x * 3.0
        z = y + x
        (z.tolist(), here := line())
    kinds = [type(event) for event in events]
    assert kinds == [Compile, Run, Cut, Transfer]
    assert {at(event) for event in events} == {(__file__, here)}
    compiled, run, cut, moved = events
    assert (cut.cause, cut.operations, cut.results, cut.device) == ("value", 2, 2, device)
    assert (compiled.cause, compiled.reason, compiled.source) == (
        *("value", "new program"),
        "compiler",
    )
    assert run.function is compiled.function
    assert (run.operations, len(run.inputs), len(run.results)) == (2, 1, 2)
    assert run.device is compiled.device is device
    assert (moved.to, moved.bytes, moved.device) == ("host", 8, device)
    assert cut.start <= compiled.start <= run.start <= moved.start
    assert cut.seconds >= compiled.seconds + run.seconds > 0.0
    assert all(event.error is None for event in events)


def test_a_known_program_is_the_same_function(device):
    with observed(Compile, Run) as events:
        for value in range(3):
            (tr.asarray([float(value)]) * 2.0).tolist()
    assert [type(event) for event in events] == [Compile, Run, Run, Run]
    assert len({id(event.function) for event in events}) == 1


def test_what_goes_to_the_device_is_told(device):
    with observed(Transfer) as events:
        tr.asarray(np.ones((3, 5), np.float32))
        here = line() - 1
    ((moved),) = events
    assert (moved.to, moved.bytes, at(moved)) == ("device", 60, (__file__, here))


def test_eager_operations_are_told():
    eager = tr.Device.default_eager()
    x = tr.asarray([1.0, 2.0, 3.0], device=eager)
    with observed(Compile, Run, Cut) as events:
        tr.sin(x)
        tr.sin(x)
    runs = [event for event in events if isinstance(event, Run)]
    assert len(runs) == 2 and not [event for event in events if isinstance(event, Cut)]
    assert {(run.cause, run.operations, run.device) for run in runs} == {("eager", 1, eager)}
    compiled = {id(event.function) for event in events if isinstance(event, Compile)}
    assert compiled <= {id(run.function) for run in runs}
    assert len({id(run.function) for run in runs}) * 2 == len(runs)


def test_calls_of_a_jitted_function_are_told(device):
    double = tr.jit(lambda x: x * 2.0)
    x = tr.asarray([1.0, 2.0])
    double(x)
    with observed(*KINDS) as events:
        double(x)
        here = line() - 1
    (run,) = events
    assert (run.cause, run.operations, at(run)) == ("jit", 1, (__file__, here))
    assert run.device == device
    before = tr.metrics.snapshot()
    double(x)
    assert tr.metrics.difference(tr.metrics.snapshot(), before)["ops_executed"] == 1


def test_an_observer_that_comes_in_between_is_not_told_of_the_end(device):
    late = Keeper()

    class Opening(Keeper):
        def started(self, event):
            if isinstance(event, Cut):
                observers.append(late)

    opening = Opening()
    observers.append(opening)
    try:
        (tr.asarray([1.0]) + 1.0).tolist()
    finally:
        observers.remove(opening)
        observers.remove(late)
    assert [type(event) for event in late.events] == [Compile, Run, Transfer]
    assert [type(event) for event in opening.events] == [Transfer, Compile, Run, Cut, Transfer]


def test_an_error_is_in_the_event(device, monkeypatch):
    def refuse(*_):
        raise tr.LoweringError("no")

    x = tr.asarray([1.0]) + 1.0
    with monkeypatch.context() as patch, observed() as events:
        patch.setattr(type(device.executor), "compile", refuse)
        with pytest.raises(tr.LoweringError):
            tr.barrier()
    assert [(type(event), str(event.error)) for event in events] == [(Compile, "no"), (Cut, "no")]
    assert events[0].executable is None
    assert x.tolist() == [2.0]


@pytest.mark.parametrize("kind", [Cut, Compile, Run])
def test_what_is_forbidden_in_a_recording_leaves_it_as_it_was(device, kind, counted):
    x = tr.asarray([1.0, 2.0])
    y = x * 3.0
    z = y + 1.0
    with observed() as seen, refusing(kind):
        with pytest.raises(Refused):
            y.tolist()
        with pytest.raises(Refused):
            tr.barrier()
    assert [type(event) for event in seen if event.error is None] == [Compile] * (kind is Run)
    assert counted()["ops_executed"] == 0
    z = z * 2.0
    assert (y.tolist(), z.tolist()) == ([3.0, 6.0], [8.0, 14.0])


@pytest.mark.parametrize("kind", [Compile, Run])
def test_what_is_forbidden_in_jit_leaves_its_arguments_as_they_were(device, kind):
    model = nn.Dense(3, 2, generator=tr.random.Generator(0))
    optimizer = optim.Adam(model, 0.1)
    x = tr.ones((4, 3))

    @tr.jit
    def step(model, optimizer):
        loss, gradient = tr.value_and_grad(lambda m: (m(x) ** 2).mean())(model)
        optimizer.update(model, gradient)
        return loss

    tr.barrier()
    before = model.weight.numpy().copy()
    with refusing(kind), pytest.raises(Refused):
        step(model, optimizer)
    np.testing.assert_array_equal(model.weight.numpy(), before)
    step(model, optimizer)
    assert not np.array_equal(model.weight.numpy(), before)


def test_a_cut_that_is_forbidden_leaves_a_pending_argument_of_jit_pending(device):
    x = tr.asarray([1.0]) + 1.0
    double = tr.jit(lambda x: x * 2.0)
    with refusing(Cut), pytest.raises(Refused):
        double(x)
    assert double(x).tolist() == [4.0]


@pytest.mark.parametrize("kind", [Compile, Run])
def test_what_is_forbidden_in_eager_mode_makes_nothing(kind):
    x = tr.asarray([[1.0, 2.0, 5.0]], device=tr.Device.default_eager())
    before = tr.metrics.snapshot()
    with refusing(kind), pytest.raises(Refused):
        tr.atan2(x, tr.ones_like(x))
    assert tr.metrics.difference(tr.metrics.snapshot(), before)["compiles"] <= (kind is Run)
    assert x.tolist() == [[1.0, 2.0, 5.0]]


@pytest.mark.parametrize("backend", ["EAGER", "XLA"])
def test_a_transfer_that_is_forbidden_is_not_counted(backend, counted):
    x = tr.asarray([1.0, 2.0], device=tr.Device("CPU", 0, backend))
    before = counted()
    with refusing(Transfer):
        with pytest.raises(Refused):
            x.numpy()
        with pytest.raises(Refused):
            tr.asarray(np.ones(3, np.float32), device=x.device)
    after = counted()
    for name in ("bytes_to_host", "bytes_to_device"):
        assert after[name] == before[name]
