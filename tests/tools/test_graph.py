"""Graphs of programs: nodes and edges as MLIR and XLA have them, costs, layers."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jaxlib import _hlo
from jaxlib.mlir import ir
from jsonschema import Draft202012Validator

from lowering.mlir import parse_mlir
from lowering.reader import parse
from tests.conformance.programs import ROOT
from tools.dump_hlo import command
from tools.graph import Graph, graph_of
from tools.graph.graph import path_of
from tools.graph.groups import grouped
from tools.graph.hlo_costs import bytes_of, flops_of
from tracer.errors import LoweringError

SCHEMA = json.loads((Path(command.__file__).parent / "schemas" / "graph.json").read_text())
LAYERS = """
module @m {
  func.func @main(%x: tensor<4x3xf32>, %w: tensor<3x2xf32>) -> tensor<4xf32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
        : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32> loc("Net.first"("net.py":7:0))
    %1 = stablehlo.tanh %0 : tensor<4x2xf32> loc("grad(Net.first)"("net.py":8:0))
    %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [1]
        : (tensor<4x2xf32>, tensor<f32>) -> tensor<4xf32>
    %3 = func.call @twice(%2) : (tensor<4xf32>) -> tensor<4xf32>
    return %3 : tensor<4xf32>
  }
  func.func private @twice(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.add %x, %x : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
"""


@pytest.fixture(scope="module")
def exported() -> jax.stages.Lowered:
    """A loop, a derivative and a call, as jax lowers them."""

    def loss(w, x):
        h = jax.nn.relu(x @ w)
        return jax.lax.fori_loop(0, 3, lambda i, h: jnp.tanh(h) * 1.5, h).sum()

    shapes = np.ones((8, 8), "f"), np.ones((4, 8), "f")
    return jax.jit(jax.grad(loss)).lower(*shapes)


def valid(graph: Graph) -> Graph:
    """The graph, once its JSON is what the schema says, each node after those it uses."""
    Draft202012Validator(SCHEMA).validate(graph.json())
    assert len({node.id for node in graph.nodes}) == len(graph.nodes)
    assert all(start < end for start, end in graph.edges)
    known = {""}
    for node in graph.nodes:
        assert node.parent in known
        known.add(node.id)
    return graph


def edges(graph: Graph) -> set[tuple[str, str]]:
    return {(graph.nodes[start].id, graph.nodes[end].id) for start, end in graph.edges}


def test_the_schema_is_one():
    Draft202012Validator.check_schema(SCHEMA)


def test_a_module_has_names_layers_lines_costs_and_what_stands_where():
    graph = valid(graph_of(parse(LAYERS)))
    nodes = {node.id: node for node in graph.nodes}
    assert list(nodes) == [
        *("%arg0", "%arg1", "%cst", "%0", "%1", "%2"),
        *("%2/%arg2", "%2/%arg3", "%2/%4", "%3", "return"),
        *("@twice", "@twice/%arg0", "@twice/%0"),
    ]
    dot = nodes["%0"]
    assert (dot.op, dot.type, dot.scope, dot.place) == (
        "dot_general",
        "4x2xf32",
        "Net.first",
        "net.py:7",
    )
    assert dot.flops == 2 * 4 * 3 * 2
    assert dot.bytes == 4 * (12 + 6 + 8)
    assert dot.size == 4 * 8
    assert dot.text.startswith("%0 = stablehlo.dot_general %arg0, %arg1 {")
    assert nodes["%1"].scope == "grad(Net.first)"
    assert nodes["%cst"].label == "0.0"
    assert nodes["%3"].label == "@twice"
    assert {nodes["%2/%4"].parent, nodes["@twice/%0"].parent} == {"%2", "@twice"}
    assert edges(graph) >= {("%arg0", "%0"), ("%0", "%1"), ("%cst", "%2"), ("%3", "return")}
    assert ("%2/%arg2", "%2/%4") in edges(graph)


def test_an_empty_module_has_an_empty_graph():
    assert graph_of(parse("module @m {}")) == Graph("m", (), ())


def test_of_jax_each_operation_is_there_with_the_name_that_mlir_prints(exported):
    text = exported.as_text()
    graph = valid(graph_of(parse(text)))
    count = 0

    def found(operation: ir.Operation) -> ir.WalkResult:
        nonlocal count
        count += operation.name.startswith("stablehlo.") and operation.name != "stablehlo.return"
        count += operation.name == "func.call"
        return ir.WalkResult.ADVANCE

    parse_mlir(text).operation.walk(found)
    made = [node for node in graph.nodes if node.op not in ("argument", "func", "return")]
    assert len(made) == count
    main = re.search(r"@main\(.*?\n  }", text, re.DOTALL)[0]
    printed = re.findall(r"^    (%\w+)", main, re.MULTILINE)
    named = [node.id for node in made if not node.parent]
    assert named == printed


def test_of_hlo_each_instruction_is_there_with_its_operands_and_its_line(exported):
    text = exported.compile().as_text()
    graph = valid(graph_of(text))
    theirs = [i for c in _hlo.hlo_module_from_text(text).computations() for i in c.instructions()]
    assert {node.id for node in graph.nodes} == {f"%{i.name}" for i in theirs}
    assert edges(graph) == {(f"%{o.name}", f"%{i.name}") for i in theirs for o in i.operands()}
    inner = [node for node in graph.nodes if node.parent and node.op == "tanh"]
    assert inner
    assert all(re.search(r"test_graph.py:\d+$", node.place) for node in inner)
    fused = {node.id for node in graph.nodes if node.op == "fusion"}
    assert fused & {node.parent for node in graph.nodes}


def test_the_work_of_a_fusion_is_that_of_what_it_fuses(exported):
    graph = graph_of(exported.compile().as_text())
    for node in graph.nodes:
        if node.op == "fusion":
            inner = [n for n in graph.nodes if n.parent == node.id and n.op != "reduce"]
            assert node.flops >= sum(n.flops or 0 for n in inner)
    dots = [n.flops for n in graph.nodes if n.op == "dot"]
    assert dots and set(dots) == {2.0 * 4 * 8 * 8}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a module in HLO text is needed"),
        ("HloModule m\n\nENTRY e {\n  ROOT a = f32[] add(b, c\n}", "a bracket is open"),
        ("HloModule m\n\nENTRY e {\n  ROOT a = f32[] ??\n}", "an instruction is needed"),
    ],
)
def test_what_is_no_hlo_is_refused(text, message):
    with pytest.raises(LoweringError, match=re.escape(message)):
        graph_of(text)


def test_operands_of_older_releases_have_their_types_before_them():
    graph = graph_of(
        "HloModule m\n\nENTRY e {\n  p = (f32[2]{0}, s32[]) parameter(0)\n"
        "  a = f32[2]{0} get-tuple-element((f32[2]{0}, s32[]) p), index=0\n"
        "  ROOT b = f32[2]{0} add(f32[2]{0} a, f32[2]{0} a)\n}\n"
    )
    assert edges(graph) == {("%p", "%a"), ("%a", "%b")}


def test_bytes_and_flops_of_hlo():
    assert bytes_of("(f32[2,3], /*index=1*/pred[5], s4[3])") == 24 + 5 + 2
    assert bytes_of("bf16[]") == 2
    assert bytes_of("token[]") == 0
    window = ", window={size=3x3}, dim_labels=b01f_01io->b01f"
    sizes = ["f32[8,28,28,1]", "f32[3,3,1,6]"]
    assert flops_of("convolution", "f32[8,26,26,6]", window, sizes) == 2 * 8 * 26 * 26 * 6 * 9
    assert flops_of("while", "f32[4]", "", ["f32[4]"]) is None


@pytest.mark.parametrize(
    ("scope", "path"),
    [
        ("", ()),
        ("LeNet", ("LeNet",)),
        ("LeNet.conv1", ("LeNet", "LeNet.conv1")),
        ("grad(grad(A.b))", ("grad(grad(A))", "grad(grad(A.b))")),
        ("jit(f)/transpose(jvp(a/b))/add", ("jit(f)", "jit(f)/transpose(jvp(a/b))")),
        ("jit(f)/mul;jit(f)/b/add", ("jit(f)",)),
    ],
)
def test_the_layers_of_a_scope(scope, path):
    assert path_of(scope) == path


def test_groups_hold_each_operation_once():
    graph = graph_of(parse(LAYERS))
    root = grouped(graph)
    assert sorted(root.operations) == list(range(len(graph.nodes)))
    assert [part.name for part in root.parts if part.node is None] == ["Net", "grad(Net)"]


@pytest.mark.conformance
@pytest.mark.skipif(ROOT is None, reason="STABLEHLO says where a copy of openxla/stablehlo is")
def test_of_modules_that_others_wrote():
    files = sorted((ROOT / "testdata").glob("*.mlir"))[::10]
    assert files
    for file in files:
        valid(graph_of(parse(file.read_text(), str(file))))
