"""Operations by what a person calls them."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from lowering.reader import parse
from tests.tools.dump_hlo.programs import LOOP, OURS, exported_text
from tools.graph import graph_of
from tools.programs.excerpts import around, find
from tools.programs.selecting import labels, select
from tools.terminal import USAGE, Failure

MODULE = parse(OURS, "a.mlir")
HLO = """\
HloModule f

ENTRY %main (x: f32[4]) -> f32[4] {
  %x = f32[4]{0} parameter(0)
  ROOT %tanh.1 = f32[4]{0} tanh(%x), metadata={op_name="jit(f)/net/tanh" source_file="a.py" \
source_line=3}
}
"""
LOOPING = parse(LOOP, "loop.mlir")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("%2", ["dot_general"]),
        ("2", ["dot_general"]),
        ("%0", ["add", "tanh"]),
        ("@main:%0", ["tanh"]),
        ("@scale/%0", ["add"]),
        ("%c", ["constant"]),
        ("c", ["constant"]),
        ("tanh", ["tanh"]),
        ("stablehlo.tanh", ["tanh"]),
        ("func.call", ["call"]),
        ("train.py:7", ["tanh"]),
        ("a.mlir:2", ["add"]),
        ("Net.first", ["tanh"]),
        ("Net", ["tanh", "dot_general"]),
    ],
)
def test_selected(text: str, found: list[str]) -> None:
    assert [operation.name for operation in select(MODULE, text)] == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("%1#0", ["while"]),
        ("%1", ["while"]),
        ("%1:2", ["while"]),
        ("add", ["add"]),
        ("%1/%2", ["compare"]),
        ("@main:%1/%2'2", ["add"]),
    ],
)
def test_several_results_and_regions(text: str, found: list[str]) -> None:
    assert [operation.name for operation in select(LOOPING, text)] == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("dot.*|tanh", ["tanh", "dot_general"]),
        ("Net\\.f.*", ["tanh"]),
        ("train.py:[78]", ["tanh", "dot_general"]),
        ("t.n", []),
        ("(", []),
    ],
)
def test_regular_expressions_fit_a_whole_name(text: str, found: list[str]) -> None:
    if found:
        assert [operation.name for operation in select(MODULE, text)] == found
    else:
        with pytest.raises(Failure, match="no operation is called"):
            select(MODULE, text)


@pytest.mark.parametrize("text", [OURS, LOOP, exported_text()], ids=["ours", "loop", "jax"])
def test_a_graph_is_asked_by_the_same_names(text: str) -> None:
    module = parse(text, "a.mlir")
    graph, known = graph_of(module), labels(module)
    for label in known.values():
        for name in (label.whole, *label.texts()):
            asked = {known[operation].whole for operation in select(module, name)}
            nodes = (graph.nodes[i].id for i in find(graph, name))
            whole = {f"{i.replace('/', ':', 1)}" if i[0] == "@" else f"@main:{i}" for i in nodes}
            assert whole == asked, name


def test_hlo_is_asked_by_its_own() -> None:
    graph = graph_of(HLO)
    for text, found in [
        ("%tanh.1", ["%tanh.1"]),
        ("tanh.1", ["%tanh.1"]),
        ("tanh", ["%tanh.1"]),
        ("a.py:3", ["%tanh.1"]),
        ("jit(f)/net", ["%tanh.1"]),
        ("%x", ["%x"]),
        ("t.*", ["%tanh.1"]),
    ]:
        assert [graph.nodes[i].id for i in find(graph, text)] == found
    with pytest.raises(Failure, match=r"'%tan.1'; near are %tanh.1"):
        find(graph, "%tan.1")


def test_around_takes_steps_after_any_name() -> None:
    graph = graph_of(LOOPING)
    for text, steps in [("@main:%1/%2'2", 1), ("@main:%1/%2'2:0", 0), ("loop.mlir:3:0", 0)]:
        found = around(graph, text)
        assert found.title == f"around {text.removesuffix(':0')}, {steps} step{'s' * (not steps)}"
    ids = {graph.nodes[i].id for i in around(graph, "@main:%1/%2'2:0").nodes}
    assert ids == {"%1/%2'2"}


def test_names_are_those_that_mlir_prints() -> None:
    text = exported_text()
    printed = re.findall(r"^ *(%\S+) = ([\w.]+)", text, re.MULTILINE)
    printed = [(name, op.removeprefix("func.")) for name, op in printed]
    found = Counter((x.name, x.op.removeprefix("func.")) for x in labels(parse(text)).values())
    hidden = found - Counter(printed)
    assert Counter(printed) - found == Counter()
    assert [op for _, op in hidden] == ["stablehlo.add"], "the body of a short reduce"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("tanhh", "no operation is called 'tanhh'; near are .*tanh"),
        ("Net.frist", "near are Net.first"),
        ("train.py:9", "near are train.py:8, train.py:7$"),
        ("a.py:7", "'a.py:7'; its places are a.mlir:2, .*; dump-hlo show --locs tail keeps those"),
        ("%77", "no operation is called '%77'; its results are %0, %1"),
        ("@main:%7", "near are @main:%"),
        ("", "no operation is called ''"),
    ],
)
def test_what_names_nothing(text: str, message: str) -> None:
    with pytest.raises(Failure, match=message) as e:
        select(MODULE, text)
    assert e.value.code == USAGE
