"""`hlo-opt --reduce`: programs shrink, stay valid, and fail as before."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from lowering.reader import parse
from tools.hlo_opt.removal import operations_of, without_operations
from tools.hlo_opt.work import Done, run_here

PROGRAM = """
func.func @other(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.floor %a : tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @f(%a: tensor<2xf32>, %b: tensor<3xf32>) -> (tensor<2xf32>, tensor<3xf32>) {
  %0 = stablehlo.sine %a : tensor<2xf32>
  %1 = stablehlo.add %0, %a : tensor<2xf32>
  %2 = stablehlo.multiply %1, %0 : tensor<2xf32>
  %3 = stablehlo.cosine %2 : tensor<2xf32>
  %4 = stablehlo.exponential %b : tensor<3xf32>
  return %3, %4 : tensor<2xf32>, tensor<3xf32>
}
"""
CALLS = """
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.sine %a : tensor<2xf32>
  %1 = call @inner(%0) : (tensor<2xf32>) -> tensor<2xf32>
  %2 = stablehlo.cosine %1 : tensor<2xf32>
  return %2 : tensor<2xf32>
}
func.func private @inner(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.floor %a : tensor<2xf32>
  %1 = stablehlo.tanh %0 : tensor<2xf32>
  return %1 : tensor<2xf32>
}
"""
REGIONS = """
func.func @f(%p: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.sine %x : tensor<2xf32>
  %1 = "stablehlo.if"(%p) ({
    %2 = stablehlo.floor %0 : tensor<2xf32>
    %3 = stablehlo.tanh %2 : tensor<2xf32>
    stablehlo.return %3 : tensor<2xf32>
  }, {
    %4 = stablehlo.cosine %0 : tensor<2xf32>
    stablehlo.return %4 : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}
"""
DYNAMIC = """
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.add %a, %b : tensor<?xf32>
  %1 = chlo.erf %0 : tensor<?xf32> -> tensor<?xf32>
  %2 = stablehlo.sine %1 : tensor<?xf32>
  %3 = stablehlo.multiply %2, %0 : tensor<?xf32>
  return %3 : tensor<?xf32>
}
"""


def reduced(text: str, *needles: str) -> Done:
    """The smallest program whose text holds these: the command then exits with 7."""
    greps = " && ".join(f"grep -q -e '{needle}' {{}}" for needle in needles)
    return run_here(["--reduce", f"if {greps}; then exit 7; fi"], text)


def body(done: Done) -> list[str]:
    """The lines of a program's functions."""
    assert done.code == 0, done.messages
    return [line.strip() for line in done.output.splitlines()[1:-1]]


def test_one_operation_is_left() -> None:
    done = reduced(PROGRAM, "multiply")
    assert body(done) == [
        "func.func @f(%arg0: tensor<2xf32>) {",
        "%0 = stablehlo.multiply %arg0, %arg0 : tensor<2xf32>",
        "return",
        "}",
    ]
    assert done.messages.startswith("hlo-opt: 6 operations reduced to 1 in ")


def test_two_that_depend_on_each_other() -> None:
    done = reduced(PROGRAM, "cosine %[0-9]")
    assert body(done) == [
        "func.func @f(%arg0: tensor<2xf32>) {",
        "%0 = stablehlo.sine %arg0 : tensor<2xf32>",
        "%1 = stablehlo.cosine %0 : tensor<2xf32>",
        "return",
        "}",
    ]


def test_functions_and_results() -> None:
    done = reduced(PROGRAM, "@other", "-> tensor<2xf32>")
    assert body(done) == [
        "func.func @other(%arg0: tensor<2xf32>) -> tensor<2xf32> {",
        "return %arg0 : tensor<2xf32>",
        "}",
    ]


def test_constants_stand_in() -> None:
    text = """func.func @f() -> tensor<f32> {
      %0 = stablehlo.iota dim = 0 : tensor<8xi32>
      %1 = stablehlo.convert %0 : (tensor<8xi32>) -> tensor<8xf32>
      %2 = stablehlo.slice %1 [2:3] : (tensor<8xf32>) -> tensor<1xf32>
      %3 = stablehlo.reshape %2 : (tensor<1xf32>) -> tensor<f32>
      return %3 : tensor<f32>
    }"""
    assert body(reduced(text, "slice")) == [
        "func.func @f() {",
        "%cst = stablehlo.constant dense<0.000000e+00> : tensor<8xf32>",
        "%0 = stablehlo.slice %cst [2:3] : (tensor<8xf32>) -> tensor<1xf32>",
        "return",
        "}",
    ]


def test_a_large_constant_shrinks() -> None:
    text = """func.func @f() -> tensor<3xf32> {
      %0 = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
      %1 = stablehlo.sine %0 : tensor<3xf32>
      return %1 : tensor<3xf32>
    }"""
    done = reduced(text, "sine")
    assert "dense<0.000000e+00>" in done.output
    assert "operations reduced to 2" in done.messages


def test_calls_stay_valid() -> None:
    called = reduced(CALLS, "call @inner")
    assert "stablehlo." not in called.output
    assert body(reduced(CALLS, "tanh"))[0].startswith("func.func private @inner")


def test_regions_shrink() -> None:
    done = reduced(REGIONS, "stablehlo.if", "tanh")
    assert "operations reduced to 2" in done.messages
    assert body(reduced(REGIONS, "sine"))[1] == "%0 = stablehlo.sine %arg0 : tensor<2xf32>"
    parse(done.output)


def test_what_a_region_holds_comes_out_of_it() -> None:
    assert body(reduced(REGIONS, "tanh")) == [
        "func.func @f(%arg0: tensor<2xf32>) {",
        "%0 = stablehlo.tanh %arg0 : tensor<2xf32>",
        "return",
        "}",
    ]
    loop = """func.func @f(%x: tensor<2xf32>, %n: tensor<i32>) -> tensor<2xf32> {
      %0:2 = stablehlo.while(%y = %x, %i = %n) : tensor<2xf32>, tensor<i32>
        cond {
          %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %1 : tensor<i1>
        } do {
          %2 = stablehlo.floor %y : tensor<2xf32>
          stablehlo.return %2, %i : tensor<2xf32>, tensor<i32>
        }
      return %0#0 : tensor<2xf32>
    }"""
    assert body(reduced(loop, "floor"))[1] == "%0 = stablehlo.floor %arg0 : tensor<2xf32>"
    assert "while" not in reduced(loop, "compare").output


def test_operations_that_are_only_carried() -> None:
    done = reduced(DYNAMIC, "chlo.erf")
    assert body(done) == [
        "func.func @f(%arg0: tensor<?xf32>) {",
        "%0 = chlo.erf %arg0 : tensor<?xf32> -> tensor<?xf32>",
        "return",
        "}",
    ]


def test_nothing_stands_in_for_some() -> None:
    text = """func.func @f() -> !stablehlo.token {
      %0 = stablehlo.create_token : !stablehlo.token
      return %0 : !stablehlo.token
    }"""
    module = parse(text)
    assert without_operations(module, operations_of(module))["f"].operations


def test_what_nobody_needs_goes_without_a_stand_in() -> None:
    text = """func.func @f(%x: tensor<2xf32>) {
      %0 = stablehlo.create_token : !stablehlo.token
      %1 = stablehlo.sine %x : tensor<2xf32>
      return
    }"""
    assert "token" not in reduced(text, "sine").output


def test_a_program_that_can_not_shrink() -> None:
    done = reduced("module @m {}\n", "module @m")
    assert (done.code, done.output) == (0, "module @m {\n}\n")
    assert done.messages == "hlo-opt: 0 operations reduced to 0 in 1 runs of the command\n"


def test_the_exit_code_stays_the_same() -> None:
    command = "grep -q floor {} || exit 2; grep -q sine {} && exit 1; exit 2"
    done = run_here(["--reduce", command], PROGRAM)
    assert "sine" in done.output
    assert "floor" in done.output


@pytest.mark.parametrize(
    ("command", "code", "message"),
    [
        ("true {}", 1, "the command does not fail on the program: true {}"),
        ("./nothing {}", 2, "--reduce: the command can't be run: ./nothing {}"),
    ],
)
def test_commands_that_do_not_fail(command: str, code: int, message: str) -> None:
    assert run_here(["--reduce", command], PROGRAM) == Done(code, "", f"hlo-opt: {message}\n")


def test_a_pass_that_breaks_a_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [os.path.dirname(sys.executable), os.environ["PATH"]]
    monkeypatch.setenv("PATH", os.pathsep.join(paths))
    (tmp_path / "mine.py").write_text(
        "from lowering import register_pass\n"
        "@register_pass\n"
        "def mine(function):\n"
        "    'Does not like cosines.'\n"
        "    assert all(op.name != 'cosine' for op in function.operations)\n"
        "    return function\n"
    )
    command = f"hlo-opt {{}} --load {tmp_path / 'mine.py'} --passes mine"
    text = PROGRAM.replace("  %4 =", "  %5 = stablehlo.abs %b : tensor<3xf32>\n  %4 =")
    done = run_here(["--reduce", command], text)
    assert body(done)[1] == "%0 = stablehlo.cosine %arg0 : tensor<2xf32>"
