"""`dump-hlo run`: exactly the programs that a script compiled, and the script as Python runs it."""

import re
import sys
from pathlib import Path

import pytest

from runtime import pjrt
from tests.tools.dump_hlo_examples import ROOT, Said, command
from tools import capture
from tools.stages import STAGES
from tools.terminal import Failure
from tracer import programs


def listing(folder: Path) -> dict[str, str]:
    """The files of a folder and what is in them."""
    return {path.name: path.read_text() for path in sorted(folder.iterdir())}


def test_run_keeps_exactly_the_programs_that_ran(folder: Path) -> None:
    found = command("run", "train.py", "--epochs", "2")
    assert found.returncode == 0
    assert found.stdout == "sum 4.314 train.py --epochs 2\n3.0\n"
    assert found.stderr == "dump-hlo: 4 programs in train-hlo; train-hlo/index.txt lists them\n"
    files = listing(folder / "train-hlo")
    names = re.findall(r"\S+\.mlir", files["index.txt"])
    assert list(files) == [*names, "index.txt"]
    assert [re.sub(r"_stablehlo.mlir", "", name) for name in names] == [
        "001_train_L10",
        "002_train_L10",
        "003_train_L10",
        "004_train_L11",
    ]
    rows = [re.split(r"  +", row)[1:4] for row in files["index.txt"].splitlines()]
    assert rows == [
        ["cause", "reason", "cut at"],
        ["barrier", "new program", "train.py:10"],
        ["barrier", "new program", "train.py:10"],
        ["barrier", "scalars changed", "train.py:10"],
        ["value", "new program", "train.py:11"],
    ]
    first = files["001_train_L10_stablehlo.mlir"]
    assert first.startswith("// 001_train_L10: cut at train.py:10 (barrier), new program\nmodule @")
    assert "// train.py:9" in first
    command("run", "-o", "again", "train.py")
    assert listing(folder / "again") == files


def test_run_of_every_stage_and_device(folder: Path) -> None:
    (folder / "out").mkdir()
    (folder / "out" / "009_old_L1_hlo.hlo").write_text("an earlier run's")
    (folder / "out" / "mine.txt").write_text("mine")
    found = command("run", "--eager", "--stage", "all", "-o", "out", "train.py")
    assert found.returncode == 0
    files = listing(folder / "out")
    assert "009_old_L1_hlo.hlo" not in files
    assert files["mine.txt"] == "mine"
    assert "  eager  " in files["index.txt"]
    for stage, kind in STAGES.items():
        assert f"001_train_L10_{stage}{kind.suffix}" in files
    assert "HloModule main" in files["001_train_L10_optimized.hlo"]
    assert " at 0x" not in "".join(files.values())


def test_run_of_a_script_that_raises(folder: Path) -> None:
    found = command("run", "train.py", "raise")
    assert found.returncode == 4
    assert found.stderr.startswith(
        'Traceback (most recent call last):\n  File "train.py", line 14, in <module>\n'
    )
    assert str(ROOT) not in found.stderr
    assert "runpy" not in found.stderr
    assert found.stderr.endswith(
        "ValueError: on purpose\n"
        "dump-hlo: train.py raised ValueError at train.py:14\n"
        "dump-hlo: 4 programs in train-hlo; train-hlo/index.txt lists them\n"
    )
    assert len(listing(folder / "train-hlo")) == 5


@pytest.mark.parametrize(("word", "code"), [("exit", 4), ("fine", 0)])
def test_run_of_a_script_that_exits(said: Said, word: str, code: int) -> None:
    found, _, err = said("run", "train.py", word)
    assert found == code
    assert ("train.py exited with code 3" in err) == (word == "exit")


def test_run_is_as_python_runs_a_script(said: Said, folder: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "sub" / "beside.py").write_text("name = 'beside'\n")
    (folder / "sub" / "s.py").write_text(
        "import sys, beside\nprint(__name__, beside.name, sys.argv, sys.path[0])\n"
    )
    before = list(sys.path), list(sys.argv)
    code, out, err = said("run", "sub/s.py", "-o", "x", "--stage")
    expected = f"__main__ beside ['sub/s.py', '-o', 'x', '--stage'] {folder / 'sub'}\n"
    assert (code, out) == (0, expected)
    assert err == (
        "dump-hlo: no program was compiled on a lazy device (--eager keeps those of eager ones)\n"
    )
    assert (list(sys.path), list(sys.argv)) == before


