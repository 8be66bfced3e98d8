"""Loops and branches, simplified: the values stay, and known counts are NumPy's."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lowering import interpret, run_passes
from lowering.reader import parse
from lowering.statistics import counting
from lowering.trips import trips
from tests.lowering.running import assert_close, by_reference
from tracer.dtypes import bool_, float32, int32
from tracer.ir import Builder, Literal, Operation, TensorType, Value, make_operation
from tracer.ops import OPS

LINE = "tensor<3xf32>"
PASSES = ("simplify-loops", "hoist-loop-invariants", "simplify-loops", "dce")
DIRECTIONS: dict[str, Any] = {
    "LT": operator.lt,
    "LE": operator.le,
    "GT": operator.gt,
    "GE": operator.ge,
    "NE": operator.ne,
    "EQ": operator.eq,
}


def constant(array: Any) -> Value:
    """The value of a constant that stands in no block yet."""
    return make_operation(OPS["constant"], [], {"value": Literal(array)}).result


def counter(start: Any, step: Any, bound: Any, direction: str) -> Operation:
    """A loop that counts from a start by a step, as long as a comparison with a bound holds."""
    type = TensorType((), start.dtype)
    inside = Builder()
    i = inside.argument(type)
    compared = {"comparison_direction": direction}
    condition = inside.block(inside.create(OPS["compare"], [i, constant(bound)], compared))
    turn = Builder()
    i = turn.argument(type)
    body = turn.block(turn.create(OPS["add"], [i, constant(step)]))
    return make_operation(OPS["while"], [constant(start)], {}, [condition, body])


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_known_counts_are_those_of_numpy(data: st.DataObject) -> None:
    dtype = np.dtype(data.draw(st.sampled_from(["int8", "uint8"])))
    numbers = st.integers(np.iinfo(dtype).min, np.iinfo(dtype).max)
    start, bound = (np.asarray(data.draw(numbers), dtype) for _ in range(2))
    step = np.asarray(data.draw(st.sampled_from([0, 1, 2, 50, 100])), dtype)
    direction = data.draw(st.sampled_from(list(DIRECTIONS)))
    loop = counter(start, step, bound, direction)
    value, count = start.copy(), 0
    with np.errstate(over="ignore"):
        while DIRECTIONS[direction](value, bound) and count <= 5:
            value, count = value + step, count + 1
    assert trips(loop, 5) == (count if count <= 5 else None)


def loop(state: str, types: str, condition: str, body: str) -> str:
    """A function of %n, %x and %y that returns the state of a loop."""
    count = types.count("tensor")
    returns = ", ".join(f"%r#{i}" for i in range(count)) if count > 1 else "%r"
    named = "%r:" + str(count) if count > 1 else "%r"
    return f"""func.func @main(%n: tensor<i32>, %x: {LINE}, %y: {LINE}) -> ({types}) {{
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      {named} = stablehlo.while({state}) : {types} cond {{ {condition} }} do {{ {body} }}
      return {returns} : {types}
    }}"""


DOWN = """%c = stablehlo.compare GT, %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.return %c : tensor<i1>"""
LESS = "%j = stablehlo.subtract %i, %one : tensor<i32>\n"
LOOPS = {
    "invariant state": loop(
        "%i = %n, %a = %x, %b = %y",
        f"tensor<i32>, {LINE}, {LINE}",
        DOWN,
        f"{LESS} %s = stablehlo.sine %b : {LINE}\n %t = stablehlo.add %a, %s : {LINE}\n"
        f"stablehlo.return %j, %t, %b : tensor<i32>, {LINE}, {LINE}",
    ),
    "equal states": loop(
        "%i = %n, %a = %x, %b = %x, %d = %x",
        f"tensor<i32>, {LINE}, {LINE}, {LINE}",
        DOWN,
        f"{LESS} %s = stablehlo.add %a, %d : {LINE}\n %t = stablehlo.add %b, %d : {LINE}\n"
        f"%u = stablehlo.sine %d : {LINE}\n"
        f"stablehlo.return %j, %t, %s, %u : tensor<i32>, {LINE}, {LINE}, {LINE}",
    ),
    "a loop in a loop": loop(
        "%i = %n, %a = %x",
        f"tensor<i32>, {LINE}",
        DOWN,
        f"""{LESS} %k:2 = stablehlo.while(%m = %i, %b = %a) : tensor<i32>, {LINE} cond {{
          %c = stablehlo.compare GT, %m, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %c : tensor<i1>
        }} do {{
          %l = stablehlo.subtract %m, %one : tensor<i32>
          %s = stablehlo.cosine %y : {LINE}
          %t = stablehlo.multiply %a, %s : {LINE}
          %u = stablehlo.add %b, %t : {LINE}
          stablehlo.return %l, %u : tensor<i32>, {LINE}
        }}
        stablehlo.return %j, %k#1 : tensor<i32>, {LINE}""",
    ),
    "a short loop in a loop": loop(
        "%i = %n, %a = %x",
        f"tensor<i32>, {LINE}",
        DOWN,
        f"""{LESS} %k:2 = stablehlo.while(%m = %zero, %b = %a) : tensor<i32>, {LINE} cond {{
          %c = stablehlo.compare LE, %m, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %c : tensor<i1>
        }} do {{
          %l = stablehlo.add %m, %one : tensor<i32>
          %u = stablehlo.add %b, %y : {LINE}
          stablehlo.return %l, %u : tensor<i32>, {LINE}
        }}
        stablehlo.return %j, %k#1 : tensor<i32>, {LINE}""",
    ),
    "branches in a loop": loop(
        "%i = %n, %a = %x",
        f"tensor<i32>, {LINE}",
        DOWN,
        f"""{LESS} %k:2 = "stablehlo.case"(%i) ({{
          %s = stablehlo.sine %a : {LINE}
          stablehlo.return %s, %y : {LINE}, {LINE}
        }}, {{
          stablehlo.return %x, %y : {LINE}, {LINE}
        }}, {{
          %s = stablehlo.cosine %a : {LINE}
          stablehlo.return %s, %y : {LINE}, {LINE}
        }}) : (tensor<i32>) -> ({LINE}, {LINE})
        %t = stablehlo.add %k#0, %k#1 : {LINE}
        stablehlo.return %j, %t : tensor<i32>, {LINE}""",
    ),
}


