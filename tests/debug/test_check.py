"""tr.debug.check raises as soon as a condition is known to be false; tensors stay as they are."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import tracer as tr
from tracer.debug import CheckError, check

X = np.array([1.0, -2.0, 4.0], np.float32)


def test_the_message_has_the_values_and_the_line(device, at):
    x = tr.asarray(X)
    y = x * 2.0
    with pytest.raises(CheckError) as caught:
        check(y > 0.0, "positive values are needed, the least is {low:.1f}", y, low=y.min())  # no
        tr.barrier()
    assert str(caught.value) == (
        "positive values are needed, the least is -4.0: false at 1 of 3 places\n"
        "  0 = [ 2. -4.  8.]\n"
        f"  at {at('no')}"
    )
    assert isinstance(caught.value, AssertionError)
    assert y.tolist() == [2.0, -4.0, 8.0]


def test_what_holds_says_nothing(device, capsys):
    x = tr.asarray(X)
    check(x < 5.0, "small")
    check(x.sum() == 3.0, "sum {}", x.sum())
    check(x[:0] > 0.0, "of none all are true")
    check(True, "so it is")
    check(np.array([True, True]), "an array")
    tr.barrier()
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("condition", [False, np.bool_(False)], ids=["bool", "NumPy"])
def test_conditions_that_are_no_tensors(device, at, condition):
    with pytest.raises(CheckError) as caught:
        check(condition, "no {}", 1)  # plain
        tr.barrier()
    assert str(caught.value) == f"no 1\n  at {at('plain')}"


def test_lazily_nothing_is_cut(lazy, counted):
    x = tr.asarray(X) * 3.0
    counted()
    check(x.sum() > 100.0, "large, got {}", x.sum())
    y = x + 1.0
    assert counted()["cuts"] == {}
    with pytest.raises(CheckError, match=r"^large, got 9\.0\n"):
        y.numpy()
    assert y.tolist() == [4.0, -5.0, 13.0]
    tr.barrier()  # it was told once


def test_the_first_in_the_order_of_the_program(lazy, capsys):
    x = tr.asarray(X) * 5.0
    tr.debug.print("before")
    check(x < 100.0, "first: holds")
    check(x < 0.0, "second")
    tr.debug.print("after")
    check(x > 0.0, "third")
    with pytest.raises(CheckError, match=r"^second: false at 2 of 3 places\n"):
        tr.barrier()
    assert capsys.readouterr().out == "before\n"


def test_jit_raises_at_the_call(device, at):
    @tr.jit
    def f(x, limit):
        y = x * x
        check(y.max() < limit, "below {}, got {}", limit, y.max())  # inside
        x[0] = 0.0
        return y

    x = tr.asarray(X)
    assert f(x, 20.0).tolist() == [1.0, 4.0, 16.0]
    with pytest.raises(CheckError) as caught:
        f(x, 10.0)
    assert str(caught.value) == f"below 10.0, got 16.0\n  at {at('inside')}"
    assert x.tolist() == [0.0, -2.0, 4.0]
    assert f(x, 20.0).tolist() == [0.0, 4.0, 16.0]


def test_a_number_as_condition(device):
    @tr.jit
    def f(x, n):
        check(n > 2, "more than two, got {}", n)
        return x * n

    assert f(tr.asarray(X), 3).tolist() == [3.0, -6.0, 12.0]
    with pytest.raises(CheckError, match=r"^more than two, got 1\n"):
        f(tr.asarray(X), 1)


def _loss(x: tr.Tensor) -> tr.Tensor:
    y = (x * x).sum()
    check(y < 20.0, "loss {}", y)
    return y


DERIVATIVES: dict[str, Callable[[tr.Tensor], tr.Tensor]] = {
    "grad": tr.grad(_loss),
    "second order": tr.grad(lambda x: tr.grad(_loss)(x).sum()),
    "jit of grad": tr.jit(tr.grad(_loss)),
}


@pytest.mark.parametrize("name", DERIVATIVES)
def test_in_derivatives(device, name):
    with pytest.raises(CheckError, match=r"^loss 21\.0\n"):
        DERIVATIVES[name](tr.asarray(X)).numpy()


def test_a_gradient_of_what_holds(device):
    assert tr.grad(_loss)(tr.asarray(X[:2])).tolist() == [2.0, -4.0]


def test_state_is_as_the_call_left_it(device):
    generator = tr.random.Generator(0)

    @tr.jit
    def draw(limit):
        x = generator.uniform((3,))
        check(x.max() < limit, "too large")
        return x

    with pytest.raises(CheckError):
        draw(-1.0)
    other = tr.random.Generator(0)
    other.uniform((3,))
    np.testing.assert_array_equal(draw(2.0).numpy(), other.uniform((3,)).numpy())


@pytest.mark.parametrize(
    ("condition", "error", "message"),
    [
        (lambda: tr.asarray(X), TypeError, "check needs a condition of bools, got tensor<3xf32>"),
        (lambda: 1, TypeError, "check needs a condition of bools, got tensor<i32>"),
        (lambda: None, TypeError, "check needs tensors, arrays or numbers, got NoneType"),
    ],
)
def test_what_is_no_condition(device, at, condition, error, message):
    with pytest.raises(error) as caught:
        check(condition(), "text")  # wrong
    assert str(caught.value) == f"{message}\n  at {at('wrong')}"


def test_a_wrong_message_is_refused_before_it_is_needed(device, at):
    with pytest.raises(ValueError, match="does not fit its arguments"):
        check(True, "{} {}", 1)
