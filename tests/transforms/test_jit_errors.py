"""What a jitted function refuses: what was needed, what came, the user's line."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import tracer as tr
from tracer import nn, optim

MODEL = nn.Dense(2, 2, generator=tr.random.Generator(0)).to(tr.Device.default_xla())
SGD, ADAM = optim.SGD(MODEL), optim.Adam(MODEL)
CLOSED = (
    "update changes a model or an optimizer that the recorded function closes over: make both of "
    "them its arguments"
)
LOOKED = (
    "a value was looked at while its function is recorded, when it has none: use tracer.where in "
    "place of a condition, pass what decides in static_argnames, or look at what is returned"
)
NUMBER = (
    " was asked of a number that a recorded function gets anew at each call: name the argument in "
    "static_argnames, or let tracer compute with it (tracer.where in place of a condition, "
    "tracer.exp in place of math.exp)"
)
STRUCTURE = (
    "jit needs a function that keeps the structure of its arguments, but {}: return what is new, "
    "or keep what changes in a tensor or a tracer.nn.State"
)
LEAVES = (
    "jit needs tensors, arrays, numbers, modules or optimizers, or containers of them, got {}: "
    "name the argument in static_argnames"
)


def t(*shape: int) -> tr.Tensor:
    return tr.ones(shape)


class Counting(nn.Module):
    def __init__(self) -> None:
        self.weight, self.calls = t(2), 0

    def __call__(self, x: Any) -> Any:
        self.calls += 1
        return x * self.weight


def fill(array: Any) -> None:
    array[0] = 1.0


kept: list[Any] = []


def leak(x: Any, n: int) -> Any:
    kept[:] = [x * 2, n + 1, x]
    return x


def leaked(i: int) -> Any:
    tr.jit(leak)(t(2), 1)
    return kept[i] + t(2)


CALLS: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "a condition": (
        lambda: tr.jit(lambda x: x if x.sum() > 0 else -x)(t(2)),
        tr.TracingError,
        LOOKED,
    ),
    "a look": (lambda: tr.jit(lambda x: x.numpy())(t(2)), tr.TracingError, LOOKED),
    "printing": (lambda: tr.jit(lambda x: str(x))(t(2)), tr.TracingError, LOOKED),
    "a barrier": (
        lambda: tr.jit(lambda x: tr.barrier())(t(2)),
        tr.TracingError,
        "barrier was called in a function that is recorded whole: call it after the function",
    ),
    "a move": (
        lambda: tr.jit(lambda x: x.to(tr.Device.default_eager()))(t(2)),
        tr.TracingError,
        "a tensor was moved to another device while its function is recorded, when it has no "
        "value: move it before, or move what is returned",
    ),
    "a condition on a number": (
        lambda: tr.jit(lambda x, n: x if n > 0 else -x)(t(2), 1),
        tr.TracingError,
        "the truth" + NUMBER,
    ),
    "a number as an index": (
        lambda: tr.jit(lambda x, n: x[n])(t(2), 1),
        tr.TracingError,
        "an index or a length" + NUMBER,
    ),
    "a number as a length": (
        lambda: tr.jit(lambda n: tr.zeros((n, 2)))(3),
        tr.TracingError,
        "an index or a length" + NUMBER,
    ),
    "a number as an axis": (
        lambda: tr.jit(lambda x, n: x.sum(n))(t(2), 0),
        tr.TracingError,
        "an index or a length" + NUMBER,
    ),
    "a float": (lambda: tr.jit(lambda n: float(n))(1), tr.TracingError, "the value" + NUMBER),
    "a text": (
        lambda: tr.jit(lambda x, how: x)(t(2), "sum"),
        TypeError,
        LEAVES.format("str at argument 1"),
    ),
    "an object in a container": (
        lambda: tr.jit(lambda x, options: x)(t(2), options={"a": [object()]}),
        TypeError,
        LEAVES.format("object at argument 'options' (a.0)"),
    ),
    "an object that may hold tensors": (
        lambda: tr.jit(lambda x: x)(SimpleNamespace(weight=t(2))),
        TypeError,
        LEAVES.format("SimpleNamespace at argument 0")
        + ", or make its class a tracer.nn.Module if it holds tensors",
    ),
    "a list in static_argnames": (
        lambda: tr.jit(lambda x, n: x, static_argnames="n")(t(2), [1]),
        TypeError,
        "static argument n needs a value with a hash, got list",
    ),
    "an unknown name": (
        lambda: tr.jit(lambda x, n: x, static_argnames="m"),
        ValueError,
        "static_argnames needs names among x, n, got 'm'",
    ),
    "a model closed over": (
        lambda: tr.jit(lambda x: SGD.update(MODEL, MODEL))(t(2)),
        tr.TracingError,
        CLOSED,
    ),
    "an optimizer closed over": (
        lambda: tr.jit(lambda model: ADAM.update(model, model))(MODEL),
        tr.TracingError,
        CLOSED,
    ),
    "an optimizer without state closed over": (
        lambda: tr.jit(lambda model: SGD.update(model, model))(MODEL),
        tr.TracingError,
        CLOSED,
    ),
    "a generator made inside": (
        lambda: tr.jit(lambda x: x + tr.random.Generator(0).normal((2,)))(t(2)),
        tr.TracingError,
        "a State, such as a random generator's, was made and changed in a function that is "
        "recorded whole: make it outside of the function",
    ),
    "no function": (lambda: tr.jit(3), TypeError, "jit needs a function, got 3"),
    "a list that grows": (
        lambda: tr.jit(lambda items: items.append(items[0]))([t(2)]),
        TypeError,
        STRUCTURE.format("argument 0 (1) was None and became float32[2]"),
    ),
    "a plain attribute": (
        lambda: tr.jit(Counting())(t(2)),
        TypeError,
        STRUCTURE.format("argument 0 (calls) was 0 and became 1"),
    ),
    "an array": (
        lambda: tr.jit(fill)(np.zeros(2, np.float32)),
        TypeError,
        "argument 0 is an array, which jit can't change: pass a tensor",
    ),
    "a tensor that is kept": (
        lambda: leaked(0),
        tr.TracingError,
        "the tensor made at {leak} was kept while a function was recorded, and used afterwards, "
        "when it has no value: return it from the function, or keep it in a tracer.nn.State",
    ),
    "a number that is kept": (
        lambda: leaked(1),
        tr.TracingError,
        "a number was kept while a function was recorded, and used afterwards",
    ),
    "an argument that is kept": (
        lambda: leaked(2),
        tr.TracingError,
        "an argument was kept while a function was recorded, and used afterwards, when it has no "
        "value: return it from the function, or keep it in a tracer.nn.State",
    ),
    "two devices": (
        lambda: tr.jit(lambda x, y: x)(t(2), t(2).to(tr.Device.default_eager())),
        tr.DeviceError,
        "jit needs operands on one device, got Device('CPU', 0, backend='XLA') and "
        "Device('CPU', 0, backend='EAGER'); move one with .to(device)",
    ),
    "another signature of a compiled program": (
        lambda: tr.jit(lambda x: x * 2).lower(t(2)).compile()(t(3)),
        TypeError,
        "a compiled program needs arguments of the structure, types, static values and learning "
        "phase that it was made for",
    ),
    "two tensors in place of one": (
        lambda: (x := t(2)) is None or tr.jit(tr.add).lower(x, x).compile()(x, t(2)),
        TypeError,
        "a compiled program needs one tensor in two places just where it was made for that",
    ),
    "a compiled program in a derivative": (
        lambda: tr.grad(tr.jit(lambda x: x.sum()).lower(t(2)).compile())(t(2)),
        tr.TracingError,
        "a compiled program was called in a derivative: call the jitted function",
    ),
    "a program without tensors": (
        lambda: tr.jit(lambda x: x).trace(t(2)).function,
        TypeError,
        "a program needs a function that computes tensors, and this one does not",
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_message(name: str) -> None:
    call, kind, wanted = CALLS[name]
    with tr.default_device(tr.Device.default_xla()), pytest.raises(kind) as caught:
        call()
    message, where = str(caught.value).rsplit("\n  at ", 1)
    line = leak.__code__.co_firstlineno + 1
    assert message == wanted.replace("{leak}", f"{__file__}:{line}")
    lines = [entry.lineno + 1 for entry in caught.traceback if str(entry.path) == __file__]
    assert where == f"{__file__}:{lines[-1]}"


def test_a_tensor_that_is_kept_by_an_eager_program():
    with tr.default_device(tr.Device.default_eager()):
        tr.jit(leak)(t(2), 1)
        with pytest.raises(tr.TracingError, match="was kept while a function was recorded"):
            kept[0].numpy()


def test_devices_are_checked_at_each_call():
    f = tr.jit(lambda a, b: a + b)
    a, b = (
        tr.ones(3, device=place)
        for place in (tr.Device.default_xla(), tr.Device("CPU", 0, "EAGER"))
    )
    f(a, a + 1)
    f(b, b + 1)
    for pair in ((a, b), (b, a)):
        with pytest.raises(tr.DeviceError, match="needs operands on one device"):
            f(*pair)


def test_a_number_that_is_refused_leaves_everything_as_it_was():
    @tr.jit
    def step(optimizer, items):
        items[0] = items[0] * 2
        optimizer.learning_rate = optimizer.learning_rate - 0.75

    items = [tr.ones((256, 128))]
    optimizer = tr.optim.SGD(items, 1.0)
    step(optimizer, items)
    for _ in range(2):
        with pytest.raises(ValueError, match="learning_rate needs a number"):
            step(optimizer, items)
        assert (items[0][0, 0].item(), optimizer.learning_rate) == (2.0, 0.25)


@pytest.mark.parametrize("use", [lambda x: x + 1, tr.exp, lambda x: tr.ones(3) * x, tr.sum])
def test_a_tensor_that_was_kept_has_no_value_in_an_operation(device, use):
    kept = []
    tr.jit(lambda x: kept.append(x * 2))(tr.ones(3))
    with pytest.raises(tr.TracingError, match=r"was kept while a function was recorded"):
        use(kept[0]).numpy()
