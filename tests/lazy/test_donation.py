"""Memory of values that nobody holds any more is used for results; of others it never is."""

from __future__ import annotations

import signal
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

import tracer as tr
from runtime import pjrt
from tracer.donation import alone, references
from tracer.programs import MOST
from tracer.recording import current
from tracer.signature import LARGE

SIDE = 256
assert SIDE * SIDE * 4 >= LARGE


def address(x: tr.Tensor) -> int:
    return x._data.buffer.unsafe_buffer_pointer()


def compiles() -> int:
    return tr.metrics.snapshot()["compiles"]


def matrix(device: tr.Device, value: float = 1.0) -> tr.Tensor:
    return tr.asarray(np.full((SIDE, SIDE), value, np.float32), device=device)


def step(x: tr.Tensor) -> tr.Tensor:
    return x * 1.5 + 1.0


def test_a_loop_updates_in_place_with_one_compile(device: tr.Device) -> None:
    x = matrix(device)
    place, before, wanted = address(x), compiles(), np.ones((SIDE, SIDE), np.float32)
    for _ in range(10):
        x = step(x)
        tr.barrier()
        wanted = wanted * np.float32(1.5) + np.float32(1)
        assert address(x) == place
    assert compiles() - before == 1
    assert np.array_equal(x.numpy(), wanted)


def test_small_arrays_are_not_donated(device: tr.Device) -> None:
    x = tr.asarray(np.ones(8, np.float32), device=device)
    x = step(x)
    assert alone(current(device).inputs, current(device)._large) == ()
    tr.barrier()


def test_another_tensor_keeps_its_value(device: tr.Device) -> None:
    x = matrix(device)
    kept = x
    x = step(x)
    tr.barrier()
    assert kept.numpy()[0, 0] == 1.0
    assert x.numpy()[0, 0] == 2.5


def test_a_copy_of_a_tensor_keeps_its_value(device: tr.Device) -> None:
    x = matrix(device)
    kept = x.__copy__()
    x = step(x)
    tr.barrier()
    assert kept.numpy()[0, 0] == 1.0


def test_a_numpy_view_keeps_its_values(device: tr.Device) -> None:
    x = step(matrix(device))
    view = x.numpy()
    wanted = view.copy()
    x = step(x)
    tr.barrier()
    assert np.array_equal(view, wanted)
    assert np.array_equal(x.numpy(), wanted * 1.5 + 1)


def test_a_dlpack_consumer_keeps_its_values(device: tr.Device) -> None:
    x = step(matrix(device))
    view = np.from_dlpack(x)
    wanted = view.copy()
    for _ in range(3):
        x = step(x)
        tr.barrier()
    x.numpy()
    assert np.array_equal(view, wanted)


def test_shared_memory_of_the_host_is_left_alone(device: tr.Device) -> None:
    bytes_ = np.zeros(SIDE * SIDE * 4 + 64, np.uint8)
    start = -bytes_.ctypes.data % 64
    host = bytes_[start : start + SIDE * SIDE * 4].view(np.float32).reshape(SIDE, SIDE)
    host[:] = 1
    x = tr.asarray(host, device=device, copy=False)
    for _ in range(3):
        x = step(x)
        tr.barrier()
    x.numpy()
    assert (host == 1).all()


def test_a_value_under_a_tape_keeps_its_memory(device: tr.Device) -> None:
    x = matrix(device)

    def loss(x: tr.Tensor) -> tr.Tensor:
        y = x * x
        del x
        y.numpy()  # a cut while the tape holds x
        return y.sum()

    assert np.array_equal(tr.grad(loss)(x).numpy(), np.full((SIDE, SIDE), 2, np.float32))


