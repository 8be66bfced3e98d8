"""`dump-hlo slice`: what is cut out is a program that computes what the whole one did there."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lowering import interpret
from lowering.reader import parse
from tests.tools.dump_hlo.conftest import Answer, Here
from tests.tools.dump_hlo.programs import LOOP, OURS, exported_text

X = np.linspace(-1, 1, 6, dtype=np.float32).reshape(2, 3)
W = np.arange(9, dtype=np.float32).reshape(3, 3)


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("a.mlir").write_text(OURS)
    Path("loop.mlir").write_text(LOOP)
    return tmp_path


def test_one_operation(here: Here) -> None:
    code, out, err = here("slice", "a.mlir", "dot_general")
    assert (code, err) == (0, "")
    module = parse(out)
    assert [o.name for o in module.entry.operations] == ["dot_general"]
    assert [v.name for v in module.entry.arguments] == ["%1", "%arg1"]
    assert 'loc("Net.second"("train.py":8:0))' in out
    (found,) = interpret(module, X, W)
    np.testing.assert_allclose(found, X @ W, rtol=1e-6)


def test_what_it_uses(answer: Answer) -> None:
    data = answer("slice", "a.mlir", "Net.second", "--up", "1")
    assert [row["op"] for row in data["operations"]] == ["func.call", "stablehlo.dot_general"]
    assert [row["was"] for row in data["arguments"]] == ["%0", "%arg1"]
    (found,) = interpret(parse(data["program"]), X, W)
    np.testing.assert_allclose(found, 2 * X @ W, rtol=1e-6)


def test_what_uses_it(answer: Answer) -> None:
    data = answer("slice", "a.mlir", "@main:%0", "--down", "2")
    names = ["stablehlo.tanh", "func.call", "stablehlo.dot_general"]
    assert [row["op"] for row in data["operations"]] == names
    assert data["results"] == ["tensor<2x3xf32>"]


def test_a_constant_comes_along(answer: Answer) -> None:
    data = answer("slice", "a.mlir", "multiply")
    assert [row["op"] for row in data["operations"]] == ["stablehlo.constant", "stablehlo.multiply"]
    (found,) = interpret(parse(data["program"]), np.int32(5))
    assert found == 15


def test_down_to_the_inputs(answer: Answer) -> None:
    data = answer("slice", "a.mlir", "call", "--keep-inputs")
    assert [row["type"] for row in data["arguments"]] == [
        *("tensor<2x3xf32>", "tensor<3x3xf32>", "tensor<i32>"),
    ]
    (found,) = interpret(parse(data["program"]), X, W, np.int32(0))
    np.testing.assert_allclose(found, 2 * np.tanh(X), rtol=1e-6)


def test_inside_a_loop(answer: Answer) -> None:
    data = answer("slice", "loop.mlir", "multiply")
    assert [row["was"] for row in data["arguments"]] == ["%arg1", "%0"]
    x, y = np.float32([1, 2, 3, 4]), np.float32([5, 6, 7, 8])
    np.testing.assert_array_equal(interpret(parse(data["program"]), x, y)[0], x * y)
    data = answer("slice", "loop.mlir", "while")
    assert [row["was"] for row in data["arguments"]] == ["%arg0", "%arg1", "%0"]
    found = interpret(parse(data["program"]), x, np.int32(2), y)
    np.testing.assert_array_equal(found[-1], x * y * y)


def test_every_operation_of_what_jax_exports(answer: Answer) -> None:
    Path("jax.mlir").write_text(exported_text())
    for name in ("tanh", "dot_general", "while", "reduce", "maximum", "%c_1"):
        parse(answer("slice", "jax.mlir", name, "--up", "2", "--down", "1")["program"])


def test_into_a_file(here: Here) -> None:
    assert here("slice", "a.mlir", "tanh", "-o", "out.mlir") == (0, "", "")
    assert here("slice", "a.mlir", "tanh", "-o", "-") == here("slice", "a.mlir", "tanh")
    assert not Path("-").exists()
    assert parse(Path("out.mlir").read_text()).entry.operations[0].name == "tanh"


@pytest.mark.parametrize(
    ("argv", "code", "message"),
    [
        (["a.mlir", "%0"], 2, "'%0' fits 2 operations (@scale:%0, @main:%0): of 2 blocks"),
        (["a.mlir", "tan"], 2, "no operation is called 'tan'; near are "),
        (["a.mlir", "tanh", "--up", "x"], 2, "--up: a number from 0 is needed, got 'x'"),
        (["a.mlir", "tanh", "-o", "/nowhere/x"], 2, "cannot write /nowhere/x: No such file"),
        (["a.mlir"], 2, "the following arguments are required: OP"),
        (["none.mlir", "tanh"], 2, "none.mlir: No such file or directory"),
    ],
)
def test_wrong(here: Here, argv: list[str], code: int, message: str) -> None:
    found, out, err = here("slice", *argv)
    assert (found, out) == (code, "")
    assert message in err


def test_a_scope_with_regions(here: Here) -> None:
    """What stands in a region of another operation of the scope is no second block."""
    text = """\
