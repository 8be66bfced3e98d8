"""`hlo-opt`: what it prints."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

from lowering import PASSES, PIPELINES
from tests.tools.hlo_opt_examples import (
    EMPTY,
    MERGED,
    MY_PASSES,
    OPTIMIZED,
    PROGRAM,
    ROOT,
    Run,
    start,
)
from tools.hlo_opt import main
from tools.hlo_opt.passes import loading
from tools.hlo_opt.work import Done, run_here

WRONG_ADDITION = """
from mine import RULES

@RULES.rule("add")
def add_to_subtract(operation, rewriter):
    "x + y -> x - y, which is wrong"
    return rewriter.create("subtract", *operation.operands)
"""


def test_passes_run_on_each_function(run: Run) -> None:
    assert run("--passes", "cse,dce") == Done(0, OPTIMIZED, "")


def test_without_passes_the_program_is_printed_as_mlir_does(run: Run) -> None:
    done = run()
    assert done.code == 0
    assert run_here([], done.output) == done


def test_the_command_in_a_process_of_its_own(place: Path) -> None:
    out = place / "out.mlir"
    assert start("--passes", "cse, dce", "-o", str(out), input=PROGRAM.encode()) == Done(0, "", "")
    assert out.read_text() == OPTIMIZED


def test_the_passes_are_listed(run: Run) -> None:
    done = run("--list-passes", "--load", "mine.py")
    listed = [line.split()[0] for line in done.output.splitlines()]
    assert done.code == 0
    assert listed == sorted([*PASSES, "to-cosine", "break-types", "divide"])
    assert re.search(r"^to-cosine +Turns every sine into a cosine\.$", done.output, re.MULTILINE)


@pytest.mark.parametrize(
    ("arguments", "like"),
    [
        (["--passes", "default"], ["--pipeline", "cpu"]),
        (["--passes", "cse,dce,-cse"], ["--passes", "dce"]),
        (["--passes=-cse,cse,dce"], ["--passes", "dce"]),
    ],
)
def test_pipelines_and_passes_left_out(run: Run, arguments: list[str], like: list[str]) -> None:
    assert run(*arguments) == run(*like)
    assert run(*arguments).code == 0


def test_all_of_a_pipeline_left_out(run: Run) -> None:
    passes = ",".join(["default", *(f"-{name}" for name in PIPELINES["gpu"])])
    assert run("--pipeline", "gpu", "--passes", passes) == run()


def test_what_changed_is_printed(run: Run) -> None:
    done = run("--passes", "dce,dce,cse", "--print-after", "changed")
    titles = re.findall("// ----- IR after (.*) -----", done.messages)
    assert titles == ["dce", "cse"]
    assert done.messages.endswith(f"// ----- IR after cse -----\n{OPTIMIZED}")


def test_what_is_named_is_printed(run: Run) -> None:
    done = run("--passes", "cse,dce", "--print-after", "cse")
    assert done == Done(0, OPTIMIZED, f"// ----- IR after cse -----\n{MERGED}")
    both = run("--passes", "cse,dce", "--print-after", "cse", "--print-after", "dce")
    assert both == run("--passes", "cse,dce", "--print-after", "all")
    assert both == run("--passes", "cse,dce", "--print-after", "dce,cse")


def test_time_is_told(run: Run) -> None:
    done = run("--passes", "cse,dce,cse", "--time")
    assert done.output == OPTIMIZED
    title, *rows = done.messages.splitlines()
    assert title == "// ----- time in ms"
    names = [re.fullmatch(r" +\d+\.\d{3} +\d+\.\d%  (.*)", row) for row in rows]
    assert [n and n[1] for n in names] == ["parse", "cse", "dce", "verify and print", "in all"]


def test_rules_are_counted(run: Run) -> None:
    done = run("--load", "mine.py", "--passes", "to-cosine", "--stats")
    assert done.messages == (
        "// ----- rewrites\n           1  mine/sine_to_cosine\n           1  in all\n"
    )


def test_the_first_rewrites_only(run: Run) -> None:
    none = run("--load", "mine.py", "--passes", "to-cosine", "--bisect-limit", "0")
    assert (none.output, none.code) == (run().output, 0)
    assert none.messages == "hlo-opt: rewrites made: 0; the last one: none\n"
    one = run("--load", "mine.py", "--passes", "to-cosine", "--bisect-limit", "1")
    assert one.messages == "hlo-opt: rewrites made: 1; the last one: mine/sine_to_cosine\n"
    more = run("--load", "mine.py", "--passes", "to-cosine", "--bisect-limit", "5")
    assert more.messages == "hlo-opt: rewrites made: 1, fewer than the 5 allowed\n"


def test_locations_are_printed(run: Run) -> None:
    assert 'loc("program.mlir":2:0)' in run("--locations").output
    assert "loc(" not in run().output


def test_programs_apart(run: Run, place: Path) -> None:
    (place / "two.mlir").write_text(f"{PROGRAM}// -----\n{PROGRAM}// ----- \n")
    done = run_here(["two.mlir", "--split-input-file", "--passes", "cse,dce"])
    assert done == Done(0, f"{OPTIMIZED}// -----\n{OPTIMIZED}// -----\n{EMPTY}", "")
    assert run_here(["two.mlir"]).messages.startswith(
        "hlo-opt: two.mlir:12:1: redefinition of symbol named 'f'"
    )


def test_a_program_that_fails_does_not_keep_the_others_back(place: Path) -> None:
    done = run_here(["--split-input-file", "--passes", "cse,dce"], f"x\n// -----\n{PROGRAM}")
    assert (done.code, done.output) == (3, OPTIMIZED)
    assert done.messages.startswith("hlo-opt: <stdin>:1:1: custom op 'x' is unknown")
    last = run_here(["--split-input-file"], f"{PROGRAM}// -----\n\nx\n")
    assert last.messages.startswith("hlo-opt: <stdin>:13:1: custom op 'x' is unknown")


def test_passes_of_ones_own_are_known_during_the_run_only(run: Run) -> None:
    before = dict(PASSES)
    for _ in range(2):
        assert run("--load", "mine.py", "--passes", "to-cosine").code == 0
    assert before == PASSES
    assert run("--passes", "to-cosine").code == 2


def test_what_a_file_imports_is_loaded_anew(run: Run, place: Path) -> None:
    with loading(()), pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(place)
        mine = importlib.import_module("mine")
        for _ in range(2):
            (place / "wrong.py").write_text(WRONG_ADDITION)
            done = run("--load", "wrong.py", "--passes", "to-cosine,dce")
            assert "stablehlo.subtract" in done.output
        assert sys.modules["mine"] is mine
        assert len(list(mine.RULES)) == 1
    del sys.modules["mine"]


def test_a_module_of_passes(run: Run, place: Path) -> None:
    (place / "mine_as_module.py").write_text(MY_PASSES)
    for _ in range(2):
        assert run("--load", "mine_as_module", "--passes", "to-cosine").code == 0


def test_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    assert capsys.readouterr().out.startswith("usage: hlo-opt")


def test_nothing_is_an_empty_module() -> None:
    assert run_here([]) == Done(0, EMPTY, "")


def test_the_first_process_loads_neither_the_library_nor_mlir() -> None:
    code = (
        "import sys, tools.hlo_opt; "
        "print([m for m in ('tracer', 'lowering', 'numpy', 'jaxlib') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    assert done.stdout == "[]\n"
