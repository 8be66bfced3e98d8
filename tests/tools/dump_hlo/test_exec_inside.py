"""What `dump-hlo exec` says of a program's inside: values, what alone differs, who makes a NaN."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.tools.dump_hlo.conftest import Answer, Here
from tests.tools.dump_hlo.programs import LOOP, OURS

DEVIATES = """\
func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<i1>) {
  %0 = stablehlo.sign %x : tensor<2xf32>
  %1 = stablehlo.negate %0 : tensor<2xf32>
  %true = stablehlo.constant dense<true> : tensor<i1>
  %2 = stablehlo.add %true, %true : tensor<i1>
  return %1, %2 : tensor<2xf32>, tensor<i1>
}
"""
"""XLA on the CPU takes numbers below 1e-38 for zero, and folds true + true to false."""
NAN = """\
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<3xf32>
  %0 = stablehlo.maximum %x, %low : tensor<3xf32>
  %1 = stablehlo.subtract %0, %0 : tensor<3xf32>
  %2 = stablehlo.log %1 : tensor<3xf32> loc("Net.loss"("train.py":31:0))
  %3 = stablehlo.subtract %2, %2 : tensor<3xf32>
  return %3 : tensor<3xf32>
}
"""
NESTED = """\
func.func @main(%x: tensor<2xf32>, %n: tensor<i32>) -> tensor<2xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<2xf32>
    cond {
      %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %j = stablehlo.add %i, %one : tensor<i32>
      %odd = stablehlo.and %i, %one : tensor<i32>
      %z = "stablehlo.case"(%odd) ({
        %e = stablehlo.negate %y : tensor<2xf32>
        stablehlo.return %e : tensor<2xf32>
      }, {
        %e = stablehlo.multiply %y, %y : tensor<2xf32>
        %never = stablehlo.compare LT, %n, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
        %f = "stablehlo.if"(%never) ({
          %h = stablehlo.cosine %e : tensor<2xf32>
          stablehlo.return %h : tensor<2xf32>
        }, {
          stablehlo.return %e : tensor<2xf32>
        }) : (tensor<i1>) -> tensor<2xf32>
        stablehlo.return %f : tensor<2xf32>
      }) : (tensor<i32>) -> tensor<2xf32>
      stablehlo.return %j, %z : tensor<i32>, tensor<2xf32>
    }
  return %r#1 : tensor<2xf32>
}
"""
"""A loop with a branch in it, and one in that."""


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    texts = {"a": OURS, "loop": LOOP, "nan": NAN, "deviates": DEVIATES, "nested": NESTED}
    for name, text in texts.items():
        Path(f"{name}.mlir").write_text(text)
    return tmp_path


def test_constants_go_with_an_operation(here: Here) -> None:
    """XLA wants the paddings to be constants, or computed of such."""
    ints = "tensor<1xi32>"
    Path("pad.mlir").write_text(
        "func.func @main(%x: tensor<4xf32>) -> tensor<7xf32> {\n"
        "  %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
        f"  %none = stablehlo.constant dense<0> : {ints}\n"
        f"  %one = stablehlo.constant dense<1> : {ints}\n"
        f"  %two = stablehlo.add %one, %one : {ints}\n"
        '  %0 = "stablehlo.dynamic_pad"(%x, %z, %one, %two, %none) : (tensor<4xf32>, tensor<f32>, '
        f"{ints}, {ints}, {ints}) -> tensor<7xf32>\n  return %0 : tensor<7xf32>\n}}\n"
    )
    for on, against in (("cpu", "interp"), ("interp", "cpu")):
        code, out, err = here("exec", "pad.mlir", "--on", on, "--against", against, "--isolate")
        equal = "result 0: tensor<7xf32>  equal\n"
        assert (code, err) == (0, "")
        assert out == f"{equal}alone, no operation differs from {against}\n"


def test_where_xla_deviates(answer: Answer, here: Here) -> None:
    """Alone an operation is blamed, with the constants that it is given; not what uses it."""
    np.savez("in.npz", arg0=np.float32([1e-42, 2]))
    argv = ["deviates.mlir", "--inputs", "in.npz", "--isolate"]
    data = answer("exec", *argv, code=1)
    blamed = [(row["op"], row["line"]) for row in data["operations"]]
    assert blamed == [("stablehlo.sign", 2), ("stablehlo.add", 5)]
    first, second = (row["difference"] for row in data["results"])
    assert (first["ok"], first["differing"], first["at"]) == (False, 1, [0])
    assert (first["found"], first["expected"]) == (0, -1)
    assert (second["ok"], second["found"], second["expected"]) == (False, False, True)
    code, out, _ = here("exec", *argv)
    assert code == 1
    assert "result 0: tensor<2xf32>  1 of 2 differ: abs 1, rel 1," in out
    assert "alone these differ from interp, on the operands it computed:" in out
    assert "%0 = stablehlo.sign at deviates.mlir:2\n" in out
    assert "negate" not in out


@pytest.mark.parametrize("name", ["a.mlir", "loop.mlir", "nan.mlir"])
def test_nobody_is_blamed(here: Here, name: str) -> None:
    code, out, err = here("exec", name, "--against", "interp", "--isolate")
    assert (code, err) == (0, "")
    assert "alone, no operation differs from interp" in out


def test_probes(answer: Answer, here: Here) -> None:
    found = answer("exec", "a.mlir", "--probe", "Net.first|add", "--save", "out.npz")["operations"]
    x = np.load("out.npz")["arg0"]
    assert [row["op"] for row in found] == ["stablehlo.tanh", "stablehlo.add"]
    assert (found[0]["scope"], found[0]["file"], found[0]["line"]) == ("Net.first", "train.py", 7)
    for row, expected in zip(found, (np.tanh(x), 2 * np.tanh(x)), strict=True):
        np.testing.assert_allclose(row["values"][0]["values"], expected.reshape(-1), rtol=1e-5)
    code, out, _ = here("exec", "a.mlir", "--probe", "train.py:8")
    assert (code, out.splitlines()[0]) == (
        0,
        "%2 = stablehlo.dot_general at train.py:8 in Net.second",
    )


def test_probes_in_loops(answer: Answer, here: Here) -> None:
    """Of many turns the first ones and the last one; in text each with its number."""
    x = np.float32([1, 2, -3, 0.5])
    np.savez("in.npz", arg0=x, arg1=np.int32(20))
    given = ["loop.mlir", "--inputs", "in.npz", "--probe"]
    for on in ("cpu", "interp"):
        found = answer("exec", *given, "multiply|add", "--on", on)["operations"]
        turns = [*range(1, 8), 20]
        assert [(row["turn"], row["turns"]) for row in found] == [(n, 20) for n in turns] * 2
        sums, products = (f["values"][0]["values"] for f in found[:8]), found[8:]
        assert [n for (n,) in sums] == turns
        for turn, row in zip(turns, products, strict=True):
            expected = x * np.sin(x) ** turn
            np.testing.assert_allclose(row["values"][0]["values"], expected, rtol=1e-5)
    np.savez("in.npz", arg0=x, arg1=np.int32(2))
    code, out, err = here("exec", *given, "add")
    heads = (f"%2 = stablehlo.add at loop.mlir:10, turn {n} of 2\n" for n in (1, 2))
    assert (code, err) == (0, "")
    assert out == "".join(f"{head}  tensor<i32>\n{n}\n" for n, head in enumerate(heads, 1))


def test_probes_in_branches_in_loops(answer: Answer, here: Here) -> None:
    np.savez("in.npz", arg0=np.float32([1, 2]), arg1=np.int32(3))
    given = ["exec", "nested.mlir", "--inputs", "in.npz", "--against", "interp", "--probe"]
    found = answer(*given, "negate|cosine|case|while", "--isolate")["operations"]
    values = [(row["op"][10:], row["turn"], row["values"][-1:]) for row in found]
    assert [(op, turn, v[0]["values"] if v else None) for op, turn, v in values] == [
        ("while", None, [-1, -4]),
        ("case", 1, [-1, -2]),
        ("case", 2, [1, 4]),
        ("case", 3, [-1, -4]),
        ("negate", 1, [-1, -2]),
        ("negate", 2, [-1, -4]),
        ("cosine", 0, None),
    ]
    assert here(*given, "cosine")[1].endswith("cosine at nested.mlir:18, which did not run\n")


def test_probes_that_show_nothing(here: Here) -> None:
    code, _, err = here("exec", "loop.mlir", "--probe", "compare")
    said = "1 operations that reduce, sort or end a loop are not shown"
    assert (code, said in err) == (1, True)
    code, _, err = here("exec", "a.mlir", "--probe", "(")
    assert (code, "no operation is called '('; its ops and layers are" in err) == (2, True)


def test_the_first_nan(answer: Answer, here: Here) -> None:
    """The infinity of a constant is meant, and what is given one already made none."""
    (made,) = answer("exec", "nan.mlir", "--nan-check", code=1)["operations"]
    place = (made["op"], made["file"], made["line"], made["scope"])
    assert place == ("stablehlo.log", "train.py", 31, "Net.loss")
    assert made["operands"][0]["values"] == [0.0, 0.0, 0.0]
    assert made["values"][0]["infinities"] == 3
    code, out, _ = here("exec", "nan.mlir", "--nan-check")
    first = "makes a NaN or an infinity: %2 = stablehlo.log at train.py:31 in Net.loss"
    assert (code, out.splitlines()[0]) == (1, first)
    code, out, _ = here("exec", "a.mlir", "--nan-check")
    assert (code, out) == (0, "no operation makes a NaN or an infinity\n")
