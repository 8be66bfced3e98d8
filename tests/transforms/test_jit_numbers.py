"""Numbers among the arguments of a jitted function: computed anew at each call, never constants."""

from __future__ import annotations

import numpy as np
import pytest

import tracer as tr
from tests.functions.oracle import check
from tracer import losses, nn, optim

X = np.array([1.5, -2.0], np.float32)


def functions():
    """Functions of a tensor and a number."""
    yield "operators", lambda x, n: (x * n + n - x / n, n * x - n, -n % x, abs(n) // x, x**n, n**x)
    yield "numbers", lambda x, n: ((n + 1) * (2 - n) / (n**2 + 1) // 0.125 % 7, round(n, 1) * x)
    yield "comparisons", lambda x, n: (x < n, n <= x, x == n, tr.where(n > 1, x, -x))
    yield "functions", lambda x, n: (tr.where(x > 0, n, x), tr.maximum(x, n), tr.clip(x, -n, n))
    yield (
        "making",
        lambda x, n: (tr.asarray(n), tr.full((2, 2), n), tr.exp(n), tr.asarray(n, tr.float64)),
    )
    yield "dtypes", lambda x, n: (x.astype(tr.int32) + n, x.astype(tr.float16) * n, x > 0)


FUNCTIONS = dict(functions())


@pytest.mark.parametrize("name", FUNCTIONS)
def test_as_without_jit(name, counted):
    f = FUNCTIONS[name]
    g, x = tr.jit(f), tr.asarray(X)
    for kind in (int, float):
        expected = [f(x, kind(n)) for n in (1, 2, 3)]
        counted()
        found = [g(x, kind(n)) for n in (1, 2, 3)]
        assert counted()["compiles"] == 1
        for row, wanted in zip(found, expected, strict=True):
            for a, b in zip(row, wanted, strict=True):
                assert type(a) is type(b)
                if isinstance(a, tr.Tensor):
                    assert a.dtype == b.dtype
                check(a, np.asarray(b))


def test_bits_and_bools():
    f = lambda x, n, b: (x & n, x << n, n ^ 1, ~n, x * b)
    g = tr.jit(f)
    x = tr.asarray([5, 6])
    for n, b in ((1, True), (2, False)):
        for a, wanted in zip(g(x, n, b), f(x, n, b), strict=True):
            assert np.array_equal(a, wanted)


def test_a_numpy_number_keeps_its_dtype():
    f = lambda x, n: (x * (n * np.float64(2)), x * (np.float32(2) * n))
    found, expected = tr.jit(f)(tr.asarray(X), 3), f(tr.asarray(X), 3)
    for a, b in zip(found, expected, strict=True):
        check(a, b)


def test_a_number_of_another_type_is_recorded_anew(counted):
    f = tr.jit(lambda x, n: (x * 2**n, 2**n))
    x = tr.asarray([2, 4])
    assert [(y.tolist(), k) for y, k in (f(x, 1), f(x, -1), f(x, 2))] == [
        ([4, 8], 2),
        ([1.0, 2.0], 0.5),
        ([8, 16], 4),
    ]
    assert counted()["compiles"] == 3


def test_numbers_alone_run_nothing(counted):
    f = tr.jit(lambda a, b: {"sum": a + b, "same": a})
    assert f(1, 2.5) == {"sum": 3.5, "same": 1}
    assert f(2, 2.5) == {"sum": 4.5, "same": 2}
    assert counted()["compiles"] == 0


def test_what_python_raises_is_raised():
    f = tr.jit(lambda x, n: x * (1 / n))
    f(tr.asarray(X), 2)
    with pytest.raises(
        ZeroDivisionError, match=r"division by zero\n  at .*test_jit_numbers.py:\d+"
    ):
        f(tr.asarray(X), 0)
    with pytest.raises(OverflowError, match="300 does not fit int8"):
        tr.jit(lambda x, n: x + n)(tr.asarray(X).astype(tr.int8), 300)


def step(model, optimizer, images, labels):
    """One training step."""
    with tr.learning_phase("training"):
        loss, gradient = tr.value_and_grad(
            lambda m: losses.softmax_cross_entropy(m(images), labels)
        )(model)
    optimizer.update(model, gradient)
    return loss


OPTIMIZERS = {
    "SGD": lambda m: optim.SGD(m, 0.1),
    "momentum": lambda m: optim.SGD(m, 0.1, momentum=0.9, decay=0.1),
    "Adam": lambda m: optim.Adam(m, 0.05, decay=0.2),
}


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_a_training_step_is_the_lazy_one_bit_for_bit(name, counted):
    """With a learning rate that changes, and once dropout and running means: one compile."""
    xla = tr.Device.default_xla()

    def train(way):
        generator = tr.random.Generator(0, device=xla)
        with tr.default_device(xla):
            layers = [nn.BatchNorm(8), nn.Dropout(0.5, generator=generator)]
            model = nn.Sequential(
                nn.Dense(4, 8, nn.relu, generator=generator),
                *(layers if name == "Adam" else ()),
                nn.Dense(8, 3, generator=generator),
            ).to(xla)
            optimizer = OPTIMIZERS[name](model).to(xla)
            images = tr.asarray(np.random.default_rng(0).normal(size=(6, 4)).astype(np.float32))
            labels = tr.asarray([0, 1, 2, 0, 1, 2])
        tr.barrier()
        counted()
        losses = []
        for i in range(4):
            if i == 2:
                optimizer.learning_rate /= 2
            losses.append(way(model, optimizer, images, labels))
            tr.barrier()
        compiles = counted()["compiles"]
        values = [x.tolist() for x in (*losses, *tr.tree.leaves(model))]
        return values, optimizer.step, optimizer.learning_rate, compiles

    lazy, jitted = train(step), train(tr.jit(step))
    assert jitted[:3] == lazy[:3]
    assert type(jitted[1]) is int
    assert jitted[3] == 1
    assert len({tuple(np.ravel(x)) for x in jitted[0][:4]}) == 4


def test_a_learning_rate_that_the_step_sets():
    def decayed(model, optimizer, gradient):
        optimizer.update(model, gradient)
        optimizer.learning_rate = optimizer.learning_rate * 0.5

    model = [tr.asarray([1.0])]
    optimizer, f = optim.SGD(model, 1.0), tr.jit(decayed)
    for _ in range(3):
        f(model, optimizer, [tr.asarray([1.0])])
    assert model[0].tolist() == [1 - 1.75]
    assert optimizer.learning_rate == 0.125
    bad = tr.jit(lambda o: setattr(o, "learning_rate", o.learning_rate - 1))
    with pytest.raises(ValueError, match="learning_rate needs a number that is finite and not neg"):
        bad(optimizer)
    assert optimizer.learning_rate == 0.125
