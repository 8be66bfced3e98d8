"""`hlo-opt`: what it prints, its exit codes, and that bad input is never a traceback."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from lowering import PASSES
from tools import hlo_opt
from tracer.errors import LoweringError
from tracer.ir import Function

PROGRAM = """func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %x, %x : tensor<2xf32>
  %1 = stablehlo.add %x, %x : tensor<2xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<2xf32>
  return %2 : tensor<2xf32>
}
func.func @g(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.sine %x : tensor<f32>
  return %x : tensor<f32>
}
"""
OPTIMIZED = """module {
  func.func @f(%arg0: tensor<2xf32>) -> tensor<2xf32> {
    %0 = stablehlo.add %arg0, %arg0 : tensor<2xf32>
    %1 = stablehlo.multiply %0, %0 : tensor<2xf32>
    return %1 : tensor<2xf32>
  }
  func.func @g(%arg0: tensor<f32>) -> tensor<f32> {
    return %arg0 : tensor<f32>
  }
}
"""


Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """The command: its exit code, output and messages, which are never a traceback."""

    def run(*arguments: str, stdin: bytes = b"") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        code = hlo_opt.main(arguments)
        output, messages = capfd.readouterr()
        assert "Traceback" not in messages
        return code, output, messages

    return run


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file with a program of two functions."""
    path = tmp_path / "program.mlir"
    path.write_text(PROGRAM)
    return path


def test_passes_run_on_each_function(run: Run, file: Path) -> None:
    assert run(str(file), "--passes", "cse,dce") == (0, OPTIMIZED, "")


def test_standard_input_and_a_file_for_the_output(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "out.mlir"
    assert run("--passes", "cse, dce", "-o", str(out), stdin=PROGRAM.encode()) == (0, "", "")
    assert out.read_text() == OPTIMIZED


def test_the_passes_are_listed(run: Run) -> None:
    code, listed, _ = run("--list-passes")
    assert code == 0
    assert [line.split()[0] for line in listed.splitlines()] == sorted(PASSES)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["/nowhere/program.mlir"], "hlo-opt: /nowhere/program.mlir: No such file or directory\n"),
        (["/"], "hlo-opt: /: Is a directory\n"),
        (["--passes", "cse,x"], "hlo-opt: no pass is named 'x'; the passes are: cse, dce\n"),
        (["-o", "/nowhere/out"], "hlo-opt: /nowhere/out: No such file or directory\n"),
    ],
)
def test_wrong_usage(run: Run, arguments: list[str], message: str) -> None:
    assert run(*arguments) == (2, "", message)


def test_an_unknown_option(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        hlo_opt.main(["--bogus"])
    assert caught.value.code == 2
    assert capfd.readouterr().err.startswith("usage: hlo-opt")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            b"junk",
            "<stdin>:1:1: custom op 'junk' is unknown (tried 'builtin.junk' as well)\njunk\n^",
        ),
        (b"\xff\xfe\n", "<stdin>:1: not UTF-8 text: invalid start byte"),
        (b"module {\n\xc3", "<stdin>:2: not UTF-8 text: unexpected end of data"),
        (
            b"\0\1",
            f"<stdin>:1:2: unexpected character\n{2 * chr(0xFFFD)}\n ^",
        ),
        (
            b"func.func @f(%x: tensor<?xf32>) { return }",
            "tensors of static shape and a dtype of ours are needed, got tensor<?xf32>"
            "\n  at <stdin>:1",
        ),
    ],
)
def test_what_can_not_be_read(run: Run, text: bytes, message: str) -> None:
    assert run(stdin=text) == (3, "", f"hlo-opt: {message}\n")


def test_nothing_is_an_empty_module(run: Run) -> None:
    assert run() == (0, "module {\n}\n", "")


def test_a_closed_pipe_is_no_error(file: Path) -> None:
    command = [sys.executable, "-m", "tools.hlo_opt", str(file)]
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, check=False)
    os.close(write)
    assert (done.returncode, done.stderr) == (0, b"")


def test_an_invalid_result_is_a_no(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(function: Function, names: object, verify: bool) -> Function:
        raise LoweringError("the pass x made an invalid program")

    monkeypatch.setattr(hlo_opt, "run_passes", refuse)
    with pytest.raises(hlo_opt.Failure, match="the pass x made an invalid program") as caught:
        hlo_opt.optimize(PROGRAM, ["cse"])
    assert caught.value.code == 1


def die(text: str, passes: object, file: str, output: str) -> None:
    """What jaxlib's parser does on some texts."""
    os.kill(os.getpid(), signal.SIGABRT)


def test_a_dead_parser_is_told(
    file: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(hlo_opt, "_work", die)
    assert hlo_opt.main([str(file)]) == 5
    assert capfd.readouterr().err == f"hlo-opt: {file}: the parser died of SIGABRT\n"
