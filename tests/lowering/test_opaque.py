"""What the op table does not know is carried through, and printed as it came."""

from __future__ import annotations

import pytest

from lowering import emit, run_passes
from lowering.reader import parse, print_module
from tracer.errors import LoweringError
from tracer.ir import Module, OpaqueType, Operation

_SUM = """({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  })"""
_TOKEN_LOOP = """({
  ^bb0(%a: !stablehlo.token):
    %c = stablehlo.constant dense<false> : tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: !stablehlo.token):
    stablehlo.return %a : !stablehlo.token
  })"""
_HANDLE = "channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>"
_ALIAS = "#stablehlo.output_operand_alias<"
_ALIAS += "output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>"
_TYPE, _BOUNDED = "tensor<2xf32>", "tensor<?xf32, #stablehlo.bounds<4>>"

LINES = {
    "chlo.erf": f"chlo.erf %x : {_TYPE} -> {_TYPE}",
    "chlo.top_k": f"chlo.top_k(%x, k = 1) : {_TYPE} -> (tensor<1xf32>, tensor<1xi32>)",
    "chlo.broadcast_compare": f"chlo.broadcast_compare %x, %x"
    f" {{comparison_direction = #chlo<comparison_direction LT>}}"
    f" : ({_TYPE}, {_TYPE}) -> tensor<2xi1>",
    "stablehlo.all_reduce": f'"stablehlo.all_reduce"(%x) {_SUM}'
    f" {{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}} : ({_TYPE}) -> {_TYPE}",
    "stablehlo.all_gather": f'"stablehlo.all_gather"(%x) {{all_gather_dim = 0 : i64,'
    f" replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}} : ({_TYPE}) -> tensor<4xf32>",
    "stablehlo.collective_permute": f'"stablehlo.collective_permute"(%x)'
    f" {{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}} : ({_TYPE}) -> {_TYPE}",
    "stablehlo.partition_id": "stablehlo.partition_id : tensor<ui32>",
    "stablehlo.create_token": "stablehlo.create_token : !stablehlo.token",
    "stablehlo.after_all": "stablehlo.after_all %t, %t : !stablehlo.token",
    "stablehlo.infeed": '"stablehlo.infeed"(%t) {infeed_config = "x\\22"}'
    f" : (!stablehlo.token) -> ({_TYPE}, !stablehlo.token)",
    "stablehlo.outfeed": f'"stablehlo.outfeed"(%x, %t) {{outfeed_config = ""}}'
    f" : ({_TYPE}, !stablehlo.token) -> !stablehlo.token",
    "stablehlo.send": f'"stablehlo.send"(%x, %t) {{{_HANDLE}, is_host_transfer = true}}'
    f" : ({_TYPE}, !stablehlo.token) -> !stablehlo.token",
    "stablehlo.tuple": f"stablehlo.tuple %x, %t : tuple<{_TYPE}, !stablehlo.token>",
    "stablehlo.while": f'"stablehlo.while"(%t) {_TOKEN_LOOP}'
    " : (!stablehlo.token) -> !stablehlo.token",
    "stablehlo.add": f"stablehlo.add %y, %y : {_BOUNDED}",
    "stablehlo.abs": "stablehlo.abs %z : tensor<?x3xf32>",
    "stablehlo.get_dimension_size": "stablehlo.get_dimension_size %z, dim = 0"
    " : (tensor<?x3xf32>) -> tensor<i32>",
    "stablehlo.dynamic_iota": "stablehlo.dynamic_iota %i, dim = 0 : (tensor<1xi32>)"
    " -> tensor<?xf32>",
    "stablehlo.constant": "stablehlo.constant dense<1.0> : tensor<2xf6E2M3FN>",
    "stablehlo.custom_call": f"stablehlo.custom_call @f(%x) {{output_operand_aliases = [{_ALIAS}]}}"
    f" : ({_TYPE}) -> {_TYPE}",
    "stablehlo.convolution": "stablehlo.convolution(%k, %k)"
    " dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {reverse = [true]}"
    " {batch_group_count = 1 : i64, feature_group_count = 1 : i64}"
    " : (tensor<1x1x3xf32>, tensor<1x1x3xf32>) -> tensor<1x1x1xf32>",
}


def program(line: str) -> str:
    """A function whose only operation is this."""
    arguments = f"%x: {_TYPE}, %y: {_BOUNDED}, %z: tensor<?x3xf32>, %i: tensor<1xi32>"
    more = "%t: !stablehlo.token, %k: tensor<1x1x3xf32>"
    results = line.count(") -> (") + line.startswith("chlo.top_k")
    target = "%r:2" if results else "%r"
    return f"func.func @f({arguments}, {more}) {{\n  {target} = {line}\n  return\n}}"


def only(module: Module) -> Operation:
    """The operation of the only function."""
    (operation,) = module.entry.operations
    return operation


@pytest.mark.parametrize("name", LINES)
def test_operations_are_printed_as_they_came(name: str) -> None:
    text = program(LINES[name])
    module = parse(text)
    assert only(module).op.is_opaque and only(module).name == name
    assert print_module(module) == print_module(text)
    assert emit(parse(emit(module))) == emit(module)


