"""What can be loaded, what can't, and what a loaded function says of its arguments."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tracer as tr
from tracer.nn import Module

ADD = """module @sums {
  func.func @main(%x: tensor<2x3xf32> loc("x"), %n: tensor<i32>) -> tensor<2x3xf32> {
    %0 = stablehlo.convert %n : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %2 = stablehlo.add %x, %1 : tensor<2x3xf32>
    return %2 : tensor<2x3xf32>
  }
}
"""
DYNAMIC = """func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.add %x, %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}"""
QUANTISED = """func.func @main(%x: tensor<?xf32, #stablehlo.bounds<4>>) {
  %0 = stablehlo.uniform_quantize %x : (tensor<?xf32, #stablehlo.bounds<4>>)
    -> tensor<?x!quant.uniform<i8:f32, 1.0>, #stablehlo.bounds<4>>
  return
}"""
"""jaxlib's parser dies of it."""


class Pair(Module):
    """A model of two tensors."""

    def __init__(self) -> None:
        self.a, self.b = tr.ones(2), tr.zeros(2)


def _load(source: Any) -> Callable[..., Any]:
    return tr.load(source, trusted=True)


def _says(call: Callable[[], Any], kind: type[Exception], message: str) -> None:
    """Raises AssertionError unless the call fails so, at its line."""
    with pytest.raises(kind) as caught:
        call()
    said, place = str(caught.value).rsplit("\n  at ", 1)
    assert said == message
    assert place == f"{__file__}:{call.__code__.co_firstlineno}"


def test_numbers_and_arrays_are_arguments(device: tr.Device) -> None:
    sums = _load(ADD)
    found = sums(tr.ones((2, 3), device=device), 2)
    assert found.device is device
    assert found.tolist() == [[3.0] * 3] * 2
    assert sums(np.ones((2, 3), np.float32), np.int32(4)).tolist() == [[5.0] * 3] * 2
    assert repr(sums) == "<sums(tensor<2x3xf32>, tensor<i32>) -> tensor<2x3xf32> of <text>>"


def test_wrong_arguments() -> None:
    sums, x = _load(ADD), tr.ones((2, 3))
    wide = tr.ones((2, 3), tr.float64)
    for call, message in [
        (lambda: sums(x), "sums needs 2 arguments, got 1"),
        (lambda: sums(x.T, 1), "sums needs tensor<2x3xf32> for x, got tensor<3x2xf32>"),
        (lambda: sums(wide, 1), "sums needs tensor<2x3xf32> for x, got tensor<2x3xf64>"),
        (lambda: sums(x, 1.5), "sums needs tensor<i32> for argument 1, got tensor<f32>"),
        (lambda: sums(1.0, 1), "sums needs tensor<2x3xf32> for x, got tensor<f32>"),
        (lambda: sums([x], 1), "sums needs tensor<2x3xf32> for x, got list"),
    ]:
        _says(call, TypeError, message)


def _of_trees(model: Pair, rows: list[Any], options: dict[str, Any]) -> Any:
    total = model.a + model.b + sum(rows) * options["by"]
    return {"total": total, "rest": [total + 1, (options["by"], None)], "model": model}


def test_trees_of_results(tmp_path: Path) -> None:
    model, rows = Pair(), [tr.ones(2), tr.zeros(2)]
    tr.export(_of_trees, model, rows, {"by": 3}, path=tmp_path)
    found = _load(tmp_path)(model, rows, {"by": 3})
    values = tr.tree.map(lambda x: x.tolist() if isinstance(x, tr.Tensor) else x, found)
    assert values == {
        "total": [4.0, 4.0],
        "rest": [[5.0, 5.0], (3, None)],
        "model": {"a": [1.0, 1.0], "b": [0.0, 0.0]},
    }


def test_other_trees_than_those_of_the_export(tmp_path: Path) -> None:
    model, x, by = Pair(), tr.ones(2), {"by": 3}
    tr.export(_of_trees, model, [x, x], by, path=tmp_path)
    f = _load(tmp_path)
    for call, message in [
        (lambda: f(model, [x, x]), "needs 3 arguments, got 2"),
        (lambda: f(model, (x, x), by), "rows must be a list of 2, got a tuple of 2"),
        (lambda: f(model, [x], by), "rows must be a list of 2, got a list of 1"),
        (lambda: f(x, [x, x], by), "model must be a Pair of a, b, got a Tensor"),
        (
            lambda: f(model, [x, x], {"by": 4}),
            "options.by must be the constant 3, got the constant 4",
        ),
        (lambda: f(model, [x, x], {"of": 3}), "options must be a dict of by, got a dict of of"),
        (lambda: f(model, [x, "y"], by), "rows.1 must be a tensor, got the constant y"),
        (
            lambda: f(model, [x, tr.ones(3)], by),
            "needs tensor<2xf32> for rows.1, got tensor<3xf32>",
        ),
    ]:
        _says(call, TypeError, f"_of_trees{' ' if message.startswith('needs') else ': '}{message}")


def test_gradients_of_a_model_that_was_exported(tmp_path: Path) -> None:
    model, x = Pair(), tr.asarray([3.0, 4.0])
    tr.export(lambda m, x: (m.a * x * x + m.b).sum(), model, x, path=tmp_path)
    loaded = _load(tmp_path)
    gradient, slope = tr.grad(loaded, (0, 1))(model, x)
    assert (gradient.a.tolist(), gradient.b.tolist()) == ([9.0, 16.0], [1.0, 1.0])
    assert slope.tolist() == [6.0, 8.0]


def test_a_loaded_function_can_be_exported_again() -> None:
    sums = _load(ADD)
    again = tr.export(lambda x: sums(x, 2) * 2, tr.ones((2, 3)))
    found = _load(again.mlir_module_serialized)(tr.ones((2, 3)))
    assert found.tolist() == [[6.0] * 3] * 2


def test_shapes_that_differ_by_call(device: tr.Device) -> None:
    double = _load(DYNAMIC)
    for n in (2, 5, 2):
        x = tr.arange(float(n), device=device)
        assert double(x).tolist() == [2.0 * i for i in range(n)]
    message = "a type that fits tensor<?xf32> is needed for argument 0 of @main, got tensor<2xi32>"
    _says(lambda: double(tr.ones(2, tr.int32)), tr.LoweringError, message)


def test_constants_are_put_on_a_device_once() -> None:
    rows = ", ".join(f"{i}.0" for i in range(64))
    shift = _load(f"""func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {{
      %0 = stablehlo.constant dense<[{rows}]> : tensor<64xf32>
      %1 = stablehlo.add %x, %0 : tensor<64xf32>
      return %1 : tensor<64xf32>
    }}""")
    x = tr.ones(64, device=tr.Device.default_xla())
    for _ in range(3):
        before = tr.metrics.snapshot()
        assert shift(x)[3].item() == 4.0
        moved = tr.metrics.difference(tr.metrics.snapshot(), before)["bytes_to_device"]
    assert moved == 0


def test_what_is_loaded_stands_where_it_was_written() -> None:
    text = tr.export(lambda x: _load(ADD)(x, 1), tr.ones((2, 3))).mlir_module()
    assert 'stablehlo.add %arg0, %1 : tensor<2x3xf32> loc("<text>":5:0)' in text


def _of(line: str, type: str = "tensor<f32>") -> str:
    return f"func.func @main(%x: {type}) -> {type} {{\n  {line}\n  return %0 : {type}\n}}"


NOT_OURS = {
    "stablehlo.all_reduce": _of(
        '%0 = "stablehlo.all_reduce"(%x) ({ ^bb0(%a: tensor<f32>, %b: tensor<f32>): '
        "stablehlo.return %a : tensor<f32> }) {replica_groups = dense<0> : tensor<1x1xi64>} "
        ": (tensor<f32>) -> tensor<f32>"
    ),
    "a dtype": _of("%0 = stablehlo.add %x, %x : tensor<f6E2M3FN>", "tensor<f6E2M3FN>"),
    "a type": "func.func @main(%x: !stablehlo.token) -> !stablehlo.token {\n"
    "  return %x : !stablehlo.token\n}",
    "itself": _of("%0 = func.call @main(%x) : (tensor<f32>) -> tensor<f32>"),
    "nobody": _of("%0 = func.call @g(%x) : (tensor<f32>) -> tensor<f32>")
    + "\nfunc.func private @g(tensor<f32>) -> tensor<f32>",
}
MESSAGES = {
    "stablehlo.all_reduce": "the operation stablehlo.all_reduce, in this form, is not one that "
    "tensors can do",
    "a dtype": "tensors of static shapes and our dtypes are needed by stablehlo.add, got "
    "tensor<f6E2M3FN>",
    "a type": "tensors of static shapes and our dtypes are needed, got !stablehlo.token",
    "itself": "functions that don't call themselves are needed, got @main",
    "nobody": "the call func.call of @g can't be taken apart",
}


@pytest.mark.parametrize("name", NOT_OURS)
def test_programs_that_have_no_meaning_on_tensors(name: str) -> None:
    with pytest.raises(tr.LoweringError) as caught:
        _load(NOT_OURS[name])
    message, *places, call = str(caught.value).split("\n  at ")
    assert message == MESSAGES[name]
    assert places == ([] if name == "a type" else ["<text>:2"])
    assert call.startswith(f"{__file__}:")


def test_what_is_no_module(tmp_path: Path) -> None:
    file = tmp_path / "a.mlir"
    file.write_bytes(b"\x00\xff")
    artifact = tr.export(tr.sin, tr.ones(2)).mlir_module_serialized
    needed = "MLIR's text or bytecode, a portable artifact or a serialized jax Exported is needed"
    kind: type[Exception]
    for source, kind, start in [
        (3, TypeError, "load needs a path, a text or bytes, got int"),
        ("nowhere", FileNotFoundError, "load needs a path, or a text with a func.func, got 'nowh"),
        (tmp_path, FileNotFoundError, "load needs a directory that export wrote, got '"),
        (file, tr.LoweringError, f"{file}: {needed}, got 2 bytes that start with b'\\x00\\xff'"),
        (b"", tr.LoweringError, "<bytes>: a module with a function is needed, got an empty one"),
        (b"junk", tr.LoweringError, "<bytes>:1:1: custom op 'junk' is unknown"),
        (artifact[: len(artifact) // 2], tr.LoweringError, "<bytes>: attempting to parse "),
        (artifact[:4], tr.LoweringError, "<bytes>: attempting to parse a byte at the end of"),
        ("func.func @f(", tr.LoweringError, "<text>:1:13: "),
    ]:
        with pytest.raises(kind) as caught:
            _load(source)
        assert str(caught.value).startswith(start)
        assert f"\n  at {__file__}:" in str(caught.value)


def test_what_ends_the_reader_does_not_end_us() -> None:
    _says(lambda: tr.load(QUANTISED), tr.LoweringError, "<text>: jaxlib's reader died of SIGSEGV")


def test_what_is_not_trusted_is_read_all_the_same() -> None:
    assert tr.load(ADD)(tr.ones((2, 3)), 1).tolist() == [[2.0] * 3] * 2
    message = "<text>:1:11: custom op 'func.func' expected valid '@'-identifier for symbol name"
    with pytest.raises(tr.LoweringError) as caught:
        tr.load("func.func junk")
    assert str(caught.value).startswith(message)
