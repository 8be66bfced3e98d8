"""Calls and composites: read, interpreted and printed as calls."""

from __future__ import annotations

import numpy as np
import pytest

from lowering import emit, interpret
from lowering.reader import parse
from tests.lowering.running import by_reference, by_xla
from tracer.errors import LoweringError

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


def test_calls_keep_their_meaning() -> None:
    module = parse(CALLING)
    assert [f.name for f in module] == ["main", "twice", "less"]
    x, n = np.float32([1, -2]), np.int32(3)
    expected = (4 * 8 + 2) * x
    np.testing.assert_array_equal(interpret(module, x, n)[0], expected)
    for found in (by_xla(module, [x, n]), by_reference(module, [x, n])):
        np.testing.assert_array_equal(found[0], expected)
    assert emit(parse(emit(module))) == emit(module)


def test_a_composite_has_the_meaning_of_its_decomposition() -> None:
    line = (
        f'%0:2 = stablehlo.composite "my.twice" %x {{decomposition = @twice,'
        f" composite_attributes = {{n = 2 : i64}}, version = 3 : i32}}"
        f" : ({LINE}) -> ({LINE}, {LINE})"
    )
    text = (
        f"func.func @main(%x: {LINE}) -> {LINE} {{\n  {line}\n  return %0#0 : {LINE}\n}}\n{TWICE}"
    )
    module = parse(text)
    (operation,) = module["main"].operations
    assert operation.name == "composite"
    assert operation.attributes["composite_attributes"] == "{n = 2 : i64}"
    assert operation.attributes["version"] == 3
    assert emit(parse(emit(module))) == emit(module)
    np.testing.assert_array_equal(interpret(module, np.float32([1, -2]))[0], [2, -4])


def test_what_calls_itself_is_not_interpreted() -> None:
    module = parse(
        f"""func.func @main(%x: {LINE}) -> {LINE} {{
      %0 = call @main(%x) : ({LINE}) -> {LINE}
      return %0 : {LINE}
    }}"""
    )
    with pytest.raises(LoweringError, match="functions that don't call themselves"):
        interpret(module, np.float32([1, 2]))


def test_a_function_alone_can_not_be_called() -> None:
    with pytest.raises(LoweringError, match="the module is needed that holds @twice"):
        interpret(parse(CALLING)["main"], np.float32([1, -2]), np.int32(3))
