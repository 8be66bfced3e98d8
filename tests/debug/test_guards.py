"""What is forbidden raises, with the user's line, and then nothing has happened."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import tracer as tr
from tracer.events import observers

debug = tr.debug


def test_a_look_is_refused(lazy, at):
    x = tr.asarray([1.0, 2.0])
    with debug.no_implicit_cuts(), pytest.raises(debug.ImplicitCutError) as caught:
        y = x * 2.0  # made
        y.numpy()  # look
    assert str(caught.value) == (
        f"no_implicit_cuts(): a look at the pending tensor<2xf32>, made at {at('made')}, would cut "
        "a recording of 1 operation: look after tr.barrier(), or use tr.debug.print\n"
        f"  at {at('look')}"
    )


def test_what_is_filled_with_a_scalar_has_a_place(lazy, at):
    with debug.no_implicit_cuts():
        x = tr.ones((2, 3))  # filled
        with pytest.raises(debug.ImplicitCutError) as caught:
            x.numpy()
    assert f"the pending tensor<2x3xf32>, made at {at('filled')}," in str(caught.value)


def _other_thread(y: tr.Tensor) -> None:
    raised: list[BaseException] = []

    def use() -> None:
        try:
            with debug.no_implicit_cuts():
                y + 1.0
        except debug.ImplicitCutError as error:
            raised.append(error)

    thread = threading.Thread(target=use)
    thread.start()
    thread.join()
    raise raised[0]


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (float, "a look at "),
        (repr, "a look at "),
        (lambda y: y.to(tr.Device.default_eager()), "the move of "),
        (tr.jit(lambda y: y), "as an argument of a jitted function would cut"),
        (_other_thread, "in another thread would cut"),
    ],
    ids=["float", "repr", "move", "jit", "thread"],
)
def test_every_cause_is_refused_and_leaves_tensors_pending(lazy, counted, act, message):
    y = tr.asarray(3.0) * 2.0
    counted()
    with debug.no_implicit_cuts(), pytest.raises(debug.ImplicitCutError, match=message):
        act(y)
    seen = counted()
    assert (seen["cuts"], seen["compiles"], seen["ops_executed"]) == ({}, 0, 0)
    assert y.item() == 6.0


@pytest.mark.filterwarnings("ignore:5 operations were recorded")
def test_the_size_limit_is_refused(lazy, monkeypatch):
    monkeypatch.setattr(tr.config, "recording_limit", 5)
    x = tr.asarray(1.0)
    with (
        debug.no_implicit_cuts(),
        pytest.raises(debug.ImplicitCutError, match=r"raise tr\.config\.recording_limit"),
    ):
        for _ in range(6):
            x = x + 1.0
    assert x.item() == 5.0


def test_a_barrier_and_what_is_there_are_allowed(lazy):
    x = tr.asarray([1.0, 2.0])
    with debug.no_implicit_cuts():
        y = x + x
        tr.barrier()
        assert y.tolist() == [2.0, 4.0]


def test_no_compiles_names_the_line(lazy, at):
    x = tr.asarray([1.0, 2.0, 3.0])
    y = x * x - x
    with debug.no_compiles(), pytest.raises(debug.UnexpectedCompileError) as caught:
        tr.barrier()  # barrier
    message, where = str(caught.value).rsplit("\n  at ", 1)
    assert message.splitlines()[0] == ("no_compiles(): a barrier needs a compile (new program)")
    assert where == at("barrier")
    assert y.tolist() == [0.0, 2.0, 6.0]


def test_no_compiles_says_what_differs(lazy, at):
    def step(n: int) -> None:
        x = tr.asarray(np.ones(n, np.float32))
        _ = tr.exp(x) - 1.0  # step
        tr.barrier()

    step(7)
    with debug.no_compiles():
        step(7)
        with pytest.raises(debug.UnexpectedCompileError, match=r"tensor<9xf32>.*tensor<7xf32>"):
            step(9)


def test_no_compiles_in_jit_and_eagerly(device, counted):
    f = tr.jit(lambda x: x * 3.0 - x)
    x, y = tr.asarray(np.ones(11, np.float32)), tr.asarray(np.ones(12, np.float32))
    tr.barrier()
    f(x)
    counted()
    with debug.no_compiles():
        f(x)
        with pytest.raises(
            debug.UnexpectedCompileError, match="a call of a jitted function needs a compile"
        ):
            f(y)
    assert counted()["compiles"] == 0
    np.testing.assert_array_equal(f(y).numpy(), 2 * np.ones(12, np.float32))


def test_an_eager_operation_is_refused():
    with tr.default_device(tr.Device.default_eager()):
        x = tr.asarray(np.ones((3, 13), np.float32))
        with (
            debug.no_compiles(),
            pytest.raises(debug.UnexpectedCompileError, match="an eager operation needs"),
        ):
            tr.tanh(x)
        np.testing.assert_allclose(tr.tanh(x).numpy(), np.tanh(x.numpy()), rtol=1e-6)


def test_the_innermost_context_decides(lazy):
    y = tr.asarray([1.0, 2.0]) + 1.0
    with debug.no_implicit_cuts(), debug.no_compiles():
        with debug.no_implicit_cuts(False), debug.no_compiles(False):
            assert y.tolist() == [2.0, 3.0]
            with debug.no_implicit_cuts(), pytest.raises(debug.ImplicitCutError):
                (y * 5.0).numpy()
        with pytest.raises(debug.ImplicitCutError):
            (y * 7.0).numpy()
    assert (y * 7.0).tolist() == [14.0, 21.0]


def test_contexts_that_end_in_another_order(lazy):
    """As those of coroutines do: what is left decides, and nothing stays behind."""
    first, second = tr.debug.no_implicit_cuts(), tr.debug.no_implicit_cuts()
    allowing = tr.debug.no_implicit_cuts(enabled=False)
    for context in (first, second, allowing):
        context.__enter__()
    assert float(tr.asarray(2.0) * 3.0) == 6.0
    first.__exit__(None, None, None)
    assert float(tr.asarray(2.0) * 4.0) == 8.0
    allowing.__exit__(None, None, None)
    with pytest.raises(tr.debug.ImplicitCutError):
        float(tr.asarray(2.0) * 5.0)
    second.__exit__(None, None, None)
    assert float(tr.asarray(2.0) * 6.0) == 12.0
    assert observers == []


def test_other_threads_may(lazy):
    found = []

    def look() -> None:
        with tr.default_device(tr.Device.default_xla()):
            found.append((tr.asarray([1.0, 2.0]) * 8.0).tolist())

    with debug.no_implicit_cuts(), debug.no_compiles():
        thread = threading.Thread(target=look)
        thread.start()
        thread.join()
    assert found == [[8.0, 16.0]]


def test_as_decorators(lazy):
    @debug.no_implicit_cuts()
    def step(x: tr.Tensor) -> float:
        return float(x + 1.0)

    for _ in range(2):
        with pytest.raises(debug.ImplicitCutError):
            step(tr.asarray(1.0))
