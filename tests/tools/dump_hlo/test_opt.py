"""`dump-hlo opt`, and what `hlo-opt` shows of passes with it: rules, rewrites, files, JSON."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from lowering import PASSES
from lowering.reader import parse
from tests.tools.dump_hlo.conftest import Answer, Here, checked
from tests.tools.dump_hlo.programs import BAD_PASS, JUNK, OURS, exported
from tests.tools.hlo_opt_examples import MY_PASSES, ROOT
from tools.hlo_opt.work import run_here


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("a.mlir").write_text(OURS)
    Path("bad.py").write_text(BAD_PASS)
    Path("mine.py").write_text(MY_PASSES)
    return tmp_path


def test_it_is_hlo_opt(here: Here) -> None:
    for argv in (["--passes", "inline,cse"], ["--list-passes"], ["--passes", "csee"]):
        done = run_here(["a.mlir", *argv])
        messages = done.messages.replace("hlo-opt:", "dump-hlo opt:")
        assert here("opt", "a.mlir", *argv) == (done.code, done.output, messages)


def test_it_has_a_name_of_its_own(here: Here) -> None:
    code, out, err = here("opt", "--help")
    assert (code, err) == (0, "")
    assert out.startswith("usage: dump-hlo opt ")
    assert "  dump-hlo opt model.mlir --passes cse,dce\n" in out
    assert "hlo-opt" not in out
    for argv in (["none.mlir"], ["--nonsense"], [], ["a.mlir", "--passes", "csee"]):
        code, out, err = here("opt", *argv)
        assert (code, out) == (2, "")
        assert err.startswith("dump-hlo opt: ")
    code, _, err = here("opt", "a.mlir", "--reduce", "! grep -q tanh {}")
    assert err.startswith("dump-hlo opt: 6 operations reduced to 1 in ")
    code, _, err = here("opt", "a.mlir", "--passes", "cse", "--bisect-limit", "0")
    assert err == "dump-hlo opt: rewrites made: 0; the last one: none\n"


def test_bytecode(here: Here) -> None:
    Path("jax.mlirbc").write_bytes(bytes(exported().mlir_module_serialized))
    code, out, err = here("opt", "jax.mlirbc", "--passes", "cse,dce", "--verify-each")
    assert (code, err) == (0, "")
    assert "while" in [o.name for o in parse(out).entry.operations]


def test_json(answer: Answer) -> None:
    data = answer("opt", "a.mlir", "--load", "bad.py", "--passes", "inline,miscompile,dce")
    (program,) = data["programs"]
    rows = {row["name"]: row for row in program["passes"]}
    assert data["passes"] == list(rows) == ["inline", "miscompile", "dce"]
    assert [row["changed"] for row in rows.values()] == [True, True, False]
    assert rows["miscompile"]["rewrites"] == {"bad/add_itself": 1, "bad/tanh_to_sine": 1}
    assert data["rewrites"]["total"] == sum(sum(r["rewrites"].values()) for r in rows.values())
    assert "stablehlo.sine" in program["program"]


def test_json_of_what_fails(answer: Answer) -> None:
    Path("two.mlir").write_text(f"x\n// -----\n{OURS}")
    data = answer("opt", "two.mlir", "--split-input-file", "--passes", "cse", code=3)
    assert [program["ok"] for program in data["programs"]] == [False, True]
    assert data["programs"][0]["error"].startswith("two.mlir:1:1: custom op 'x' is unknown")


def test_json_beside_a_file(here: Here) -> None:
    code, out, _ = here("opt", "a.mlir", "--passes", "cse", "--json", "-o", "out.json")
    assert (code, Path("out.json").exists()) == (0, True)
    checked("opt", out)


def test_listings(answer: Answer, here: Here) -> None:
    names = [row["name"] for row in answer("opt", "--list-passes")["listing"]]
    assert names == sorted(PASSES)
    found = answer("opt", "--list-patterns", "simplify-arithmetic")["listing"]
    (row,) = (row for row in found if row["name"] == "sums/subtract_itself")
    assert (row["operations"], "x - x -> 0" in row["algebra"]) == (["subtract"], True)
    code, out, _ = here("opt", "--load", "mine.py", "--list-patterns", "to-cosine")
    assert (code, out) == (
        0, "mine/sine_to_cosine  sine: sine(x) -> cosine(x), which is wrong\n",
    )  # fmt: skip
    code, _, err = here("opt", "--list-patterns", "cse")
    assert (code, "the pass cse is not made of rules" in err) == (2, True)


def test_rewrites_are_traced(here: Here) -> None:
    argv = ["--load", "bad.py", "--passes", "miscompile", "--trace-patterns", "all", "-o", "out"]
    code, out, err = here("opt", "a.mlir", *argv)
    assert (code, out) == (0, "")
    assert err == (
        "// ----- rewrites of miscompile -----\n"
        "bad/add_itself: stablehlo.add at a.mlir:2\n"
        "  add(%arg0, %arg0)\n  -> multiply(%arg0, 2.0)\n"
        "bad/tanh_to_sine: stablehlo.tanh at train.py:7\n"
        "  tanh(%arg0)\n  -> sine(%arg0)\n"
    )


def test_a_limit_holds_for_what_is_traced(here: Here) -> None:
    argv = ["--load", "bad.py", "--passes", "miscompile", "--trace-patterns", "miscompile"]
    _, _, err = here("opt", "a.mlir", *argv, "--bisect-limit", "1", "-o", "out")
    assert ("add_itself" in err, "tanh_to_sine:" in err) == (True, False)


def test_before_and_after(here: Here) -> None:
    argv = ["--passes", "cse,inline", "--print-before", "all", "--print-after", "inline"]
    _, _, err = here("opt", "a.mlir", *argv, "-o", "out")
    titles = [line for line in err.splitlines() if line.startswith("// -----")]
    assert titles == [
        "// ----- IR before cse -----",
        "// ----- IR before inline -----",
        "// ----- IR after inline -----",
    ]


def test_a_file_after_each_pass(here: Here) -> None:
    argv = ["--load", "bad.py", "--passes", "inline,miscompile", "--tree", "steps"]
    assert here("opt", "a.mlir", *argv, "-o", "out")[0] == 0
    files = sorted(path.name for path in Path("steps").iterdir())
    assert files == ["00_input.mlir", "01_inline.mlir", "02_miscompile.mlir"]
    texts = [Path("steps", name).read_text() for name in files]
    assert ["stablehlo.sine" in text for text in texts] == [False, False, True]
    assert ["call @scale" in text for text in texts] == [True, False, False]
    code, _, err = here("opt", "a.mlir", "--passes", "cse", "--tree", "/dev/null/x")
    assert (code, "cannot make the directory /dev/null/x" in err) == (2, True)


def test_programs_apart_have_files_apart(here: Here) -> None:
    Path("two.mlir").write_text(f"{OURS}// -----\n{OURS}")
    argv = ["two.mlir", "--split-input-file", "--passes", "cse", "--tree", "steps", "-o", "out"]
    assert here("opt", *argv)[0] == 0
    assert sorted(str(p.relative_to("steps")) for p in Path("steps").rglob("*.mlir")) == [
        *("000/00_input.mlir", "000/01_cse.mlir", "001/00_input.mlir", "001/01_cse.mlir"),
    ]


@pytest.mark.parametrize(
    ("passes", "code", "program"),
    [("cse,divide", 4, "stablehlo.tanh"), ("cse,break-types", 1, "stablehlo.tanh")],
)
def test_what_fails_is_shown_and_kept(here: Here, passes: str, code: int, program: str) -> None:
    argv = ["--load", "mine.py", "--passes", passes, "--verify-each"]
    argv += ["--print-after", "failure", "--crash-repro", "repro.mlir"]
    found, out, err = here("opt", "a.mlir", *argv)
    assert (found, out) == (code, "")
    name = passes.split(",")[1]
    assert f"// ----- IR on which {name} failed -----\nmodule" in err
    assert "dump-hlo opt: the program that fails is in repro.mlir\n" in err
    first, rest = Path("repro.mlir").read_text().split("\n", 1)
    assert first == f"// dump-hlo opt repro.mlir --passes {name} --load mine.py --verify-each"
    assert program in rest
    assert run_here(first.split()[3:]).code == code


def test_what_can_not_be_read_is_kept(here: Here) -> None:
    code, _, _ = here("opt", "mine.py", "--crash-repro", "repro.mlir")
    assert code == 3
    assert Path("repro.mlir").read_text() == (
        f"// dump-hlo opt repro.mlir --verify-each\n{MY_PASSES}"
    )
    code, _, err = here("opt", "mine.py", "--crash-repro", "/nowhere/x")
    assert (code, "dump-hlo opt: cannot write /nowhere/x" in err) == (2, True)


def test_where_the_process_dies_the_whole_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it does not, the file is as it was."""

    def die(*given: object) -> None:
        raise SystemError("as if of a signal")

    Path("repro.mlir").write_text("earlier")
    argv = ["a.mlir", "--passes", "cse,dce", "--crash-repro", "repro.mlir"]
    assert run_here(argv).code == 0
    assert Path("repro.mlir").read_text() == "earlier"
    monkeypatch.setattr("tools.hlo_opt.session.read_module", die)
    with pytest.raises(SystemError):
        run_here(argv)
    assert Path("repro.mlir").read_text() == (
        f"// hlo-opt repro.mlir --passes cse,dce --verify-each\n// the process died\n{OURS}"
    )


