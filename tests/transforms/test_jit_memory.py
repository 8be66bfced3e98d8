"""What a jitted function replaces gives up its memory, unless somebody holds it."""

from __future__ import annotations

import numpy as np
import pytest

import tracer as tr
from tests.functions.oracle import check
from tests.observing import observed
from tracer import nn, optim
from tracer.events import Compile
from tracer.transforms.donors import donors

LARGE = (256, 128)


def pointer(x: tr.Tensor) -> int:
    """Where the elements stand, without holding them."""
    return x.numpy().__array_interface__["data"][0]


def step(model, optimizer, x):
    """One training step."""
    _, gradient = tr.value_and_grad(lambda m: (m(x) ** 2).mean())(model)
    optimizer.update(model, gradient)


def places(model, optimizer):
    tensors = [model.weight, *(slot[0] for slot in optimizer.state.values())]
    return sorted(map(pointer, tensors))


def trained(steps, way, hold=lambda model, optimizer: None):
    """Where weights and state stand after each step, and the weight in the end."""
    model = nn.Dense(*LARGE, generator=tr.random.Generator(0))
    optimizer = optim.Adam(model, 0.1)
    x, held, found = tr.ones((4, LARGE[0])), [], []
    tr.barrier()
    for _ in range(steps):
        held.append(hold(model, optimizer))
        way(model, optimizer, x)
        found.append(places(model, optimizer))
    return found, model.weight.numpy(), held


def test_a_step_runs_in_place(device):
    with observed(Compile) as compiles:
        found, weight, _ = trained(4, tr.jit(step))
    assert [compiled.cause for compiled in compiles].count("jit") == 1
    assert found[0] == found[1] == found[2] == found[3]
    _, expected, _ = trained(4, step)
    check(weight, expected)


HOLDERS = {
    "tensor": lambda m, o: m.weight,
    "alias": lambda m, o: tr.asarray(m.weight),
    "view": lambda m, o: m.weight.numpy(),
    "dlpack": lambda m, o: np.from_dlpack(m.weight),
    "slot": lambda m, o: o.state["mean"][0],
    "recording": lambda m, o: tr.sum(m.weight),
}


@pytest.mark.parametrize("name", HOLDERS)
def test_who_holds_it_keeps_its_values(name):
    copies = []

    def hold(model, optimizer):
        held = HOLDERS[name](model, optimizer)
        copies.append(np.array(HOLDERS[name](model, optimizer)) if name != "recording" else None)
        return held

    with tr.default_device(tr.Device.default_xla()):
        _, weight, held = trained(3, tr.jit(step), hold)
        _, expected, plain = trained(3, step, HOLDERS[name])
        check(weight, expected)
        for x, copy, wanted in zip(held, copies, plain, strict=True):
            check(np.asarray(x), np.asarray(wanted))
            if copy is not None:
                np.testing.assert_array_equal(np.asarray(x), copy)


def test_an_argument_that_is_assigned_to(device):
    @tr.jit
    def put(x, v):
        x[0] = v

    x = tr.zeros(LARGE)
    put(x, 1.0)
    before = pointer(x)
    put(x, 2.0)
    assert pointer(x) == before
    view = x.numpy()
    put(x, 3.0)
    assert (view[0, 0], x[0, 0].item()) == (2, 3)


def test_what_is_returned_as_well_is_not_taken():
    @tr.jit
    def swap(items):
        old = items[0]
        items[0] = old + 1
        return old

    items = [tr.zeros(LARGE)]
    found = [swap(items) for _ in range(3)]
    assert [x[0, 0].item() for x in (*found, items[0])] == [0, 1, 2, 3]


def test_memory_shared_with_numpy_is_left_alone():
    array = np.zeros(LARGE, np.float32)
    add = tr.jit(lambda items: items.__setitem__(0, items[0] + 1))
    for device in (tr.Device.default_eager(), tr.Device.default_xla()):
        try:
            items = [tr.asarray(array, device=device, copy=False)]
        except BufferError:  # not aligned as the device wants it
            continue
        add(items)
        add(items)
        assert items[0][0, 0].item() == 2
        assert not array.any()


def test_small_ones_are_not_worth_it():
    add = tr.jit(lambda items: items.__setitem__(0, items[0] + 1))
    found = [donors(add.trace([tr.zeros(n)]).recorded) for n in (16 * 1024 - 1, 16 * 1024)]
    assert [len(chosen) for chosen in found] == [0, 1]