def test_who_is_alone_by_chance_costs_no_compile(device: tr.Device) -> None:
    x = matrix(device)
    held: list[Any] = [x]
    x = step(x)
    tr.barrier()  # compiled without donation: `held` has it
    held.clear()
    before = compiles()
    x = step(x)
    tr.barrier()  # alone for the first time
    assert compiles() == before
    place = address(x)
    x = step(x)
    tr.barrier()  # for the second: one program more, that works in place
    assert compiles() - before == 1
    assert address(x) == place


def test_a_donating_program_is_not_used_for_what_is_held(device: tr.Device) -> None:
    x = matrix(device)
    for _ in range(2):
        x = step(x)
        tr.barrier()
    held = [x]
    for _ in range(2):
        x = step(x)
        tr.barrier()
    assert np.array_equal(held[0].numpy() * 1.5 + 1, step(held[0]).numpy())
    assert held[0].numpy()[0, 0] == 1.5 * 2.5 + 1


def test_many_ways_to_hold_are_few_programs(device: tr.Device) -> None:
    before = compiles()
    for held in range(1, 8):
        for _ in range(2):
            given = [matrix(device, i) for i in range(3)]
            kept = [x for i, x in enumerate(given) if held >> i & 1]
            made = [step(given.pop()) for _ in range(3)]
            tr.barrier()
            assert [x.numpy()[0, 0] for x in made] == [4.0, 2.5, 1.0]
            assert all(x.numpy().std() == 0 for x in kept)
    assert compiles() - before == MOST


def test_a_training_step_needs_one_copy_of_weights_and_state(device: tr.Device) -> None:
    model = {"weight": matrix(device, 0.1)}
    optimizer = tr.optim.Adam(model).to(device)
    x = tr.ones((4, SIDE), device=device)
    places: list[list[int]] = []
    for _ in range(4):
        gradient = tr.grad(lambda m: ((x @ m["weight"]) ** 2).sum())(model)
        optimizer.update(model, gradient)
        del gradient
        tr.barrier()
        held = [model["weight"], *(slots[0] for slots in optimizer.state.values())]
        places.append([address(t) for t in held])
        del held
    assert places[-1] == places[-2] == places[-3]


def test_references_are_counted() -> None:
    thing = object()
    held = [thing, object()]
    assert references(held, 0) == 1
    assert references(held, 1) == 0
    assert alone(held, (0, 1)) == (1,)


def doubled(items: list[tr.Tensor]) -> None:
    items[0] = items[0] * 2.0
    tr.barrier()


@pytest.mark.parametrize("jitted", [False, True])
def test_an_interrupt_after_the_run_keeps_its_results(
    device: tr.Device, monkeypatch: pytest.MonkeyPatch, jitted: bool
) -> None:
    """The inputs are donated by then."""
    items = [matrix(device)]
    work = tr.jit(lambda items: items.__setitem__(0, items[0] * 2.0)) if jitted else doubled
    for _ in range(2):
        work(items)
    fill = pjrt.Executable.fill

    def interrupted(self: Any, inputs: Any, results: Any) -> None:
        fill(self, inputs, results)
        raise KeyboardInterrupt

    monkeypatch.setattr(pjrt.Executable, "fill", interrupted)
    with pytest.raises(KeyboardInterrupt):
        work(items)
    monkeypatch.undo()
    assert items[0].numpy()[0, 0] == 8.0
    work(items)
    assert items[0].numpy()[0, 0] == 16.0


def test_a_signal_handler_that_raises_at_any_time_loses_nothing() -> None:
    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    one = tr.asarray(np.eye(SIDE, dtype=np.float32))
    work = tr.jit(lambda items, one: items.__setitem__(0, items[0] @ one))
    items = [tr.ones((SIDE, SIDE))]
    work(items, one)
    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        for turn in range(30):
            with suppress(KeyboardInterrupt):
                signal.setitimer(signal.ITIMER_REAL, 0.002 + turn * 0.0002)
                while True:
                    work(items, one)
            assert (items[0].numpy() == 1).all()
    finally:
        signal.signal(signal.SIGALRM, before)
