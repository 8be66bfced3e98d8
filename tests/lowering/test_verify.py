"""What MLIR refuses is told with its place, the text there, and MLIR's own words."""

from __future__ import annotations

import subprocess
import sys

import pytest

from lowering.reader import parse, print_module, verify
from tracer.dtypes import float32
from tracer.errors import FileLine, LoweringError
from tracer.ir import Builder, TensorType
from tracer.ops import OPS

MESSAGES = {
    "func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {\n\treturn %y : tensor<2xf32>\n}": (
        "f.mlir:2:9: use of undeclared SSA value name\n\treturn %y : tensor<2xf32>\n\t       ^"
    ),
    "func.func @f() { é }": (
        "f.mlir:1:18: unexpected character\nfunc.func @f() { é }\n                 ^"
    ),
    "func.func @f(%x: tensor<2xf32>) -> tensor<f32> {\n  return %x : tensor<2xf32>\n}": (
        "f.mlir:2:3: type of return operand 0 ('tensor<2xf32>') doesn't match function result type"
        " ('tensor<f32>') in function @f\n"
        "  return %x : tensor<2xf32>\n"
        "  ^\n"
        '  note: see current operation: "func.return"(%arg0) : (tensor<2xf32>) -> ()'
    ),
    'func.func @f() {\n  "stablehlo.nothing"() : () -> () loc("g.py":3:4)\n  return\n}': (
        "g.py:3: unregistered operation 'stablehlo.nothing' found in dialect ('stablehlo') that"
        " does not allow unknown operations\n"
        '  "stablehlo.nothing"() : () -> ()\n'
        '  note: see current operation: "stablehlo.nothing"() : () -> ()'
    ),
    "\0\1x": (
        "f.mlir:1:2: unexpected character\n\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}x\n ^"
    ),
}


@pytest.mark.parametrize("text", MESSAGES)
def test_messages(text: str) -> None:
    with pytest.raises(LoweringError) as caught:
        verify(text, "f.mlir")
    assert str(caught.value) == MESSAGES[text]


def test_a_function_of_ours_is_named_by_the_users_line() -> None:
    builder = Builder()
    x = builder.argument(TensorType((2,), float32))
    (y,) = builder.create(OPS["sine"], [x], location=FileLine("model.py", 12))
    y.type = TensorType((3,), float32)
    with pytest.raises(LoweringError) as caught:
        verify(builder.function("f", [y]))
    first, second, *_ = str(caught.value).split("\n")
    assert first.startswith("model.py:12: ")
    assert second == '    %1 = "stablehlo.sine"(%arg0) : (tensor<2xf32>) -> (tensor<3xf32>)'


def test_what_is_valid_passes() -> None:
    verify("func.func @f() { return }")
    verify(parse("func.func @f() { return }"))


def test_canonical_text_with_locations() -> None:
    line = '%0 = stablehlo.sine %x : tensor<f32> loc("a.py":1:0)'
    text = f"func.func @f(%x: tensor<f32>) {{\n  {line}\n  return\n}}"
    assert "loc(" not in print_module(text)
    assert '"a.py":1:0' in print_module(text, locations=True)


def test_running_programs_does_not_import_mlir() -> None:
    code = "import lowering, sys; print([m for m in sys.modules if m.startswith('jaxlib.mlir')])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert found.stdout == "[]\n"
