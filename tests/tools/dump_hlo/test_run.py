"""`dump-hlo run`: exactly the programs that a script compiled, and the script as Python runs it."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import tracer as tr
from runtime import pjrt
from tests.tools.dump_hlo.conftest import checked
from tests.tools.dump_hlo_examples import ROOT, Said, command
from tools.runs.bundle import Bundle
from tracer import programs
from tracer.dumping import folder as dumping
from tracer.events import observers


@pytest.fixture(autouse=True)
def forgetful() -> None:
    """Nothing was compiled before, and nothing is pending."""
    tr.barrier()
    programs.clear()


def rows(bundle: Bundle) -> list[tuple[Any, ...]]:
    """Where its programs were cut, why, and how often they ran."""
    names = ("cause", "reason", "line")
    return [(*(e.facts[name] for name in names), len(e.runs)) for e in bundle.entries]


def test_run_keeps_exactly_the_programs_that_ran(folder: Path) -> None:
    found = command("run", "train.py", "--epochs", "2")
    assert found.returncode == 0
    assert found.stdout == "sum 4.314 train.py --epochs 2\n3.0\n"
    assert found.stderr.endswith(
        "dump-hlo: 4 programs in train-hlo; dump-hlo why train-hlo says why\n"
    )
    bundle = Bundle.open("train-hlo")
    assert rows(bundle) == [
        ("barrier", "new program", 10, 1),
        ("barrier", "new program", 10, 1),
        ("barrier", "scalars changed", 10, 2),
        ("value", "new program", 11, 1),
    ]
    assert bundle.facts["argv"] == ["train.py", "--epochs", "2"]
    assert bundle.events[-1]["kind"] == "end"
    assert all(re.fullmatch(r"train_L1[01]_[0-9a-f]{6}", entry.id) for entry in bundle.entries)
    assert [entry.stages for entry in bundle.entries] == [["trace", "lowered"]] * 4
    assert 'loc("train.py":9:0)' in (bundle.entries[0].text("trace") or "")


def test_names_are_the_same_from_run_to_run(said: Said, folder: Path) -> None:
    (folder / "s.py").write_text(
        "import tracer as tr\nprint(tr.ones((3, 9), device=tr.Device.default_xla()).sum())\n"
    )
    said("run", "s.py")
    first = [entry.facts["hash"] for entry in Bundle.open("s-hlo").entries]
    (folder / "s-hlo" / "mine.txt").write_text("mine")
    said("run", "s.py")
    again = Bundle.open("s-hlo")
    assert [entry.facts["hash"] for entry in again.entries] == first
    assert (folder / "s-hlo" / "mine.txt").read_text() == "mine"


def test_stages_and_eager_programs(said: Said, folder: Path) -> None:
    code, _, _ = said("run", "--eager", "--stage", "hlo-opt,pass:cse", "-o", "out", "train.py")
    assert code == 0
    bundle = Bundle.open("out")
    assert "eager" in [entry.facts["cause"] for entry in bundle.entries]
    lazy = [entry for entry in bundle.entries if entry.facts["cause"] != "eager"]
    assert {tuple(entry.stages) for entry in lazy} == {("trace", "lowered", "pass:cse", "hlo-opt")}
    assert "HloModule" in (lazy[0].text("hlo-opt") or "")


@pytest.mark.parametrize(
    ("options", "lines"),
    [
        (["--filter", "L11"], [11]),
        (["--skip", "3"], [11]),
        (["--only-on", "recompile"], [10, 10]),
        (["--only-on", "slow:1000"], []),
    ],
)
def test_only_some_programs(said: Said, options: list[str], lines: list[int]) -> None:
    assert said("run", *options, "train.py")[0] == 0
    assert [entry.facts["line"] for entry in Bundle.open("train-hlo").entries] == lines


def test_inputs_are_kept_where_asked_for(said: Said) -> None:
    said("run", "--with-inputs", "train.py")
    assert (Bundle.open("train-hlo").entries[2].read("inputs.npz") or b"").startswith(b"PK")


def test_no_more_than_asked_for(said: Said) -> None:
    said("run", "--max-bytes", "1KiB", "train.py")
    entries = Bundle.open("train-hlo").entries
    texts = [entry.text(stage) or "" for entry in entries for stage in entry.stages]
    assert sum(map(len, texts)) <= 1024


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--steps", "5"], "--steps needs A:B, counted in barriers, as 2:5, got '5'"),
        (["--steps", "5:2"], "--steps needs A before B, got '5:2'"),
        (["--only-on", "x"], "--only-on needs error, recompile, or slow:SECONDS, got 'x'"),
        (["--first", "-1"], "--first needs a number from 0, got '-1'"),
        (["--skip", "two"], "--skip needs a number from 0, got 'two'"),
        (["--filter", "("], "--filter needs a regular expression, got '('"),
        (["--max-bytes", "much"], "--max-bytes needs bytes, as 4096 or 2GiB, got 'much'"),
        (["--stage", "obj"], "a bundle holds text, obj is none"),
        (["--stage", "lowerd"], "no stage is named 'lowerd'; did you mean 'lowered'?"),
        (["--fail-on", "recompiles>1"], "it knows no 'recompiles'; did you mean 'recompile'?"),
        (["--fail-on", "recompile"], "--fail-on needs tests as recompile>1 or peak>2GiB"),
        (["--fail-on", "cut>1MiB"], "--fail-on: cut is a count, got 'cut>1MiB'"),
        (["-o", "model.py"], "a bundle can't be written into model.py: "),
        (["-o", "."], "a bundle can't be written into .: it is no bundle, and not empty"),
    ],
)
def test_wrong_usage(said: Said, options: list[str], message: str) -> None:
    code, out, err = said("run", *options, "train.py")
    assert (code, out) == (2, "")
    assert message in err


FAILING = """\
import tracer as tr
device = tr.Device.default_xla()
x = tr.ones((5,), device=device)
for n in range(1, 4):
    y = tr.ones((n,), device=device, dtype=tr.float64) * 2.0
    tr.barrier()