def test_run_of_a_module(said: Said, folder: Path) -> None:
    (folder / "package_of_mine").mkdir()
    (folder / "package_of_mine" / "__init__.py").write_text("")
    (folder / "package_of_mine" / "__main__.py").write_text("import sys\nprint(sys.argv[1:])\n")
    assert said("run", "-m", "package_of_mine", "-x")[:2] == (0, "['-x']\n")
    assert (folder / "package_of_mine-hlo" / "index.txt").exists()


def test_a_device_for_the_script(said: Said, folder: Path) -> None:
    (folder / "lazy.py").write_text("import tracer as tr\nprint(tr.ones((7, 1)) + 1.0)\n")
    assert said("run", "--device", "cpu", "lazy.py")[0] == 0
    assert "001_lazy_L2" in listing(folder / "lazy-hlo")["index.txt"]


def test_a_program_that_is_refused_is_kept(
    said: Said, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise pjrt.CompileError("no")

    monkeypatch.setattr(pjrt.Client, "compile", refuse)
    (folder / "refused.py").write_text(
        "import tracer as tr\n"
        "x = tr.ones((11, 13), device=tr.Device.default_xla()) + 1.0\n"
        "tr.barrier()\n"
    )
    code, _, err = said("run", "--stage", "stablehlo,optimized", "refused.py")
    assert code == 5
    assert "LoweringError: XLA could not compile the program: no\n" in err
    files = listing(folder / "refused-hlo")
    assert list(files) == ["001_refused_L3_stablehlo.mlir", "index.txt"]
    assert "  refused  " in files["index.txt"]
    code, _, err = said("model.py:twice", "--args", "f32[2]", "--stage", "optimized")
    assert code == 5
    assert err.startswith("dump-hlo: optimized: XLA could not compile the program: no\n  @")


def test_a_disk_that_fills_is_said_at_the_end(
    said: Said, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = capture.write_file

    def full(path: Path, text: str) -> None:
        if path.suffix == ".mlir":
            raise Failure(f"cannot write {path}: No space left on device")
        real(path, text)

    monkeypatch.setattr(capture, "write_file", full)
    (folder / "goes_on.py").write_text(
        "import tracer as tr\n"
        "print(tr.ones((1, 2, 3, 4, 5), device=tr.Device.default_xla()).sum())\n"
    )
    code, out, err = said("run", "goes_on.py")
    assert (code, out) == (2, "120.0\n")
    assert f"cannot write {folder}/goes_on-hlo/001_goes_on_L2_stablehlo.mlir: No space left" in err


def test_interrupted(said: Said, folder: Path) -> None:
    (folder / "stops.py").write_text("raise KeyboardInterrupt\n")
    code, _, err = said("run", "stops.py")
    assert code == 130
    assert err.startswith("dump-hlo: stops.py was interrupted at stops.py:1\n")
    assert not programs.listeners


def test_modules_that_have_the_names_of_ours(folder: Path) -> None:
    (folder / "runtime.py").write_text("")
    (folder / "tools.py").write_text("word = 'their own tools'\n")
    (folder / "s.py").write_text(
        "import tools\nimport tracer as tr\n"
        "print(tools.word, tr.ones((3,), device=tr.Device.default_xla()).sum())\n"
    )
    found = command("run", "s.py")
    assert (found.returncode, found.stdout) == (0, "their own tools 3.0\n")
    assert found.stderr.startswith(
        f"dump-hlo: without dump-hlo {folder / 'runtime.py'} hides tracer's own 'runtime': "
        "rename that file\n"
    )


def test_a_script_may_go_elsewhere(said: Said, folder: Path) -> None:
    (folder / "goes.py").write_text(
        "import os, tracer as tr\nos.chdir('/')\n"
        "print(tr.ones((1, 17), device=tr.Device.default_xla()).sum())\n"
    )
    assert said("run", "goes.py")[0] == 0
    assert "  goes.py:3  " in listing(folder / "goes-hlo")["index.txt"]


def test_another_pipe_that_breaks_is_an_error(said: Said, folder: Path) -> None:
    (folder / "pipe.py").write_text("raise BrokenPipeError('of the script')\n")
    code, _, err = said("run", "pipe.py")
    assert code == 4
    assert "BrokenPipeError: of the script\n" in err