@pytest.mark.parametrize(
    "text",
    [
        "!stablehlo.token",
        "tuple<tensor<2xf32>, tuple<>>",
        "tensor<?xf32>",
        "tensor<*xf32>",
        "tensor<2x?xf32, #stablehlo.bounds<?, 5>>",
        "tensor<2xf6E3M2FN>",
        "tensor<2xindex>",
    ],
)
def test_types_are_printed_as_they_came(text: str) -> None:
    module = parse(f"func.func @f(%x: {text}) -> {text} {{ return %x : {text} }}")
    (argument,) = module["f"].arguments
    assert isinstance(argument.type, OpaqueType) and str(argument.type) == text
    assert f"%arg0: {text}) -> {text}" in print_module(module)


WITH_ATTRIBUTES = """
module @m attributes {mhlo.num_partitions = 2 : i32, sdy.mesh = "a\\22b", my.unit} {
  func.func public @main(%x: tensor<2xf32> {mhlo.sharding = "{replicated}", tf.aliasing_output = 0 : i32}, %y: tensor<2xf32>) -> (tensor<2xf32> {jax.result_info = "[0]"}, tensor<2xf32>) attributes {my.note = {a = 1 : i64, b = [unit, "c"]}} {
    %0 = stablehlo.add %x, %y {mhlo.frontend_attributes = {k = "v"}, mhlo.sharding = "s"} : tensor<2xf32>
    %1 = stablehlo.exponential %0 {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<2xf32>
    %2 = stablehlo.dot_general %0, %1, contracting_dims = [0] x [0], precision = [HIGH, HIGHEST] : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>
    %3 = call @f(%0) {mhlo.sharding = "t"} : (tensor<2xf32>) -> tensor<2xf32>
    return %1, %3 : tensor<2xf32>, tensor<2xf32>
  }
  func.func private @f(%x: tensor<2xf32>) -> tensor<2xf32> attributes {no_inline} {
    return %x : tensor<2xf32>
  }
}
"""  # noqa: E501


def test_attributes_of_modules_functions_arguments_results_and_operations_survive() -> None:
    module = parse(WITH_ATTRIBUTES)
    assert not any(o.op.is_opaque for f in module for o in f.operations)
    assert print_module(module) == print_module(WITH_ATTRIBUTES)


def test_attributes_survive_passes() -> None:
    once = run_passes(parse(WITH_ATTRIBUTES), ["cse", "refine-shapes", "canonicalize-dynamism"])
    assert print_module(once) == print_module(WITH_ATTRIBUTES)


@pytest.mark.parametrize(
    "location",
    [
        '"f.py":7:3',
        '"f.py":7:3 to 8:9',
        '"f.py":7:3 to :9',
        '"name"',
        '"name"("f.py":7:3)',
        '"outer"("inner"("f.py":7:3))',
        'callsite("f.py":7:3 at "g.py":1:2)',
        'callsite("name" at "g.py":1:2)',
        'callsite("a"("f.py":1:1) at callsite("b" at "g.py":1:2))',
        'fused["f.py":7:3, "g.py":1:2]',
        'fused["a", "b"]',
        'fused<"how">["a", "f.py":1:2]',
        r'"C:\\dir\\f.py":7:3',
        r'"\E6\97\A5.py":7:3',
    ],
)
@pytest.mark.parametrize("line", ["stablehlo.negate %x : tensor<2xf32>", LINES["chlo.erf"]])
def test_locations_survive(line: str, location: str) -> None:
    text = program(f"{line} loc({location})")
    printed = print_module(parse(text), locations=True)
    assert f"loc({location})" in emit(parse(text))
    assert print_module(parse(printed), locations=True) == printed


def test_an_unknown_location_is_none() -> None:
    assert only(parse(program(f"{LINES['chlo.erf']} loc(unknown)"))).location is None


@pytest.mark.parametrize(("effect", "kept"), [("true", 1), ("false", 0)])
def test_custom_calls_that_say_so_are_not_removed(effect: str, kept: int) -> None:
    attributes = f"{{has_side_effect = {effect}, note = 1 : i64}}"
    line = f"stablehlo.custom_call @f(%x) {attributes} : ({_TYPE}) -> {_TYPE}"
    assert len(run_passes(parse(program(line)), ["dce"]).entry.operations) == kept


def test_calls_are_not_removed_as_what_they_call_may_act() -> None:
    text = """
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = call @act(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %x : tensor<2xf32>
}
func.func private @act(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.custom_call @f(%x) {has_side_effect = true} : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}"""
    module = run_passes(parse(text), ["dce"])
    assert [[o.name for o in f.operations] for f in module] == [["call"], ["custom_call"]]


@pytest.mark.parametrize(
    "type",
    [
        f"tensor<{'1x' * 70}f32>",
        "tensor<1099511627776xf32>",
        "tensor<9223372036854775807xf32>",
        "tensor<4294967296x4294967296xf32>",
    ],
)
def test_what_is_too_large_is_refused(type: str) -> None:
    text = f"func.func @f() {{\n  %0 = stablehlo.constant dense<1.0> : {type}\n  return\n}}"
    with pytest.raises(LoweringError):
        parse(text, "a.mlir")
