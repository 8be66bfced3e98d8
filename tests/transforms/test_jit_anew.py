"""A function that is jitted anew for each call is warned of, once; what only looks so is not."""

from __future__ import annotations

from functools import partial, wraps
from linecache import getline

import numpy as np
import pytest

import tracer as tr
from tests.observing import observed
from tools.dump_hlo import command
from tracer import nn, optim
from tracer.events import Compile


def ones():
    return tr.asarray(np.ones((4, 4), np.float32))


def lines_warned_of(f):
    with pytest.warns(RuntimeWarning, match="it is jitted anew for each call") as caught:
        f()
    return [getline(w.filename, w.lineno).strip() for w in caught]


def test_what_is_said(device, counted):
    x = ones()
    with pytest.warns(RuntimeWarning) as caught:
        for shift in range(6):
            tr.jit(lambda x: x * 2.0 + shift)(x)  # noqa: B023
    (warning,) = caught
    assert str(warning.message) == (
        "<lambda>, a jitted function, was compiled 3 times in a row. "
        "What differs: only the function: it is jitted anew for each call\n"
        "  its programs go as it goes: jit it once, before the loop, and give it what varies as an "
        "argument"
    )
    assert getline(warning.filename, warning.lineno).strip().startswith("tr.jit(lambda x: x * 2.0")
    assert counted()["compiles"] == 6


def test_a_function_defined_where_it_is_called():
    def step(x):
        @tr.jit
        def inner(x):
            return x + 1.0

        return inner(x)

    def train():
        for _ in range(4):
            step(ones())

    assert lines_warned_of(train) == ["return inner(x)"]


def test_models_methods_and_derivatives():
    model, x = nn.Dense(4, 2), ones()
    made = (
        lambda: tr.jit(model),
        lambda: tr.jit(tr.grad(lambda x: model(x).sum())),
        lambda: tr.jit(partial(tr.matmul, x)),
        lambda: tr.jit(lambda x, n=2: x * n, static_argnames="n"),
    )

    def train():
        for jitted in made:
            for _ in range(4):
                jitted()(x)

    assert lines_warned_of(train) == ["jitted()(x)"] * len(made)


def test_a_training_step():
    model, x = nn.Dense(4, 2), ones()
    optimizer = optim.Adam(model)

    def train():
        for _ in range(4):
            step = tr.jit(lambda m, o, x: o.update(m, tr.grad(lambda m: m(x).sum())(m)))
            step(model, optimizer, x)

    assert lines_warned_of(train) == ["step(model, optimizer, x)"]


def test_one_that_is_used_again_is_well(device, counted):
    """Such as the step of each fold."""
    x = ones()
    for _ in range(4):
        step = tr.jit(lambda x: x - 1.0)
        for _ in range(2):
            step(x)
    assert counted()["compiles"] == 4


def timed(f):
    @wraps(f)
    def timing(x):
        return f(x)

    return timing


@pytest.mark.parametrize(
    "around", [lambda f: f, timed, partial, tr.grad], ids=["itself", "wrapped", "partial", "grad"]
)
def test_functions_that_are_alike_are_several(around, counted):
    def run(f):
        return tr.jit(around(f))(tr.ones(()))

    for f in (lambda x: x * 2.0, lambda x: x * 3.0, lambda x: x * 4.0, lambda x: x * 5.0):
        run(f)
    assert counted()["compiles"] == 4


def test_those_that_a_factory_made_are_kept(counted):
    def predictor(model):
        return tr.jit(lambda x: model(x))

    x = ones()
    predictors = [predictor(nn.Dense(4, 2)) for _ in range(4)]
    for _ in range(2):
        for predict in predictors:
            predict(x)
    assert counted()["compiles"] >= 4


def test_models_of_other_sizes_need_programs_of_their_own(counted):
    x = ones()
    for size in (2, 3, 4, 5):
        tr.jit(nn.Dense(4, size))(x)
    for size in (2, 3, 4, 5):
        model = nn.Dense(4, size)
        tr.jit(lambda x: model(x))(x)  # noqa: B023
    assert counted()["compiles"] >= 8


def test_observers_are_told(device):
    x = ones()
    with observed(Compile) as events:
        for _ in range(2):
            tr.jit(lambda x: x * 7.0)(x)
    assert [e.differences for e in events if e.cause == "jit"] == [
        (),
        ("only the function: it is jitted anew for each call",),
    ]


def test_an_error_has_nothing_of_ours_before_it(device):
    x = ones()
    with pytest.raises(AttributeError) as caught:
        tr.jit(lambda x: x.nothing)(x)
    assert caught.value.__context__ is None


@pytest.mark.filterwarnings("ignore:.* compiled 3 times in a row")
def test_why_has_advice_that_helps(tmp_path, capsys):
    x = ones()
    with tr.dump(tmp_path):
        for _ in range(3):
            tr.jit(lambda x: x * 9.0)(x)
    assert command.main(["why", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert (
        said.count("\n                   only the function: it is jitted anew for each call\n") == 2
    )
    assert "it is jitted anew for each call; jit it once, before the loop\n" in said
