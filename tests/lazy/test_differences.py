"""What a compile is said to be for: what differs from the nearest program known."""

from __future__ import annotations

import inspect
import re

import numpy as np
import pytest

import tracer as tr
from runtime import cache, pjrt
from tests.observing import observed
from tracer import nn, programs
from tracer.events import Compile


def line(back: int = 0) -> str:
    """Where who calls is, so many lines above."""
    return f"test_differences.py:{inspect.currentframe().f_back.f_lineno - back}"


def told(*calls):
    """What the last of several calls is said to be compiled for, and why."""
    with observed(Compile) as events:
        for call in calls:
            before = len(events)
            call()
        assert len(events) == before + 1, "the last call compiles just once"
    return events[-1].reason, list(events[-1].differences)


def test_the_first_program_differs_from_nothing(device):
    x = tr.asarray(np.ones((3, 5), np.float32))
    assert told(lambda: (tr.sin(x) * x).numpy()) == ("new program", [])


def test_another_shape_is_an_argument_s(device):
    def step(n, dtype=np.float32):
        x = tr.asarray(np.ones((n, 5), dtype))
        y = tr.sin(x) * 2.0
        (y + 1.0).sum().numpy()

    at = line(3)
    expected = f"argument 0, first used at {at}: tensor<7x5xf32>, was tensor<3x5xf32>"
    assert told(lambda: step(3), lambda: step(7)) == ("new program", [expected])
    expected = f"argument 0, first used at {at}: tensor<7x5xf64>, was tensor<7x5xf32>"
    assert told(lambda: step(7, np.float64)) == ("new program", [expected])


def test_another_number_is_a_scalar_s_with_both_values(device):
    x = tr.asarray([1.0, 2.0])

    def step(rate):
        y = tr.exp(x) * 3.0
        (y - rate).numpy()

    at = line(2)
    assert told(lambda: step(0.1), lambda: step(0.05)) == (
        "scalars changed",
        [f"the scalar at {at}: 0.05, was 0.1"],
    )


def test_an_operation_more_or_fewer_is_named(device):
    x = tr.asarray([1.0, 2.0])

    def step(more):
        y = tr.cos(tr.sin(x))
        if more:
            y = tr.tanh(y)
        tr.exp(y).numpy()

    reason, differences = told(lambda: step(False), lambda: step(True))
    assert (reason, differences) == ("new program", [f"more operations: tanh at {line(4)}"])
    programs.clear()
    reason, differences = told(lambda: step(True), lambda: step(False))
    assert differences == [f"fewer operations: tanh, after cosine at {line(9)}"]


def test_a_value_kept_alive_is_named_by_the_line_that_made_it(device):
    x = tr.asarray([1.0, 2.0])

    def step(keep):
        y = tr.sin(x)
        z = tr.cos(y)
        if not keep:
            del y
        z.numpy()

    at = line(6)
    assert told(lambda: step(False), lambda: step(True)) == (
        "new program",
        [f"the value of sine at {at} is a result too: it is kept alive"],
    )


def test_another_attribute_is_told_with_both_values(device):
    x = tr.asarray(np.ones((6, 5), np.float32))

    def step(axis):
        y = tr.flip(tr.sin(x), axis=axis)
        tr.cos(y).numpy()

    at = line(3)
    assert told(lambda: step(0), lambda: step(1)) == (
        "new program",
        [f"reverse at {at}: dimensions (1,), was (0,)"],
    )


def test_what_a_scalar_fills_can_be_the_cause(device):
    def step(n):
        x = tr.ones((n, 2))
        tr.sin(x).numpy()

    reason, differences = told(lambda: step(2), lambda: step(3))
    assert reason == "new program"
    assert differences == [
        f"what a scalar fills, first used at {line(5)}: tensor<3x2xf32>, was tensor<2x2xf32>"
    ]


def test_scalars_alike_are_told_once(device):
    x, y = tr.asarray([1.0, 2.0]), tr.asarray([1.0, 2.0, 3.0])

    def step(rate):
        for _ in range(2):
            z = [tr.exp(one) - rate for one in (x, y)]
        (z[0].sum() + z[1].sum()).numpy()

    at = line(3)
    _, differences = told(lambda: step(0.1), lambda: step(0.05))
    assert len(differences) == 1
    assert re.fullmatch(rf"the scalar at {at}, [24] times: 0.05, was 0.1", differences[0])


def test_what_is_made_inside_first_and_then_comes_from_outside(device):
    made = []

    def step():
        made[:] = [tr.sin(made[0] if made else tr.zeros((3,))) * 2.0]
        tr.barrier()

    at = line(3)
    outside = "from outside (argument 0), was made inside (filled with a scalar)"
    assert told(step, step)[1] == [f"sine at {at}: operand 0 is {outside}"]


def test_other_operands_are_told(device):
    x, y = tr.asarray([1.0, 2.0]), tr.asarray([3.0, 4.0])

    def step(same):
        a, b = tr.sin(x), tr.cos(y)
        tr.subtract(a, a if same else b).numpy()

    at = line(2)
    _, differences = told(lambda: step(False), lambda: step(True))
    value = f"sine at {line(5)}"
    assert differences == [f"subtract at {at}: operand 1 is {value}, was cosine"]