print(tr.sum(x * float("nan")).item(), tr.ones((2,), device=tr.Device.default_eager()) + 1.0)
"""


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # of the third compile at a line
@pytest.mark.parametrize(
    ("tests", "hits"),
    [
        (
            "recompile>1,f64>0,nan>=1,fallback>0,peak>1B,cut>99",
            [
                "recompile>1: 2 compiles at a line that had one, at fails.py:6",
                "f64>0: 15 operations have a float64 result, at fails.py:5",
                "nan>=1: 1 result of 6 runs holds a NaN, at fails.py:7; tracer.debug.nans() names "
                "the operation",
                "fallback>0: 2 operations ran one by one, at fails.py:7",
                "peak>1B: the largest program takes ",
            ],
        ),
        ("recompile>2,compile>99,peak>2GiB,cut>=5", []),
    ],
)
def test_fail_on(said: Said, folder: Path, tests: str, hits: list[str]) -> None:
    (folder / "fails.py").write_text(FAILING)
    code, out, err = said("run", "--fail-on", tests, "fails.py")
    found = [line for line in err.splitlines() if "--fail-on" in line]
    assert code == bool(hits)
    assert "nan [2. 2.]" in out
    assert len(found) == len(hits)
    for line, hit in zip(found, hits, strict=True):
        assert line.startswith(f"dump-hlo: --fail-on {hit}")


def test_json_is_all_that_stands_on_standard_output(said: Said) -> None:
    code, out, err = said("run", "--json", "--fail-on", "compile>2", "train.py")
    data = checked("run", out)
    assert "sum 4.314 train.py\n" in err
    assert (code, data["code"]) == (1, 1)
    assert data["totals"]["compiles"] == 4
    assert [row["line"] for row in data["programs"]] == [10, 10, 10, 11]
    assert data["fail_on"] == [
        {
            "test": "compile>2",
            "amount": 4,
            "hit": True,
            "where": ["train.py:10", "train.py:11"],
            "said": "4 compiles",
        }
    ]
    assert data["problems"] == ["--fail-on compile>2: 4 compiles, at train.py:10, train.py:11"]


def test_run_of_a_script_that_raises(folder: Path) -> None:
    found = command("run", "train.py", "raise")
    assert found.returncode == 4
    assert 'Traceback (most recent call last):\n  File "train.py", line 14, in <module>\n' in (
        found.stderr
    )
    assert str(ROOT) not in found.stderr
    assert "runpy" not in found.stderr
    assert found.stderr.endswith(
        "ValueError: on purpose\n"
        "dump-hlo: train.py raised ValueError at train.py:14\n"
        "dump-hlo: 4 programs in train-hlo; dump-hlo why train-hlo says why\n"
    )
    assert Bundle.open("train-hlo").events[-1]["error"] == "ValueError: on purpose"


@pytest.mark.parametrize(("word", "code"), [("exit", 4), ("fine", 0)])
def test_run_of_a_script_that_exits(said: Said, word: str, code: int) -> None:
    found, _, err = said("run", "train.py", word)
    assert found == code
    assert ("train.py exited with code 3" in err) == (word == "exit")


@pytest.mark.parametrize(
    ("given", "own"),
    [
        ("s.py -- x", ["x"]),
        ("s.py -- -- x", ["--", "x"]),
        ("s.py x -- y --", ["x", "--", "y", "--"]),
        ("-- s.py -- x", ["--", "x"]),
        ("-- s.py -o x", ["-o", "x"]),
        ("-o b -- s.py", []),
    ],
)
def test_the_first_mark_alone_is_ours(said: Said, folder: Path, given: str, own: list[str]) -> None:
    (folder / "s.py").write_text("import sys\nprint(sys.argv)\n")
    assert said("run", *given.split())[:2] == (0, f"{['s.py', *own]}\n")


def test_a_mark_is_no_script(said: Said) -> None:
    message = (
        "dump-hlo: the following arguments are required: SCRIPT.py\n"
        "dump-hlo run --help tells what there is\n"
    )
    assert said("run", "--") == (2, "", message)


@pytest.mark.parametrize("mark", [[], ["--"]])
def test_run_is_as_python_runs_a_script(
    said: Said, folder: Path, mark: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "sub").mkdir()
    (folder / "sub" / "beside.py").write_text("name = 'beside'\n")
    (folder / "sub" / "s.py").write_text(
        "import sys, beside\nprint(__name__, beside.name, sys.argv, sys.path[0])\n"
    )
    code, out, err = said("run", "sub/s.py", *mark, "-o", "x", "--stage")
    expected = f"__main__ beside ['sub/s.py', '-o', 'x', '--stage'] {folder / 'sub'}\n"
    assert (code, out) == (0, expected)
    assert err == (
        "dump-hlo: no program was compiled on a lazy device (--eager keeps those of eager ones)\n"
    )


def test_run_of_a_module(said: Said, folder: Path) -> None:
    (folder / "package_of_mine").mkdir()
    (folder / "package_of_mine" / "__init__.py").write_text("")
    (folder / "package_of_mine" / "__main__.py").write_text("import sys\nprint(sys.argv[1:])\n")
    assert said("run", "-m", "package_of_mine", "-x")[:2] == (0, "['-x']\n")
    assert (folder / "package_of_mine-hlo" / "bundle.json").exists()


def test_a_device_for_the_script(said: Said, folder: Path) -> None:
    (folder / "lazy.py").write_text("import tracer as tr\nprint(tr.ones((7, 1)) + 1.0)\n")
    assert said("run", "--device", "cpu", "lazy.py")[0] == 0
    assert [entry.facts["line"] for entry in Bundle.open("lazy-hlo").entries] == [2]


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
    code, _, err = said("run", "refused.py")
    assert code == 5
    assert "LoweringError: XLA could not compile the program: no\n" in err
    (entry,) = Bundle.open("refused-hlo").entries
    assert entry.facts["error"].startswith("LoweringError: XLA could not compile the program: no")
    assert "stablehlo" in (entry.text("lowered") or "")
    assert "  refused  " in command("ls", "refused-hlo").stdout


def test_a_disk_that_fills_is_said_at_the_end(
    said: Said, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = dumping._write

    def full(path: Path, data: bytes) -> None:
        if path.suffix == ".mlir":
            raise OSError(28, "No space left on device")
        real(path, data)

    monkeypatch.setattr(dumping, "_write", full)
    (folder / "goes_on.py").write_text(
        "import tracer as tr\n"
        "print(tr.ones((1, 2, 3, 4, 5), device=tr.Device.default_xla()).sum())\n"
    )
    with pytest.warns(RuntimeWarning, match="No space left on device"):
        code, out, err = said("run", "goes_on.py")
    assert (code, out) == (2, "120.0\n")
    assert "dump-hlo: goes_on-hlo is not whole: the disk did not take all of it\n" in err


def test_interrupted(said: Said, folder: Path) -> None:
    (folder / "stops.py").write_text("raise KeyboardInterrupt\n")
    before = list(observers)
    code, _, err = said("run", "stops.py")
    assert code == 130
    assert err.startswith("dump-hlo: stops.py was interrupted at stops.py:1\n")
    assert observers == before


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
    facts = json.loads(next((folder / "goes-hlo").glob("programs/*/program.json")).read_text())
    assert (facts["file"], facts["line"]) == ("goes.py", 3)


def test_another_pipe_that_breaks_is_an_error(said: Said, folder: Path) -> None:
    (folder / "pipe.py").write_text("raise BrokenPipeError('of the script')\n")
    code, _, err = said("run", "pipe.py")
    assert code == 4
    assert "BrokenPipeError: of the script\n" in err


def test_a_process_that_is_forked_off_ends_as_without_us(folder: Path) -> None:
    (folder / "forks.py").write_text(
        "import os, sys\nif not os.fork():\n    sys.exit(7)\n"
        "print(os.waitstatus_to_exitcode(os.wait()[1]))\n"
    )
    found = command("run", "forks.py")
    assert (found.returncode, found.stdout) == (0, "7\n")
    assert found.stderr.count("dump-hlo: ") == 1


def test_threads_that_go_on_are_waited_for(said: Said, folder: Path) -> None:
    (folder / "threads.py").write_text(
        "import threading, time, tracer as tr\nfrom concurrent.futures import ThreadPoolExecutor\n"
        "ThreadPoolExecutor(1).submit(print, 'pooled').result()\n"
        "def go():\n    time.sleep(0.1)\n"
        "    print(tr.ones((1, 19), device=tr.Device.default_xla()).sum())\n"
        "threading.Thread(target=go).start()\n"
    )
    assert said("run", "threads.py")[:2] == (0, "pooled\n19.0\n")
    assert [row[2] for row in rows(Bundle.open("threads-hlo"))] == [6]


def test_a_script_may_close_its_streams(folder: Path) -> None:
    (folder / "closes.py").write_text("import sys\nsys.stdout.close()\nsys.stderr = None\n")
    found = command("run", "closes.py")
    assert found.returncode == 0
    assert found.stderr.startswith("dump-hlo: no program was compiled")
    found = command("run", "--json", "closes.py")
    assert (found.returncode, checked("run", found.stdout)["code"]) == (0, 0)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # of the bundle, which ends there
@pytest.mark.parametrize(("last", "code"), [("", 2), ("raise ValueError", 4)])
def test_a_bundle_that_the_script_removes(said: Said, folder: Path, last: str, code: int) -> None:
    (folder / "removes.py").write_text(f"import shutil\nshutil.rmtree('removes-hlo')\n{last}\n")
    found, out, err = said("run", "removes.py")
    assert (found, out) == (code, "")
    lost = "what was written into removes-hlo is lost: there is no bundle 'removes-hlo'"
    assert f"dump-hlo: {lost}\n" in err


def test_what_is_said_where_the_options_keep_nothing(said: Said, folder: Path) -> None:
    _, _, err = said("run", "--first", "0", "-o", "of this", "train.py")
    assert err.endswith("dump-hlo: 4 programs compiled, none of those that the options keep\n")
    _, _, err = said("run", "-o", "of this", "train.py")
    assert err.endswith("in of this; dump-hlo why 'of this' says why\n")
