"""jit: the results of the function, one program a signature, what it changes is changed."""

from __future__ import annotations

import importlib
import re
import threading
from pathlib import Path
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import tracer as tr
from tests.functions.oracle import check, random
from tracer import nn


def t(*values: float) -> tr.Tensor:
    return tr.asarray(np.array(values, np.float32))


def test_one_program_a_signature(device, counted):
    f = tr.jit(lambda x, y: (tr.tanh(x) @ y, x.sum()))
    for seed in range(3):
        x, y = random(2, 3, seed=seed), random(3, 4, seed=seed + 9)
        product, total = f(tr.asarray(x), tr.asarray(y))
        assert product.device is total.device is device
        check(product, np.tanh(x) @ y, np.float32)
        check(total, x.sum(), np.float32)
    found = counted()
    assert (found["compiles"], found["cache_hits"]) == (1, 2)
    others = random(5, 3), random(2, 3).astype(np.float64)
    for x in others:
        f(tr.asarray(x), tr.asarray(y))
    assert counted()["compiles"] == 2


class Pair(NamedTuple):
    first: object
    second: object


@pytest.mark.parametrize(
    "make",
    [lambda x: x, lambda x: [x], lambda x: {"b": x, "a": (x + 1, None)}, lambda x: Pair(x, "s")],
    ids=["tensor", "list", "dict", "namedtuple"],
)
def test_results_of_any_structure(make):
    plain, jitted = make(t(1, 2) * 2), tr.jit(lambda x: make(x * 2))(t(1, 2))
    assert type(plain) is type(jitted)
    assert tr.tree.paths(plain) == tr.tree.paths(jitted)
    for a, b in zip(tr.tree.leaves(plain), tr.tree.leaves(jitted), strict=True):
        assert a == b if isinstance(a, str) else a.tolist() == b.tolist()


def test_arguments_of_any_structure(counted):
    f = tr.jit(lambda tree, *more, scale: (tree["a"] + tree["b"][0] * scale, more))
    for k in (1, 2):
        x, more = f({"a": t(k), "b": (np.array([2.0], np.float32), None)}, t(k), scale=3.0)
        assert (x.tolist(), more[0].tolist()) == ([k + 6.0], [k])
    assert counted()["compiles"] == 1


def test_arrays_are_tensors_inside():
    double = tr.jit(lambda x: x.astype(tr.float64) + x)
    check(double(np.array([1, 2], np.int64)), np.array([2.0, 4.0]))
    check(double(np.float16(3)), np.float64(6))


def test_what_comes_back_unchanged_is_the_argument_itself():
    x, y, tree = t(1), t(2), [t(3)]
    a, b, c, (d, e) = tr.jit(lambda x, y, tree: (x, x + y, tree, [y, y]))(x, y, tree)
    assert a is x
    assert c is tree
    assert d is e is y
    assert b.tolist() == [3]


def test_the_same_tensor_twice_stays_one(device):
    def f(x, y):
        x[0] = 5.0
        return y + 0

    for g in (f, tr.jit(f)):
        x = t(1, 2)
        assert g(x, t(1, 2)).tolist() == [1, 2]
        assert g(x, x).tolist() == [5, 2]
    made = tr.jit(lambda x: [x * 2] * 2)(t(1))
    assert made[0] is made[1]


def test_a_call_with_the_same_tensor_twice_says_nothing_of_others(device):
    f, x, y = tr.jit(lambda x, y: x - y), t(5), t(2)
    for _ in range(2):
        assert [f(a, b).item() for a, b in ((x, x), (x, y), (y, x), (y, y))] == [0, 3, -3, 0]
    state = nn.State(x)
    g = tr.jit(lambda x: setattr(state, "value", state.value + 1) or state.value - x)
    assert [g(x).item(), g(x).item(), g(y).item()] == [1, 2, 6]


