"""What `dump-hlo exec` says of NaN that no operation made, and of NaN on both sides."""

from __future__ import annotations

from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from tests.tools.dump_hlo.conftest import Answer, Here

FILL = """\
func.func @main(%x: tensor<3xf32>, %in: tensor<3xi1>) -> (tensor<3xf32>, tensor<i32>) {
  %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32> loc("take"("model.py":4:0))
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3xf32>
  %1 = stablehlo.select %in, %x, %0 : tensor<3xi1>, tensor<3xf32>
  %2 = stablehlo.log %1 : tensor<3xf32>
  %n = stablehlo.constant dense<1> : tensor<i32>
  return %2, %n : tensor<3xf32>, tensor<i32>
}
"""
"""What is out of bounds is NaN, as in jax's `take_along_axis`."""
NAN, INF = np.nan, np.inf
HEAD = "result 0 holds NaN that no operation made: tensor<3xf32>, {} NaN\n"
IN = (
    "  it came in with argument 0: tensor<3xf32>, {} NaN; "
    "first used by %1 = stablehlo.select at fill.mlir:4\n"
)
STANDS = (
    "  it stands in the program: %cst = stablehlo.constant at model.py:4 in take: "
    "tensor<f32>, 1 of 1 is NaN\n"
)


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("fill.mlir").write_text(FILL)


def given(x: list[float], inside: list[bool]) -> list[str]:
    """The arguments that run the program on these."""
    np.savez("in.npz", arg0=np.float32(x), arg1=np.array(inside))
    return ["exec", "fill.mlir", "--inputs", "in.npz"]


@pytest.mark.parametrize("on", ["cpu", "interp"])
@pytest.mark.parametrize(
    ("x", "inside", "said"),
    [
        ([1, NAN, NAN], [True, True, True], HEAD.format("2 of 3 are") + IN.format("2 of 3 are")),
        ([1, 2, NAN], [True, True, False], HEAD.format("1 of 3 is") + STANDS),
        (
            [NAN, 2, 3],
            [True, True, False],
            HEAD.format("2 of 3 are") + IN.format("1 of 3 is") + STANDS,
        ),
    ],
)
def test_who_brought_it(here: Here, on: str, x: list[float], inside: list[bool], said: str) -> None:
    """Of the fill only where it was chosen, of the argument only where that was."""
    assert here(*given(x, inside), "--nan-check", "--on", on) == (1, said, "")


def test_what_is_meant(here: Here) -> None:
    """Infinities that came in, and a NaN of the program that no result shows."""
    argv = given([1, INF, 2], [True, True, True])
    said = "no operation makes a NaN or an infinity\n"
    assert here(*argv, "--nan-check") == (0, said, "")


def test_one_is_brought_and_another_made(here: Here) -> None:
    """Element by element: that of -1 is the logarithm's, though it was given a NaN beside."""
    code, out, err = here(*given([NAN, -1, 1], [True, True, True]), "--nan-check")
    assert (code, err) == (1, "")
    assert out == (
        "makes a NaN or an infinity: %2 = stablehlo.log at fill.mlir:5\n"
        "  operand 0: tensor<3xf32>, nan to nan, 1 NaN, 0 infinite\n"
        "  result 0: tensor<3xf32>, nan to nan, 2 NaN, 0 infinite\n"
    )


def test_an_argument_that_is_a_result(here: Here) -> None:
    type_ = "tensor<1xbf16>"
    text = f"func.func @main(%x: {type_}) -> {type_} {{\n  return %x : {type_}\n}}\n"
    Path("same.mlir").write_text(text)
    np.savez("in.npz", arg0=np.array([NAN], ml_dtypes.bfloat16))
    code, out, err = here("exec", "same.mlir", "--inputs", "in.npz", "--nan-check")
    assert (code, err) == (1, "")
    assert out == (
        f"result 0 holds NaN that no operation made: {type_}, 1 of 1 is NaN\n"
        f"  it came in with argument 0: {type_}, 1 of 1 is NaN\n"
    )


def test_as_json(answer: Answer) -> None:
    argv = given([NAN, 2, 3], [True, True, False])
    check = answer(*argv, "--nan-check", code=1)["nan_check"]
    assert check["results"] == [0]
    argument, constant = check["from"]
    used = argument["operation"]
    assert (argument["argument"], used["name"], used["line"]) == (0, "%1", 4)
    assert argument["value"]["values"] == ["nan", 2, 3]
    stands = constant["operation"]
    assert (constant["argument"], stands["name"], stands["file"]) == (None, "%cst", "model.py")
    assert answer(*argv)["nan_check"] is None
    fine = given([1, 2, 3], [True, True, True])
    assert answer(*fine, "--nan-check")["nan_check"] == {"results": [], "from": []}


def test_nan_on_both_sides(here: Here, answer: Answer) -> None:
    argv = [*given([1, NAN, 3], [True, True, False]), "--against", "interp"]
    said = (
        "result 0: tensor<3xf32>  equal{} (2 of 3 are NaN in both)\nresult 1: tensor<i32>  equal\n"
    )
    assert here(*argv) == (0, said.format(""), "")
    rows = answer(*argv)["results"]
    assert [row["difference"]["nans_in_both"] for row in rows] == [2, 0]


def test_nan_on_both_sides_of_an_operation_alone(here: Here, answer: Answer) -> None:
    """XLA takes numbers below 1e-38 for zero."""
    type_ = "tensor<2xf32>"
    sign = f"%0 = stablehlo.sign %x : {type_}\n  return %0 : {type_}"
    Path("sign.mlir").write_text(f"func.func @main(%x: {type_}) -> {type_} {{\n  {sign}\n}}\n")
    np.savez("in.npz", arg0=np.float32([1e-42, NAN]))
    argv = ["exec", "sign.mlir", "--inputs", "in.npz", "--isolate"]
    differs = (
        "1 of 2 differ: abs 1, rel 1, ulp 1065353216; worst at [0]: 0.0 where 1.0 is expected "
        "(1 of 2 is NaN in both)\n"
    )
    assert here(*argv)[:2] == (
        1,
        f"result 0: {type_}  {differs}"
        "alone these differ from interp, on the operands it computed:\n"
        f"%0 = stablehlo.sign at sign.mlir:2\n  {differs}",
    )
    (blamed,) = answer(*argv, code=1)["operations"]
    assert blamed["differences"][0]["nans_in_both"] == 1
