"""`hlo-opt`: how it fails; bad input is never a traceback."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from lowering import PASSES
from tests.tools.hlo_opt_examples import PROGRAM, Run, start
from tools.hlo_opt import command, main
from tools.hlo_opt.work import Done, run_here


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 // 0\n", "hlo-opt: bad.py raised ZeroDivisionError at {}/bad.py:1\n"),
        ("import sys\nsys.exit(3)\n", "hlo-opt: bad.py exited with code 3\n"),
        (
            "from lowering import register_pass\ndef cse(f):\n  'x'\nregister_pass(cse)\n",
            "hlo-opt: bad.py raised ValueError at {}/bad.py:4\n",
        ),
    ],
)
def test_a_file_that_raises(run: Run, place: Path, text: str, message: str) -> None:
    (place / "bad.py").write_text(text)
    done = run("--load", "bad.py")
    assert (done.code, done.output) == (4, "")
    assert done.messages.endswith(message.format(place))


def test_a_pass_that_raises(run: Run, place: Path) -> None:
    done = run("--load", "mine.py", "--passes", "divide")
    assert (done.code, done.output) == (4, "")
    assert f'File "{place}/mine.py", line 33, in divide' in done.messages
    assert done.messages.count("File ") == 1
    assert done.messages.endswith("hlo-opt: the pass divide raised ZeroDivisionError\n")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("no-function", "the pass no-function must give a Function, got None"),
        ("no-module", "the pass no-module must give a Module, got 'x'"),
        (
            "undefined-result",
            "the pass undefined-result made an invalid program:\n"
            "the result 0 of sine, a tensor<f32>, is used where nothing defines it\n"
            "  at program.mlir:8",
        ),
        (
            "undefined-argument",
            "the pass undefined-argument made an invalid program:\n"
            "the argument 0, a tensor<2xf32>, is used where nothing defines it",
        ),
    ],
)
@pytest.mark.parametrize("arguments", [[], ["--verify-each"]], ids=str)
def test_what_a_pass_must_give(run: Run, name: str, message: str, arguments: list[str]) -> None:
    done = run("--load", "careless.py", "--passes", name, *arguments)
    assert done == Done(1, "", f"hlo-opt: {message}\n")


def test_what_can_not_be_printed_is_told(run: Run) -> None:
    done = run("--load", "careless.py", "--passes", "undefined-result", "--print-after", "changed")
    assert done.messages.startswith(
        "// ----- IR after undefined-result -----\nthe result 0 of sine"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "hlo-opt: the pass break-types made an invalid program:\n"),
        (["--verify-each"], "hlo-opt: the pass break-types made an invalid program:\n"),
    ],
)
def test_an_invalid_result_is_a_no(run: Run, arguments: list[str], message: str) -> None:
    done = run("--load", "mine.py", "--passes", "break-types", *arguments)
    assert (done.code, done.output) == (1, "")
    assert done.messages.startswith(message)
    assert "redefinition of symbol named 'f'" in done.messages


def test_an_invalid_result_among_several(run: Run) -> None:
    several = ["--load", "mine.py", "--passes", "cse,break-types,dce", "--print-after", "dce"]
    late = run(*several)
    assert late.code == 1
    message = "hlo-opt: a pass (--verify-each says which) made an invalid program:\n"
    assert message in late.messages
    assert '"func.return"(%arg0, %arg0)' in late.messages, "what is invalid is printed all the same"
    early = run(*several, "--verify-each")
    assert early.code == 1
    assert early.messages.startswith("hlo-opt: the pass break-types made an invalid program:\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["/nowhere/program.mlir"], "/nowhere/program.mlir: No such file or directory"),
        (["/"], "/: Is a directory"),
        (["a\0b"], "a\0b: embedded null byte"),
        (["-o", "/nowhere/out"], "cannot write /nowhere/out: No such file or directory"),
        (["--passes", "cse,csee"], "no pass is named 'csee', did you mean 'cse'?; there are: {}"),
        (["--passes", "x"], "no pass is named 'x'; there are: {}"),
        (["--passes", "cse,-x"], "no pass is named 'x'; there are: {}"),
        (
            ["--passes", "cse,-dce"],
            "--passes: dce can't be left out, it is not among the others",
        ),
        (
            ["--passes", "cse", "--pipeline", "gpu"],
            "--pipeline says what default means, which --passes does not name",
        ),
        (
            ["--passes", "cse", "--print-after", "dce"],
            "no pass to print after is named 'dce', did you mean 'cse'?; "
            "there are: all, changed, cse, failure",
        ),
        (["--load", "nix.py"], "--load: there is no file 'nix.py'"),
        (["--load", "nix.nax"], "no module is named 'nix', here or among the installed"),
        (["--reduce", "false"], "--reduce needs a command with {{}} for the file, got 'false'"),
        (
            ["--reduce", "false {}", "--passes", "cse"],
            "--reduce works on the file as it is, without --passes",
        ),
        (
            ["--bisect-limit", "-1"],
            "argument --bisect-limit: a number of rewrites is needed, got '-1'\n"
            "hlo-opt --help tells what there is",
        ),
        (["--bogus"], "unrecognized arguments: --bogus\nhlo-opt --help tells what there is"),
    ],
)
def test_wrong_usage(place: Path, arguments: list[str], message: str) -> None:
    shown = message.format(", ".join(sorted(PASSES)))
    assert run_here(arguments) == Done(2, "", f"hlo-opt: {shown}\n")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "junk",
            "<stdin>:1:1: custom op 'junk' is unknown (tried 'builtin.junk' as well)\njunk\n^",
        ),
        ("\0\1", f"<stdin>:1:2: unexpected character\n{2 * chr(0xFFFD)}\n ^"),
        (
            PROGRAM[:130],
            "<stdin>:3:30: expected non-function type\n  %1 = stablehlo.add %x, %x : tenso\n"
            "                             ^",
        ),
        (
            "HloModule f\n",
            "<stdin>:1:1: custom op 'HloModule' is unknown (tried 'builtin.HloModule' as well)\n"
            "HloModule f\n^\nthis is HLO, hlo-opt reads StableHLO",
        ),
    ],
)
def test_what_can_not_be_read(text: str, message: str) -> None:
    assert run_here([], text) == Done(3, "", f"hlo-opt: {message}\n")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\xff\xfe\n", "{}:1: not UTF-8 text: invalid start byte"),
        (b"module {\n\xc3", "{}:2: not UTF-8 text: unexpected end of data"),
    ],
)
def test_what_is_no_text(place: Path, data: bytes, message: str) -> None:
    (place / "binary").write_bytes(data)
    assert run_here(["binary"]) == Done(3, "", f"hlo-opt: {message.format('binary')}\n")


def test_a_closed_pipe_is_no_error(place: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    assert start(str(place / "program.mlir"), stdout=write) == Done(0, "", "")
    os.close(write)


def test_a_full_disk_is_told(place: Path) -> None:
    message = "hlo-opt: cannot write to standard output: No space left on device\n"
    with open("/dev/full", "wb") as full:
        assert start(str(place / "program.mlir"), stdout=full) == Done(2, "", message)


def die(options: object, text: str) -> None:
    """What jaxlib's parser does on some texts."""
    os.kill(os.getpid(), signal.SIGABRT)


def test_a_dead_parser_is_told(
    place: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "_work", die)
    assert main(["program.mlir"]) == 5
    assert capfd.readouterr().err == "hlo-opt: program.mlir: the parser died of SIGABRT\n"
