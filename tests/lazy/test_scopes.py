"""Scopes: in which layer each operation was recorded, forward and in derivatives."""

from __future__ import annotations

import copy
import gc
import inspect
import pickle
import threading
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tracer as tr
from lowering import emit, parse
from tests.observing import observed
from tracer import nn
from tracer.context import here, thread
from tracer.errors import in_derivative, scope_of, source_line
from tracer.events import Compile
from tracer.ir import Function
from tracer.ir.walk import operations

X = np.ones((2, 3), np.float32)


class Twice(nn.Module):
    """Adds its argument to itself."""

    def __call__(self, x: tr.Tensor) -> tr.Tensor:
        """Twice x."""
        return x + x


class Holder(nn.Module):
    """A layer as an attribute, in a list, in a dict, in an object that is not called itself."""

    def __init__(self) -> None:
        self.first = Twice()
        self.layers = [Twice(), nn.Sequential(Twice())]
        self.named = {"head": Twice()}
        self.box = nn.Sequential(Twice())

    def __call__(self, x: tr.Tensor) -> tr.Tensor:
        x = self.first(x)
        for layer in self.layers:
            x = layer(x)
        x = self.named["head"](x)
        x = self.box[0](x)
        return Twice()(x) * 2.0


class Louder(Twice):
    """Calls the method of its base class, within a part named by hand too."""

    def __call__(self, x: tr.Tensor) -> tr.Tensor:
        y = super().__call__(x)
        with tr.named_scope("again"):
            return y * super().__call__(x)


def scopes(function: Function) -> list[tuple[str, str]]:
    """Name and scope of each operation but constants."""
    found = function.operations
    return [(o.name, scope_of(o.location)) for o in found if o.name != "constant"]


def traced(f: Callable[..., Any], *args: Any) -> list[tuple[str, str]]:
    """The same of a function, for these arguments or a matrix."""
    return scopes(tr.trace(f, *(args or (tr.asarray(X),))))


def test_layers_are_called_what_they_are_in_the_model() -> None:
    assert traced(Holder()) == [
        ("add", "Holder.first"),
        ("add", "Holder.layers.0"),
        ("add", "Holder.layers.1.layers.0"),
        ("add", "Holder.named.head"),
        ("add", "Holder.box.layers.0"),
        ("add", "Holder.Twice"),
        ("broadcast_in_dim", "Holder"),
        ("multiply", "Holder"),
    ]


def test_parts_named_by_hand() -> None:
    def f(x: tr.Tensor) -> tr.Tensor:
        with tr.named_scope("a"), tr.named_scope("b-1/c"):
            x = Twice()(x)
        return -x

    assert traced(f) == [("add", "a.b-1/c.Twice"), ("negate", "")]


def test_a_method_that_calls_that_of_its_base_class_is_one_call() -> None:
    assert traced(Louder()) == [
        ("add", "Louder"),
        ("add", "Louder.again"),
        ("multiply", "Louder.again"),
    ]


def test_derivatives_to_any_order() -> None:
    model = nn.Sequential(lambda x: x * x * x)

    def first(x: tr.Tensor) -> tr.Tensor:
        return tr.grad(lambda x: model(x).sum())(x).sum()

    orders = {scope.count("grad") for _, scope in traced(tr.grad(first)) if "Seq" in scope}
    assert orders == {1, 2}
    assert ("multiply", "grad(grad(Sequential))") in traced(tr.grad(first))


def test_derivatives_of_ones_own_rules() -> None:
    double = tr.custom_vjp(lambda x: x + x, lambda g, y, x: -g)

    class Double(nn.Module):
        def __call__(self, x: tr.Tensor) -> tr.Tensor:
            return double(x) + tr.linalg.det(x @ x.T) + tr.nn.gelu(x)

    found = traced(tr.grad(lambda x: Double()(x).sum()))
    assert ("negate", "grad(Double)") in found
    assert {scope for _, scope in found} == {"Double", "grad(Double)", "grad"}