def test_the_other_command_says_the_same() -> None:
    command = [sys.executable, "-m", "tools.hlo_opt", str(Path("a.mlir").absolute())]
    done = subprocess.run(
        [*command, "--passes", "cse", "--json"],
        stdout=subprocess.PIPE,
        check=True,
        cwd=ROOT,
    )
    assert json.loads(done.stdout)["passes"] == ["cse"]


@pytest.mark.parametrize("kind", JUNK)
def test_junk(here: Here, kind: str) -> None:
    Path("x").write_bytes(JUNK[kind])
    code, out, err = here("opt", "x")
    assert (code, out) == (3, "")
    assert ": x" in err


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["a.mlir", "--print-before", "cse"], "no pass to print before is named 'cse'"),
        (["a.mlir", "--trace-patterns", "x"], "no pass to trace is named 'x'"),
        (["--list-patterns", "x"], "no pass is named 'x'; there are: "),
        (["none.mlir"], "none.mlir: No such file or directory"),
        (["--passes", "cse"], "a FILE is needed, - for standard input"),
        (["a.mlir", "--bogus"], "unrecognized arguments: --bogus\ndump-hlo opt --help tells"),
    ],
)
def test_wrong_usage(here: Here, argv: list[str], message: str) -> None:
    code, out, err = here("opt", *argv)
    assert (code, out) == (2, "")
    assert message in err
