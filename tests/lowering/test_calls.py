"""Functions that call others are read with what they call in place of the call."""

from __future__ import annotations

import numpy as np
import pytest

from lowering import emit, interpret
from lowering.parse import parse
from tests.lowering.running import by_reference, by_xla
from tracer.errors import FileLine, LoweringError

LINE = "tensor<2xf32>"
TWICE = f"""func.func private @twice(%x: {LINE}) -> ({LINE}, {LINE}) {{
  %0 = stablehlo.add %x, %x : {LINE}
  return %0, %x : {LINE}, {LINE}
}}
"""
CALLING = f"""func.func @main(%x: {LINE}, %n: tensor<i32>) -> {LINE} {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = call @twice(%x) : ({LINE}) -> ({LINE}, {LINE})
  %1:2 = call @twice(%0#0) : ({LINE}) -> ({LINE}, {LINE})
  %2:2 = stablehlo.while(%i = %n, %y = %1#0) : tensor<i32>, {LINE}
    cond {{
      %3 = stablehlo.compare GT, %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %3 : tensor<i1>
    }} do {{
      %4 = func.call @less(%i) : (tensor<i32>) -> tensor<i32>
      %5:2 = func.call @twice(%y) : ({LINE}) -> ({LINE}, {LINE})
      stablehlo.return %4, %5#0 : tensor<i32>, {LINE}
    }}
  %6 = stablehlo.add %2#1, %1#1 : {LINE}
  return %6 : {LINE}
}}
{TWICE}
func.func private @less(%i: tensor<i32>) -> tensor<i32> {{
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.subtract %i, %one : tensor<i32>
  return %0 : tensor<i32>
}}"""


def test_calls_are_inlined() -> None:
    module = parse(CALLING)
    assert [f.name for f in module] == ["main", "twice", "less"]
    x, n = np.float32([1, -2]), np.int32(3)
    expected = (4 * 8 + 2) * x
    function = module["main"]
    np.testing.assert_array_equal(interpret(function, x, n)[0], expected)
    for found in (by_xla(function, [x, n]), by_reference(function, [x, n])):
        np.testing.assert_array_equal(found[0], expected)
    assert emit(parse(emit(module))) == emit(module)


def test_what_is_inlined_stands_where_it_was_written() -> None:
    first, *_ = parse(
        f"func.func @main(%x: {LINE}) -> {LINE} {{\n"
        f"  %0:2 = call @twice(%x) : ({LINE}) -> ({LINE}, {LINE})\n  return %0#1 : {LINE}\n}}\n"
        + TWICE,
        "a.mlir",
    )["main"].operations
    assert first.location == FileLine("a.mlir", 6)


def test_a_composite_is_what_it_is_composed_of() -> None:
    line = (
        f'%0:2 = stablehlo.composite "my.twice" %x {{decomposition = @twice}}'
        f" : ({LINE}) -> ({LINE}, {LINE})"
    )
    text = (
        f"func.func @main(%x: {LINE}) -> {LINE} {{\n  {line}\n  return %0#0 : {LINE}\n}}\n{TWICE}"
    )
    (operation,) = parse(text)["main"].operations
    assert operation.op.name == "add"


@pytest.mark.parametrize(
    ("callee", "message"),
    [
        ("main", "functions that don't call themselves are needed, got @main"),
        ("other", "functions that don't call themselves are needed, got @other"),
        ("absent", "the function @absent has no body"),
    ],
)
def test_what_can_not_be_inlined(callee: str, message: str) -> None:
    text = f"""func.func @main(%x: {LINE}) -> {LINE} {{
      %0 = call @{callee}(%x) : ({LINE}) -> {LINE}
      return %0 : {LINE}
    }}
    func.func @other(%x: {LINE}) -> {LINE} {{
      %0 = call @other(%x) : ({LINE}) -> {LINE}
      return %0 : {LINE}
    }}
    func.func private @absent({LINE}) -> {LINE}"""
    with pytest.raises(LoweringError, match=message):
        parse(text)
