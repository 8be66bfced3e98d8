"""tr.debug in unusual places: it says the user's line, and never fails inside."""

from __future__ import annotations

from threading import Thread

import numpy as np
import pytest

import tracer as tr
from tests.debug.said import message
from tests.observing import observed
from tracer.debug import CheckError, nans
from tracer.events import Run, observers
from tracer.ir import Function

NEGATIVE = np.array([-1.0, 2.0], np.float32)


def first(x: tr.Tensor) -> tr.Tensor:
    return tr.log(x) * 2.0


def second(x: tr.Tensor) -> tr.Tensor:
    return tr.log(x) * 2.0  # second


def test_a_program_that_was_compiled_for_another_line(lazy, at, counted):
    """The same operations are one program: what is blamed is the line of this run."""
    first(tr.asarray([1.0, 2.0])).numpy()
    said = message(lambda: second(tr.asarray(NEGATIVE)).numpy())  # look
    assert said.startswith("nans(): log made 1 NaN in tensor<2xf32>\n")
    assert said.endswith(f"\n  found by a look at a value at {at('look')}\n  at {at('second')}")
    assert counted()["compiles"] == 1


def test_a_run_has_the_function_with_its_own_places(lazy):
    first(tr.asarray([1.0, 2.0])).numpy()
    with observed(Run) as events:
        second(tr.asarray([1.0, 2.0])).numpy()
    (run,) = events
    assert isinstance(run, Run) and run.placed is not None
    assert codes(run.function) == {first.__code__}
    assert codes(run.placed()) == {second.__code__}


def codes(function: Function) -> set[object]:
    """The code that the operations of a function stand in."""
    return {o.location[0] for o in function.operations if isinstance(o.location, tuple)}


@pytest.mark.parametrize("same", [True, False])
def test_the_innermost_nans_decides(device, same):
    x = tr.asarray([0.0])
    with nans():
        if same:
            with pytest.raises(FloatingPointError) as caught, nans():
                tr.log(x).numpy()
            assert caught.value.__context__ is None  # said once
        else:
            with nans(infinity=False):
                assert tr.log(x).tolist() == [-np.inf]
        with pytest.raises(FloatingPointError):
            (1.0 / x).numpy()
    assert observers == []


def test_nans_that_end_in_another_order(device):
    outer, inner = nans(), nans(infinity=False)
    outer.__enter__()
    inner.__enter__()
    outer.__exit__(None, None, None)
    assert tr.log(tr.asarray([0.0])).tolist() == [-np.inf]
    with pytest.raises(FloatingPointError):
        tr.log(tr.asarray(NEGATIVE)).numpy()
    inner.__exit__(None, None, None)
    assert np.isnan(tr.log(tr.asarray(NEGATIVE)).numpy()[0])
    assert observers == []


def test_a_literal_is_said_to_be_used_by_what_does_more_than_spread_it(lazy, at):
    x = tr.asarray([[-1.0, 0.0], [0.0, 1.0]])
    said = message(lambda: tr.linalg.cholesky(x).numpy())  # cholesky
    assert said.startswith("nans(): NaN stands in the program, tensor<f32>; first used by select\n")
    assert said.endswith(f"\n  at {at('cholesky')}")


@pytest.mark.parametrize(
    ("index", "said"),
    [
        (lambda x: x[x > 1.0], "an index by the pending tensor<2xi1>, made at "),
        (tr.nonzero, "nonzero of the pending tensor<2xf32>, made at "),
        (tr.argwhere, "nonzero of the pending tensor<2xf32>, made at "),
    ],
    ids=["mask", "nonzero", "argwhere"],
)
def test_shapes_that_depend_on_values_cut(lazy, at, index, said):
    x = tr.asarray([1.0, 2.0]) * 2.0
    with tr.debug.no_implicit_cuts(), pytest.raises(tr.debug.ImplicitCutError) as caught:
        index(x)  # index
    assert f"no_implicit_cuts(): {said}" in str(caught.value)
    assert "choose with tr.where, or call tr.barrier() before it" in str(caught.value)
    with (
        tr.debug.no_compiles(),
        pytest.raises(
            tr.debug.UnexpectedCompileError,
            match=r"an index by a mask needs|a call of nonzero needs",
        ),
    ):
        index(x + 3.5)


@pytest.mark.parametrize("given", [3, None, b"{}"])
def test_a_format_that_is_none(device, at, given):
    for call in (lambda: tr.debug.print(given), lambda: tr.debug.check(True, given)):  # given
        with pytest.raises(TypeError) as caught:
            call()
        assert str(caught.value) == (
            'a format such as "{}" is needed before what it shows, got '
            f"{type(given).__name__}\n  at {at('given')}"
        )


def test_a_tensor_in_place_of_a_format_is_not_looked_at(lazy, counted):
    with pytest.raises(TypeError, match="got Tensor"):
        tr.debug.print(tr.asarray(2.0) * 3.0)  # type: ignore[arg-type]
    assert counted()["cuts"] == {}


def test_a_print_in_another_thread_than_its_function_s(device, at):
    raised: list[BaseException] = []

    def show(x: tr.Tensor) -> None:
        try:
            tr.debug.print("{}", x)  # shown
        except tr.TracingError as error:
            raised.append(error)

    def f(x: tr.Tensor) -> tr.Tensor:
        other = Thread(target=show, args=(x,))
        other.start()
        other.join()
        return x

    tr.jit(f)(tr.asarray([1.0]))
    assert [str(error) for error in raised] == [
        "a tensor was used in another thread than the one that records its function, when it has "
        f"no value: use it there, or what is returned\n  at {at('shown')}"
    ]


def test_a_check_beside_nans(lazy):
    """Both are told: the one that is raised last has the other as its context."""
    with pytest.raises(CheckError, match="negative") as caught, nans():
        y = tr.log(tr.asarray(NEGATIVE))
        tr.debug.check(y > 0.0, "negative")
        tr.barrier()
    assert isinstance(caught.value.__context__, FloatingPointError)