@pytest.mark.parametrize("turns", [-1, 0, 1, 3])
@pytest.mark.parametrize("name", LOOPS)
def test_values_stay(name: str, turns: int) -> None:
    module = parse(LOOPS[name])
    with counting() as rewrites:
        made = run_passes(module, PASSES, verify=True)
    assert rewrites.total
    assert run_passes(made, PASSES) is made
    arrays = [np.int32(turns), np.float32([0.5, -1, 2]), np.float32([3, 0.25, -0.5])]
    expected = interpret(module, *arrays)
    assert_close(interpret(made, *arrays), expected)
    assert_close(by_reference(made, arrays), expected)


@pytest.mark.parametrize("limit", range(4))
def test_no_more_changes_than_allowed(limit: int) -> None:
    module = parse(LOOPS["a loop in a loop"])
    with counting(limit) as rewrites:
        made = run_passes(module, ["hoist-loop-invariants"], verify=True)
    assert rewrites.total == min(limit, 3)
    arrays = [np.int32(2), np.float32([0.5, -1, 2]), np.float32([3, 0.25, -0.5])]
    assert_close(interpret(made, *arrays), interpret(module, *arrays))


def test_a_long_body_does_not_recurse() -> None:
    scalar = TensorType((), float32)
    outer = Builder()
    p, x = outer.argument(TensorType((), bool_)), outer.argument(scalar)
    condition, body = Builder(), Builder()
    condition.argument(scalar)
    state = body.argument(scalar)
    fixed: Value = x
    for _ in range(3_000):
        (fixed,) = body.create(OPS["sine"], [fixed])
    returned = body.create(OPS["add"], [state, fixed])
    regions = [condition.block([p]), body.block(returned)]
    function = outer.function("main", outer.create(OPS["while"], [x], {}, regions))
    (made,) = run_passes(function, PASSES)
    assert len(made.operations) == 3_001


def test_counted_with_what_does_not_count() -> None:
    """A state of whole arrays beside the counter is none of the count's business."""
    text = loop(
        "%i = %one, %a = %x",
        f"tensor<i32>, {LINE}",
        DOWN,
        f"{LESS} %s = stablehlo.sine %a : {LINE}\n stablehlo.return %j, %s : tensor<i32>, {LINE}",
    )
    (made,) = run_passes(parse(text), ["simplify-loops"])
    assert [op.name for op in made.operations if op.result.type.dtype != int32] == ["sine"]