func.func @main(%x: tensor<4xf32>) -> tensor<f32> {
  %cst = stablehlo.constant dense<0.0> : tensor<f32> loc("Net.sum"("a.py":1:0))
  %0 = "stablehlo.reduce"(%x, %cst) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32> loc("Net.sum"("a.py":1:0))
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32> loc("Net.sum"("a.py":1:0))
  return %0 : tensor<f32>
}
"""
    Path("scope.mlir").write_text(text)
    code, out, err = here("slice", "scope.mlir", "Net.sum")
    said = "'Net.sum' fits 2 operations (@main:%cst, @main:%0): all are taken"
    assert (code, err) == (0, f"dump-hlo: {said}\n")
    assert [o.name for o in parse(out).entry.operations] == ["constant", "reduce"]


def test_names_that_are_told_are_taken_back(here: Here) -> None:
    """Both tanh have the same name in MLIR: each has one of its own."""
    reduce = """\
  %{0} = "stablehlo.reduce"(%{1}, %cst) <{{dimensions = array<i64: 0>}}> ({{
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %t = stablehlo.tanh %b : tensor<f32> loc("a.py":{0}:0)
    %s = stablehlo.add %a, %t : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }}) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
"""
    types = "tensor<f32>, tensor<f32>"
    text = f"func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> ({types}) {{\n"
    text += "  %cst = stablehlo.constant dense<0.0> : tensor<f32>\n"
    text += f"{reduce.format(0, 'x')}{reduce.format(1, 'y')}  return %0, %1 : {types}\n}}\n"
    Path("regions.mlir").write_text(text)
    code, out, err = here("slice", "regions.mlir", "tanh")
    assert (code, out) == (2, "")
    names = ["@main:%0/%2", "@main:%1/%2"]
    assert f"'tanh' fits 2 operations ({', '.join(names)}): of 2 blocks" in err
    for name, line in ((names[0], 0), (names[1], 1), ("%0/%2", 0), ("%1/%2", 1)):
        code, out, err = here("slice", "regions.mlir", name)
        assert (code, err) == (0, "")
        assert f'stablehlo.tanh %arg0 : tensor<f32> loc("a.py":{line}:0)' in out


def test_comments_are_places(here: Here) -> None:
    commented = OURS.replace(' loc("Net.first"("train.py":7:0))', "  // train.py:7 Net.first")
    commented = commented.replace(' loc("Net.second"("train.py":8:0))', "  // sub/train.py:8")
    Path("a.mlir").write_text(commented)
    code, out, err = here("slice", "a.mlir", "Net.first")
    assert (code, err) == (0, "")
    assert 'loc("Net.first"("train.py":7:0))' in out
    assert 'loc("sub/train.py":8:0)' in here("slice", "a.mlir", "train.py:8")[1]
    assert "near are sub/train.py:8" in here("slice", "a.mlir", "train.py:9")[2]
    # a comment where no location may stand
    Path("a.mlir").write_text(commented.replace("  %1 =", "  // x // train.py:3\n  %1 ="))
    assert here("slice", "a.mlir", "tanh")[0] == 0