def test_what_is_changed_is_changed_by_each_call(device, counted):
    def f(x, items, table):
        x[0] = x[1] + 1
        items[0], items[1] = items[1], items[0] * 2
        table["n"] += 1
        table["sum"] = table["sum"] + x

    def run(g):
        x, items, table = t(1, 2), [t(3), t(4)], {"sum": t(0, 0), "n": 0}
        tr.barrier()
        counted()
        for _ in range(3):
            assert g(x, items, table) is None
        compiles = counted()["compiles"]
        return [
            x.tolist(),
            [y.tolist() for y in items],
            table["sum"].tolist(),
            table["n"],
        ], compiles

    expected, _ = run(f)
    found, compiles = run(tr.jit(f))
    assert found == expected
    assert type(found[3]) is int
    assert compiles == 1


def test_who_holds_the_old_tensor_keeps_its_value():
    items = [t(1)]
    old, view = items[0], items[0].numpy()
    tr.jit(lambda items: items.__setitem__(0, items[0] + 1))(items)
    assert (old.tolist(), view.tolist(), items[0].tolist()) == ([1], [1], [2])


def test_everything_is_as_it_was_where_f_raises():
    model, items = nn.BatchNorm(2), [t(1), 1]
    before = dict(vars(model)), model.running_mean.value, list(items)

    def f(model, items):
        with tr.learning_phase("training"):
            model(tr.ones((3, 2)))
        items[0] = items[0] * 2
        items.append(3)
        model.scale = None
        raise KeyError("no")

    with pytest.raises(KeyError):
        tr.jit(f)(model, items)
    assert dict(vars(model)) == before[0]
    assert model.running_mean.value is before[1]
    assert items[0] is before[2][0]
    assert items[1:] == [1]


def test_states_closed_over_are_read_and_changed_at_each_call(device):
    def run(way):
        generator, counter = tr.random.Generator(0), nn.State(tr.zeros(()))

        def f(x):
            counter.value = counter.value + 1
            return x * generator.uniform(x.shape)

        g = way(f)
        found = [g(t(1, 1, 1)).tolist() for _ in range(3)]
        counter.value = tr.asarray(10.0)
        g(t(1, 1, 1))
        return found, counter.value.item(), generator.bits(2).tolist()

    plain, jitted = run(lambda f: f), run(tr.jit)
    assert jitted == plain
    assert jitted[0][0] != jitted[0][1]


def test_a_state_of_another_type_is_recorded_anew():
    state = nn.State(t(1))
    f = tr.jit(lambda x: setattr(state, "value", state.value + 1) or x + state.value)
    assert f(t(1)).tolist() == [3]
    state.value = t(1, 2)
    assert f(t(1)).tolist() == [3, 4]


def test_tensors_closed_over_are_constants():
    held = {"x": t(1)}
    f = tr.jit(lambda y: held["x"] + y)
    assert f(t(1)).tolist() == [2]
    held["x"] = t(5)
    assert f(t(1)).tolist() == [2]


def test_a_model_is_an_argument_of_itself(device, counted):
    model = nn.Dense(3, 2, generator=tr.random.Generator(0))
    f, x = tr.jit(model), tr.asarray(random(1, 3))
    check(f(x), model(x))
    model.weight = tr.asarray(random(3, 2))
    expected = model(x).numpy()
    counted()
    check(f(x), expected)
    assert (counted()["compiles"], counted()["cuts"]) == (0, {})


def test_plain_attributes_are_never_stale(counted):
    class Scale(nn.Module):
        def __init__(self):
            self.weight, self.factor, self.table = t(1), 2, {"a": [1]}

        def __call__(self, x):
            return x * self.weight * self.factor + self.table["a"][0]

    model = Scale()
    f = tr.jit(model)
    assert f(t(3)).tolist() == [7]
    for factor, first, wanted in ((2.5, 1, 8.5), (2.5, 4, 11.5), (2, 1, 7)):
        model.factor, model.table["a"][0] = factor, first
        assert f(t(3)).tolist() == [wanted]
    assert counted()["compiles"] == 3