def test_what_a_derivative_adds_stands_where_the_operation_stood() -> None:
    def loss(x: tr.Tensor) -> tr.Tensor:
        return tr.exp(x).sum()

    function = tr.trace(tr.grad(loss), tr.asarray(X))
    lines = {source_line(o.location) for o in function.operations if o.operands}
    assert lines == {(__file__, loss.__code__.co_firstlineno + 1)}


def test_jit_keeps_them() -> None:
    model = Holder()
    stage = tr.jit(lambda model, x: model(x)).trace(model, tr.asarray(X))
    assert scopes(stage.function) == traced(model)


def test_what_was_recorded_and_compiled_has_them(device: tr.Device) -> None:
    with observed(Compile) as events:
        model = Holder()
        model(tr.asarray(X)).numpy()
    (compiled,) = events
    assert isinstance(compiled, Compile)
    assert ("add", "Holder.layers.1.layers.0") in scopes(compiled.function)


def test_programs_outlive_their_models(device: tr.Device) -> None:
    model = Holder()
    with observed(Compile) as events:
        model(tr.asarray(X)).numpy()
    kept = weakref.ref(model)
    del model
    gc.collect()
    assert kept() is None
    (compiled,) = events
    assert isinstance(compiled, Compile)
    assert ("add", "Holder.first") in scopes(compiled.function)


def test_tensors_that_are_filled_have_the_place_where_that_was_asked_for() -> None:
    def f(x: tr.Tensor) -> tuple[tr.Tensor, tr.Tensor]:
        zeros = tr.zeros((2, 2))
        return zeros, zeros * 2.0 + x

    lines = [source_line(o.location)[1] for o in tr.trace(f, tr.zeros((2, 2))).operations]
    first = f.__code__.co_firstlineno
    assert lines == [first + 1] * 2 + [first + 2] * 4


def test_an_event_says_in_which_layer_it_was(device: tr.Device) -> None:
    class Looking(nn.Module):
        def __call__(self, x: tr.Tensor) -> float:
            return float((x + 1).sum())

    with observed(Compile) as events:
        Looking()(tr.asarray(X))
    assert [source_line(e.location)[0] for e in events] == [__file__]
    assert [scope_of(e.location) for e in events] == ["Looking"]


def test_exported_programs_keep_them(tmp_path: Path) -> None:
    exported = tr.export(Holder(), tr.asarray(X))
    text = exported.mlir_module()
    assert 'loc("Holder.layers.0"(' in text
    exported.save(tmp_path / "model.mlir")
    loaded = tr.load(tmp_path / "model.mlir")
    found = traced(loaded)
    assert ("add", "Holder.layers.0") in found
    gradient = traced(tr.grad(lambda x: (loaded(x) * loaded(x)).sum()))
    assert ("add", "grad(Holder.layers.0)") in gradient


def test_regions_keep_them() -> None:
    text = """func.func @main(%x: tensor<f32>, %p: tensor<i1>) -> tensor<f32> {
      %0 = "stablehlo.if"(%p) ({
        %1 = stablehlo.sine %x : tensor<f32> loc("Net.a"("net.py":3:0))
        stablehlo.return %1 : tensor<f32>
      }, {
        stablehlo.return %x : tensor<f32>
      }) : (tensor<i1>) -> tensor<f32> loc("Net"("net.py":2:0))
      return %0 : tensor<f32>
    }"""
    loaded = tr.load(text)
    gradient = tr.trace(tr.grad(lambda x: loaded(x, tr.asarray(True))), tr.asarray(1.0))
    found = [(o.name, scope_of(o.location)) for o in operations(gradient.body)]
    assert {("if", "Net"), ("cosine", "grad(Net.a)")} <= {*found}


def test_places_are_read_back_as_they_were() -> None:
    function = tr.trace(tr.grad(lambda x: Holder()(x).sum()), tr.asarray(X))
    text = emit(function)
    (main,) = parse(text)
    assert scopes(main) == scopes(function)
    assert [source_line(o.location) for o in main.operations] == [
        source_line(o.location) for o in function.operations
    ]
    assert emit(parse(text)) == text