def test_a_layer_is_named_beside_the_line(device):
    model = nn.Dense(4, 3, generator=tr.random.Generator(0))
    tr.barrier()

    def step(n):
        x = tr.asarray(np.ones((n, 4), np.float32))
        model(x).numpy()

    at = line(2)
    _, differences = told(lambda: step(2), lambda: step(3))
    expected = f"argument 0, first used at {at} Dense: tensor<3x4xf32>, was tensor<2x4xf32>"
    assert differences == [expected]


def test_donors_are_told(device):
    x = tr.asarray(np.ones((300, 300), np.float32))

    def step(keep):
        nonlocal x
        held = x if keep else None
        x = x + 1.0
        tr.barrier()
        return held

    held = step(True)
    del held
    with observed(Compile) as events:
        for _ in range(3):
            step(False)
    (event,) = events
    assert event.reason == "donors changed"
    assert len(event.differences) == 1
    assert event.differences[0].endswith("nobody else holds it now")


class Model(nn.Module):
    def __init__(self):
        self.dense = nn.Dense(4, 3, generator=tr.random.Generator(0))
        self.power = 2

    def __call__(self, x):
        return self.dense(x) ** self.power


def jitted():
    return tr.jit(lambda model, batch, way="a": model(batch[0]), static_argnames="way")


@pytest.fixture
def model():
    made = Model()
    tr.barrier()
    return made


def test_jit_names_the_argument_by_its_path(model):
    f, x = jitted(), tr.ones((2, 4))
    y = tr.ones((3, 4))
    tr.barrier()
    expected = "batch[0]: tensor<3x4xf32>, was tensor<2x4xf32>"
    assert told(lambda: f(model, [x]), lambda: f(model, [y])) == ("new program", [expected])


def test_jit_names_a_parameter_of_a_model(model):
    f, x = jitted(), tr.ones((2, 4))
    tr.barrier()
    f(model, [x])
    model.dense.weight = tr.ones((4, 7))
    model.dense.bias = tr.ones((7,))
    tr.barrier()
    _, differences = told(lambda: f(model, [x]))
    assert sorted(differences) == [
        "model.dense.bias: tensor<7xf32>, was tensor<3xf32>",
        "model.dense.weight: tensor<4x7xf32>, was tensor<4x3xf32>",
    ]


def test_jit_names_static_arguments_and_the_phase(model):
    f, x = jitted(), tr.ones((2, 4))
    tr.barrier()
    assert told(lambda: f(model, [x], way="a"), lambda: f(model, [x], way="b"))[1] == [
        "static argument way: 'b', was 'a'"
    ]

    def training():
        with tr.learning_phase("training"):
            f(model, [x], way="b")

    assert told(training)[1] == ['the learning phase is "training", was "inference"']


def test_jit_names_numbers_structure_and_what_is_new(model):
    f = tr.jit(lambda model, x, more=0: model(x) * 2.0)
    x = tr.ones((2, 4))
    tr.barrier()
    f(model, x)
    assert told(lambda: f(model, x, more=1))[1] == ["more: int, which is new"]
    assert told(lambda: f(model, x, more=1.5))[1] == ["more: float, was int"]
    model.power = 3
    assert told(lambda: f(model, x, more=1.5))[1] == [
        "model: other attributes, or another structure"
    ]


def test_why_the_disk_did_not_serve(device, tmp_path, monkeypatch):
    monkeypatch.setattr(tr.config, "disk_cache", True)
    monkeypatch.setattr(tr.config, "cache_directory", str(tmp_path))
    x = tr.asarray(np.ones((3, 5), np.float32))

    def anew():
        programs.clear()
        (tr.sin(x) * x).numpy()

    anew()
    (entry,) = tmp_path.glob("*.program")
    entry.write_bytes(b"no program")
    with pytest.warns(RuntimeWarning, match="damaged"):
        assert told(anew) == ("new program", ["the program on the disk is damaged"])
    monkeypatch.setenv("XLA_FLAGS", "--xla_dump_to=/nowhere")
    reason = "nothing comes from the disk while XLA_FLAGS has XLA write files"
    assert told(anew) == ("new program", [reason])


def test_what_the_programs_on_the_disk_are_for_instead(device, tmp_path, monkeypatch):
    monkeypatch.setattr(tr.config, "disk_cache", True)
    x, names = tr.asarray(np.ones((3, 5), np.float32)), iter("abcd")

    def anew():
        """As another process: it looks at a directory anew."""
        programs.clear()
        link = tmp_path / next(names)
        link.symlink_to(tmp_path / "programs", target_is_directory=True)
        monkeypatch.setattr(tr.config, "cache_directory", str(link))
        (tr.sin(x) * x).numpy()

    (tmp_path / "programs").mkdir(mode=0o700)
    assert told(anew) == ("new program", [])
    *host, _, threads = cache.describe_host()
    monkeypatch.setattr(cache, "describe_host", lambda: (*host, "flags" * 20, "0"))
    instead = f"another processor, number of threads {threads!r} in place of '0'"
    assert told(anew) == ("new program", [f"the disk has programs for {instead}"])
    assert told(anew) == ("new program", [])  # from the disk
    jaxlib, *others = pjrt.clients()["CPU", 0].identity
    monkeypatch.setattr(pjrt.Client, "identity", ("0.0.1", *others))
    instead = f"jaxlib {jaxlib!r} in place of '0.0.1'"
    assert told(anew) == ("new program", [f"the disk has programs for {instead}"])