def test_the_learning_phase_is_part_of_the_signature():
    dropout = nn.Dropout(0.5, generator=tr.random.Generator(0))
    f = tr.jit(lambda x: dropout(x))
    x = tr.ones(64)
    assert f(x).tolist() == x.tolist()
    with tr.learning_phase("training"):
        assert f(x).tolist() != x.tolist()


@pytest.mark.filterwarnings("ignore:.*, a jitted function, was compiled 3 times in a row")
def test_static_arguments_are_compared_by_type_and_value(counted):
    @tr.jit(static_argnames=("n", "how"))
    def f(x, n, *, how="sum"):
        return getattr(x, how)() * (n if type(n) is not bool else 100)

    x = t(1, 2)
    assert [f(x, n).item() for n in (1, 1.0, True, 1)] == [3, 3, 300, 3]
    assert f(x, n=2, how="max").item() == 4
    assert counted()["compiles"] == 4


def test_derivatives_go_through(device):
    f = tr.jit(lambda x: (x**3).sum())
    x = t(1, 2)
    assert tr.grad(f)(x).tolist() == [3, 12]
    assert tr.jit(tr.grad(f))(x).tolist() == [3, 12]
    second = tr.jit(tr.grad(lambda x: tr.jit(tr.grad(f))(x).sum()))
    check(
        second(x),
        jax.grad(lambda x: jax.grad(lambda x: (x**3).sum())(x).sum())(jnp.array([1.0, 2.0])),
    )
    assert tr.jit(tr.jit(lambda x: x + 1))(x).tolist() == [2, 3]


def test_a_method_can_be_decorated():
    class Model(nn.Module):
        def __init__(self, w):
            self.w = t(w)

        @tr.jit
        def __call__(self, x):
            return x * self.w

    assert [Model(w)(t(2)).tolist() for w in (3, 4)] == [[6], [8]]


def test_two_threads_call_one_function(device):
    f = tr.jit(lambda x, k: (x * k).sum())
    found: dict[int, float] = {}

    def work(k):
        with tr.default_device(device):
            found[k] = sum(f(tr.ones(10), k).item() for _ in range(20))

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {k: 200.0 * k for k in range(4)}


def test_the_cache_is_bounded(monkeypatch, counted):
    monkeypatch.setattr(importlib.import_module("tracer.transforms.jit"), "LIMIT", 2)
    f = tr.jit(lambda x: x + 1)
    sizes = [1, 2, 1, 3, 1, 2]  # 2 goes for 3, and comes again; 1 stays, used in between
    tensors = [tr.zeros(n) for n in sizes]
    counted()
    for x in tensors:
        f(x)
    assert counted()["compiles"] == 4


def test_pending_arguments_are_run_first():
    with tr.default_device(tr.Device.default_xla()):
        x = t(1) + 1
        assert tr.jit(lambda x: x * 2)(x).tolist() == [4]
        assert x.tolist() == [2]


def test_the_document():
    text = (Path(__file__).parents[2] / "docs" / "jit.md").read_text(encoding="utf-8")
    code = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert len(code) == 8
    exec(compile("\n".join(code), "docs/jit.md", "exec"), {"__name__": "document"})


def test_names_are_those_of_the_function_or_the_class_of_the_model():
    model = tr.jit(nn.Dense(2, 3))
    assert model.__name__ == "Dense" and "Dense" in repr(model)
    lowered = tr.jit(tr.exp).lower(t(1))
    shown = [repr(stage) for stage in (lowered.traced, lowered, lowered.compile())]
    assert shown == ["<Traced exp>", "<Lowered exp>", "<Compiled exp>"]


def test_stages():
    f = tr.jit(lambda x: tr.exp(x) + 0)
    traced = f.trace(t(1))
    assert traced.function.operations
    assert "stablehlo.exponential" in traced.as_text()
    lowered = f.lower(t(1))
    assert "stablehlo.exponential" in lowered.as_text()
    compiled = lowered.compile()
    assert "exponential" in compiled.as_text()
    check(compiled(t(2)), np.exp(np.array([2], np.float32)))
    assert compiled.memory_analysis().argument_size_in_bytes == 4
    assert compiled.cost_analysis()["transcendentals"] == 1