def test_programs_are_told_apart_by_nothing_of_it() -> None:
    class Other(Holder):
        pass

    one, other = (tr.trace(model, tr.asarray(X)) for model in (Holder(), Other()))
    assert emit(one) != emit(other)
    assert emit(one, places=False) == emit(other, places=False)


def test_neither_models_nor_tensors_are_kept_alive(device: tr.Device) -> None:
    model, x = Holder(), tr.asarray(X)
    y = model(x)
    kept = weakref.ref(model), weakref.ref(x._data.buffer)
    del model, x
    gc.collect()
    assert kept[0]() is None
    assert scopes_of_pending(device)[0] == "Holder.Twice"  # not found any more: by its class
    y.numpy()
    gc.collect()
    assert kept[1]() is None


def scopes_of_pending(device: tr.Device) -> list[str]:
    """The scopes of what is recorded."""
    return [scope_of(location) for location in thread.state.recordings[device].locations]


def test_donation_is_as_it_was(device: tr.Device) -> None:
    """A layer's call holds its argument no longer than it takes."""
    x = tr.zeros((512, 512)) + 1.0
    tr.barrier()
    address = x._data.buffer.unsafe_buffer_pointer()
    layer = Twice()
    for _ in range(3):
        x = layer(x)
        tr.barrier()
    assert x._data.buffer.unsafe_buffer_pointer() == address


def test_calls_that_raise_leave_their_scope() -> None:
    class Failing(nn.Module):
        def __call__(self, x: tr.Tensor) -> tr.Tensor:
            raise KeyError("no")

    with pytest.raises(KeyError):
        nn.Sequential(Failing())(tr.asarray(X))
    assert thread.state.scope is None
    with pytest.raises(KeyError), tr.named_scope("a"):
        raise KeyError("no")
    assert thread.state.scope is None


def test_scopes_are_those_of_a_thread() -> None:
    found: list[Any] = []
    with tr.named_scope("outer"):
        other = threading.Thread(target=lambda: found.append(thread.state.scope))
        other.start()
        other.join()
        assert scope_of(here()) == "outer"
    assert found == [None]


def test_a_module_is_called_as_any_object_is() -> None:
    class Adding(nn.Module):
        def __call__(self, *xs: tr.Tensor, scale: float = 1.0, self_: int = 0) -> Any:
            """Sums."""
            return len(xs), scale, self_

    adding = Adding()
    assert adding() == (0, 1.0, 0)
    assert adding(1, 2) == (2, 1.0, 0)  # type: ignore[arg-type]
    assert adding(1, scale=2.0, self_=3) == (1, 2.0, 3)  # type: ignore[arg-type]
    assert str(inspect.signature(Twice())) == "(x: 'tr.Tensor') -> 'tr.Tensor'"
    assert Twice.__call__.__doc__ == "Twice x."
    assert inspect.unwrap(Twice.__call__).__code__.co_filename == __file__
    with pytest.raises(TypeError, match=r"Twice.__call__\(\) missing 1 required positional"):
        Twice()()  # type: ignore[call-arg]
    named = Twice()(x=tr.asarray(X))
    np.testing.assert_array_equal(named.numpy(), X + X)
    for made in (copy.deepcopy(Holder()), pickle.loads(pickle.dumps(Holder()))):
        assert traced(made)[0] == ("add", "Holder.first")


@pytest.mark.parametrize("name", ["", "a b", 'a"b', "grad(x)", "a\n", 3, None])
def test_d15_names_of_scopes(name: Any) -> None:
    with (
        pytest.raises(ValueError, match="a scope needs a name of letters, digits") as caught,
        tr.named_scope(name),
    ):
        pass
    assert f", got {name!r}\n  at {__file__}:" in str(caught.value)


def test_places_of_derivatives() -> None:
    with tr.named_scope("a"):
        place = here()
    assert [scope_of(p) for p in (None, place, in_derivative(place))] == ["", "a", "grad(a)"]
    assert in_derivative(None) is None
